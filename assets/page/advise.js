// Leave or stay?: a game at a real table, tapped card by card; the record is carat's notation.

import { answer, button, choice, copy, fail, figure, h, half, joined, link, redraw, say, spaced, table, whole, wrong } from './page.js';
import { GAMES } from './games.js';

// The game whose records carat reads.
const GAME = GAMES.find(({ advises }) => advises).name;
const PEOPLE = ['people', 'bold', 'careful'];
// The first look, and the one that is shown in the end.
const PLAYOUTS = [1000, 20_000];

let state, about, rules, asking = null, past = [], place;

function read(values) {
  const players = whole(values.get('players'), 1, 8, 4);
  const names = values.getAll('name');
  const of = { rules: values.get('rules') ?? '', players, me: whole(values.get('me'), 1, players, 1), names: names.length === players ? names : [] };
  return { ...of, ...parse(values.get('record') ?? '', of.me) };
}

/** How a player is called. */
const called = (seat, of = state) => of.names[seat - 1] ?? `player ${seat}`;

/** A text of carat with players as they are called; chests with their rubies in brackets. */
function words(text, you = 'you', of = state) {
  const name = (seat) => (Number(seat) === of.me ? you : called(seat, of));
  const parts = text.replace(/@(\d+) (\d+)(?=[,.])/g, (_, seat, rubies) => `${name(seat)} (${rubies})`).replace(/@(\d+)/g, (_, seat) => name(seat));
  return joined(parts).replace(/\byou wins\b/, 'you win').replace(/(^|\. )([a-z])/g, (all) => all.toUpperCase());
}

