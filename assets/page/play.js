// Play against bots: the game is the one that `carat play` saves. Decisions are judged beside it.

import { answer, ask, button, choice, copy, count, download, fail, figure, h, half, joined, link, picture, points, redraw, say, spaced, table, whole } from './page.js';
import { GAMES } from './games.js';

const NAMES = ['Mia', 'Ben', 'Ada', 'Leo', 'Zoe', 'Max', 'Ida'];
const PEOPLE = ['people', 'bold', 'careful'];
// The playouts of the coach, as a part of those by default.
const PART = 0.25;
// The width of a board in pixels.
const WIDTH = [320, 640];
// Lists of more moves have a box to search them.
const MANY = 12;
// A change of the width by less keeps the board as it is laid out.
const NEAR = 40;
// Mistakes that are shown again, and decisions of a better line.
const WORST = 3;
const LINE = 4;
// The playouts of a review that is shown while the whole one is made.
const QUICK = 64;
const HELP = 'Select a place twice, or a card and then its target; arrow keys and Enter work, too.';
const WAYS = { ArrowUp: [0, -1], ArrowRight: [1, 0], ArrowDown: [0, 1], ArrowLeft: [-1, 0] };

let game, about, now, place, leaving, isBusy = false;
// What was told before the latest own decision.
let before = '';
// Cells that were touched, and the options that touch all of them.
let picked = [], left = [];
// Judged decisions by their number among all moves, and those that wait, the latest last; what is asked
// about the position alone.
let verdicts = new Map(), waiting = [], isJudging = false, looking;

function read(values) {
  const seats = values.getAll('seat');
  const moves = (values.get('moves') ?? '').split(',').filter(Boolean).map((text) => `@${text.replace('.', ' ')} `);
  return { game: (GAMES.find((of) => of.name === values.get('game')) ?? GAMES[0]).name, rules: values.get('rules') ?? '', name: values.get('name') ?? 'guest', seats, seed: whole(values.get('seed'), 0, Number.MAX_SAFE_INTEGER, 0), moves, coach: values.has('coach'), first: values.has('first') };
}

function keep() {
  const values = new URLSearchParams();
  if (game.game !== GAMES[0].name) values.set('game', game.game);
  if (game.rules) values.set('rules', game.rules);
  values.set('name', game.name);
  for (const seat of game.seats) values.append('seat', seat);
  if (game.seed) values.set('seed', game.seed);
  const moves = game.moves.map((move) => move.replace(/^@(\d+) (\d+\/\d+).*$/, '$1.$2'));
  if (moves.length) values.set('moves', moves.join(','));
  for (const help of ['coach', 'first']) if (game[help]) values.set(help, '1');
  link('play', values);
}

/** A question about the game as it is. */
function asked(ask, more = {}) {
  const ways = game.seats.reduce((product, _, at) => product * (at + 1), 1);
  const of = { game: game.game, seats: game.seats, people: [game.name] };
  if (game.rules) of.rules = game.rules;
  return { ask, table: of, me: 1, seed: game.seed, number: game.seed % ways, moves: game.moves, ...more };
}

const playouts = () => Math.round(PART * about.game.playouts);
/** How wide the board may be. */
const width = () => Math.max(WIDTH[0], Math.min(WIDTH[1], place.clientWidth - 2));

/** What the rules and bots of the game are. */
const learn = () => answer({ ask: 'about', table: { game: game.game, rules: game.rules || undefined } }, leaving.signal).then((found) => { about = found; });
const current = (more = {}) => answer(asked('options', { width: width(), ...more }), leaving.signal);

/** Forgets what is asked and known of a game. */
function forget() {
  leaving?.abort();
  looking?.abort();
  [leaving, now, isBusy, isJudging, verdicts, waiting, before] = [new AbortController(), null, false, false, new Map(), [], ''];
}

export function open(main, values) {
  game = read(values);
  forget();
  place = h('div', { class: 'play' });
  main.replaceChildren(h('h2', {}, 'Play'), place);
  const own = place;
  learn().then(() => {
    if (place !== own || !own.isConnected) return;
    if (game.seed && game.seats.length) step(current());
    else setup();
  }, fail);
  let timer, drawn = innerWidth;
  const laidOut = () => {
    clearTimeout(timer);
    timer = setTimeout(() => { if (now?.svg && !now.over && !isBusy && Math.abs(innerWidth - drawn) > NEAR) { drawn = innerWidth; step(current()); } }, 300);
  };
  addEventListener('resize', laidOut);
  return () => { removeEventListener('resize', laidOut); leaving.abort(); };
}

