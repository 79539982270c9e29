// Questions and their answers where `carat serve` answers: the key of this session, places that all tabs
// share, and a server that may end and come back.

import { fail, told } from './page.js';

const KEY = 'carat-key';

/** The key comes in the first link. It moves to the storage of this tab, and never stays in a link. */
export function enter() {
  const given = /^#k=([0-9a-f]{32})/.exec(location.hash);
  if (!given) return;
  sessionStorage.setItem(KEY, given[1]);
  tabs.postMessage({ key: given[1], isNew: true });
  wakes.forEach((wake) => wake());
  history.replaceState(null, '', location.pathname);
}

// Most questions of all tabs of a browser at once: a browser has six connections to a server.
const PLACES = 4;
// More than the populations of any table: what all of them play comes last.
const ALL = 1000;
const TURN = 'carat-turn';
// Between two attempts to reach a server, and two looks whether it is there, in milliseconds.
const AGAIN = 2000;
const LOOK = 5000;
const GONE = 'carat does not answer. Start `carat serve` again, with the same port: this page then continues.';
const NO_KEY = 'This tab has no key. Open the link that `carat serve` printed: this tab then continues, too.';
const BUSY = 'carat is answering too many questions at once. This one waits.';

// Tabs tell each other their key: a new one to all, and any to a tab that has none.
const tabs = new BroadcastChannel(KEY);
let wakes = [];
tabs.onmessage = ({ data }) => {
  const own = sessionStorage.getItem(KEY);
  if (data === '?') return own && tabs.postMessage({ key: own });
  if (own && !data.isNew) return;
  sessionStorage.setItem(KEY, data.key);
  wakes.forEach((wake) => wake());
};
enter();
if (!sessionStorage.getItem(KEY)) tabs.postMessage('?');

/** Says why carat does not answer, and waits a while, or until there is another key. */
async function pause(words) {
  fail(new Error(words));
  await new Promise((resolve) => { wakes.push(resolve); setTimeout(resolve, AGAIN); });
  wakes = [];
}

/** Takes back what was said of a server that did not answer. */
function answers(said = [GONE, NO_KEY, BUSY]) {
  if (said.includes(document.getElementById('fault').textContent)) fail(null);
}

/**
 * Takes one of the places that all tabs share, and returns what frees it. If none is free, a new
 * question takes the place of the oldest: `stop` is aborted there, and that one waits for a place.
 */
async function take(stop, isNew) {
  // Only secure addresses have locks, as this machine has; a phone shows one tab at a time.
  if (!navigator.locks) return () => {};
  let free;
  const held = new Promise((resolve) => { free = resolve; });
  const request = (at, options) => new Promise((got, failed) => {
    navigator.locks.request(`carat-${at}`, options, (lock) => { got(lock); return lock && held; }).catch((error) => { failed(error); stop.abort(); });
  });
  for (let at = 0; at < PLACES; at += 1) if (await request(at, { ifAvailable: true })) return free;
  const turn = Number(localStorage.getItem(TURN)) % PLACES || 0;
  if (isNew) localStorage.setItem(TURN, turn + 1);
  await request(turn, isNew ? { steal: true } : { signal: stop.signal });
  return free;
}

/** The answers to a question, line by line, asked again until all are there. Fails with words. */
export async function* ask(question, signal) {
  const isOver = () => signal?.aborted;
  let [shown, isNew] = [-1, !document.hidden];
  for (;;) {
    const [stop, before] = [new AbortController(), shown];
    const end = () => stop.abort();
    // What waits for a place takes one when it is seen.
    const seen = () => { if (!document.hidden && !free) { isNew = true; end(); } };
    let free, why;
    signal?.addEventListener('abort', end);
    document.addEventListener('visibilitychange', seen);
    try {
      if (isOver()) throw signal.reason;
      free = await take(stop, isNew);
      isNew = false;
      for await (const line of lines(question, stop.signal)) {
        // What was shown before a break is not shown again.
        const reached = line.games === undefined ? shown : (line.populations?.[0] ?? ALL) * 1e9 + line.games;
        if (line.games !== undefined && reached <= shown) continue;
        shown = reached;
        answers();
        yield line;
      }
      return;
    } catch (error) {
      if (isOver()) throw signal.reason;
      // A server that has no more time for a question goes on if it got further than before.
      const isLate = error.message === 'was stopped' && shown > before;
      if (!stop.signal.aborted && !error.again && !isLate) throw error;
      why = stop.signal.aborted ? null : error.again;
    } finally {
      end();
      free?.();
      signal?.removeEventListener('abort', end);
      document.removeEventListener('visibilitychange', seen);
    }
    if (why) await pause(why);
  }
}

/** The answers to a question, once. A fault that may pass has `again`, its words. */
async function* lines(question, signal) {
  const again = (words) => Object.assign(new Error(words), { again: words });
  const gone = (error) => { throw error.name === 'AbortError' ? error : again(GONE); };
  const key = sessionStorage.getItem(KEY);
  if (!key) throw again(NO_KEY);
  const reply = await fetch('/ask', {
    method: 'POST', headers: { 'content-type': 'application/json', 'x-carat-key': key }, body: JSON.stringify(question), signal,
  }).catch(gone);
  if (reply.status === 401) {
    // Another server has another key, which a newer tab may know.
    if (key === sessionStorage.getItem(KEY)) sessionStorage.removeItem(KEY);
    tabs.postMessage('?');
    throw again(NO_KEY);
  }
  if (reply.status === 429) throw again(BUSY);
  if (!reply.ok) throw new Error(`carat refused the question (${reply.status}).`);
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ''; ;) {
    const { value, done } = await reader.read().catch(gone);
    const found = (rest + (value ?? '')).split('\n');
    rest = found.pop();
    for (const line of found) {
      yield told(line);
    }
    if (done) return;
  }
}

/** Looks now and then whether carat is still there, as long as somebody looks. */
async function look() {
  if (document.hidden) return;
  const isThere = await fetch('/page.css', { method: 'HEAD' }).then(() => true, () => false);
  if (isThere) answers([GONE]);
  else fail(new Error(GONE));
}
setInterval(look, LOOK);
document.addEventListener('visibilitychange', look);
