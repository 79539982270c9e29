// Explore: rules and seats as controls, and what comes of them while they are moved.

import { answer, ask, button, chart, choice, command, copy, count, download, fail, figure, h, half, helped, link, number, picture, points, redraw, say, spaced, steps, table, takes, whole, wrong } from './page.js';
import { GAMES } from './games.js';

// A slider of copies reaches at least to here; the box reaches further.
const COPIES = 8;
const SETTLED = 300;
// Charts are laid out anew for a width that differs by more than a scroll bar, in pixels.
const NEAR = 24;
const RECENT = 6;
const SHOWN = ['cards_per_game', 'bust_rate', 'decisions_per_game', 'winning_margin_mean', 'lead_changes_per_game', 'comeback_rate'];

let walks = () => {};
// Shows in the actions what the state now is.
let renew = () => {};
// Whether the state comes from a link, which is no step.
let isFresh = true;
let state, about, base, place, latest, controls, recent = [], run = null, waiting = null, timer, drawn = 0;
// The ends of the axes while a slider moves: they only grow.
let held = null;
// When players began to adapt, and how far they were.
let began = null;

const fresh = (game) => ({ game, rules: '', set: {}, players: 0, seats: [], adapted: false, seed: 1, measures: {}, files: {}, show: null, pin: null });

function read(values) {
  const of = fresh((GAMES.find(({ name }) => name === values.get('game')) ?? GAMES[0]).name);
  of.rules = values.get('rules') ?? '';
  const pairs = (name) => Object.fromEntries(values.getAll(name).map((text) => {
    const at = text.indexOf('=');
    return [text.slice(0, at), text.slice(at + 1)];
  }));
  of.set = pairs('set');
  of.measures = pairs('define');
  of.files = pairs('file');
  of.players = whole(values.get('players'), 0, 1000, 0);
  of.seats = values.getAll('seat');
  of.adapted = values.has('adapted');
  of.seed = whole(values.get('seed'), 0, Number.MAX_SAFE_INTEGER, 1);
  of.show = values.has('show') ? values.getAll('show') : null;
  of.pin = values.get('pin');
  // A baseline of another game has nothing to compare.
  if (of.pin !== null && (new URLSearchParams(of.pin).get('game') ?? GAMES[0].name) !== of.game) {
    of.pin = null;
    of.lost = true;
  }
  return of;
}

function written(of, whole = true) {
  const values = new URLSearchParams();
  if (of.game !== GAMES[0].name) values.set('game', of.game);
  if (of.rules) values.set('rules', of.rules);
  for (const [path, value] of Object.entries(of.set)) values.append('set', `${path}=${value}`);
  for (const [name, formula] of Object.entries(of.measures)) values.append('define', `${name}=${formula}`);
  for (const [name, text] of Object.entries(of.files)) values.append('file', `${name}=${text}`);
  if (of.players) values.set('players', of.players);
  for (const seat of of.seats) values.append('seat', seat);
  if (of.adapted) values.set('adapted', '1');
  if (of.seed !== 1) values.set('seed', of.seed);
  if (whole) {
    for (const name of of.show ?? []) values.append('show', name);
    if (of.pin !== null) values.set('pin', of.pin);
  }
  return values;
}

/** Texts of one's own rules and bots, as a question has them. */
const filesOf = (of) => (Object.keys(of.files).length ? { files: of.files } : {});
const isBot = (text) => /^\s*(leave|score|of)\s*=/m.test(text);

/** The table of a state, as a question has it. */
function tableOf(of) {
  const asked = { game: of.game, set: Object.entries(of.set).map(([path, value]) => `${path}=${value}`) };
  if (of.rules) asked.rules = of.rules;
  if (Object.keys(of.measures).length) asked.measures = of.measures;
  if (of.adapted) asked.seats = [`${of.players || about.game.players.default}*adapted`];
  else if (of.seats.length) asked.seats = of.seats;
  else if (of.players) asked.players = of.players;
  return asked;
}

/** The command line that gives the same numbers. */
function commandOf(of, games) {
  const changes = of.pin === null ? [] : changesFrom(read(new URLSearchParams(of.pin)), of);
  if (changes?.length) return compareCommand(of, games, changes);
  return command(['carat', 'simulate', of.game, ...wordsOf(of), '--games', String(games), '--seed', String(of.seed)]);
}

/** The options of a table. */
function wordsOf(of) {
  const asked = tableOf(of);
  const words = [];
  if (asked.rules) words.push('--rules', asked.rules);
  for (const set of asked.set) words.push('--set', set);
  if (asked.players) words.push('--players', String(asked.players));
  for (const seat of asked.seats ?? []) words.push('--seat', seat);
  for (const [name, formula] of Object.entries(of.measures)) words.push('--define', `${name}=${formula}`);
  return words;
}

/** The command of the differences to the baseline. */
function compareCommand(of, games, changes) {
  const pin = { ...read(new URLSearchParams(of.pin)), measures: of.measures };
  const sides = changes.flatMap((change) => ['--b', change]);
  return command(['carat', 'compare', of.game, ...wordsOf(pin), ...sides, '--games', String(games), '--seed', String(of.seed)]);
}