function setup() {
  const size = Math.max(2, game.seats.length || about.game.players.default);
  if (game.seats.length !== size) game.seats = seatsFor(size);
  const bots = about.game.bots.map((bot) => [bot.name, bot.name]);
  const opponents = game.seats.slice(1).map((seat, at) => {
    const [bot, name] = seat.split(' as ');
    const words = about.game.bots.find((of) => of.name === bot)?.description ?? '';
    return h('div', { class: 'seat' }, choice(name ?? `Player ${at + 2}`, bots, bot, (of) => { game.seats[at + 1] = `${of} as ${name}`; setup(); }), h('p', { class: 'quiet' }, words));
  });
  const least = Math.max(2, about.game.players.min);
  const sizes = Array.from({ length: about.game.players.max - least + 1 }, (_, at) => [String(least + at), String(least + at)]);
  const name = h('input', { value: game.name, maxlength: 30, onchange: () => { game.name = name.value.trim() || 'guest'; } });
  const helps = [['first', ' My first game: rules beside the board, a hint before each decision'], ['coach', ' Coach: show the cost of each decision']];
  const switches = helps.map(([help, words]) => {
    const box = h('input', { type: 'checkbox', checked: game[help], onchange: () => { game[help] = box.checked; place.querySelector('.rules').open = game.first; } });
    return h('label', { class: 'switch' }, box, words);
  });
  const pick = (of) => { game = { ...read(new URLSearchParams({ game: of, name: game.name })), coach: game.coach, first: game.first }; learn().then(setup, fail); };
  place.replaceChildren(h('form', { class: 'setup', onsubmit: (event) => { event.preventDefault(); begin(); } },
    choice('Game', GAMES.map((of) => [of.name, of.title]), game.game, pick),
    choice('Edition', about.game.rules.map((of) => [of, of]), game.rules || about.game.rules[0], (of) => { game.rules = of === about.game.rules[0] ? '' : of; learn().then(setup, fail); }),
    h('label', { class: 'field' }, h('span', {}, 'Your name'), name),
    choice('Players', sizes, String(size), (of) => { game.seats = seatsFor(Number(of)); setup(); }),
    h('h3', {}, 'Your opponents'), ...opponents,
    ...switches,
    h('button', { type: 'submit', class: 'main' }, 'Begin'), rules(game.first)));
}

const seatsFor = (size) => ['best', ...Array.from({ length: size - 1 }, (_, at) => `${PEOPLE[at % PEOPLE.length]} as ${NAMES[at]}`)];

function begin() {
  game.seed = 1 + crypto.getRandomValues(new Uint32Array(1))[0] % 999_999_999;
  game.moves = [];
  forget();
  step(current());
}

/** Goes back to before a move of the game; its cards stay the same. */
function playFrom(move) {
  if (isBusy) return;
  game.moves = game.moves.slice(0, move);
  before = '';
  waiting = waiting.filter((of) => of.move < move);
  for (const of of verdicts.keys()) if (of >= move) verdicts.delete(of);
  step(current()).then(() => say('Taken back. The cards stay the same.'));
}

const ownMoves = () => game.moves.flatMap((move, at) => (move.startsWith('@1 ') ? [at] : []));

async function step(found) {
  isBusy = true;
  const own = place;
  try {
    const next = await found;
    if (place !== own || !own.isConnected) return;
    [now, picked, left] = [next, [], []];
    game.moves = now.moves;
    keep();
    fail(null);
    looking?.abort();
    const isOnBoard = document.activeElement?.closest('svg, .picked');
    redraw(place, draw, isOnBoard ? '.board [tabindex="0"], .moves button' : '.moves button, .actions button');
    if (now.over) {
      // The review judges all decisions.
      for (const { move } of waiting.splice(0)) verdicts.delete(move);
      review().catch(fail);
    } else if (game.first) hint().catch(fail);
  } catch (error) {
    if (!now && own.isConnected) setup();
    fail(error);
  }
  isBusy = false;
}