/** What the `players` line of a record says, and the record with seats in the place of names. */
function people(text) {
  const listed = /^\s*players\s+([^#/;|\n]+)/im.exec(text)?.[1].trim().split(/[\s,]+/) ?? [];
  if (listed.length < 2) return { size: Number(listed[0]) || state.players, names: [], text };
  const seats = text.split(/([^\p{L}\p{N}_-]+)/u).map((word) => (listed.includes(word) ? `@${listed.indexOf(word) + 1}` : word));
  return { size: listed.length, names: listed, text: seats.join('') };
}

/** A record: the lines before, and the steps of the last expedition: cards, leavers, or other words. */
function parse(text, me) {
  const parts = text.replace(/#.*/g, '').split(/[\n/;|]/).map((part) => part.trim().replace(/^(?:round|expedition)\s+(\d+)\s*:?|^(\d+)\s*:/i, '$1$2:'));
  const lines = [];
  for (const part of parts.filter((of) => of && !/^players\b/i.test(of))) {
    if (!lines.length || /^(\d+:|chests|relics|gone)/i.test(part) || /^(chests|relics|gone)/i.test(lines.at(-1))) lines.push(part);
    else lines[lines.length - 1] += ` / ${part}`;
  }
  // Without a number, what is not known before is the first expedition.
  const isRound = (of) => /^\d+:/.test(of);
  const at = lines.findLastIndex(lines.some(isRound) ? isRound : (of) => !/^(chests|relics|gone)/i.test(line));
  const [before, last] = at < 0 ? [lines, ''] : [lines.slice(0, at), lines.slice(at).join(' / ')];
  const [, round, rest] = /^(?:(\d+):)?(.*)$/.exec(last);
  return { before, round: Number(round ?? 1), steps: steps(rest, me) };
}

function steps(text, me) {
  const found = [];
  for (const part of text.split('/').map((of) => of.trim()).filter(Boolean)) {
    const seats = [...part.replace(/^(me|i)\b/i, `@${me}`).matchAll(/@(\d+)/g)].map((of) => Number(of[1]));
    if (/^(me|i|@\d+)(\s*(and|,)?\s*@\d+)*\s+leaves?$/i.test(part)) found.push({ leave: seats });
    else if (/leaves?|^(chests|relics|gone)/.test(part)) found.push({ words: part });
    else found.push(...cardsOf(part));
  }
  return found;
}

/** The cards of a text; a relic may have its worth after it. */
function cardsOf(text) {
  const words = text.split(/[\s,]+/).filter(Boolean);
  return words.map((word) => ({ card: word }));
}

function line(of) {
  let text = `${of.round}:`;
  let isOpen = true;
  for (const step of of.steps) {
    if (step.card) text += isOpen ? ` ${step.card}` : ` / ${step.card}`;
    else text += ` / ${step.words ?? `${step.leave.map((seat) => `@${seat}`).join(' ')} ${step.leave.length > 1 ? 'leave' : 'leaves'}`}`;
    isOpen = Boolean(step.card);
  }
  return text.replace(': /', ':');
}

const record = (of = state) => [...of.before, ...(of.steps.length || !/^\d+:/.test(of.before.at(-1) ?? '') ? [line(of)] : [])].join('\n');

/** What is on the table: cards of this expedition, seats that are out, traps that left the game. */
function standing() {
  const shown = state.steps.filter((step) => step.card).map((step) => step.card);
  const leaving = new Set(state.steps.at(-1)?.leave ?? []);
  const out = new Set(state.steps.flatMap((step) => step.leave ?? []));
  const gone = [];
  for (const text of state.before) {
    const removed = /\bgone ([^/]*)/.exec(text);
    const whole = (word) => Object.keys(rules.traps).find((name) => name.startsWith(word.toLowerCase().replace(/s$/, ''))) ?? word;
    if (removed) gone.push(...removed[1].trim().split(/\s+/).map(whole));
    const cards = steps(text.replace(/^\d+:/, '')).filter((step) => step.card).map((step) => step.card);
    const last = cards.at(-1);
    if (/^\d+:/.test(text) && rules.remove_trap && last in rules.traps && times(cards, last) >= rules.traps_to_end) gone.push(last);
  }
  const trapped = Object.keys(rules.traps).find((trap) => times(shown, trap) >= rules.traps_to_end);
  return { shown, leaving, out, gone, trapped, isOver: Boolean(trapped) || out.size >= state.players };
}

const times = (list, of) => list.filter((other) => other === of).length;

export function open(main, values) {
  state = read(values);
  past = [];
  place = {};
  for (const name of ['verdict', 'path', 'standing', 'bar', 'cards', 'seats', 'more', 'record']) place[name] = h('div', { class: name });
  place.setup = h('details', { class: 'setup' });
  // Nothing above the cards ever grows, so none moves away under a finger.
  place.all = h('div', { class: 'advise' },
    h('div', {}, h('h2', {}, 'Leave or stay?'), place.setup, place.verdict, place.path, place.bar, place.cards, place.seats),
    h('div', {}, place.standing, place.more, place.record));
  main.replaceChildren(place.all);
  learn().catch(fail);
  return () => asking?.abort();
}

async function learn() {
  const own = place;
  const found = await answer({ ask: 'about', table: { game: GAME, rules: state.rules || undefined } });
  if (!own.setup.isConnected) return;
  about = found;
  rules = about.rules;
  update();
}

/** A button that keeps the focus when it can no longer be pressed. */
const tapped = (words, does, isOff, attributes) => button(words, () => isOff || does(), { ...attributes, 'aria-disabled': isOff ? 'true' : 'false' });

function setup() {
  // Only another edition has other rules to ask for.
  const anew = (change, then = update) => () => { past.push(structuredClone(state)); change(); Object.assign(state, { before: [], round: 1, steps: [] }); then(); };
  const numbers = (least, most, word) => Array.from({ length: most - least + 1 }, (_, at) => [String(least + at), `${word}${least + at}`]);
  const text = (label, hint) => h('label', { class: 'field' }, h('span', {}, label), h('input', { placeholder: `such as ${hint}`, 'data-start': label }));
  const begin = () => {
    const [round, chests, relics, gone] = [...place.setup.querySelectorAll('[data-start]')].map((box) => box.value.trim().replaceAll(',', ' '));
    if (!round && !chests && !relics && !gone) return wrong(start, 'Enter at least one of these: expedition, chests, relics, traps.');
    const known = [chests && `chests ${chests}`, relics && `relics ${relics}`, gone && `gone ${gone}`].filter(Boolean);
    return take({ ...state, before: known, round: round || 1, steps: [] }, start);
  };
  const start = button('Start here', begin);
  place.setup.replaceChildren(h('summary', { 'data-key': 'setup' }, `${about.rules.title}, ${state.players} players, you are ${called(state.me)}`),
    choice('Edition', about.game.rules.map((name) => [name, name]), state.rules || about.game.rules[0], (name) => anew(() => { state.rules = name === about.game.rules[0] ? '' : name; }, () => learn().catch(fail))()),
    choice('Players', numbers(3, 8, ''), String(state.players), (size) => anew(() => Object.assign(state, { players: Number(size), me: Math.min(state.me, Number(size)), names: [] }))()),
    button('New game', anew(() => {})),
    choice('You are', numbers(1, state.players, '').map(([seat]) => [seat, called(seat)]), String(state.me), (me) => { state.me = Number(me); update(); }),
    h('details', {}, h('summary', {}, 'Start from a position'),
      text('Expedition', '4'), text('Rubies in the chests, by player', '12 0 30 5'), text('Relics taken out, by player', '1 0 0 0'), text('Traps that left the game', 'snake'),
      start));
}

/** Goes on from another record if carat can read it; otherwise says below a box why not. */
async function take(next, box) {
  const own = place;
  try {
    await answer({ ...asked(next), playouts: 1 });
  } catch (error) {
    return wrong(box, words(error.message, called(next.me, next), next));
  }
  if (place !== own) return;
  past.push(structuredClone(state));
  state = { ...next, round: Number(next.round) };
  update();
}

function tap(change) {
  past.push(structuredClone(state));
  change();
  update();
}

/** A player leaves, or stays after all, at the decision after the last card. */
function toggle(seat) {
  tap(() => {
    const last = state.steps.at(-1);
    if (!last?.leave) return state.steps.push({ leave: [seat] });
    last.leave = last.leave.includes(seat) ? last.leave.filter((other) => other !== seat) : [...last.leave, seat].sort();
    if (!last.leave.length) state.steps.pop();
  });
}

/** Takes back the last step; after a reload, of the record. */
function undo() {
  const edition = state.rules;
  if (past.length) state = past.pop();
  else if (state.steps.length) state.steps.pop();
  else Object.assign(state, state.before.some((of) => /^\d/.test(of)) ? parse(state.before.join('\n'), state.me) : { before: [], round: 1, steps: [] });
  if (state.rules === edition) update();
  else learn().catch(fail);
}

function next() {
  tap(() => Object.assign(state, { before: [...state.before, line(state)], round: state.round + 1, steps: [] }));
}

function update() {
  const values = new URLSearchParams();
  if (state.rules) values.set('rules', state.rules);
  values.set('players', state.players);
  values.set('me', state.me);
  for (const name of state.names) values.append('name', name);
  const text = record();
  if (state.steps.length || state.before.length) values.set('record', text);
  link('advise', values);
  const now = standing();
  redraw(place.all, () => {
    setup();
    path(now);
    cards(now);
    seats(now);
    bar(now);
    recordBox(text);
  }, '.cards button');
  advise(now);
}

function path(now) {
  const step = (of) => (of.card ? tile(of.card, now) : h('span', { class: 'left' }, of.words ?? `${of.leave.map((seat) => (seat === state.me ? 'you' : called(seat))).join(', ')} left`));
  const tiles = h('div', { class: 'tiles', tabindex: '0', role: 'region', 'aria-label': 'Cards so far' }, state.steps.map(step));
  place.path.replaceChildren(h('h3', {}, `Expedition ${state.round} of ${rules.rounds}`), tiles);
  tiles.scrollLeft = tiles.scrollWidth;
}

function tile(card) {
  const isTrap = card in rules.traps;
  return h('span', { class: `tile ${isTrap ? 'trap' : card === 'relic' ? 'relic' : 'treasure'}` }, card);
}

function cards(now) {
  const treasures = [...new Set(rules.treasures)].sort((a, b) => a - b);
  const one = (card, copies, kind) => {
    const left = Math.max(copies - times(now.shown, card) - times(now.gone, card), 0);
    return tapped(card, () => tap(() => state.steps.push({ card })), now.isOver || !left, { class: `card ${kind}`, 'aria-label': `${kind} ${card}, ${left} left`, 'data-key': `${kind} ${card}` });
  };
  const relics = rules.relics.values.length;
  place.cards.replaceChildren(h('h3', {}, 'The next card'),
    h('div', { class: 'grid', role: 'group', 'aria-label': 'Treasures' }, treasures.map((value) => one(String(value), times(rules.treasures, value), 'treasure'))),
    h('div', { class: 'grid wide', role: 'group', 'aria-label': 'Traps and relics' },
      Object.entries(rules.traps).map(([name, copies]) => one(name, copies, 'trap')), relics ? one('relic', relics, 'relic') : null));
}

function seats(now) {
  const list = Array.from({ length: state.players }, (_, at) => at + 1).map((seat) => {
    const isGone = now.out.has(seat) && !now.leaving.has(seat);
    const name = `${capital(seat === state.me ? 'you' : called(seat))}${isGone ? ' (out)' : now.leaving.has(seat) ? (seat === state.me ? ' leave' : ' leaves') : ''}`;
    const isOff = isGone || Boolean(now.trapped) || !state.steps.length;
    return tapped(name, () => toggle(seat), isOff, { class: 'card', 'data-key': `seat ${seat}`, 'aria-pressed': now.leaving.has(seat) ? 'true' : 'false' });
  });
  place.seats.replaceChildren(h('h3', {}, 'Who leaves now?'), h('div', { class: 'grid wide', role: 'group', 'aria-label': 'Players' }, list));
}

function bar(now) {
  const everyone = () => tap(() => {
    const inside = Array.from({ length: state.players }, (_, at) => at + 1).filter((seat) => !now.out.has(seat) || now.leaving.has(seat));
    if (state.steps.at(-1)?.leave) state.steps.pop();
    state.steps.push({ leave: inside });
  });
  place.bar.replaceChildren(
    tapped('Undo', undo, !past.length && !state.steps.length && !state.before.length),
    tapped('All leave', everyone, now.isOver || !state.steps.length),
    tapped('Next expedition', next, !now.isOver || state.round >= rules.rounds, { class: now.isOver && state.round < rules.rounds ? 'main' : '' }));
}

function recordBox(text) {
  const named = state.names.length ? text.replace(/@(\d+)/g, (_, seat) => called(seat)) : text;
  const box = h('textarea', { rows: 4, spellcheck: 'false', 'aria-label': 'The record of the game', value: `players ${state.names.join(' ') || state.players}\n${named}\n` });
  const use = () => {
    const { size, names, text: own } = people(box.value);
    take({ ...state, players: size, me: Math.min(state.me, size), names, ...parse(own, Math.min(state.me, size)) }, box);
  };
  const isOpen = place.record.querySelector('details')?.open;
  place.record.replaceChildren(h('details', { open: isOpen }, h('summary', {}, 'Record of the game'), box,
    h('div', { class: 'actions' }, button('Use this record', use), button('Copy record', () => copy(box.value, 'Record')), button('Copy link', () => copy(location.href, 'Link')))));
}

/** The question about a game as it stands. */
function asked(of) {
  const seats = Array.from({ length: of.players - 1 }, (_, at) => PEOPLE[at % PEOPLE.length]);
  seats.splice(of.me - 1, 0, 'best');
  return { ask: 'advise', me: of.me, situation: record(of), table: { game: GAME, rules: of.rules || undefined, seats } };
}

async function advise(now) {
  asking?.abort();
  const own = new AbortController();
  asking = own;
  place.verdict.setAttribute('aria-busy', 'true');
  const began = performance.now();
  try {
    for (const playouts of PLAYOUTS) {
      const found = await answer({ ...asked(state), playouts }, own.signal);
      if (asking !== own) return;
      fail(null);
      verdict(found, playouts, now);
      if (playouts === PLAYOUTS[0]) performance.measure('advice', { start: began, end: performance.now() });
      if (!found.worth) break;
      if (playouts === PLAYOUTS.at(-1)) say(place.verdict.querySelector('.big')?.textContent ?? '');
    }
  } catch (error) {
    if (asking !== own) return;
    for (const name of ['standing', 'verdict', 'more']) place[name].replaceChildren();
    if (error.field === 'situation') refuse(words(error.message, called(state.me)));
    else fail(error);
  }
  place.verdict.removeAttribute('aria-busy');
}

/** Says at the top and at the record why carat cannot read it. */
function refuse(why) {
  place.verdict.replaceChildren(h('p', { class: 'wrong' }, why), h('p', { class: 'quiet' }, 'Undo the last step, or correct the record below.'));
  const box = place.record.querySelector('textarea');
  box.closest('details').open = true;
  wrong(box, why);
}

const capital = (word) => word[0].toUpperCase() + word.slice(1);

/** What is to be done where there is nothing to decide. */
function due(now, end) {
  if (!state.steps.length && !now.isOver) return 'Tap the first card.';
  if (now.isOver) return end ? end.trim() : 'This expedition is over.';
  if (now.leaving.has(state.me)) return 'You leave. Tap who else leaves, or the next card.';
  if (now.out.has(state.me)) return 'You are out. Tap the next card, or each player who leaves.';
  return now.leaving.size ? 'Tap who else leaves, or the next card.' : 'Tap the next card.';
}

function verdict(found, playouts, now) {
  const standing = words(found.situation);
  const end = /^The game is over[^.]*\. /.exec(standing)?.[0] ?? '';
  place.standing.replaceChildren(h('p', { class: 'quiet' }, standing.slice(end.length)));
  if (!found.worth) {
    place.more.replaceChildren();
    return place.verdict.replaceChildren(h('p', { class: 'big' }, due(now, end)));
  }
  const names = found.options;
  const [big, said] = found.words.split(/: (.*)/s);
  const by = found.best === null ? said.replace(/ \(.*?\)/, '') : said.replace(/percentage points of [a-z ]+(?= better)/, 'points');
  const cases = found.cases.filter((of) => of.likely >= RARE || found.cases.length === 1);
  const most = Math.max(...found.worth.map((of) => of.win_share_high));
  const bars = found.worth.map((of, option) => {
    const [fill, range] = [h('i', { class: 'fill' }), h('i', { class: 'range' })];
    fill.style.width = `${100 * of.win_share / most}%`;
    range.style.left = `${100 * of.win_share_low / most}%`;
    range.style.width = `${100 * (of.win_share_high - of.win_share_low) / most}%`;
    return h('div', { class: `worth${option === found.best ? ' best' : ''}` }, h('span', {}, capital(names[option])),
      h('span', { class: 'track', 'aria-hidden': 'true' }, fill, range),
      h('span', {}, `wins ${share(of, 'win_share')}`));
  });
  const stakes = found.stakes.map((name, at) => h('div', {}, h('dt', {}, capital(name)), h('dd', {}, spread(cases.map((of) => stake(found, of, at))))));
  place.verdict.replaceChildren(
    h('p', { class: 'big' }, big, h('small', {}, ` ${joined(by)}`)),
    found.when ? h('p', { class: 'why' }, `${joined(found.when)}.`) : '',
    h('div', { class: 'worths' }, bars), h('dl', { class: 'stakes' }, stakes));
  redraw(place.more, () => more(found, cases, playouts), 'summary');
}

// Numbers of others that are rarer are not listed.
const RARE = 0.01;

const share = (of, name) => figure(of[name], half(of, name), true, true, 1);
/** A stake in a case; the last one is a chance. */
const stake = (found, of, at) => {
  const value = of[found.stakes[at].replaceAll(' ', '_')];
  return at === found.stakes.length - 1 ? figure(value, null, true) : value.toLocaleString('en', { maximumFractionDigits: 1 });
};
const spread = (values) => {
  const [low, high] = [values[0], values.at(-1)].sort((a, b) => parseFloat(a) - parseFloat(b));
  return low === high ? low : `${low} to ${high}`;
};

/** What decides, by the numbers of others who leave now and by who they are. */
function more(found, cases, playouts) {
  const names = found.options;
  const better = (of, best) => (best === null ? 'either' : names[best]);
  const byOthers = cases.map((of) => [`${of[found.others]} (${figure(of.likely, null, true)})`, ...found.stakes.slice(0, -1).map((_, at) => stake(found, of, at)),
    ...names.map((name) => share(of[name], 'win_share').replace('\u00a0%', '')), better(of, of.better)]);
  const byKind = [['mixed table', found], ...found.against.map((of) => [of.others, of])].map(([name, of]) => [name, ...of.worth.map((worth) => share(worth, 'win_share')), better(of, of.best)]);
  place.more.replaceChildren(
    found.holds ? h('p', { class: 'lead holds' }, capital(found.holds)) : '',
    !found.when && found.why ? h('p', {}, `${joined(found.why)}.`) : '',
    table('Win shares by how many others leave now', [`${spaced(found.others)} (likely)`, ...found.stakes.slice(0, -1), ...names.map((name) => `${name} %`), 'better'], byOthers),
    h('details', {}, h('summary', {}, 'By kind of opponent'),
      table('Win shares by kind of opponent', ['against', ...names, 'better'], byKind),
      h('p', {}, found.worth.map((of, option) => `${capital(names[option])}: ${figure(of.score_mean, half(of, 'score_mean'))} ${about.game.unit} on average.`).join(' '))),
    h('p', { class: 'quiet' }, `After ${playouts.toLocaleString('en')} playouts (games played to the end) of each option at a mixed table of people, bold and careful bots. ± marks a 95 % interval.`));
}