/** What `compare` has to change to get from one state to another; null if it cannot. */
function changesFrom(from, to) {
  if (from.game !== to.game || from.rules !== to.rules) return null;
  const printed = (path) => { const value = at(base, path); return typeof value === 'string' ? value : JSON.stringify(value); };
  const paths = [...new Set([...Object.keys(from.set), ...Object.keys(to.set)])].filter((path) => from.set[path] !== to.set[path]);
  const changes = paths.map((path) => `rules.${path}=${to.set[path] ?? printed(path)}`);
  const size = (of) => of.players || of.seats.length || about.game.players.default;
  if (from.adapted !== to.adapted) {
    const seats = to.adapted ? Array(size(to)).fill('adapted') : about.seats;
    return size(from) === size(to) ? [...changes, ...seats.map((seat, at) => `seats.${at + 1}=${seat}`)] : null;
  }
  if (from.seats.length !== to.seats.length || (from.players && !to.players)) return null;
  if (from.players !== to.players) changes.push(`players=${to.players}`);
  to.seats.forEach((seat, at) => { if (seat !== from.seats[at]) changes.push(`seats.${at + 1}=${seat}`); });
  return changes;
}

export function open(main, values) {
  isFresh = true;
  const game = state?.game;
  state = read(values);
  if (state.game !== game) recent = [];
  controls = h('form', { class: 'controls', novalidate: true, 'aria-label': 'Rules and seats', onsubmit: (event) => event.preventDefault() });
  place = {};
  for (const name of ['summary', 'strip', 'progress', 'adapting', 'charts', 'figures', 'recent', 'actions']) place[name] = h('div', { class: name });
  const results = h('section', { class: 'results', 'aria-label': 'Results' },
    place.summary, place.adapting, place.progress, place.actions, place.charts, place.figures, place.recent, place.strip);
  const panel = h('details', { class: 'panel', open: matchMedia('(min-width: 900px)').matches }, h('summary', {}, 'Rules and seats'), controls);
  main.replaceChildren(h('h2', {}, 'Explore'), h('div', { class: 'explore' }, panel, results));
  actions();
  relearn();
  told();
  const own = place;
  const resized = new ResizeObserver(() => { if (own.charts.firstChild && own === place && Math.abs(width() - drawnWidth) > NEAR) again(); });
  resized.observe(place.charts);
  return () => { resized.disconnect(); run?.stop.abort(); run = null; clearTimeout(timer); waiting = null; };
}

/** Goes to a step before or after. */
export function to(values) {
  isFresh = true;
  const game = state.game;
  state = read(values);
  if (state.game !== game) recent = [];
  renew();
  relearn();
  told();
}

/** Says once what of a link could not be kept. */
function told() {
  if (state.lost) fail(new Error('The baseline in this link belongs to another game and was ignored.'));
  delete state.lost;
}

/** Asks what there is to change, and draws the controls anew. */
async function learn() {
  const known = state.adapted ? { ...state, adapted: false, seats: [] } : state;
  about = await answer({ ask: 'about', ...filesOf(state), table: { ...tableOf(known), set: [] } });
  base = about.rules;
  redraw(controls, draw);
}

function draw() {
  const { game } = about;
  const ownRules = Object.keys(state.files).filter((name) => !isBot(state.files[name]));
  const editions = [...game.rules, ...ownRules].map((name) => [name, name]);
  const file = h('input', { type: 'file', accept: '.toml', multiple: true, 'aria-label': 'Load your own rules or bots (.toml)', onchange: () => takeFiles(file.files).then(relearn, fail) });
  const players = [game.players.min, game.players.max];
  controls.replaceChildren(
    h('fieldset', {}, h('legend', {}, 'Game'),
      choice('Game', GAMES.map(({ name, title }) => [name, title]), state.game, (name) => { state = fresh(name); recent = []; relearn(); }),
      choice('Edition', editions, state.rules || editions[0][0], (name) => { state.rules = name === editions[0][0] ? '' : name; state.set = {}; relearn(); }),
      h('label', { class: 'field' }, h('span', {}, 'Load your own rules or bots (.toml)'), file),
      Object.keys(state.files).map((name) => button(`Remove ${name}`, () => takeOut(name), { class: 'plain' })),
      button('Reset the rules', () => { Object.keys(state.files).filter((name) => !isBot(state.files[name])).forEach(forget); state.set = {}; relearn(); }, { class: 'plain' })),
    seats(players),
    ...rules(),
    own());
}

/** The same, and plays; a view that was left meanwhile does neither. */
function relearn() {
  const own = controls;
  run?.stop.abort();
  run = null;
  learn().then(() => own.isConnected && settle(), (error) => own.isConnected && recover(error));
}

/** Shows the controls of the game also where a link asks for what there is not. */
async function recover(error) {
  fail(error);
  about ??= await answer({ ask: 'about', table: { game: state.game } }).catch(() => null);
  if (!about) return;
  base = about.rules;
  draw();
  fail(error);
}