async function choose(option) {
  if (isBusy) return;
  before = called(now.story).trim();
  if (game.coach) {
    const of = { move: game.moves.length, option, options: now.options, at: now.at, words: called(`${now.options[option]}: analysing …`), question: asked('advise', { playouts: playouts(), choice: option, steps: true }) };
    verdicts.set(of.move, of);
    waiting.push(of);
    judge();
    coach();
  }
  await step(answer(asked('play', { choice: option, width: width() }), leaving.signal));
}

/** Judges decisions beside the game, the latest first. */
async function coach() {
  if (isJudging) return;
  isJudging = true;
  const { signal } = leaving;
  for (let of; (of = waiting.pop());) {
    try {
      for await (const advice of ask(of.question, signal)) {
        // It may have been taken back.
        if (signal.aborted || verdicts.get(of.move)?.question !== of.question) break;
        verdicts.set(of.move, { ...of, isDone: advice.done, words: verdict(of, advice) });
        judge();
      }
    } catch (error) {
      fail(error);
    }
    if (signal.aborted) return;
  }
  isJudging = false;
}

function verdict({ option, options }, advice) {
  const worth = advice.worth[option];
  const isBest = option === advice.best && isClear(advice);
  const words = isMistake(worth, 'behind') ? `✗ ${options[option]} cost ${cost(worth, 'behind')}${isWins() ? ' of win share' : ''}; better: ${options[advice.best]}.`
    : `✓ ${options[option]}: ${isBest ? 'best' : 'no option is clearly better'}.`;
  return called(`${words} ${advice.done ? advice.why ?? '' : soFar(advice)}`);
}

const soFar = (advice) => `So far, after ${count(Math.max(...advice.worth.map((of) => of.playouts)))} playouts.`;

/** Shows the latest verdict, and those before. */
function judge() {
  const [last, ...before] = [...verdicts.values()].sort((a, b) => b.move - a.move);
  const line = place.querySelector('.judged');
  if (!line) return;
  line.setAttribute('aria-busy', String(Boolean(last) && !last.isDone));
  line.textContent = last ? last.words : '';
  place.querySelector('.verdicts').hidden = !before.length;
  place.querySelector('.verdicts ul').replaceChildren(...before.map((of) => h('li', {}, `${of.at}: ${of.words}`)));
}

const isWins = () => game.seats.length > 1;

// One grading for the coach, hints and the review: a mistake is clearly worse than the best option.
const isMistake = (row, name) => row[`${name}_low`] > 0;
const isClear = (advice) => advice.worth.every((of, option) => option === advice.best || isMistake(of, 'behind'));

/** A cost with as many digits as show on which side of 0 its interval ends. */
function cost(row, name) {
  const scale = isWins() ? 100 : 1;
  const [value, wide] = [scale * row[name], scale * half(row, name)];
  let least = value < 10 ? 1 : 0;
  while (least < 4 && (Number(value.toFixed(least)) > Number(wide.toFixed(least))) !== isMistake(row, name)) least += 1;
  return points(row[name], half(row, name), isWins(), true, least);
}

const inShare = () => (isWins() ? '; costs in points of win share' : '');
const nameOf = (seat) => (seat ? game.seats[seat].split(' as ')[1] ?? `player ${seat + 1}` : game.name);

/** A text of carat with players by their names alone, but on the line that says which number is whose. */
function called(text) {
  const alone = (line) => game.seats.reduce((words, _, seat) => words.replaceAll(`@${seat + 1} ${nameOf(seat)}`, nameOf(seat)).replaceAll(`${seat + 1} ${nameOf(seat)}`, nameOf(seat)), line).replace(/player (\d+) \([^()]*\)/g, 'player $1').replace(/@(\d+) \([a-z][^()]*\)/g, 'player $1');
  const lines = text.split('\n').map((line) => (line.startsWith('clockwise:') ? line : alone(line)));
  return joined(lines.join('\n')).replace(/\byou (leave|lose|win|take|begin|end)s\b/g, 'you $1');
}

