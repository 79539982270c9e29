// What all views share: the link, numbers, and elements.

import { ask, enter } from './carrier.js';
import { OPENS } from './games.js';

export { ask };

const VIEWS = { explore: () => import('./explore.js'), advise: () => import('./advise.js'), play: () => import('./play.js') };

/** What a line of an answer tells. Fails with the words of a fault. */
export function told(line) {
  const answer = JSON.parse(line);
  if (answer.error !== undefined) throw Object.assign(new Error(answer.error), { field: answer.field });
  return answer;
}

/** The last answer to a question. */
export async function answer(question, signal) {
  let last;
  for await (last of ask(question, signal));
  return last;
}

/** An element with attributes, listeners (`onclick`) and children; texts stay texts. */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key === 'value') element.value = value;
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** A picture from carat. */
export function picture(svg) {
  const root = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  return document.importNode(root, true);
}

/** A table with a head; cells that are numbers stand right. */
export function table(caption, heads, rows) {
  const cell = (value, at) => (at ? h('td', {}, value) : h('th', { scope: 'row' }, value));
  return h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption, 'data-key': caption.replace(/[\d,]+/g, '') }, h('table', {},
    h('caption', {}, caption),
    h('thead', {}, h('tr', {}, heads.map((head) => h('th', { scope: 'col' }, head)))),
    h('tbody', {}, rows.map((row) => h('tr', {}, row.map((value, at) => cell(value, at)))))));
}

/** A labelled choice of [value, words]. */
export function choice(label, options, value, change, attributes = {}) {
  const list = options.map(([of, words]) => h('option', { value: of, selected: of === value }, words));
  const select = h('select', { ...attributes, onchange: () => change(select.value) }, list);
  return h('label', { class: 'field' }, h('span', {}, label), select);
}

/** A labelled number: a slider with a box. `change` also hears whether the slider still moves. */
export function number(label, [least, most, step = 1], value, change, far = most) {
  const named = (type, max) => h('input', { type, min: least, max, step, value, required: true, 'aria-label': label });
  const [slider, box] = [named('range', far), named('number', most)];
  slider.max = far;
  slider.value = value;
  const set = (from, moves) => () => {
    (from === slider ? box : slider).value = from.value;
    wrong(box, '');
    change(Number(from.value), moves);
  };
  slider.addEventListener('input', set(slider, true));
  slider.addEventListener('change', set(slider, false));
  takes(box, `Enter a whole number from ${least} to ${most}.`, set(box, false));
  return h('div', { class: 'field number', role: 'group', 'aria-label': label }, h('span', {}, label), slider, box);
}

/** Says below a box what is wrong with its value; with no words, that nothing is. */
export function wrong(box, words) {
  let line = box.nextElementSibling;
  if (!line?.matches('.wrong')) {
    if (!words) return;
    line = h('span', { class: 'wrong', role: 'alert', id: `wrong-${box.getAttribute('aria-label') ?? ''}`.replaceAll(' ', '-') });
    box.after(line);
    box.setAttribute('aria-describedby', [line.id, box.getAttribute('aria-describedby')].filter(Boolean).join(' '));
  }
  line.textContent = words;
  if (!box.matches('button')) box.setAttribute('aria-invalid', words ? 'true' : 'false');
}

/** Takes the value of a box when it changes; one that is not allowed stays there, and below it what is. */
export function takes(box, allowed, does) {
  box.addEventListener('change', () => {
    const isAllowed = box.checkValidity();
    wrong(box, isAllowed ? '' : allowed);
    if (isAllowed) does();
  });
  return box;
}

/** Draws a part anew; what has the same name, or `data-key`, stays open and keeps the focus. */
export function redraw(part, draw, otherwise) {
  const name = (of) => (of.dataset.key ?? of.getAttribute('aria-label') ?? of.textContent) + (of.type ?? '');
  const focused = part.contains(document.activeElement) ? name(document.activeElement) : null;
  const open = new Map([...part.querySelectorAll('details:not(:empty)')].map((of) => [name(of.firstChild), of.open]));
  draw();
  for (const of of part.querySelectorAll('details')) of.open = open.get(name(of.firstChild)) ?? of.open;
  if (focused === null || part.contains(document.activeElement)) return;
  const all = [...part.querySelectorAll('button:not(:disabled), summary, select, input, textarea, [tabindex]')];
  (all.find((of) => name(of) === focused) ?? part.querySelector(otherwise ?? 'button:not(:disabled)'))?.focus({ preventScroll: true });
}

/** Puts a help below a control, in sight and for screen readers. */
export function helped(control, words, key) {
  if (!words) return control;
  const id = `help-${key}`.replace(/[^\w-]+/g, '-');
  control.querySelectorAll('input, select').forEach((of) => of.setAttribute('aria-describedby', id));
  return h('div', {}, control, h('p', { class: 'help', id }, words));
}