/** Takes files into the state: rules are played, bots can be chosen. */
async function takeFiles(files) {
  for (const file of files) {
    const text = await file.text();
    if (text.length > 30_000) throw new Error(`${file.name} is longer than 30,000 characters.`);
    state.files = { ...state.files, [file.name]: text };
    if (!isBot(text)) Object.assign(state, { rules: file.name, set: {} });
  }
}

/** Forgets a file of one's own, and what is played of it. */
function forget(name) {
  const { [name]: _, ...rest } = state.files;
  state.files = rest;
  if (state.rules === name) Object.assign(state, { rules: '', set: {} });
  state.seats = state.seats.map((seat) => (seat.split(/[: ]/)[0] === name ? 'people' : seat));
}

function takeOut(name) {
  forget(name);
  relearn();
}

/** Each seat with its bot and the values of that bot. */
function seats(players) {
  const now = state.adapted ? Array.from({ length: state.players || about.game.players.default }, () => 'adapted') : about.seats;
  const resize = (size) => {
    state.players = size === about.game.players.default ? 0 : size;
    if (state.seats.length) state.seats = Array.from({ length: size }, (_, at) => state.seats[at] ?? 'people');
    relearn();
  };
  const change = (at, seat) => { state.seats = now.map((of, other) => (other === at ? seat : of)); relearn(); };
  const bots = [...about.game.bots.map((bot) => bot.name), ...Object.keys(state.files).filter((name) => isBot(state.files[name]))].map((name) => [name, name]);
  const rows = state.adapted ? [] : now.map((seat, at) => {
    const [name, values = ''] = seat.replace(/ as .*$/, '').split(/:(.*)/s);
    const bot = about.game.bots.find((of) => of.name === name);
    const own = Object.fromEntries(values.split(',').filter(Boolean).map((pair) => pair.split('=')));
    const set = (param, value) => change(at, `${name}:${Object.entries({ ...own, [param]: value }).map((pair) => pair.join('=')).join(',')}`);
    const params = Object.entries(bot?.params ?? {}).map(([param, value]) => h('label', { class: 'field' }, h('span', {}, param),
      h('input', { type: 'number', step: 'any', value: own[param] ?? value, onchange: (event) => event.target.value !== '' && set(param, event.target.value) })));
    return h('div', { class: 'seat' },
      helped(choice(`Seat ${at + 1}`, bots.some(([of]) => of === name) ? bots : [...bots, [name, name]], name, (of) => change(at, of)), bot?.description, `seat-${at}`),
      params.length ? h('details', {}, h('summary', {}, `parameters of ${name}`), params) : null);
  });
  const everyone = (name) => { state.seats = now.map((seat, at) => (at ? name : seat)); relearn(); };
  const adapted = h('input', { type: 'checkbox', checked: state.adapted, onchange: () => { state.adapted = adapted.checked; relearn(); } });
  return h('fieldset', {}, h('legend', {}, 'Seats'),
    number('Players', players, now.length, (size, moves) => moves || resize(size)),
    h('label', { class: 'switch' }, adapted, ' Adapted players'),
    h('p', { class: 'quiet' }, 'All seats are played by populations adapted to these rules. Adapting to new rules often takes more than a minute; results of the first population appear as soon as it is ready.'),
    ...rows,
    state.adapted || now.length < 2 ? null : choice('Set all opponents of seat 1 to', [['', 'choose a bot'], ...bots], '', (name) => name && everyone(name)));
}

/** The controls of rules, as they are declared; keys of a table below its heading. */
function rules() {
  const groups = new Map([['', []]]);
  for (const key of about.keys) {
    if (key.kind === 'table') groups.set(key.path, [h('p', { class: 'quiet' }, `${key.meaning}.`)]);
    const [top] = key.path.split('.');
    const group = groups.get(key.path.includes('.') && groups.has(top) ? top : '');
    if (key.kind === 'counts' || key.kind === 'named') {
      groups.set(key.path, [h('p', { class: 'quiet' }, `${key.meaning}.`), ...Object.keys(at(base, key.path) ?? {}).map((name) => copies(key, name))]);
    } else if (key.kind !== 'table') group.push(control(key));
  }
  const shown = [...groups].filter(([, list]) => list.some((of) => of && of.tagName !== 'P'));
  return shown.map(([name, list], order) => h('details', { open: order === 0 || name === 'traps' || name === 'cards' },
    h('summary', {}, name ? spaced(name) : 'Rules'), list));
}

const at = (tree, path) => path.split('.').reduce((inner, key) => inner?.[key], tree);

/** The value of a key now: as it was set, or as printed. */
function valueOf(path) {
  const set = state.set[path];
  const printed = at(base, path);
  if (set === undefined) return printed;
  if (typeof printed === 'string') return set.replaceAll('"', '');
  try {
    const value = JSON.parse(set);
    return typeof value === typeof printed && Array.isArray(value) === Array.isArray(printed) ? value : printed;
  } catch {
    return printed;
  }
}