/** Shows what the options are worth, in more and more playouts. */
async function hint() {
  looking?.abort();
  looking = new AbortController();
  for await (const advice of ask(asked('advise', { playouts: playouts(), steps: true }), looking.signal)) {
    if (!place.querySelector('.hint')) return;
    const isGood = (option) => !isMistake(advice.worth[option], 'behind');
    const order = now.options.map((_, option) => option).sort((a, b) => isGood(b) - isGood(a) || advice.worth[a].behind - advice.worth[b].behind);
    const rows = order.map((option) => [`${isGood(option) ? '✓ ' : ''}${called(now.options[option])}`, figure(advice.worth[option].win_share, half(advice.worth[option], 'win_share'), true),
      isGood(option) ? (isClear(advice) ? 'best' : 'no clear difference') : cost(advice.worth[option], 'behind')]);
    const good = order.filter(isGood).length;
    const said = good === 1 ? `✓ ${now.options[advice.best]} is best.` : `✓ No clear difference between ${good === now.options.length ? '' : 'the best '}${good} options.`;
    const words = h('p', { role: 'status', 'aria-busy': String(!advice.done) }, called(`Hint: ${said} ${advice.done ? advice.why ?? '' : soFar(advice)}`));
    const isOpen = place.querySelector('.hint details')?.open;
    const values = h('details', { open: isOpen ?? !game.first }, h('summary', {}, 'Value of each option'), table(`Value of ${rows.length > MANY ? `the best ${MANY} of ${rows.length} options` : 'each option'}${inShare()}`, ['option', 'wins', 'cost'], rows.slice(0, MANY)));
    place.querySelector('.hint').replaceChildren(words, values);
  }
}

/** The board of a position, with players by their names. */
function boardOf(position) {
  const svg = picture(position.svg);
  const cells = [...svg.querySelectorAll('[data-cell]')];
  for (const title of svg.querySelectorAll('title')) title.textContent = called(title.textContent);
  return { svg, cells };
}

/** Marks what an option touches, with a way from its first cell to the last. */
function preview(svg, cells, option, { board }, kind = 'preview') {
  svg.querySelector(`.${kind}`)?.remove();
  const touched = [...new Set(board?.options[option] ?? [])].map((cell) => cells[cell]);
  if (!touched.length) return;
  const draws = (name, attributes) => { const of = document.createElementNS(svg.namespaceURI, name); for (const [key, value] of Object.entries(attributes)) of.setAttribute(key, value); return of; };
  const box = (cell) => ['x', 'y', 'width', 'height'].map((name) => Number(cell.getAttribute(name)));
  const group = draws('g', { class: kind });
  group.append(...touched.map((cell) => { const [x, y, width, height] = box(cell); return draws('rect', { x, y, width, height }); }));
  const middles = touched.map((cell) => { const [x, y, wide, high] = box(cell); return [x + wide / 2, y + high / 2]; });
  if (middles.length > 1) group.append(draws('polyline', { points: middles.join(' ') }), draws('circle', { cx: middles.at(-1)[0], cy: middles.at(-1)[1], r: svg.viewBox.baseVal.width / 60 }));
  svg.append(group);
}

/** The position as a picture whose cells pick options, with its words. */
function position() {
  const text = h('details', {}, h('summary', {}, 'As text'), h('pre', { class: 'drawn' }, called(now.situation)));
  if (!now.svg) return text;
  const { svg, cells } = boardOf(now);
  const of = (cell) => now.board.options.flatMap((touched, option) => (touched.includes(cells.indexOf(cell)) ? [option] : []));
  const touchable = cells.filter((cell) => of(cell).length);
  touchable.forEach((cell, at) => {
    const options = of(cell);
    const words = options.length === 1 ? now.options[options[0]] : `${cell.querySelector('title').textContent} (${options.length} moves)`;
    for (const [name, value] of [['role', 'button'], ['tabindex', at ? '-1' : '0'], ['aria-label', called(`${cell.dataset.cell}: ${words}`)], ['aria-pressed', 'false']]) cell.setAttribute(name, value);
  });
  const focus = (cell) => { for (const other of touchable) other.setAttribute('tabindex', other === cell ? '0' : '-1'); cell.focus(); };
  let from = null;
  svg.addEventListener('pointerdown', (event) => { from = event.pointerType === 'touch' ? null : event.target.closest('[role=button]'); });
  svg.addEventListener('pointerup', (event) => {
    const to = event.target.closest('[role=button]');
    // A card that is dragged to its place.
    if (from && to && from !== to) { [picked, left] = [[], []]; touch(cells.indexOf(from)); touch(cells.indexOf(to), true); }
  });
  svg.addEventListener('click', (event) => { const cell = event.target.closest('[role=button]'); if (cell) touch(cells.indexOf(cell)); });
  svg.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') { touch(null); return; }
    if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); touch(cells.indexOf(event.target)); return; }
    const way = WAYS[event.key];
    if (!way) return;
    event.preventDefault();
    const middle = (cell) => { const box = cell.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
    const [x, y] = middle(event.target);
    const far = (cell) => { const [dx, dy] = [middle(cell)[0] - x, middle(cell)[1] - y]; const along = dx * way[0] + dy * way[1]; return along > 1 ? along + 3 * Math.abs(dx * way[1] + dy * way[0]) : Infinity; };
    const next = touchable.reduce((best, cell) => (far(cell) < far(best) ? cell : best), event.target);
    focus(next);
  });
  return [h('div', { class: 'picked', role: 'status' }, touchable.length ? todo() : ''), h('figure', { role: 'group', 'aria-label': 'The board' }, svg), text];
}

