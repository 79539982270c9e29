// Play against bots: the game is the one that `carat play` saves, and each decision can be judged.

import { answer, button, choice, copy, download, fail, figure, h, half, joined, link, picture, points, redraw, say, spaced, table, whole } from '/page.js';
import { GAMES } from '/games.js';

const NAMES = ['Mia', 'Ben', 'Ada', 'Leo', 'Zoe', 'Max', 'Ida'];
const PEOPLE = ['people', 'bold', 'careful'];
// The playouts of the coach, as a part of those by default.
const PART = 0.25;
// The width of a board in pixels.
const WIDTH = [320, 640];
// Lists of more moves have a box to search them.
const MANY = 12;

let game, about, now, place, leaving, judged = '', isBusy = false;

function read(values) {
  const seats = values.getAll('seat');
  const moves = (values.get('moves') ?? '').split(',').filter(Boolean).map((text) => `@${text.replace('.', ' ')} `);
  return { game: (GAMES.find((of) => of.name === values.get('game')) ?? GAMES[0]).name, rules: values.get('rules') ?? '', name: values.get('name') ?? 'guest', seats, seed: whole(values.get('seed'), 0, Number.MAX_SAFE_INTEGER, 0), moves, coach: values.has('coach') };
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
  if (game.coach) values.set('coach', '1');
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
const width = () => Math.max(WIDTH[0], Math.min(WIDTH[1], place.clientWidth - 20));

export function open(main, values) {
  game = read(values);
  [judged, isBusy, now] = ['', false, null];
  leaving?.abort();
  leaving = new AbortController();
  place = h('div', { class: 'play' });
  main.replaceChildren(h('h2', {}, 'Play'), place);
  const own = place;
  answer({ ask: 'about', table: { game: game.game } }, leaving.signal).then((found) => {
    if (place !== own || !own.isConnected) return;
    about = found;
    if (game.seed && game.seats.length) step(answer(asked('options', { width: width() })));
    else setup();
  }, fail);
  return () => leaving.abort();
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
  const coach = h('input', { type: 'checkbox', checked: game.coach, onchange: () => { game.coach = coach.checked; } });
  const pick = (of) => { const { coach: isCoached } = game; game = read(new URLSearchParams({ game: of, name: game.name })); game.coach = isCoached; answer({ ask: 'about', table: { game: of } }).then((found) => { about = found; setup(); }, fail); };
  place.replaceChildren(h('form', { class: 'setup', onsubmit: (event) => { event.preventDefault(); begin(); } },
    choice('Game', GAMES.map((of) => [of.name, of.title]), game.game, pick),
    choice('Edition', about.game.rules.map((of) => [of, of]), game.rules || about.game.rules[0], (of) => { game.rules = of === about.game.rules[0] ? '' : of; }),
    h('label', { class: 'field' }, h('span', {}, 'Your name'), name),
    choice('Players', sizes, String(size), (of) => { game.seats = seatsFor(Number(of)); setup(); }),
    h('h3', {}, 'Your opponents'), ...opponents,
    h('label', { class: 'switch' }, coach, ' Coach: show the cost of each decision'),
    h('button', { type: 'submit', class: 'main' }, 'Begin')));
}

const seatsFor = (size) => ['best', ...Array.from({ length: size - 1 }, (_, at) => `${PEOPLE[at % PEOPLE.length]} as ${NAMES[at]}`)];

function begin() {
  game.seed = 1 + crypto.getRandomValues(new Uint32Array(1))[0] % 999_999_999;
  game.moves = [];
  judged = '';
  step(answer(asked('options', { width: width() })));
}

async function step(found) {
  isBusy = true;
  const own = place;
  try {
    const next = await found;
    if (place !== own || !own.isConnected) return;
    now = next;
    game.moves = now.moves;
    keep();
    fail(null);
    redraw(place, draw, '.moves button, .actions button');
    if (now.over) await review();
  } catch (error) {
    if (!now && own.isConnected) setup();
    fail(error);
  }
  isBusy = false;
}

async function choose(option) {
  if (isBusy) return;
  isBusy = true;
  const name = now.options[option];
  try {
    if (game.coach) {
      const advice = await answer(asked('advise', { playouts: playouts(), choice: option }), leaving.signal);
      const worth = advice.worth[option];
      judged = isMistake(worth, 'behind') ? `✗ ${name} cost ${cost(worth, 'behind')}${isWins() ? ' of win share' : ''}; better: ${advice.options[advice.best]}.`
        : `✓ ${name}: ${option === advice.best && isClear(advice) ? 'the best' : 'no option is clearly better'}.`;
      judged = called(`${judged} ${advice.why ?? ''}`);
    }
  } catch (error) {
    fail(error);
  }
  await step(answer(asked('play', { choice: option, width: width() })));
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
  const alone = (line) => game.seats.reduce((words, _, seat) => words.replaceAll(`@${seat + 1} ${nameOf(seat)}`, nameOf(seat)).replaceAll(`${seat + 1} ${nameOf(seat)}`, nameOf(seat)), line);
  const lines = text.split('\n').map((line) => (line.startsWith('clockwise:') ? line : alone(line)));
  return joined(lines.join('\n')).replace(/\byou (leave|lose|win|take|begin|end)s\b/g, 'you $1');
}

async function hint() {
  if (isBusy) return;
  isBusy = true;
  const advice = await answer(asked('advise', { playouts: playouts() }), leaving.signal).finally(() => { isBusy = false; });
  const isGood = (option) => !isMistake(advice.worth[option], 'behind');
  const best = isClear(advice) ? 'the best' : 'no clear difference';
  const order = advice.options.map((_, option) => option).sort((a, b) => isGood(b) - isGood(a) || advice.worth[a].behind - advice.worth[b].behind);
  const rows = order.map((option) => [`${isGood(option) ? '✓ ' : ''}${called(advice.options[option])}`, figure(advice.worth[option].win_share, half(advice.worth[option], 'win_share'), true),
    isGood(option) ? best : cost(advice.worth[option], 'behind')]);
  const good = order.filter(isGood).length;
  judged = called(good === 1 ? `✓ ${advice.options[advice.best]} is the best. ${advice.why ?? ''}` : `✓ No clear difference between ${good === advice.options.length ? '' : 'the best '}${good} options. ${advice.why ?? ''}`);
  redraw(place, draw);
  place.querySelector('.hint').replaceChildren(table(`Value of each option${inShare()}`, ['option', 'wins', 'cost'], rows.slice(0, MANY)));
}

/** The position as a picture, with its words: a cell to which one option leads is a button. */
function position() {
  const text = h('details', {}, h('summary', {}, 'As text'), h('pre', { class: 'drawn' }, called(now.situation)));
  if (!now.svg) return text;
  const svg = picture(now.svg);
  for (const cell of svg.querySelectorAll('[data-options]')) {
    const options = cell.dataset.options.split(' ').filter(Boolean).map(Number);
    const title = cell.querySelector('title');
    title.textContent = called([title.textContent, ...options.slice(0, MANY).map((option) => now.options[option])].join('\n'));
    if (options.length !== 1) continue;
    for (const [name, value] of [['role', 'button'], ['tabindex', '0'], ['aria-label', called(`${cell.dataset.cell}: ${now.options[options[0]]}`)]]) cell.setAttribute(name, value);
    cell.addEventListener('click', () => choose(options[0]));
    cell.addEventListener('keydown', (event) => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); choose(options[0]); } });
  }
  return [h('figure', { role: 'group', 'aria-label': 'The board' }, svg), text];
}