function change(path, value, moves) {
  const text = Array.isArray(value) ? `[${value.join(', ')}]` : JSON.stringify(value);
  if (JSON.stringify(at(base, path)) === JSON.stringify(value)) delete state.set[path];
  else state.set[path] = text;
  moves ? move() : settle();
}

function copies(key, name) {
  const path = `${key.path}.${name}`;
  const value = valueOf(path);
  if (typeof value !== 'number') return null;
  return number(spaced(name), [key.least, key.most], value, (now, moves) => change(path, now, moves), Math.min(key.most, Math.max(COPIES, 2 * value)));
}

function control(key) {
  const { path } = key;
  const [value, label] = [valueOf(path), spaced(path.split('.').pop())];
  if (value === undefined) return null;
  const inner = () => {
    switch (key.kind) {
      case 'number': return number(label, [key.least, key.most], value, (now, moves) => change(path, now, moves), Math.min(key.most, Math.max(2 * value, 12)));
      case 'formula': {
        const box = h('input', { value: (state.set[path] ?? String(value)).replace(/^"|"$/g, ''), 'aria-label': label });
        takes(box, 'Enter a whole number or a formula.', () => change(path, /^\d+$/.test(box.value) ? Number(box.value) : box.value));
        return h('label', { class: 'field' }, h('span', {}, label), box);
      }
      case 'words': return choice(label, key.words.map((word) => [word, word]), value, (now) => change(path, now));
      case 'switch': {
        const box = h('input', { type: 'checkbox', checked: value, onchange: () => change(path, box.checked) });
        return h('label', { class: 'switch' }, box, ` ${label}`);
      }
      default: return isRising(value) && value.length > 2 ? cards(key, label, value) : list(path, label, value);
    }
  };
  return helped(inner(), `${key.meaning}.`, path);
}

/** What a metric means. */
const meaning = (name) => about.metrics.find((of) => of.metric === name.replace(/@\d+$/, '@SEAT'))?.meaning ?? spaced(name);
/** A metric as charts and reports call it, and what they add to that. */
const short = (name) => meaning(name).split(': ')[0];
const explained = (name) => meaning(name).split(': ').slice(1).join(': ');

/** Whether a list of cards loses nothing as copies of its values. */
const isRising = (value) => value.every((of, at) => !at || value[at - 1] <= of);

/** A short list of numbers as text. */
function list(path, label, value) {
  const box = h('input', { value: value.join(', '), pattern: '[0-9, ]*', 'aria-label': label });
  takes(box, 'Enter whole numbers separated by commas.', () => change(path, box.value.split(',').map((text) => text.trim()).filter(Boolean).map(Number)));
  return h('label', { class: 'field' }, h('span', {}, label), box);
}

/** A list of cards as the number of copies of each value. */
function cards(key, label, value) {
  const counted = () => `${label}: ${valueOf(key.path).length} cards`;
  const head = h('summary', {}, counted());
  const values = [...new Set([...at(base, key.path), ...value])].sort((a, b) => a - b);
  const held = (of) => valueOf(key.path).filter((other) => other === of).length;
  const rows = values.map((of) => number(`${label} ${of}`, [0, 20], held(of), (now, moves) => {
    const others = valueOf(key.path).filter((other) => other !== of);
    change(key.path, [...others, ...Array.from({ length: now }, () => of)].sort((a, b) => a - b), moves);
    head.textContent = counted();
  }, 6));
  const more = h('input', { type: 'number', min: 1, max: key.most, required: true, 'aria-label': `Another value of ${label}` });
  takes(more, `Enter a whole number from 1 to ${key.most}.`, () => { change(key.path, [...valueOf(key.path), Number(more.value)].sort((a, b) => a - b)); redraw(controls, draw); });
  return h('details', {}, head, rows, h('label', { class: 'field' }, h('span', {}, 'Add a card of value'), more));
}

/** Own metrics, the figures that are shown, and the seed. */
function own() {
  const box = h('input', { placeholder: 'minutes = (12 * cards + 5 * decisions) / 60', 'aria-label': 'Your own metric' });
  const add = () => {
    const [name, formula] = box.value.split(/=(.*)/s).map((text) => text?.trim());
    if (!name || !formula) return wrong(box, 'Enter a name, =, and a formula, such as minutes = cards / 4.');
    wrong(box, '');
    const before = state.measures;
    state.measures = { ...before, [name]: formula };
    state.show = [...(state.show ?? shownFirst()), name];
    learn().then(settle, (error) => { state.measures = before; fail(error); });
  };
  const names = about.metrics.map((metric) => metric.metric).filter((name) => name !== 'games');
  const shown = () => state.show ?? shownFirst();
  const boxes = names.map((name) => {
    const tick = h('input', {
      type: 'checkbox', checked: shown().includes(name),
      onchange: () => { state.show = tick.checked ? [...shown(), name] : shown().filter((of) => of !== name); settle(); },
    });
    return helped(h('label', { class: 'switch' }, tick, ` ${short(name)}${name.endsWith('@SEAT') ? ' of each seat' : ''}`), explained(name), `metric-${name}`);
  });
  const seed = h('input', { type: 'number', min: 0, max: Number.MAX_SAFE_INTEGER, required: true, value: state.seed, 'aria-label': 'Seed' });
  takes(seed, 'Enter a whole number, 0 or more.', () => { state.seed = Number(seed.value); settle(); });
  return h('details', {}, h('summary', {}, 'Metrics and seed'), boxes,
    h('div', { class: 'field' }, h('span', {}, 'Your own metric'), box, button('Add', add)),
    Object.keys(state.measures).length ? button('Remove your metrics', () => { state.show = shown().filter((name) => !(name in state.measures)); state.measures = {}; relearn(); }, { class: 'plain' }) : null,
    h('label', { class: 'field' }, h('span', {}, 'Seed'), seed));
}