/** What there is to do, in the words that all options begin with, and how. */
function todo() {
  const words = now.options.map((option) => option.split(' '));
  const same = words[0].findIndex((word, at) => words.some((of) => of[at] !== word));
  return same > 0 ? `${words[0].slice(0, same).join(' ')} …: `.replace(/^./, (letter) => letter.toUpperCase()) + HELP[0].toLowerCase() + HELP.slice(1) : HELP;
}

/** Picks a cell: of the options that touch all picked cells, the only one is previewed, and done when it is touched again. */
function touch(cell, isDragged = false) {
  if (isBusy) return;
  const all = now.board.options;
  if (cell === null) picked = [];
  else if (left.length === 1 && all[left[0]].includes(cell) && !isDragged) { choose(left[0]); return; }
  const every = all.map((_, option) => option);
  // The order of touches counts where it tells options apart: a card, and then its place.
  const leaves = (cells) => {
    const inOrder = every.filter((option) => cells.every((of, at) => all[option][at] === of));
    return inOrder.length ? inOrder : every.filter((option) => cells.every((of) => all[option].includes(of)));
  };
  if (cell !== null) picked = leaves([...picked, cell]).length ? [...picked, cell] : [cell];
  left = picked.length ? leaves(picked) : [];
  mark();
}

/** Shows on the board what is picked, and one option if only that is left or it is pointed at. */
function mark(option = left.length === 1 ? left[0] : null) {
  const svg = place.querySelector('.board svg');
  if (!svg || now.over) return;
  const cells = [...svg.querySelectorAll('[data-cell]')];
  const open = new Set(left.flatMap((of) => now.board.options[of]));
  cells.forEach((cell, at) => {
    if (cell.hasAttribute('aria-pressed')) cell.setAttribute('aria-pressed', String(picked.includes(at)));
    cell.classList.toggle('open', left.length > 1 && open.has(at));
  });
  svg.querySelector('.preview')?.remove();
  if (option !== null) preview(svg, cells, option, now);
  const isOne = left.length === 1;
  // Options that no further place tells apart are named.
  const places = new Set(left.map((of) => now.board.options[of].filter((cell) => !picked.includes(cell)).join()));
  const named = isOne || places.size < left.length ? left : [];
  const words = isOne ? called(now.options[left[0]]) : named.length ? 'Which move?' : `${left.length} possible moves: select a place`;
  const does = named.map((of) => button(isOne ? 'Make this move' : called(now.options[of]), () => choose(of), { class: isOne ? 'main' : null }));
  place.querySelector('.picked').replaceChildren(...(left.length ? [h('strong', {}, words), ...does, button('Cancel', () => touch(null))] : [todo()]));
}

/** The rules in short: a line each, the words before its colon as its head. */
function rules(isOpen) {
  const lines = about.game.reference.trim().split('\n').map((line) => /^([^:]*: )?(.*)$/.exec(line.trim()));
  return h('details', { class: 'rules', open: isOpen }, h('summary', {}, 'Rules of the game'), h('ul', {}, lines.map(([, head, words]) => h('li', {}, h('strong', {}, head ?? ''), words))));
}

/** The goal, and what each player has so far. */
function score() {
  const goal = /the goal: (.*)/.exec(about.game.reference)?.[1] ?? '';
  const isPlayer = (cell) => cell.pieces.some((piece) => piece.kind.pawn);
  const cells = (now.board?.areas ?? []).filter((area) => !area.columns).flatMap((area) => area.cells).filter(isPlayer);
  const all = now.over ? now.scores.map((of, seat) => [seat + 1, nameOf(seat), `${of} ${of === 1 ? about.game.unit.replace(/s$/, '') : about.game.unit}`])
    : cells.map((cell) => [cell.pieces.find((piece) => piece.kind.pawn).text, called(cell.name), cell.words]);
  // Pawns have the numbers of their players.
  const hasPawns = now.board?.areas.some((area) => area.columns);
  const players = all.sort((a, b) => a[0] - b[0]);
  return h('div', { class: 'score' }, h('span', {}, `Goal: ${goal}`), h('ul', {}, players.map(([seat, name, words]) => h('li', {}, h('b', {}, hasPawns && !name.startsWith('player ') ? `${seat} ` : '', `${name}: `), words))));
}

