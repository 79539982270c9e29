// Questions and their answers where the page is a folder of files: workers of this browser answer.

import { told } from './page.js';

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

/** A worker with a queue. A question that nobody waits for any more ends with its worker. */
function lane() {
  let worker = begin();
  let last = Promise.resolve();
  return async function* (text, signal) {
    const before = last;
    let free;
    last = new Promise((done) => { free = done; });
    let own = null;
    let wake = () => {};
    const lines = [];
    const hear = (line) => { lines.push(line); wake(); };
    const stop = () => hear(undefined);
    try {
      await before;
      signal?.throwIfAborted();
      signal?.addEventListener('abort', stop);
      own = await worker;
      own.onmessage = ({ data }) => hear(data);
      own.onerror = () => hear(JSON.stringify({ error: 'carat stopped. Reload the page.' }));
      own.postMessage(text);
      for (;;) {
        while (!lines.length) await new Promise((done) => { wake = done; });
        const line = lines.shift();
        signal?.throwIfAborted();
        if (line === null) { own = null; return; }
        yield line;
      }
    } finally {
      signal?.removeEventListener('abort', stop);
      if (own) { own.terminate(); worker = begin(); }
      free();
    }
  };
}

// Advice never waits for games.
const lanes = { simulate: lane(), sweep: lane() };
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