function draw() {
  const told = called(now.story).trim();
  const parts = told.split(/\n\n+/);
  const story = h('details', { class: 'story' }, h('summary', {}, 'The game so far'), h('pre', {}, told));
  const isShort = parts.length > 2 && parts.at(-1).split('\n').length < 3;
  const latest = parts.length > 1 ? h('pre', { class: 'latest' }, parts.slice(isShort ? -2 : -1).join('\n\n')) : '';
  place.replaceChildren(
    h('p', { role: 'status', class: 'judged' }, judged),
    now.over ? over() : h('div', { class: 'board' }, h('h3', {}, now.at[0].toUpperCase() + now.at.slice(1)), position()),
    now.over ? '' : moves(),
    h('div', { class: 'hint' }), latest, story,
    h('div', { class: 'actions' },
      now.over ? '' : button('Hint', () => hint().catch(fail)),
      button('Save the game', () => answer(asked('keep')).then((of) => download(`${game.game}-${game.seed}.toml`, of.file), fail)),
      button('Copy link', () => copy(location.href, 'Link')),
      button('New game', () => { game.seed = 0; game.moves = []; setup(); })));
}

function moves() {
  const isFew = now.options.length <= MANY;
  const isShort = isFew && now.options.every((name) => name.length < 16);
  const buttons = now.options.map((name, option) => button(called(name), () => choose(option), { class: isShort ? 'card main' : 'card' }));
  const list = h('div', { class: `grid wide moves${isShort ? '' : ' many'}`, role: 'group', 'aria-label': 'Your move' }, buttons);
  if (isFew) return list;
  const box = h('input', { type: 'search', placeholder: 'Search the moves', 'aria-label': 'Search the moves', oninput: () => buttons.forEach((of) => { of.hidden = !of.textContent.includes(box.value); }) });
  const touched = now.board?.options ?? [];
  const isOnBoard = touched.every((cells) => cells.length === 1) && new Set(touched.flat()).size === now.options.length;
  if (!isOnBoard) return h('div', {}, box, list);
  return h('div', {}, h('p', {}, 'Tap a place on the board.'), h('details', {}, h('summary', {}, `All ${now.options.length} moves as a list`), box, list));
}