function draw() {
  const told = called(now.story).trim();
  const parts = told.split(/\n\n+/);
  // What happened since the latest own decision, whatever turns and rounds have begun.
  const [lines, known] = [told.split('\n'), before.split('\n')];
  const same = known.findIndex((line, at) => line !== lines[at]);
  const since = before ? lines.slice(same < 0 ? known.length : same).join('\n').trim() : '';
  const story = h('details', { class: 'story' }, h('summary', {}, 'The game so far'), h('pre', {}, told));
  const isShort = parts.length > 2 && parts.at(-1).split('\n').length < 3;
  const latest = parts.length > 1 || since ? h('pre', { class: 'latest' }, since ? `Since your decision:\n${since}` : parts.slice(isShort ? -2 : -1).join('\n\n')) : '';
  const own = ownMoves();
  place.replaceChildren(score(),
    now.over ? over() : h('div', { class: 'board' }, h('h3', {}, now.at[0].toUpperCase() + now.at.slice(1)), position()),
    h('div', { class: 'beside' },
      now.over ? '' : moves(),
      h('p', { role: 'status', class: 'judged' }),
      h('details', { class: 'verdicts', hidden: true }, h('summary', {}, 'Earlier verdicts'), h('ul', {})),
      h('div', { class: 'hint' }),
      h('div', { class: 'actions' },
        now.over ? '' : button('Hint', () => hint().catch(fail)),
        own.length ? button('Take back', () => playFrom(own.at(-1))) : '',
        button('Save the game', () => answer(asked('keep')).then((of) => download(`${game.game}-${game.seed}.toml`, of.file), fail)),
        button('Copy link', () => copy(location.href, 'Link')),
        button('New game', () => { forget(); game.seed = 0; game.moves = []; setup(); })),
      now.over ? '' : latest, story, rules(game.first && own.length === 0)));
  judge();
}

function moves() {
  const isFew = now.options.length <= MANY;
  const isShort = isFew && now.options.every((name) => name.length < 16);
  const points = (option) => { const [show, hide] = [() => mark(option), () => mark()]; return { onfocus: show, onpointerenter: show, onblur: hide, onpointerleave: hide }; };
  const buttons = now.options.map((name, option) => button(called(name), () => choose(option), { class: isShort ? 'card main' : 'card', ...points(option) }));
  const list = h('div', { class: `grid wide moves${isShort ? '' : ' many'}`, role: 'group', 'aria-label': 'Your move' }, buttons);
  if (isFew) return list;
  const box = h('input', { type: 'search', placeholder: 'Search the moves', 'aria-label': 'Search the moves', oninput: () => buttons.forEach((of) => { of.hidden = !of.textContent.includes(box.value); }) });
  if (!now.svg) return h('div', {}, box, list);
  // What touches no place, such as the end of a turn, is not hidden.
  const others = now.options.flatMap((name, option) => (now.board.options[option].length ? [] : [button(called(name), () => choose(option))]));
  return h('div', {}, h('div', { class: 'actions' }, others), h('details', {}, h('summary', {}, `All ${now.options.length} moves as a list`), box, list));
}

function over() {
  const rows = now.scores.map((score, seat) => [nameOf(seat), String(score), figure(now.wins[seat], 0, true)]);
  const winners = game.seats.map((_, seat) => nameOf(seat)).filter((_, seat) => now.wins[seat] > 0);
  const won = now.wins[0] === 1 ? 'You win!' : now.wins[0] > 0 ? 'You share the win.' : `${winners.join(' and ')} ${winners.length > 1 ? 'share the win' : 'wins'}.`;
  return h('div', { class: 'board' }, h('p', { class: 'big' }, won), table('Final result', ['player', about.game.unit, 'win share'], rows), h('div', { class: 'review' }, h('p', { class: 'quiet' }, 'Reviewing your decisions …')));
}

