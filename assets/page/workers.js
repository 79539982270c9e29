// Questions and their answers where the page is a folder of files: workers of this browser answer.

import { told } from './page.js';

// Most workers that share the games of a question: the sums of each are to be added up.
const MOST = 8;
const SHARES = Math.max(1, Math.min(navigator.hardwareConcurrency || 1, MOST));

const code = new URL('carat.wasm', import.meta.url);

/** The code, compiled once for all workers. */
const compiled = (async () => {
  try {
    return await WebAssembly.compileStreaming(fetch(code));
  } catch {
    // A host that does not know the type of the file.
    const reply = await fetch(code);
    if (!reply.ok) throw new Error('carat.wasm is not there: load the page once with a connection.');
    return WebAssembly.compile(await reply.arrayBuffer());
  }
})();
compiled.catch(() => {});

async function begin() {
  const worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
  worker.postMessage(await compiled);
  return worker;
}

/** The lines of a worker's answer to a question as text. */
async function* answers(worker, text, signal) {
  let wake = () => {};
  const lines = [];
  const hear = (line) => { lines.push(line); wake(); };
  const stop = () => hear(undefined);
  signal?.addEventListener('abort', stop);
  try {
    const own = await worker;
    signal?.throwIfAborted();
    own.onmessage = ({ data }) => hear(data);
    own.onerror = () => hear(JSON.stringify({ error: 'carat stopped. Reload the page.' }));
    own.postMessage(text);
    for (;;) {
      while (!lines.length) await new Promise((done) => { wake = done; });
      const line = lines.shift();
      signal?.throwIfAborted();
      if (line === null) return;
      yield line;
    }
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/** The lines of an answer that several workers find together: each plays a part of a step, one merges them. */
async function* together(workers, text, signal) {
  const asked = (field, more) => `${text.slice(0, -1)},"${field}":${JSON.stringify(more)}}`;
  let state = null;
  for (let step = 0; ; step += 1) {
    const parts = await Promise.all(workers.map(async (worker, at) => {
      let last;
      for await (const line of answers(worker, asked('part', { step, shard: `${at + 1}/${workers.length}`, state }), signal)) last = line;
      return last;
    }));
    const sums = parts.map((line) => JSON.parse(line).sums);
    const fault = sums.indexOf(undefined);
    if (fault >= 0) {
      yield parts[fault];
      return;
    }
    let isLast = false;
    for await (const line of answers(workers[0], asked('merge', { step, parts: sums, state }), signal)) {
      const read = JSON.parse(line);
      state = read.state ?? state;
      if (read.state === undefined) {
        isLast = read.done !== false;
        yield line;
      }
    }
    if (isLast) return;
  }
}

/** Workers with a queue. A question that nobody waits for any more ends with its workers. */
function lane(count = 1) {
  let workers = [begin()];
  let last = Promise.resolve();
  return async function* (text, signal) {
    const before = last;
    let free;
    last = new Promise((done) => { free = done; });
    let isOver = false;
    try {
      await before;
      signal?.throwIfAborted();
      // A population that adapts to the table is made once.
      const isShared = count > 1 && !text.includes('adapted');
      while (isShared && workers.length < count) workers.push(begin());
      yield* isShared ? together(workers, text, signal) : answers(workers[0], text, signal);
      isOver = true;
    } finally {
      if (!isOver) {
        for (const worker of workers) worker.then((own) => own.terminate(), () => {});
        workers = workers.map(begin);
      }
      free();
    }
  };
}

// Advice never waits for games, and a move never for advice.
const judge = lane();
const lanes = { simulate: lane(SHARES), sweep: lane(SHARES), advise: judge, review: judge };
const other = lane();

/** The lines of an answer to a question as text. */
export const carry = (text, signal) => (lanes[JSON.parse(text).ask] ?? other)(text, signal);

/** The answers to a question, line by line. Fails with the words of the fault. */
export async function* ask(question, signal) {
  for await (const line of carry(JSON.stringify(question), signal)) {
    yield told(line);
  }
}

/** Nothing is needed to ask: all is in this browser. */
export const enter = () => {};

navigator.serviceWorker?.register('sw.js').catch(() => {});