function shownFirst() {
  const names = about.metrics.map((metric) => metric.metric);
  const first = SHOWN.filter((name) => names.includes(name));
  return first.length ? first : names.filter((name) => !name.includes('@')).slice(1, 7);
}

/** The width of charts in pixels, and of those asked for last. */
const width = () => Math.max(300, Math.min(860, Math.floor(place.charts.clientWidth)));
let drawnWidth = 0;

/** Lays charts out anew when their place has another width. */
function again() {
  clearTimeout(timer);
  timer = setTimeout(() => play(false), SETTLED);
}

/** While a slider moves: the fewest games, one question at a time, the newest value next. */
function move() {
  drawn = performance.now();
  held ??= latest?.reach ?? {};
  clearTimeout(timer);
  timer = setTimeout(settle, SETTLED);
  if (run?.isDraft) waiting = true;
  else play(true);
}

/** All steps, once nothing moves. */
function settle() {
  clearTimeout(timer);
  link('explore', written(state), !isFresh);
  isFresh = false;
  walks();
  waiting = null;
  held = null;
  play(false);
}

async function play(isDraft) {
  run?.stop.abort();
  const own = { isDraft, stop: new AbortController(), moved: drawn };
  run = own;
  began = null;
  place.adapting.replaceChildren();
  place.progress.setAttribute('aria-busy', 'true');
  const { steps } = about.game;
  const question = {
    ask: 'simulate', ...filesOf(state), table: tableOf(state), seed: state.seed, games: isDraft ? steps[0] : steps[steps.length - 1],
    width: width(),
  };
  drawnWidth = question.width;
  if (isDraft) question.reach = held;
  if (state.pin !== null) question.pin = tableOf(read(new URLSearchParams(state.pin)));
  try {
    let isFirst = true;
    for await (const line of ask(question, own.stop.signal)) {
      if (run !== own) return;
      fail(null);
      if ('adapting' in line) { adapting(line.adapting); continue; }
      if (!line.populations) place.adapting.replaceChildren();
      latest = line;
      if (isDraft && held) held = line.reach;
      results(line);
      if (isDraft) performance.measure('drag', { start: own.moved, end: performance.now() });
      if (!isDraft && isFirst) { remember(line); say(`${line.summary.trim()} After ${count(line.games)} games.`); }
      isFirst = false;
    }
  } catch (error) {
    if (run === own) {
      place.charts.parentElement.classList.add('old');
      place.adapting.replaceChildren();
      fail(error);
    }
  }
  if (run !== own) return;
  run = null;
  if (waiting) { waiting = null; play(true); }
}

/** How far players are adapted, and about how long the rest takes by what it took so far. */
function adapting(share) {
  if (latest?.populations === undefined) place.charts.parentElement.classList.add('old');
  const now = performance.now();
  began ??= { now, share };
  const rest = (1 - share) * (now - began.now) / (share - began.share);
  const left = now - began.now > 1000 && Number.isFinite(rest) ? `about ${count(Math.ceil(rest / 1000))} s left` : 'working out how long it takes';
  const percent = Math.round(100 * share);
  place.adapting.replaceChildren(h('label', {}, `Players adapt to these rules: ${percent} %, ${left} `, h('progress', { max: 100, value: percent })));
}

function results(line) {
  const told = line.differences ? headline(line) : [line.summary.trim()];
  place.summary.replaceChildren(...told.map((text, at) => h('p', { class: at ? '' : 'lead' }, text)));
  strip(line);
  place.charts.parentElement.classList.toggle('pinned', Boolean(line.differences));
  place.charts.parentElement.classList.remove('old');
  if (line.done && !run?.isDraft) place.progress.removeAttribute('aria-busy');
  const steps = about.game.steps;
  const [shown, all] = line.populations ?? [];
  const rest = shown ? `; ${shown} of ${all} populations so far` : line.done ? '' : `; continuing to ${count(steps[steps.length - 1])}`;
  place.progress.replaceChildren(h('p', { class: 'quiet' }, `After ${count(line.games)} games, seed ${state.seed}${rest}. ± marks a 95 % interval.`),
    ...line.warnings.map((text) => h('p', { class: 'warning' }, `Note: ${text}`)));
  redraw(place.charts, () => charts(line));
  redraw(place.figures, () => figures(line));
}