/** Reviews the game, first in few playouts. */
async function review() {
  say('The game is over.');
  looking = new AbortController();
  const { signal } = looking;
  const own = ownMoves();
  for (const most of [QUICK, playouts()]) {
    place.querySelector('.review').setAttribute('aria-busy', 'true');
    const found = await answer(asked('review', { playouts: most }), signal);
    const host = place.querySelector('.review');
    if (!host || signal.aborted) return;
    const { parts, worst } = reviewed(found, own, most);
    redraw(host, () => host.replaceChildren(...parts));
    if (most < playouts()) continue;
    host.setAttribute('aria-busy', 'false');
    const places = [...host.querySelectorAll('.why')];
    for (const [at, { move, chosen, best }] of worst.entries()) places[at].textContent = await explain(move, chosen.option, best.option);
  }
}

function reviewed(found, own, most) {
  const { decisions, luck: [luck], mistakes, bots: [mine], course } = found.tables;
  const numbers = [...new Set(decisions.map((row) => row.decision))];
  const judged = numbers.map((decision, at) => {
    const options = decisions.filter((row) => row.decision === decision);
    const [chosen, best] = [options.find((row) => row.chosen), options.find((row) => row.best)];
    return { at, move: own[at], chosen, best, isWrong: isMistake(chosen, 'loss') };
  });
  const rows = judged.map(({ chosen, best, isWrong }) => {
    const words = isWrong ? `✗ cost ${cost(chosen, 'loss')}${chosen.verdict ? ` (${spaced(chosen.verdict)})` : ''}; better: ${called(best.option)}` : '✓';
    return [chosen.at, called(chosen.option), words];
  });
  const change = (value) => (isWins() ? `${value > 0 ? '+' : ''}${points(value, 0, true)}` : figure(value));
  const parts = luck ? [['At the start', figure(luck.start, 0, isWins())], ['Luck of the cards', change(luck.luck_cards)], ['Decisions of the opponents', change(luck.luck_others)],
    ['Your own decisions', change(luck.own_play)], ['The result', figure(luck.result, 0, isWins())]] : [];
  const accuracy = mine?.accuracy == null ? '' : h('p', {}, `Accuracy: ${figure(mine.accuracy, 0, true)} (100 % minus the win share lost to mistakes).`);
  const kinds = (mistakes ?? []).map((row) => [`${row.property}: ${row.value}`, String(row.decisions), cost(row, 'loss_per_decision')]);
  const more = most < playouts() ? h('p', { class: 'quiet' }, `After ${count(most)} playouts of each option; a closer look is under way …`) : '';
  const past = stepper(course, judged);
  const worst = judged.filter((of) => of.isWrong).sort((a, b) => b.chosen.loss - a.chosen.loss).slice(0, WORST);
  const shown = [h('h3', {}, 'Review'), more, h('p', {}, called(found.summary.replace(/ \(seat \d+\)/g, ''))), accuracy,
    past.element,
    h('h3', {}, 'Costliest decisions'), worst.length ? h('ol', { class: 'turns' }, worst.map((of) => turn(of, past.look))) : h('p', {}, 'No decision had a significant cost.'),
    table('Luck and your own play', ['part', isWins() ? 'win share' : about.game.unit], parts),
    h('details', { open: rows.length <= MANY }, h('summary', {}, 'All your decisions'), table(`Your decisions${inShare()}`, ['when', 'you chose', 'verdict'], rows)),
    h('p', { class: 'quiet' }, 'Costs do not add up to the effect of your decisions: a different choice leads to a different game.'),
    kinds.length ? h('details', {}, h('summary', {}, 'Cost by kind of position'), table(`Mean cost of a decision${inShare()}`, ['position', 'decisions', 'cost'], kinds)) : ''];
  return { parts: shown, worst };
}

/** A decision that cost much: why, and how the better line goes on. */
function turn({ at, move, chosen, best }, look) {
  return h('li', {}, h('p', {}, `${chosen.at}: you chose ${called(chosen.option)}. Better: ${called(best.option)}, by ${cost(chosen, 'loss')}.`), h('p', { class: 'quiet why' }),
    h('div', { class: 'actions' }, button('Show it', () => look(at, true)), button('Play on from here', () => playFrom(move))));
}