function over() {
  const rows = now.scores.map((score, seat) => [nameOf(seat), String(score), figure(now.wins[seat], 0, true)]);
  const winners = game.seats.map((_, seat) => nameOf(seat)).filter((_, seat) => now.wins[seat] > 0);
  const won = now.wins[0] === 1 ? 'You win!' : now.wins[0] > 0 ? 'You share the win.' : `${winners.join(' and ')} ${winners.length > 1 ? 'share the win' : 'wins'}.`;
  return h('div', { class: 'board' }, h('p', { class: 'big' }, won), table('Final result', ['player', about.game.unit, 'win share'], rows), h('div', { class: 'review' }, h('p', { class: 'quiet' }, 'Reviewing your decisions …')));
}

async function review() {
  say('The game is over.');
  const found = await answer(asked('review', { playouts: playouts() }), leaving.signal);
  const { decisions, luck: [luck], mistakes, bots: [own] } = found.tables;
  const numbers = [...new Set(decisions.map((row) => row.decision))];
  const rows = numbers.map((decision) => {
    const options = decisions.filter((row) => row.decision === decision);
    const [chosen, best] = [options.find((row) => row.chosen), options.find((row) => row.best)];
    const words = isMistake(chosen, 'loss') ? `✗ cost ${cost(chosen, 'loss')}${chosen.verdict ? ` (${spaced(chosen.verdict)})` : ''}; better: ${called(best.option)}` : '✓';
    return [chosen.at, called(chosen.option), words];
  });
  const change = (value) => (isWins() ? `${value > 0 ? '+' : ''}${points(value, 0, true)}` : figure(value));
  const parts = luck ? [['At the start', figure(luck.start, 0, isWins())], ['Luck of the cards', change(luck.luck_cards)], ['Decisions of the opponents', change(luck.luck_others)],
    ['Your own decisions', change(luck.own_play)], ['The result', figure(luck.result, 0, isWins())]] : [];
  const accuracy = own?.accuracy == null ? [] : [h('p', {}, `Accuracy: ${figure(own.accuracy, 0, true)} (100 % less the win share that clearly worse choices cost).`)];
  const kinds = (mistakes ?? []).map((row) => [`${row.property}: ${row.value}`, String(row.decisions), cost(row, 'loss_per_decision')]);
  place.querySelector('.review').replaceChildren(h('h3', {}, 'Review'), h('p', {}, called(found.summary.replace(/ \(seat \d+\)/g, ''))), ...accuracy,
    table('Luck and your own play', ['part', isWins() ? 'win share' : about.game.unit], parts),
    table(`Your decisions${inShare()}`, ['when', 'you chose', 'judgement'], rows),
    h('p', { class: 'quiet' }, 'Costs do not add up to the effect of your decisions: a different choice leads to a different game.'),
    kinds.length ? h('details', {}, h('summary', {}, 'Cost by kind of position'), table(`Mean cost of a decision${inShare()}`, ['position', 'decisions', 'cost'], kinds)) : '');
}