/** On a phone, three figures stay in sight while a control moves. */
function strip(line) {
  const differences = new Map((line.differences ?? []).map((of) => [of.metric, of]));
  const shown = (state.show ?? shownFirst()).filter((name) => line.tables.table.some((of) => of.metric === name)).slice(0, 3);
  place.strip.setAttribute('aria-hidden', 'true');
  place.strip.replaceChildren(...shown.map((name) => {
    const of = line.tables.table.find((row) => row.metric === name);
    const change = differences.get(name);
    const mark = change?.verdict ? ` (${change.verdict})` : '';
    return h('span', {}, h('b', {}, measured(name, of.value, half(of, 'value'), false)), h('small', {}, short(name) + mark));
  }));
}

function charts(line) {
  const tables = { win_shares: seatTable(line), scores: scoreTable(line), leaving: depthTable(line) };
  const known = new Map([...place.charts.children].map((of) => [of.dataset.chart, of]));
  const names = Object.keys(line.charts);
  for (const name of names) {
    const [svg, numbers] = chart(line.charts[name]);
    const old = known.get(name);
    const data = h('details', {}, h('summary', { 'data-key': name }, 'As a table'), tables[name] ?? numbers);
    if (old) {
      data.open = old.lastChild.open;
      old.replaceChildren(svg, data);
    } else place.charts.append(h('figure', { 'data-chart': name }, svg, data));
  }
  for (const [name, old] of known) if (!names.includes(name)) old.remove();
}

const named = (row) => (row.seat ? `${row.label ?? row.bot} (seat ${row.seat})` : `${row.label ?? row.bot}${row.seats > 1 ? `, ${row.seats} seats` : ''}`);

/** The rows of seats; those with the same bot are one. */
const seatRows = (line) => line.tables.bots ?? line.tables.seats;

function seatTable(line) {
  const rows = seatRows(line).map((row) => [named(row), figure(row.win_share, half(row, 'win_share'), true), figure(row.score_mean, half(row, 'score_mean'))]);
  return table(`Win shares after ${count(line.games)} games`, ['bot', 'wins', about.game.unit], rows);
}

function scoreTable(line) {
  const rows = seatRows(line).map((row) => [named(row), ...['p05', 'median', 'p95'].map((of) => String(row[`score_${of}`]))]);
  return table(`Final ${about.game.unit}`, ['bot', '5 %', 'median', '95 %'], rows);
}

function depthTable(line) {
  const rows = line.tables.depth;
  if (!rows?.length) return null;
  const [first] = rows;
  const seats = Object.keys(first).filter((name) => name.startsWith('left_'));
  return table('Expeditions by number of cards', ['cards revealed', 'expeditions', 'ended by a trap', ...seats.map((_, seat) => `seat ${seat + 1} left`)],
    rows.map((row) => [String(row.cards), count(row.expeditions), count(row.ended_by_trap), ...seats.map((name) => count(row[name]))]));
}

const isShare = (name) => /share|rate/.test(name);
/** A metric with its margin; a gap between shares is in points. */
const measured = (name, value, wide, isWithMargin) => (/spread/.test(name) ? points : figure)(value, wide, isShare(name), isWithMargin);

// How many changes are told at the top.
const TOLD = 4;

/** What is clearly other than at the pinned table, those first that change most for a single game: a sentence each. */
function headline(line) {
  const clear = line.differences.filter((of) => of.verdict && isTold(of.metric));
  // The spread of a metric over games follows from its margin.
  const size = (of) => Math.abs(of.difference / (spreadOf(line, of.metric) ?? Infinity));
  clear.sort((a, b) => size(b) - size(a));
  const said = clear.slice(0, TOLD).map((of) => {
    const wide = half(of, 'difference');
    const by = points(Math.abs(of.difference), wide, isShare(of.metric));
    return `${words(of.metric)}: ${measured(of.metric, of.now, wide, false)}, ${by} ${of.verdict} than ${measured(of.metric, of.pinned, wide, false)}.`;
  });
  if (said.length) return said;
  return [state.pin === written(state, false).toString() ? 'This is the baseline.' : 'No significant difference from the baseline in the metrics shown.'];
}

const isTold = (metric) => (state.show ?? shownFirst()).includes(metric) || (!isAlike(state) && metric.startsWith('win_share@'));
/** A metric with a capital letter; of a seat by its number. */
const words = (metric) => {
  const [, seat] = metric.split('@');
  const text = short(metric) + (seat ? ` of seat ${seat}` : '');
  return text[0].toUpperCase() + text.slice(1);
};

/** The standard deviation of a metric in one game. */
function spreadOf(line, metric) {
  const [plain, seat] = metric.split('@');
  const row = seat ? line.tables.seats.find((of) => of.seat === Number(seat)) : line.tables.table.find((of) => of.metric === metric);
  const wide = row && half(row, seat ? plain : 'value');
  return wide ? wide / 1.96 * Math.sqrt(line.games) : null;
}

/** Whether one bot sits at all seats, so that win shares differ by chance alone. */
const isAlike = (of) => of.adapted || (of.seats.length > 1 && new Set(of.seats.map((seat) => seat.replace(/ as .*$/, ''))).size === 1);