/** A chart from carat with a sentence as its name, and its numbers as a table. */
export function chart(svg) {
  const drawn = picture(svg);
  const [title] = drawn.getAttribute('aria-label').split(/\. /);
  drawn.setAttribute('aria-label', `${title}.`);
  const rows = [...drawn.querySelectorAll('.told title')].map((of) => /^(.*): (.*)$/s.exec(of.textContent)?.slice(1) ?? [of.textContent, '']);
  return [drawn, table(title, ['series', 'value'], rows)];
}

export function button(words, does, attributes = {}) {
  return h('button', { type: 'button', ...attributes, onclick: does }, words);
}

/** Keeps numbers on one line with their margins and units. */
export const joined = (text) => text.replaceAll(' ± ', '\u00a0±\u00a0').replaceAll(' %', '\u00a0%');

/** A number with as many digits as its margin of error allows, but at least some. */
export function figure(value, half, isShare, isWithMargin = true, least = 0) {
  if (value === null || value === undefined) return 'unknown';
  const scale = isShare ? 100 : 1;
  const wide = Math.abs((half ?? 0) * scale);
  const digits = wide > 0 ? Math.min(4, Math.max(least, -Math.floor(Math.log10(wide)))) : (isShare ? 1 : 2);
  const shown = (number) => (number * scale).toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay: 'negative' });
  return joined(`${shown(value).replace('-', '−')}${wide > 0 && isWithMargin ? ` ± ${shown(half)}` : ''}${isShare ? ' %' : ''}`);
}

/** A difference of shares in percentage points; others as they are. */
export const points = (...values) => figure(...values).replace('\u00a0%', ' points');

/** A whole number of a link within a range; otherwise another. */
export function whole(text, least, most, otherwise) {
  const number = Number(text ?? otherwise);
  return Number.isInteger(number) && number >= least && number <= most ? number : otherwise;
}

export const count = (games) => games.toLocaleString('en');
export const spaced = (name) => name.replaceAll('_', ' ');
export const half = (row, name) => ((row[`${name}_high`] ?? 0) - (row[`${name}_low`] ?? 0)) / 2;

export function download(name, text, type = 'text/plain') {
  const link = h('a', { href: URL.createObjectURL(text instanceof Blob ? text : new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    say(`${what} copied.`);
  } catch {
    // Without a secure address there is no clipboard: the text is shown, to be copied by hand.
    fail(new Error(`Copying is not possible here. Copy this by hand:\n${text}`));
  }
}

/** Says a sentence once, also to screen readers. */
export function say(words) {
  document.getElementById('said').textContent = words;
}

/** Shows what went wrong; nothing if a newer question ended an older one. */
export function fail(error) {
  if (error?.name === 'AbortError') return;
  const place = document.getElementById('fault');
  place.textContent = error ? error.message : '';
  place.hidden = !error;
}

/** The view and its values in the link. */
export function linked() {
  if (location.hash.length < 2) return ['explore', new URLSearchParams(OPENS)];
  const [view, query] = location.hash.slice(1).split('?');
  return [Object.hasOwn(VIEWS, view) ? view : 'explore', new URLSearchParams(query ?? '')];
}

// The link that is shown; another one in the address is about to be.
let shown = null;

/** Puts values into the link, unless another view is opened. A step is one that Back and `undo` take back. */
export function link(view, values, isStep = false) {
  if (location.hash !== shown || linked()[0] !== view) return;
  const query = values.toString();
  const hash = `#${view}${query ? `?${query}` : ''}`;
  const at = history.state?.at ?? 0;
  if (isStep && hash !== location.hash) {
    history.pushState({ at: at + 1 }, '', hash);
    last = at + 1;
  } else history.replaceState({ at }, '', hash);
  shown = location.hash;
  document.querySelector(`[data-view=${view}]`).href = location.hash;
}

// The number of the last step of this tab.
let last = 0;

/** Whether there is a step to take back, and one to do again. */
export const steps = () => [(history.state?.at ?? 0) > 0, (history.state?.at ?? 0) < last];

/** The words of a command as a shell reads them. */
export function command(words) {
  const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
  return words.map(quoted).join(' ');
}

let leave = null;
let open = null;
let turn = 0;

/** Opens the view of the link. One that is still being opened gives way. */
async function show() {
  enter();
  shown = location.hash;
  const own = ++turn;
  const [view, values] = linked();
  for (const of of document.querySelectorAll('[data-view]')) {
    if (of.dataset.view === view) of.setAttribute('aria-current', 'page');
    else of.removeAttribute('aria-current');
  }
  say('');
  // A view that is open takes a step of its own history.
  if (open?.view === view && open.to) { fail(null); open.to(values); return; }
  leave?.();
  leave = open = null;
  const module = await VIEWS[view]();
  if (own !== turn) return;
  fail(null);
  leave = module.open(document.getElementById('main'), values);
  open = { view, to: module.to };
}

addEventListener('hashchange', () => show().catch(fail));
show().catch(fail);