/** The reason for the best of two options, and what the bot of the seat does after it in the same turn. */
async function explain(move, chosen, best) {
  const moves = game.moves.slice(0, move);
  const ask = (of, more) => answer(asked(of, more), looking.signal);
  const { options } = await ask('options', { moves });
  const { why, at, best: found } = await ask('advise', { moves, choice: chosen, playouts: playouts(), steps: true });
  const line = [best];
  const part = (of) => of?.split(',')[0];
  let next = await ask('play', { moves, choice: best });
  while (line.length < LINE && !next.over && part(next.at) === part(at)) {
    const { choice: taken } = await ask('decide', { moves: next.moves });
    line.push(next.options[taken]);
    next = await ask('play', { moves: next.moves, choice: taken });
  }
  // Of options that are nearly as good, each look may take another.
  const reason = options[found] === best ? why ?? '' : '';
  return called(`${reason}${line.length > 1 ? ` The better line: ${line.join(', then ')}.` : ''}`.trim());
}

/** The game decision by decision, below the curve of the chance to win. */
function stepper(course, judged) {
  const values = course.map((row) => row.value);
  const steps = course.flatMap((row, step) => (row.of === 'own play' ? [step] : []));
  const most = isWins() ? 1 : Math.max(1, ...values);
  const [x, y] = [(step) => (600 * step) / Math.max(1, values.length - 1), (value) => 100 - (96 * value) / most - 2];
  const dots = judged.filter((of) => of.isWrong).map((of) => `<circle cx="${x(steps[of.at])}" cy="${y(values[steps[of.at]])}" r="4" class="mistake"/>`);
  const curve = picture(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 100" class="equity" aria-hidden="true"><path d="M0 50H600" class="even"/><polyline points="${values.map((value, step) => `${x(step)},${y(value)}`).join(' ')}"/>${dots.join('')}<path class="here" d=""/></svg>`);
  const host = h('div', { class: 'past' });
  const slider = h('input', { type: 'range', min: 0, max: judged.length - 1, value: 0, 'aria-label': 'Decision', oninput: () => look(Number(slider.value)) });
  let wanted;
  async function look(at, isFar = false) {
    wanted = at;
    slider.value = at;
    const { move, chosen, best, isWrong } = judged[at];
    const value = figure(values[steps[at]], 0, isWins());
    const words = `${at + 1} of ${judged.length}, ${chosen.at}: you chose ${called(chosen.option)}${isWrong ? ` (✗ better: ${called(best.option)})` : ' (✓)'}; ${isWins() ? 'your chance to win' : 'what you expect'} after it: ${value}.`;
    slider.setAttribute('aria-valuetext', words);
    curve.querySelector('.here').setAttribute('d', `M${x(steps[at])} 0V100`);
    const found = await current({ moves: game.moves.slice(0, move) });
    // A later step is shown in its place.
    if (wanted !== at || !host.isConnected) return;
    const drawn = found.svg ? boardOf(found) : null;
    if (drawn && isWrong) preview(drawn.svg, drawn.cells, found.options.indexOf(best.option), found, 'better');
    if (drawn) preview(drawn.svg, drawn.cells, found.options.indexOf(chosen.option), found);
    host.replaceChildren(h('p', {}, words), drawn ? h('figure', { role: 'group', 'aria-label': 'The board then' }, drawn.svg) : h('pre', { class: 'drawn' }, called(found.situation)),
      h('div', { class: 'actions' }, button('Play on from here', () => playFrom(move))));
    if (isFar) curve.scrollIntoView({ block: 'start' });
  }
  curve.addEventListener('click', (event) => { const part = event.offsetX / curve.clientWidth * (values.length - 1); look(steps.reduce((best, step, at) => (Math.abs(step - part) < Math.abs(steps[best] - part) ? at : best), 0)).catch(fail); });
  queueMicrotask(() => look(judged.findIndex((of) => of.isWrong) < 0 ? 0 : judged.findIndex((of) => of.isWrong)).catch(fail));
  const arrows = [['‹', 'Previous decision', -1], ['›', 'Next decision', 1]].map(([sign, label, by]) => button(sign, () => look(Math.max(0, Math.min(judged.length - 1, Number(slider.value) + by))).catch(fail), { 'aria-label': label }));
  return { look: (at, isFar) => look(at, isFar).catch(fail), element: h('div', {}, h('h3', {}, isWins() ? 'Your chance to win, decision by decision' : 'What you expect, decision by decision'), h('div', { class: 'curved' }, curve), h('div', { class: 'stepping' }, arrows[0], slider, arrows[1]), host) };
}