/** The figures that are chosen, each against the pinned table. */
function figures(line) {
  const rows = [];
  const differences = new Map((line.differences ?? []).map((of) => [of.metric, of]));
  const row = (words, key, name, value, wide) => {
    const of = differences.get(key);
    const change = of && [measured(name, of.pinned, half(of, 'difference'), false), points(of.difference, half(of, 'difference'), isShare(name)),
      of.verdict ?? 'not significant'];
    rows.push([words, measured(name, value, wide), ...(line.differences ? change ?? ['', '', 'not in the baseline'] : [])]);
  };
  const isChance = state.pin !== null && isAlike(state) && isAlike(read(new URLSearchParams(state.pin)));
  if (line.differences && !isChance) for (const seat of line.tables.seats) row(`win share of ${named(seat)}`, `win_share@${seat.seat}`, 'win_share', seat.win_share, half(seat, 'win_share'));
  for (const name of state.show ?? shownFirst()) {
    const [plain, scope] = name.split('@');
    if (scope) for (const seat of line.tables.seats) row(`${short(name)} of ${named(seat)}`, `${plain}@${seat.seat}`, plain, seat[plain], half(seat, plain));
    else {
      const of = line.tables.table.find((metric) => metric.metric === name);
      if (of) row(short(name), name, name, of.value, half(of, 'value'));
    }
  }
  const heads = ['metric', 'now', ...(line.differences ? ['baseline', 'difference', 'verdict'] : [])];
  place.figures.replaceChildren(h('h3', {}, 'Metrics'), table(`Metrics after ${count(line.games)} games`, heads, rows),
    line.differences ? h('p', { class: 'quiet' }, 'Both tables play the same games. Verdicts account for being checked four times during the run.') : '');
}

/** What changed since the state before, in a few words. */
function changed(before, now) {
  if (!before) return 'start';
  const parts = [];
  for (const path of new Set([...Object.keys(before.set), ...Object.keys(now.set)])) {
    if (before.set[path] !== now.set[path]) parts.push(`${spaced(path.split('.').pop())} ${now.set[path]?.length > 12 ? 'changed' : now.set[path] ?? 'reset'}`);
  }
  if (before.rules !== now.rules) parts.push(now.rules || 'first edition');
  if (before.players !== now.players) parts.push(`${now.players || about.game.players.default} players`);
  if (String(before.seats) !== String(now.seats)) parts.push('other bots');
  if (before.adapted !== now.adapted) parts.push(now.adapted ? 'adapted' : 'not adapted');
  if (before.seed !== now.seed) parts.push(`seed ${now.seed}`);
  return parts.slice(0, 2).join(', ') || 'the same';
}

function remember(line) {
  const key = written(state, false).toString();
  recent = recent.filter((of) => of.key !== key);
  const copy = structuredClone(state);
  recent.push({ key, state: copy, words: changed(recent.at(-1)?.state, copy), shares: line.tables.seats.map((row) => row.win_share) });
  recent = recent.slice(-RECENT);
  if (recent.length < 2) return place.recent.replaceChildren();
  const most = Math.max(...recent.flatMap((of) => of.shares));
  const small = (of) => {
    const bars = of.shares.map((share) => {
      const bar = h('span', {});
      bar.style.height = `${Math.round(100 * share / most)}%`;
      return bar;
    });
    const words = of.shares.map((share, seat) => `seat ${seat + 1} ${Math.round(100 * share)} %`).join(', ');
    return h('li', {}, button(h('span', {}, h('span', { class: 'bars', 'aria-hidden': 'true' }, bars), of.words),
      () => { state = structuredClone({ ...of.state, pin: state.pin, show: state.show }); relearn(); },
      { class: 'state', 'aria-label': `${of.words}: ${words}`, 'aria-pressed': of.key === key ? 'true' : 'false' }));
  };
  redraw(place.recent, () => place.recent.replaceChildren(h('h3', {}, 'Recent tables: win shares by seat'), h('ol', { class: 'states' }, recent.map(small))));
}

function actions() {
  const files = async () => {
    const games = latest?.games ?? about.game.steps[0];
    say(`Playing ${count(games)} games for the files …`);
    const { files } = await answer({ ask: 'files', ...filesOf(state), table: tableOf(state), seed: state.seed, games });
    say('');
    return files;
  };
  const file = (name) => () => files().then((all) => download(name, all[name]), fail);
  const csv = () => files().then((all) => Object.keys(all).filter((name) => name.endsWith('.csv')).forEach((name) => download(name, all[name], 'text/csv')), fail);
  const png = () => [...place.charts.querySelectorAll('figure')].forEach((of) => savePicture(of.dataset.chart, of.querySelector('svg')));
  const pin = button('', () => {
    state.pin = state.pin === null ? written(state, false).toString() : null;
    named();
    settle();
  }, { class: 'pin' });
  const undo = button('Undo', () => history.back());
  const redo = button('Redo', () => history.forward());
  walks = () => { const [back, on] = steps(); undo.disabled = !back; redo.disabled = !on; };
  walks();
  const named = () => { pin.textContent = state.pin === null ? 'Pin as baseline' : 'Unpin the baseline'; };
  renew = named;
  named();
  place.actions.replaceChildren(undo, redo, pin,
    button('Copy link', () => copy(location.href, 'Link')),
    button('Copy command', () => copy(commandOf(state, latest?.games ?? about.game.steps[0]), 'Command')),
    h('details', { class: 'menu' }, h('summary', {}, 'Download'),
      button('Rules', file('rules.toml')), button('Study', file('study.toml')), button('CSV', csv), button('PNG', png)),
    curve(), variants());
}

/** How metrics go with one of the values: a line for each, with the command that gives the same numbers. */
function curve() {
  const place = h('div', { class: 'curve' });
  const path = h('select', { 'aria-label': 'Value to vary' });
  const range = h('input', { 'aria-label': 'From..to', pattern: '[0-9., ]+' });
  let stop = null;
  const around = () => {
    if (path.value === 'players') return `${Math.max(2, about.game.players.min)}..${about.game.players.max}`;
    const value = Number(valueOf(path.value.slice('rules.'.length)));
    return `${Math.max(0, value - 2)}..${value + 2}`;
  };
  const fill = () => {
    const paths = ['players'];
    const walk = (tree, above) => Object.entries(tree).forEach(([key, value]) => {
      if (typeof value === 'number' && key !== 'format') paths.push(`${above}.${key}`);
      else if (value && typeof value === 'object' && !Array.isArray(value)) walk(value, `${above}.${key}`);
    });
    walk(base, 'rules');
    path.replaceChildren(...paths.map((of) => h('option', { value: of }, spaced(of.replace('rules.', '')))));
    range.value = around();
  };
  path.onchange = () => { range.value = around(); };
  const metrics = () => (state.show ?? shownFirst()).filter((name) => !name.includes('@')).slice(0, 6);
  const draw = async () => {
    stop?.abort();
    stop = new AbortController();
    const games = about.game.steps[1];
    const question = {
      ask: 'sweep', ...filesOf(state), table: tableOf(state), seed: state.seed, games, vary: { [path.value]: range.value }, metric: metrics(),
      width: Math.max(300, Math.min(860, Math.floor(place.clientWidth) || 600)),
    };
    const words = command(['carat', 'sweep', state.game, ...wordsOf(state), '--vary', `${path.value}=${range.value}`,
      ...metrics().flatMap((name) => ['--metric', name]), '--games', String(games), '--seed', String(state.seed)]);
    place.replaceChildren(h('p', { class: 'quiet' }, 'Playing …'));
    try {
      for await (const line of ask(question, stop.signal)) {
        const charts = Object.values(line.charts).map((svg) => h('figure', {}, ...chart(svg)));
        fail(null);
        place.replaceChildren(h('p', { class: 'quiet' }, `After ${count(line.games)} games at each value.`), ...charts,
          button('Copy this command', () => copy(words, 'Command')));
      }
    } catch (error) {
      place.replaceChildren();
      fail(error);
    }
  };
  const box = h('details', { class: 'menu', ontoggle: () => box.open && about && !path.length && fill() }, h('summary', {}, 'Chart a value'),
    h('label', { class: 'field' }, h('span', {}, 'Value to vary'), path), h('label', { class: 'field' }, h('span', {}, 'From..to'), range), button('Draw', draw), place);
  return box;
}

const KEPT = 'carat-variants';

/** Views that are kept in this browser by name, each as a link. */
function variants() {
  const kept = () => { try { return JSON.parse(localStorage.getItem(KEPT)) ?? {}; } catch { return {}; } };
  const list = h('ul', { class: 'variants' });
  const keep = (all) => { localStorage.setItem(KEPT, JSON.stringify(all)); show(); };
  const box = h('input', { placeholder: 'four snakes', maxlength: 40, 'aria-label': 'Name', onkeydown: (event) => { if (event.key === 'Enter') add(); } });
  const show = () => list.replaceChildren(...Object.entries(kept()).map(([name, query]) => h('li', {},
    h('a', { href: `#explore?${query}` }, name), ' ',
    button('Remove', () => { const { [name]: _, ...rest } = kept(); keep(rest); }, { class: 'plain', 'aria-label': `Remove ${name}` }))));
  show();
  const add = () => {
    const name = box.value.trim();
    if (!name) return wrong(box, 'Enter a name.');
    wrong(box, '');
    keep({ ...kept(), [name]: written(state).toString() });
    box.value = '';
    say(`Saved as ${name} in this browser.`);
  };
  return h('details', { class: 'menu' }, h('summary', {}, 'Saved views'), h('div', { class: 'field' }, h('span', {}, 'Name'), box, button('Save', add)), list);
}

/** A chart as PNG, two pixels for each of its own. */
async function savePicture(name, svg) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
  await image.decode();
  const canvas = h('canvas', { width: 2 * svg.width.baseVal.value, height: 2 * svg.height.baseVal.value });
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => download(`${name}.png`, blob));
}
