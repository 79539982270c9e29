// What scripts/test-page.sh runs: the live page in Chromium, of `carat serve` or, with SITE, of a folder of
// files on a plain host. Prints a line for each check.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const CARAT = process.env.CARAT ?? 'carat';
const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');
// A folder that `carat site` wrote.
const SITE = process.env.SITE;
const WORK = mkdtempSync(join(tmpdir(), 'carat-page-'));

const servers = [];

const KINDS = { html: 'text/html', css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml', wasm: 'application/wasm', webmanifest: 'application/manifest+json' };

/** A plain web host with the folder of files in a folder of its own. */
async function host() {
  const began = performance.now();
  const server = createServer((request, reply) => {
    const name = new URL(request.url, 'http://host').pathname.replace(/^\/games\/of\/mine\//, '') || 'index.html';
    try {
      const text = readFileSync(join(SITE, name));
      reply.writeHead(200, { 'content-type': KINDS[name.split('.').pop()] ?? 'text/plain' }).end(text);
    } catch {
      reply.writeHead(404).end();
    }
  });
  await new Promise((ready) => { server.listen(0, '127.0.0.1', ready); });
  const origin = `http://127.0.0.1:${server.address().port}/games/of/mine`;
  servers.push({ kill: () => server.close() });
  return { link: `${origin}/`, origin, began, server };
}

/** Starts a server; its link, and where it is. */
async function serve(port = 0, ...more) {
  if (SITE) return host();
  const began = performance.now();
  const server = spawn(CARAT, ['serve', '--no-open', '--port', String(port), ...more], { cwd: WORK });
  servers.push(server);
  let text = '';
  for await (const part of server.stdout) {
    text += part;
    if (text.includes('\n')) break;
  }
  const [link] = /http\S+/.exec(text);
  return { link, origin: new URL(link).origin, began, pid: server.pid, server };
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--host-resolver-rules=MAP evil.test 127.0.0.1'],
});

// The browsers of a check, which end with it.
let opened = [];

/** A tab of a fresh browser; whatever it writes to the console is a fault. */
async function tab(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  opened.push(context);
  const page = await context.newPage();
  page.faults = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && page.faults.push(message.text()));
  page.on('pageerror', (error) => page.faults.push(error.message));
  page.on('dialog', (dialog) => { page.faults.push(`dialog ${dialog.message()}`); dialog.dismiss(); });
  return page;
}

// Checks of what only the server does: its key, its end, its guard.
const OF_SERVER = ['the key leaves the link', 'seven tabs do not stop an eighth', 'a killed server is said',
  'other pages and other names get nothing', 'a closed tab leaves no thread at work'];

let passed = 0;
async function check(name, test) {
  // Only some checks, beside the first.
  if (passed && process.env.ONLY && !new RegExp(process.env.ONLY).test(name)) return;
  if (SITE && OF_SERVER.some((start) => name.startsWith(start))) return;
  const began = Date.now();
  try {
    opened = [];
    const words = await test();
    for (const context of opened) await context.close();
    passed += 1;
    console.log(`ok  ${name}${words ? `: ${words}` : ''} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  } catch (error) {
    console.error(`FAILED  ${name}\n${error.stack}`);
    await finish(1);
  }
}

async function finish(code) {
  await browser.close();
  for (const server of servers) server.kill();
  console.log(`${passed} passed, ${code} failed`);
  process.exit(code);
}

const quantile = (numbers, part) => numbers.sort((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(part * numbers.length))];
const ms = (number) => `${number.toFixed(0)} ms`;
const done = (page) => page.waitForFunction(() => document.querySelector('.progress:not([aria-busy])')?.textContent.startsWith('After'), null, { timeout: 90_000 });
const figures = async (page) => {
  await done(page);
  return page.evaluate(() => [document.querySelector('.summary').textContent, document.querySelector('.figures').textContent,
    ...[...document.querySelectorAll('figure table')].map((of) => of.textContent)].join('\n'));
};
const measures = (page, name) => page.evaluate((of) => performance.getEntriesByName(of).map((entry) => entry.duration), name);

const warm = await tab();
await warm.goto('about:blank');
const served = await serve();

const judged = (page) => page.waitForFunction(() => document.querySelector('.judged[aria-busy=false]'));
const reviewed = (page) => page.waitForSelector('.review[aria-busy=false] table', { timeout: 120_000 });
const gameLink = (game, more = []) => `${served.origin}/#play?${new URLSearchParams([['game', game], ['name', 'Anna'], ['seat', 'best'], ['seat', 'people as Mia'], ['seat', 'bold as Ben'], ['seed', '77'], ...more])}`;

await check('the first page', async () => {
  await warm.goto(served.link);
  await warm.waitForSelector('nav a');
  const took = performance.now() - served.began;
  await warm.waitForSelector('.charts svg');
  return `${ms(took)} after the command, its charts after ${ms(performance.now() - served.began)}`;
});

await check('the key leaves the link', async () => {
  assert.ok(!warm.url().includes('k='), warm.url());
  assert.match(await warm.evaluate(() => sessionStorage.getItem('carat-key')), /^[0-9a-f]{32}$/);
  assert.equal(await warm.evaluate(() => document.cookie), '');
});

await check('dragging a slider draws charts', async () => {
  await done(warm);
  const slider = warm.locator('input[type=range][aria-label=snake]');
  await slider.scrollIntoViewIfNeeded();
  const box = await slider.boundingBox();
  const at = (part) => [box.x + 8 + part * (box.width - 16), box.y + box.height / 2];
  await warm.mouse.move(...at(0.4));
  await warm.mouse.down();
  for (let step = 0; step < 120; step += 1) {
    await warm.mouse.move(...at(0.5 + 0.45 * Math.sin(step / 6)));
    await warm.waitForTimeout(25);
  }
  await warm.mouse.up();
  const took = await measures(warm, 'drag');
  assert.ok(took.length > 10, `${took.length} pictures`);
  return `${took.length} pictures, median ${ms(quantile(took, 0.5))}, 95 % ${ms(quantile(took, 0.95))}`;
});

await check('a link gives the same numbers after a reload, on another server and by its command', async () => {
  const page = await tab({ permissions: ['clipboard-read', 'clipboard-write'], acceptDownloads: true });
  await page.goto(served.link);
  await done(page);
  await page.locator('input[type=number][aria-label=snake]').fill('5');
  await page.locator('input[type=number][aria-label=snake]').press('Enter');
  await page.waitForFunction(() => location.hash.includes('snake'));
  const own = await figures(page);
  const hash = new URL(page.url()).hash;
  await page.reload();
  assert.equal(await figures(page), own, 'after a reload');
  const other = await serve();
  const again = await tab();
  await again.goto(other.link);
  await again.waitForSelector('.charts svg');
  await again.goto(`${other.origin}/${hash}`);
  assert.equal(await figures(again), own, 'on another server');
  await page.getByRole('button', { name: 'Copy command' }).click();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(command, /^carat simulate diamant --set traps\.snake=5 /);
  execFileSync('sh', ['-c', `${command.replace(/^carat/, CARAT)} --out link --no-charts --quiet`], { cwd: WORK });
  await page.getByText('Download', { exact: true }).click();
  const downloads = [];
  page.on('download', (of) => downloads.push(of));
  await page.getByRole('button', { name: 'CSV' }).click();
  await page.waitForFunction(() => document.getElementById('said').textContent === '');
  while (downloads.length < 4) await page.waitForTimeout(50);
  for (const of of downloads) {
    assert.deepEqual(readFileSync(await of.path()), readFileSync(join(WORK, 'link', of.suggestedFilename())), of.suggestedFilename());
  }
  assert.deepEqual(page.faults, []);
  return `${downloads.length} files of ${command.match(/--games (\d+)/)[1]} games to the byte`;
});

await check('a pinned baseline is compared, and a state is taken back', async () => {
  const page = await tab({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto(served.link);
  await done(page);
  await page.getByRole('button', { name: 'Pin as baseline' }).click();
  await page.locator('input[type=number][aria-label=snake]').fill('6');
  await page.locator('input[type=number][aria-label=snake]').press('Enter');
  await page.waitForFunction(() => /cards per game.*lower/.test(document.querySelector('.figures')?.textContent));
  await done(page);
  await page.getByRole('button', { name: 'Copy command' }).click();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(command, /^carat compare diamant --b rules\.traps\.snake=6 /);
  const json = execFileSync('sh', ['-c', `${command.replace(/^carat/, CARAT)} --json --no-charts --quiet`], { cwd: WORK, maxBuffer: 1 << 28 });
  const compared = JSON.parse(json).tables.differences.find((row) => row.metric === 'cards_per_game');
  const shown = /cards per game.*?(−[\d.]+)\s±/.exec(await page.locator('.figures').textContent())[1];
  assert.equal(Number(shown.replace('−', '-')), Number(compared.difference.toFixed(shown.split('.')[1].length)), command);
  await page.getByRole('button', { name: /^start: / }).click();
  await page.waitForFunction(() => !location.hash.includes('set='));
  await page.waitForFunction(() => /cards per game[^a-z]*not significant/.test(document.querySelector('.figures')?.textContent));
  assert.deepEqual(page.faults, []);
});

await check('the baseline is in the charts, and what changed is told in sentences', async () => {
  const page = await tab();
  await page.goto(`${served.link}`);
  await done(page);
  await page.getByRole('button', { name: 'Pin as baseline' }).click();
  await done(page);
  await page.locator('input[type=number][aria-label=snake]').fill('6');
  await page.locator('input[type=number][aria-label=snake]').press('Enter');
  await page.waitForFunction(() => [...document.querySelectorAll('figure svg')].some((of) => of.textContent.includes('baseline')));
  await done(page);
  const told = await page.locator('.summary p').allTextContents();
  assert.ok(told.length >= 2 && told.every((text) => /: .* (higher|lower) than .*\.$/.test(text)), told.join('\n'));
  await page.goto(`${served.origin}/#explore?game=diamond_miner&pin=${encodeURIComponent('players=4')}`);
  await page.waitForFunction(() => document.getElementById('fault').textContent.includes('another game'));
  assert.deepEqual(page.faults, []);
});

await check('steps are undone and done again, also by Back; variants are kept', async () => {
  const page = await tab();
  await page.goto(served.link);
  await done(page);
  const undo = page.getByRole('button', { name: 'Undo' });
  assert.ok(await undo.isDisabled());
  const box = page.locator('input[type=number][aria-label=snake]');
  for (const value of ['5', '6']) {
    await box.fill(value);
    await box.press('Enter');
    await page.waitForFunction((of) => location.hash.includes(`traps.snake%3D${of}`), value);
    await done(page);
  }
  await undo.click();
  await page.waitForFunction(() => document.querySelector('input[type=number][aria-label=snake]').value === '5');
  await page.goBack();
  await page.waitForFunction(() => !location.hash.includes('snake') && document.querySelector('input[type=number][aria-label=snake]').value === '3');
  await done(page);
  await page.getByRole('button', { name: 'Redo' }).click();
  await page.waitForFunction(() => document.querySelector('input[type=number][aria-label=snake]').value === '5');
  await done(page);
  await page.getByText('Saved views', { exact: true }).click();
  await page.getByLabel('Name', { exact: true }).fill('five <snakes>');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await undo.click();
  await page.waitForFunction(() => !location.hash.includes('snake'));
  await page.getByRole('link', { name: 'five <snakes>' }).click();
  await page.waitForFunction(() => document.querySelector('input[type=number][aria-label=snake]').value === '5');
  await done(page);
  assert.deepEqual(page.faults, []);
});

await check('a curve over the players is drawn, with the command that gives the same numbers', async () => {
  const page = await tab({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto(served.link);
  await done(page);
  await page.getByText('Chart a value', { exact: true }).click();
  await page.getByLabel('From..to').fill('3..5');
  await page.getByRole('button', { name: 'Draw' }).click();
  await page.getByRole('button', { name: 'Copy this command' }).click({ timeout: 60_000 });
  const command = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(command, /^carat sweep diamant --vary players=3\.\.5 --metric cards_per_game /);
  assert.ok((await page.locator('.curve figure svg').count()) === 1);
  assert.deepEqual(page.faults, []);
});

await check('rules and bots of one\'s own are played, and stay in the link', async () => {
  const page = await tab();
  await page.goto(served.link);
  await done(page);
  const rules = execFileSync(CARAT, ['show', 'rules', 'diamant']).toString().replace('rounds = 5', 'rounds = 2');
  await page.getByLabel('Load your own rules or bots (.toml)').setInputFiles([{ name: 'short.toml', mimeType: 'text/plain', buffer: Buffer.from(rules) }, { name: 'mine.toml', mimeType: 'text/plain', buffer: Buffer.from("leave = 'held > 9'\n") }]);
  await page.waitForFunction(() => document.querySelector('input[aria-label=rounds]')?.value === '2');
  await page.locator('.seat select').first().selectOption('mine.toml');
  await page.waitForFunction(() => document.querySelector('.figures')?.textContent !== '' && location.hash.includes('seat=mine.toml'));
  const own = await figures(page);
  await page.reload();
  assert.equal(await figures(page), own);
  await page.getByRole('button', { name: 'Remove mine.toml' }).click();
  await page.waitForFunction(() => !location.hash.includes('mine.toml') && location.hash.includes('short.toml'));
  await page.getByRole('button', { name: 'Reset the rules' }).click();
  await page.waitForFunction(() => !location.hash.includes('short.toml'));
  assert.deepEqual(page.faults, []);
});

await check('adapted players say that they adapt', async () => {
  const page = await tab({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto(`${served.origin}/`);
  await page.evaluate((key) => sessionStorage.setItem('carat-key', key), /k=(\w+)/.exec(served.link)?.[1] ?? '');
  await page.goto(`${served.origin}/#explore?set=rounds%3D2&players=3`);
  await page.reload();
  await done(page);
  // Whatever the page says on the way, however short.
  await page.evaluate(() => {
    window.told = [];
    new MutationObserver(() => window.told.push(['.adapting', '.progress', '.summary'].map((of) => document.querySelector(of).textContent).join('|')))
      .observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await page.getByLabel('Adapted players').check();
  await page.waitForFunction(() => document.querySelector('.summary')?.textContent.includes('adapted'), null, { timeout: 60_000 });
  await done(page);
  const told = await page.evaluate(() => window.told);
  assert.ok(told.some((text) => /about \d+ s left/.test(text)), told.join('\n'));
  assert.ok(told.some((text) => /1 of 5 populations so far.*adapted/s.test(text)), told.join('\n'));
  assert.equal(await page.locator('.adapting').textContent(), '');
  await page.reload();
  const began = performance.now();
  await page.waitForFunction(() => document.querySelector('.summary')?.textContent.includes('adapted'));
  const again = ms(performance.now() - began);
  await page.getByLabel('Adapted players').uncheck();
  await page.waitForFunction(() => !document.querySelector('.summary').textContent.includes('adapted'));
  await page.getByRole('button', { name: 'Pin as baseline' }).click();
  await page.getByLabel('Adapted players').check();
  await page.waitForFunction(() => / (higher|lower) than /.test(document.querySelector('.summary')?.textContent));
  await done(page);
  await page.getByRole('button', { name: 'Copy command' }).click();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(command, /^carat compare diamant --set rounds=2 --players 3 --b seats.1=adapted --b seats.2=adapted --b seats.3=adapted /);
  const json = execFileSync('sh', ['-c', `${command.replace(/^carat/, CARAT)} --json --no-charts --quiet`], { cwd: WORK, maxBuffer: 1 << 28 });
  const compared = JSON.parse(json).tables.differences.find((row) => row.metric === 'cards_per_game');
  const [shown] = (await page.locator('.figures tr', { hasText: /^cards per game/ }).locator('td').nth(2).textContent()).split(/\s±/);
  assert.equal(Number(shown.replace('−', '-')), Number(compared.difference.toFixed(shown.split('.')[1].length)), command);
  return `known again after ${again}`;
});

await check('leave or stay?: cards, leavers, undo, next expedition, the record', async () => {
  const page = await tab({ viewport: { width: 390, height: 844 }, hasTouch: true });
  await page.goto(served.link);
  await page.goto(`${served.origin}/#advise`);
  const card = (name) => page.getByRole('button', { name: new RegExp(`^\\w+ ${name},`) });
  const record = () => new URLSearchParams(new URL(page.url()).hash.split('?')[1]).get('record');
  const big = () => page.locator('.verdict .big').textContent();
  await card('5').tap();
  await card('snake').tap();
  await page.waitForFunction(() => /Stay|Leave|Either/.test(document.querySelector('.verdict .big')?.textContent ?? ''));
  await page.getByRole('button', { name: 'Player 3' }).tap();
  await page.getByRole('button', { name: 'Player 2' }).tap();
  assert.equal(record(), '1: 5 snake / @2 @3 leave');
  await page.getByRole('button', { name: 'Undo' }).tap();
  assert.equal(record(), '1: 5 snake / @3 leaves');
  await card('11').tap();
  await page.waitForSelector('.verdict .worth');
  for (const kind of ['careful', 'people', 'bold', 'experts']) assert.ok((await page.locator('.more details table').textContent()).includes(kind), kind);
  await card('snake').tap();
  await page.getByRole('button', { name: 'Next expedition' }).tap();
  await card('7').tap();
  assert.equal(record(), '1: 5 snake / @3 leaves / 11 snake\n2: 7');
  assert.match(await page.getByRole('button', { name: /^trap snake/ }).getAttribute('aria-label'), /2 left/, 'the trap has left the game');
  await page.getByText('Record of the game').tap();
  await page.getByLabel('The record of the game').fill('players 5\n1: 1 2 3 / @4 leaves / 9\n');
  await page.getByRole('button', { name: 'Use this record' }).tap();
  await page.waitForFunction(() => document.querySelector('.setup summary')?.textContent.includes('5 players'));
  const settled = () => page.waitForFunction(() => !document.querySelector('.verdict[aria-busy]') && document.querySelector('.more')?.textContent.includes('20,000 playouts'));
  await settled();
  const said = await big();
  await page.reload();
  await settled();
  assert.equal(await big(), said);
  await page.locator('.setup > summary').tap();
  await page.getByLabel('Players').first().selectOption('4');
  await page.waitForFunction(() => !location.hash.includes('record='));
  await page.getByRole('button', { name: 'Undo' }).tap();
  await page.waitForFunction(() => document.querySelector('.setup summary')?.textContent.includes('5 players'));
  assert.equal(record(), '1: 1 2 3 / @4 leaves / 9', 'a touch on the number of players is undone');
  await page.getByRole('button', { name: 'New game' }).tap();
  await page.getByText('Start from a position').tap();
  for (const [label, text] of [['Expedition', '4'], ['Rubies in the chests, by player', '12 0 30 5 0'], ['Traps that left the game', 'snake']]) await page.getByLabel(label, { exact: true }).fill(text);
  await page.getByRole('button', { name: 'Start here' }).tap();
  await page.waitForFunction(() => document.querySelector('.path h3')?.textContent === 'Expedition 4 of 5');
  assert.ok(await page.locator('#fault').isHidden(), await page.locator('#fault').textContent());
  await page.reload();
  await page.waitForFunction(() => document.querySelector('.path h3')?.textContent === 'Expedition 4 of 5');
  await page.getByText('Record of the game').tap();
  await page.getByLabel('The record of the game').fill('players 5\n1: 1 dragon\n');
  await page.getByRole('button', { name: 'Use this record' }).tap();
  await page.waitForSelector('.record .wrong');
  assert.match(await page.locator('.record .wrong').textContent(), /dragon/);
  assert.equal(await page.getByLabel('The record of the game').inputValue(), 'players 5\n1: 1 dragon\n', 'what was written stays');
  assert.equal(await page.locator('.path h3').textContent(), 'Expedition 4 of 5', 'the game goes on as it was');
  const took = await measures(page, 'advice');
  assert.deepEqual(page.faults, []);
  return `first advice: median ${ms(quantile(took, 0.5))}, slowest ${ms(quantile(took, 1))}`;
});

const VIEWS = ['explore', `advise?players=4&record=${encodeURIComponent('1: 5 7 snake / @3 leaves / relic 11')}`, 'play', ...['diamant', 'diamond_cave', 'diamond_miner'].map((game) => `play?game=${game}&name=you&seat=best&seat=people+as+Mia&seed=77`)];

// Where neither option is clearly better at a mixed table.
const EITHER = '1: 5 7 snake 11';
const advised = (values) => `${served.origin}/#advise?${new URLSearchParams(values)}`;

await check('leave or stay? says what the command says', async () => {
  const page = await tab();
  await page.goto(served.link);
  for (const situation of ['1: 7 11 snake / @3 leaves / 14', '1: 5 7']) {
    await page.goto(advised({ players: 4, record: situation }));
    await page.waitForFunction(() => document.querySelector('.more')?.textContent.includes('20,000 playouts'), null, { timeout: 60_000 });
    const said = execFileSync(CARAT, ['advise', 'diamant', '--players', '4', '--playouts', '20000', situation]).toString().replace(/\s+/g, ' ');
    const words = await page.locator('.more .holds').textContent();
    assert.ok(said.includes(`${words} against careful: `), `${words}\n${said}`);
    const better = await page.locator('.more details td:last-child').allTextContents();
    assert.equal(words.includes('no clear difference'), better.slice(1).includes('either'), words);
    // Each row by the number of others who leave is a line of the command.
    const rows = await page.locator('.more > .scroll tbody tr').evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent.replaceAll('\u00a0', ' '))));
    assert.ok(rows.length > 1);
    for (const [others, brings, adds, stay, leave] of rows) {
      const line = `${others.slice(2)}: stay ${stay} %, leave ${leave} %; leaving brings ${brings}, next card adds `;
      const said1 = said.slice(said.indexOf(`if ${others[0]} other`)).replace(/^[^(]*/, '');
      assert.ok(said1.startsWith(line) && Number(said1.slice(line.length).split(/[ \n]/)[0]) === Number(adds), `${line}${adds}\n${said}`);
    }
  }
});

await check('leave or stay? has its verdict in a quarter of a phone, and no card moves', async () => {
  const page = await tab({ viewport: { width: 390, height: 844 }, hasTouch: true });
  await page.goto(served.link);
  await page.goto(advised({ players: 4 }));
  const cards = page.locator('.cards button');
  await cards.first().waitFor();
  const places = () => cards.evaluateAll((all) => all.map((of) => of.getBoundingClientRect().y + scrollY));
  const before = await places();
  const stands = async () => {
    assert.deepEqual(await places(), before);
    const [high, inside, outside] = await page.locator('.verdict').evaluate((of) => [of.offsetHeight, of.scrollHeight, of.clientHeight]);
    assert.ok(high <= 844 / 4 && inside <= outside, `${high} pixels, ${inside} in ${outside}`);
  };
  await stands();
  for (const name of [/^treasure 5,/, /^trap snake,/, /^treasure 17,/, /^relic relic,/, /^treasure 7,/, /^treasure 11,/]) {
    await page.getByRole('button', { name }).tap();
    await page.waitForFunction(() => !document.querySelector('.verdict[aria-busy]'));
    await stands();
  }
  assert.match(await page.locator('.verdict .stakes').innerText(), /^Leaving brings\n\d+( to \d+)?\nNext card adds\n[\d.]+( to [\d.]+)?\nNext card ends expedition\n[\d.]+\s%$/);
  // Where neither is better at a mixed table, it says when which.
  await page.goto(advised({ players: 4, record: EITHER }));
  await page.waitForFunction(() => document.querySelector('.more')?.textContent.includes('20,000 playouts'));
  assert.equal((await page.locator('.verdict .big').textContent()).split(' ')[0], 'Either');
  assert.match(await page.locator('.verdict .why').textContent(), /^(Staying|Leaving) is better if \d.* others? leaves?\s\([\d.]+\s%\)/);
  await stands();
  assert.ok(await page.locator('.more > .scroll').evaluate((of) => of.scrollWidth <= of.clientWidth), 'no column is cut off');
  assert.deepEqual(page.faults, []);
});

await check('the focus stays after each answer, and helps are in sight', async () => {
  const page = await tab();
  await page.goto(served.link);
  await page.goto(advised({ players: 4 }));
  const focused = () => page.evaluate(() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent);
  const record = () => new URLSearchParams(new URL(page.url()).hash.split('?')[1]).get('record');
  await page.getByRole('button', { name: /^treasure 7,/ }).focus();
  for (let times = 1; times < 4; times += 1) {
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => !document.querySelector('.verdict[aria-busy]'));
    assert.match(await focused(), /^treasure 7, \d left/);
  }
  const all = record();
  assert.match(all, /^1: 7( 7)*$/);
  await page.getByRole('button', { name: 'Player 3' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => !document.querySelector('.verdict[aria-busy]'));
  assert.equal(await focused(), 'Player 3 leaves');
  await page.keyboard.press('Enter');
  assert.equal(record(), all);
  await page.locator('.setup > summary').click();
  await page.getByLabel('You are').focus();
  await page.getByLabel('You are').selectOption('2');
  await page.waitForFunction(() => location.hash.includes('me=2') && !document.querySelector('.verdict[aria-busy]'));
  assert.equal(await page.evaluate(() => document.activeElement.tagName), 'SELECT');
  await page.goto(`${served.origin}/#explore`);
  await done(page);
  await page.locator('figure summary').nth(1).focus();
  await page.keyboard.press('Enter');
  await page.locator('input[type=number][aria-label=snake]').evaluate((of) => { of.value = 4; of.dispatchEvent(new Event('change')); });
  await page.waitForFunction(() => location.hash.includes('snake'));
  await done(page);
  assert.deepEqual(await page.evaluate(() => [document.activeElement.dataset.key, document.activeElement.parentElement.open]), ['scores', true]);
  for (const view of VIEWS) {
    await page.goto(`${served.origin}/#${view}`);
    await page.waitForSelector('.charts svg, .verdict .worth, .play form, .play .board');
    assert.equal(await page.locator('main [title]').count(), 0, view);
  }
  await page.goto(`${served.origin}/#explore`);
  await page.getByLabel('rounds').first().waitFor();
  assert.match(await page.locator(`#${await page.locator('input[type=range][aria-label=rounds]').getAttribute('aria-describedby')}`).textContent(), /^Expeditions /);
  assert.deepEqual(page.faults, []);
});

await check('seven tabs do not stop an eighth', async () => {
  const own = await serve(0, '--threads', '1');
  const first = await tab();
  const context = first.context();
  await first.goto(own.link);
  await first.waitForSelector('.charts svg');
  const busy = [];
  for (let rounds = 4; rounds < 11; rounds += 1) {
    const page = await context.newPage();
    await page.goto(`${own.origin}/#explore?set=rounds%3D${rounds}&players=7&adapted=1`);
    busy.push(page);
  }
  await busy.at(-1).waitForSelector('.adapting progress', { timeout: 20_000 });
  const eighth = await context.newPage();
  const began = performance.now();
  await eighth.goto(`${own.origin}/#explore?seed=8`);
  await eighth.waitForSelector('.charts svg', { timeout: 20_000 });
  const took = performance.now() - began;
  // The first ones wait, and go on when there is a place.
  for (const page of busy.slice(1)) await page.close();
  await busy[0].waitForSelector('.adapting progress', { timeout: 20_000 });
  own.server.kill();
  return `its charts after ${ms(took)}`;
});

await check('a killed server is said in each tab, which go on with the key of a newer tab', async () => {
  const old = await serve();
  const page = await tab();
  const context = page.context();
  await page.goto(old.link);
  const idle = await context.newPage();
  await idle.goto(`${old.origin}/#play`);
  await idle.waitForSelector('.play form');
  await page.goto(`${old.origin}/#explore?game=diamond_miner`);
  await page.waitForSelector('.charts svg');
  old.server.kill();
  const gone = (of) => of.waitForFunction(() => document.getElementById('fault').textContent.startsWith('carat does not answer.'), null, { timeout: 15_000 });
  await gone(page);
  await gone(idle);
  const again = await serve(new URL(old.origin).port);
  const newer = await context.newPage();
  await newer.goto(again.link);
  await newer.waitForSelector('.charts svg');
  await idle.waitForFunction(() => document.getElementById('fault').hidden, null, { timeout: 15_000 });
  await page.waitForFunction(() => document.getElementById('fault').hidden, null, { timeout: 15_000 });
  await idle.getByRole('button', { name: 'Begin' }).click();
  await idle.waitForSelector('.moves button');
  await page.close();
});

await check('charts have the page\'s colours in the dark, a sentence as their name, their numbers as a table, and any width', async () => {
  const page = await tab({ colorScheme: 'dark', viewport: { width: 1280, height: 900 } });
  await page.goto(served.link);
  await page.goto(`${served.origin}/#explore?game=diamond_cave`);
  await page.waitForSelector('.charts svg');
  const named = await page.locator('figure').evaluateAll((all) => all.map((of) => [of.querySelector('svg').getAttribute('aria-label'), of.querySelectorAll('.told title').length, of.querySelectorAll('tbody tr').length]));
  for (const [name, parts, rows] of named) assert.ok(/^[^.]{5,90}\.$/.test(name) && rows >= 1 && (parts === 0 || rows > 0), `${name} ${parts} ${rows}`);
  const box = await page.locator('figure').first().boundingBox();
  const svg = await page.locator('figure svg').first().boundingBox();
  const shot = (x, y) => page.screenshot({ clip: { x, y, width: 3, height: 3 } });
  assert.deepEqual(await shot(svg.x + 3, svg.y + 3), await shot(box.x + box.width - 6, svg.y + 3), 'the paper of the chart is that of the page');
  await page.setViewportSize({ width: 700, height: 900 });
  await page.waitForFunction(() => [...document.querySelectorAll('figure svg')].every((of) => of.width.baseVal.value < 690));
  assert.deepEqual(page.faults, []);
});

await check('a view is printed on one page, without controls', async () => {
  for (const [viewport, view] of [[{ width: 1280, height: 900 }, VIEWS[0]], [{ width: 1280, height: 900 }, 'explore?game=diamond_miner'], [{ width: 390, height: 844 }, VIEWS[0]], [{ width: 1280, height: 900 }, VIEWS[1]]]) {
    const page = await tab({ colorScheme: 'dark', viewport });
    await page.goto(served.link);
    await page.goto(`${served.origin}/#${view}`);
    await page.waitForSelector('.charts svg, .verdict .worth');
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
    assert.equal(pdf.match(/\/Type\s*\/Page\b/g).length, 1, view);
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.locator(':is(button, select, input, summary, nav):visible').count(), 0, view);
  }
});

await check('signs are those that all fonts have', async () => {
  // What the fonts of carat have, as of assets/Roboto-Regular.ttf.
  const known = /^[\n\x20-\x7e\xa0-\u017f\u2010-\u2015\u2018-\u2022\u2026\u2190\u2192\u2212\u2248\u2264\u2265]*$/u;
  const page = await tab();
  await page.goto(served.link);
  for (const view of VIEWS.slice(0, 2)) {
    await page.goto(`${served.origin}/#${view}`);
    await page.waitForSelector('.charts svg, .verdict .worth');
    const text = await page.evaluate(() => document.body.textContent);
    assert.ok(known.test(text), [...text].filter((sign) => !known.test(sign)).join(' '));
  }
});

await check('leave or stay? keeps names, and calls players by them', async () => {
  const page = await tab();
  await page.goto(served.link);
  await page.goto(advised({ players: 4 }));
  const take = async (text) => {
    await page.waitForSelector('.record summary');
    if (!(await page.locator('.record details[open]').count())) await page.getByText('Record of the game').click();
    await page.getByLabel('The record of the game').fill(text);
    await page.getByRole('button', { name: 'Use this record' }).click();
  };
  await take('players Anna Ben Chris Dora\n1: 5 7\nBen leaves\n9 snake');
  await page.waitForSelector('.verdict .worth');
  assert.equal(await page.getByLabel('The record of the game').inputValue(), 'players Anna Ben Chris Dora\n1: 5 7 / Ben leaves / 9 snake\n');
  await page.getByRole('button', { name: 'Dora' }).click();
  await page.waitForFunction(() => document.querySelector('.verdict .big')?.textContent === 'Tap who else leaves, or the next card.');
  for (const words of ['Ben left', 'Ben (6)', 'holds 5 rubies', 'Ben (out)', 'Dora leaves']) assert.ok((await page.locator('.advise').textContent()).includes(words), words);
  await page.reload();
  await page.waitForFunction(() => document.querySelector('.standing')?.textContent.includes('Ben (6)'));
  // What carat writes is read: chests after each expedition, and a game that is over.
  const record = execFileSync(CARAT, ['replay', 'diamant', '--seat', '4*people', '--record']).toString();
  await take(record);
  await page.waitForFunction(() => /^The game is over: .*(win|wins|share the win)\.$/.test(document.querySelector('.verdict .big')?.textContent ?? ''));
  const text = await page.locator('.advise').innerText();
  assert.equal(text.match(/The game is over/g).length, 1);
  assert.ok(!/@\d|Last expedition/.test(text), text);
  await page.goto(advised({ players: 3, record: '1: 5 7 / @2 leaves / 9' }));
  await page.waitForSelector('.verdict .worth');
  assert.match(await page.locator('.standing').textContent(), /Inside: you and player 3\. Chests: you \(0\), player 2 \(6\), player 3 \(0\)\./);
  await page.goto(advised({ players: 3, record: '1: dragon' }));
  await page.waitForSelector('.verdict .wrong');
  assert.match(await page.locator('.record .wrong').textContent(), /dragon/);
  await page.locator('.setup > summary').click();
  await page.getByText('Start from a position').click();
  await page.getByLabel('Expedition', { exact: true }).fill('9');
  await page.getByRole('button', { name: 'Start here' }).click();
  await page.waitForSelector('.setup .wrong');
  assert.match(await page.locator('.setup .wrong').textContent(), /5 expeditions/);
  assert.equal(await page.locator('.path h3').textContent(), 'Expedition 1 of 5');
  assert.deepEqual(page.faults, []);
});

await check('what is not allowed stays in its field, with what is; measures and seed', async () => {
  const page = await tab();
  await page.goto(served.link);
  await done(page);
  await page.getByText('Metrics and seed').click();
  const refuses = async (name, value, allowed) => {
    const box = page.locator(`input[type=number][aria-label=${name}]`);
    const before = await box.inputValue();
    await box.fill(value);
    await box.blur();
    assert.equal(await box.getAttribute('aria-invalid'), 'true', name);
    const words = page.locator(`#${await box.getAttribute('aria-describedby')}`);
    assert.match(await words.textContent(), allowed);
    await box.fill(before);
    await box.blur();
    assert.ok(await words.isHidden(), name);
  };
  await refuses('snake', '-3', /from 0 to 64/);
  await refuses('Seed', '', /0 or more/);
  assert.ok(!/snake|seed=/.test(page.url()), page.url());
  await page.getByLabel('Your own metric').fill('minutes = (12 * cards + 5 * decisions) / 60');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.waitForFunction(() => /minutes10/.test(document.querySelector('.figures')?.textContent));
  await page.getByLabel('Seed').fill('7');
  await page.getByLabel('Seed').press('Enter');
  await page.waitForFunction(() => location.hash.includes('seed=7'));
  await refuses('Players', '12', /from 1 to 8/);
  assert.deepEqual(page.faults, []);
});

await check('nothing covers what is tapped', async () => {
  for (const viewport of [{ width: 390, height: 844 }, { width: 1280, height: 800 }]) {
    const page = await tab({ viewport });
    await page.goto(served.link);
    await page.goto(`${served.origin}/#advise`);
    await page.waitForSelector('.seats button');
    const covered = await page.evaluate(() => [...document.querySelectorAll(':is(.cards, .seats, .bar) button')].filter((of) => {
      const box = of.getBoundingClientRect();
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      return box.width && y < innerHeight && !of.contains(document.elementFromPoint(x, y));
    }).map((of) => of.textContent));
    assert.deepEqual(covered, [], viewport.width);
  }
});

await check('the review marks what the coach marked, and fits a phone', async () => {
  const page = await tab({ viewport: { width: 390, height: 844 } });
  await page.goto(served.link);
  await page.goto(`${served.origin}/#play?${new URLSearchParams([['name', 'Anna'], ['seat', 'best'], ['seat', 'people as Mia'], ['seat', 'bold as Ben'], ['seed', '77'], ['coach', '1']])}`);
  await page.waitForSelector('.moves button');
  const coached = [];
  for (let turn = 0; turn < 90 && !(await page.locator('.review').count()); turn += 1) {
    const before = page.url();
    await page.getByRole('button', { name: turn % 3 === 2 ? 'leave' : 'stay', exact: true }).click();
    await page.waitForFunction((url) => location.href !== url, before);
    await judged(page);
    const said = await page.locator('.judged').textContent();
    assert.match(said.replaceAll('\u00a0', ' '), /^(✓ \w+: (best|no option is clearly better)\.|✗ \w+ cost (\d\.\d+|\d\d+(\.\d+)?) ± [\d.]+ points of win share; better: \w+\.)/);
    coached.push(said[0]);
  }
  await reviewed(page);
  const marks = await page.locator('.review table').nth(1).locator('tbody td:last-child').allTextContents();
  assert.deepEqual(marks.map((words) => words[0]), coached);
  assert.ok(coached.includes('✗') && coached.includes('✓'));
  const wide = await page.evaluate(() => [...document.querySelectorAll('.review .scroll')].filter((of) => of.scrollWidth > of.clientWidth).length);
  assert.equal(wide, 0, 'no column is cut off');
  await page.locator('.story summary').click();
  // Pictures number players as their pawns are.
  await page.evaluate(() => document.querySelectorAll('.play svg').forEach((of) => of.remove()));
  assert.ok(!/@|\d (Anna|Mia|Ben)\b/.test((await page.locator('.play').innerText()).replace(/= .*/g, '')), 'one name for each player');
  await page.getByText('The game so far').click();
  return `${coached.filter((mark) => mark === '✗').length} of ${coached.length}`;
});

await check('every edition is advised in', async () => {
  const page = await tab();
  await page.goto(served.link);
  const editions = JSON.parse(execFileSync(CARAT, ['list', 'diamant', '--json'])).games[0].rules;
  for (const edition of editions) {
    await page.goto(`${served.origin}/#advise?rules=${edition}&players=6&me=2&record=${encodeURIComponent('1: 5 7 / @3 leaves / 11')}`);
    await page.waitForSelector('.verdict .worth');
    await page.waitForFunction(() => document.querySelector('#fault').hidden);
  }
  return editions.join(', ');
});

// A game to its end, as a view.
let finished;

await check('a game by keyboard alone, with the coach and the review', async () => {
  const page = await tab();
  await page.goto(served.link);
  const press = async (name, key = 'Enter') => {
    for (let tabs = 0; tabs < 80; tabs += 1) {
      const found = await page.evaluate(() => { const of = document.activeElement; return of.getAttribute('aria-label') || of.labels?.[0]?.textContent.trim() || of.textContent.trim(); });
      if (name.test(found)) return page.keyboard.press(key);
      await page.keyboard.press('Tab');
    }
    throw new Error(`no way to ${name} by Tab`);
  };
  await page.locator('body').press('Tab');
  await press(/^Play$/);
  await page.waitForSelector('.play form');
  await press(/^Coach/, 'Space');
  await press(/^Begin$/);
  await page.waitForSelector('.moves button');
  for (let turn = 0; turn < 90 && !(await page.locator('.review').count()); turn += 1) {
    const before = page.url();
    await press(turn % 4 === 3 ? /^leave$/ : /^stay$/);
    await page.waitForFunction((url) => location.href !== url, before);
    if (turn === 1) {
      await judged(page);
      assert.match(await page.locator('.judged').textContent(), /^[✓✗]/);
    }
  }
  await reviewed(page);
  finished = new URL(page.url()).hash.slice(1);
  for (const words of ['Luck of the cards', 'Your own decisions', 'Your decisions']) assert.ok((await page.locator('.review').textContent()).includes(words), words);
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save the game' }).click()]);
  const analysed = execFileSync(CARAT, ['analyse', 'diamant', await download.path(), '--playouts', '64', '--json', '--me', '1'], { cwd: WORK, maxBuffer: 1 << 28 });
  assert.ok(JSON.parse(analysed).tables.decisions.length > 5);
  assert.deepEqual(page.faults, []);
});

await check('a touch shows a move on the board, a second one plays it', async () => {
  const page = await tab({ viewport: { width: 390, height: 844 }, hasTouch: true });
  await page.goto(served.link);
  await page.goto(gameLink('diamond_cave'));
  await page.waitForSelector('.board svg [role=button]');
  assert.ok(await page.locator('.moves').isHidden(), 'the list is folded');
  const cells = page.locator('.board svg [role=button]');
  await cells.nth(3).tap();
  assert.equal(await page.locator('.preview rect').count(), 1);
  assert.match(await page.locator('.picked').innerText(), /^begin at [A-G][1-7]/);
  assert.ok(!page.url().includes('moves=%401'), 'nothing is done yet');
  await cells.nth(7).tap();
  assert.equal(await page.locator('.preview rect').count(), 1, 'another touch shows another move');
  const before = page.url();
  await cells.nth(7).tap();
  await page.waitForFunction((url) => location.href !== url, before);
  await page.waitForSelector('.board svg [role=button]');
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 390));
  // The planned cards are pictures of cards.
  assert.ok(await page.locator('.board svg [data-cell^=planned]').evaluateAll((of) => of.every((cell) => Math.abs(cell.width.baseVal.value - cell.height.baseVal.value) < 9)));
  assert.deepEqual(page.faults, []);
});

await check('a card and then its place, by touch, by dragging and from the list', async () => {
  const page = await tab();
  await page.goto(served.link);
  await page.goto(gameLink('diamond_miner'));
  const own = (card) => page.locator(`.board svg [data-cell="1 Anna: ${card}"]`);
  await own('ore a').click();
  assert.match(await page.locator('.picked').innerText(), /^\d possible moves: select a place/);
  await own('ore b').click();
  assert.match(await page.locator('.picked').innerText(), /^ore a under ore b\n/);
  await page.getByRole('button', { name: 'Cancel' }).click();
  assert.equal(await page.locator('.preview').count(), 0);
  await own('ore b').hover();
  await page.mouse.down();
  await own('ore a').hover();
  await page.mouse.up();
  assert.match(await page.locator('.picked').innerText(), /^ore b under ore a, for shovel/);
  await page.getByRole('button', { name: 'end the turn' }).hover();
  await page.getByRole('button', { name: 'ore a under shovel of Mia' }).hover();
  assert.equal(await page.locator('.preview rect').count(), 2, 'the list shows its moves, too');
  await page.getByRole('button', { name: 'Make this move' }).click();
  await page.waitForFunction(() => document.querySelector('.latest')?.textContent.includes('makes shovel'));
  assert.deepEqual(page.faults, []);
});

await check('a board by keyboard alone', async () => {
  const page = await tab();
  await page.goto(served.link);
  await page.goto(gameLink('diamond_cave'));
  await page.waitForSelector('.board svg [role=button]');
  const focused = () => page.evaluate(() => document.activeElement.dataset.cell);
  for (let tabs = 0; tabs < 20 && !await focused(); tabs += 1) await page.keyboard.press('Tab');
  assert.equal(await focused(), 'A1', 'one stop for the whole board');
  for (const [key, cell] of [['ArrowRight', 'B1'], ['ArrowDown', 'B2'], ['ArrowLeft', 'A2'], ['ArrowUp', 'A1']]) {
    await page.keyboard.press(key);
    assert.equal(await focused(), cell);
  }
  await page.keyboard.press('Enter');
  assert.equal(await page.locator('.preview rect').count(), 1);
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('.preview').count(), 0);
  const before = page.url();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.waitForFunction((url) => location.href !== url, before);
  await page.waitForFunction(() => document.activeElement.closest('svg'), null, { timeout: 5000 });
  assert.deepEqual(page.faults, []);
});

await check('the coach never blocks', async () => {
  const times = [];
  let page;
  for (const game of ['diamond_cave', 'diamond_miner']) {
    page = await tab();
    await page.goto(served.link);
    await page.goto(gameLink(game, [['coach', '1']]));
    await page.waitForSelector('.moves button', { state: 'attached' });
    const [before, began] = [page.url(), performance.now()];
    await page.evaluate(() => document.querySelector('.moves button').click());
    await page.waitForFunction((url) => location.href !== url, before);
    const moved = performance.now() - began;
    assert.match(await page.locator('.judged').getAttribute('aria-busy'), /true/, 'the move is done before it is judged');
    await page.waitForFunction(() => /^[✓✗].*playouts/.test(document.querySelector('.judged')?.textContent));
    times.push(`${game}: the move after ${ms(moved)}, the first verdict after ${ms(performance.now() - began)}`);
  }
  // What is said follows from the playouts alone.
  await page.goto(gameLink('diamant', [['coach', '1']]));
  const says = async () => { await page.getByRole('button', { name: 'stay', exact: true }).click(); await judged(page); return page.locator('.judged').textContent(); };
  const first = await says();
  await page.getByRole('button', { name: 'Take back' }).click();
  await page.waitForFunction(() => document.querySelector('.judged')?.textContent === '');
  assert.equal(await says(), first);
  assert.deepEqual(page.faults, []);
  return times.join('; ');
});

await check('a first game shows its rules, hints, goal and score', async () => {
  const page = await tab();
  await page.goto(served.link);
  await page.waitForSelector('.charts svg');
  // A view that is left may still have something to write into the link.
  await page.evaluate(async (to) => {
    const { link } = await import('./page.js');
    location.href = to;
    link('explore', new URLSearchParams());
  }, gameLink('diamond_miner', [['first', '1']]));
  await page.waitForSelector('.rules li');
  // Also once the next view is open.
  const url = page.url();
  await page.evaluate(async () => { (await import('./page.js')).link('explore', new URLSearchParams()); });
  assert.equal(page.url(), url);
  assert.ok(await page.getByText('the first player with 2 diamonds wins').first().isVisible());
  assert.match(await page.locator('.score').innerText(), /Goal: the first player with 2 diamonds wins[^]*Anna: 0 of 2 diamonds/);
  await page.waitForSelector('.hint [aria-busy=false]');
  assert.match(await page.locator('.hint p').innerText(), /^Hint: ✓/);
  assert.equal(await page.evaluate(() => { scrollTo(0, 1e6); return document.querySelector('.score').getBoundingClientRect().top; }), 0, 'the score stays in sight');
  assert.deepEqual(page.faults, []);
});

await check('a finished game is stepped through, and played on from a turning point', async () => {
  const page = await tab({ viewport: { width: 390, height: 844 }, hasTouch: true });
  await page.goto(served.link);
  await page.goto(`${served.origin}/#${finished}`);
  await reviewed(page);
  const slider = page.getByLabel('Decision', { exact: true });
  await slider.focus();
  await page.keyboard.press('Home');
  await page.waitForFunction(() => /^1 of \d+, expedition 1, card 1: you chose stay/.test(document.querySelector('.past p')?.textContent));
  await page.getByRole('button', { name: 'Next decision' }).tap();
  await page.waitForFunction(() => /^2 of/.test(document.querySelector('.past p')?.textContent));
  assert.ok(await page.locator('.past svg .preview').count());
  const turns = page.locator('.turns > li');
  assert.ok(await turns.count() >= 1 && await turns.count() <= 3);
  // A reason, and after a move that goes on the better line, too.
  await page.waitForFunction(() => /[Bb]etter/.test(document.querySelector('.turns .why')?.textContent), null, { timeout: 60_000 });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 390));
  await turns.first().getByRole('button', { name: 'Play on from here' }).tap();
  await page.waitForSelector('.moves button');
  assert.ok(!await page.locator('.review').count());
  assert.deepEqual(page.faults, []);
});

await check('axe-core finds nothing serious', async () => {
  const found = [];
  for (const colorScheme of ['light', 'dark']) for (const view of [...VIEWS, finished]) {
    const page = await tab({ colorScheme });
    await page.goto(served.link);
    await page.goto(`${served.origin}/#${view}`);
    await page.waitForSelector('.charts svg, .verdict .worth, .play form, .play .board');
    if (view === finished) await page.waitForSelector('.review table');
    await page.waitForTimeout(300);
    // In a world of its own, which the page's policy does not reach.
    const session = await page.context().newCDPSession(page);
    const { frameTree } = await session.send('Page.getFrameTree');
    const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id });
    await session.send('Runtime.evaluate', { contextId, expression: AXE });
    const { result } = await session.send('Runtime.evaluate', { contextId, awaitPromise: true, returnByValue: true,
      expression: 'axe.run(document).then((all) => all.violations.map((of) => [of.impact, of.id, of.nodes.slice(0, 2).map((node) => node.html.slice(0, 120) + node.any.map((any) => any.message))]))' });
    found.push(...result.value.filter(([impact]) => impact === 'serious' || impact === 'critical').map((of) => [colorScheme, view.slice(0, 8), ...of]));
    // What it still plays would slow the next.
    await page.context().close();
  }
  assert.deepEqual(found, []);
});

await check('390 pixels: nothing is wider, and what is tapped is 44 pixels high', async () => {
  const page = await tab({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
  await page.goto(served.link);
  for (const view of [...VIEWS, finished]) {
    await page.goto(`${served.origin}/#${view}`);
    await page.waitForSelector('.charts svg, .verdict .worth, .play form, .play .board');
    if (view === finished) await reviewed(page);
    await page.evaluate(() => document.querySelectorAll('details').forEach((of) => { of.open = true; }));
    const [wide, small, moves] = await page.evaluate(() => [document.documentElement.scrollWidth,
      [...document.querySelectorAll('main button, main select, nav a')].filter((of) => of.getClientRects().length && of.getBoundingClientRect().height < 43.5).map((of) => of.outerHTML.slice(0, 80)),
      [...document.querySelectorAll('button')].filter((of) => getComputedStyle(of).transitionDuration !== '0s').length]);
    assert.ok(wide <= 390, `${view} is ${wide} pixels wide`);
    assert.deepEqual(small, [], view);
    assert.equal(moves, 0, 'motion');
  }
  assert.deepEqual(page.faults, []);
});

await check('a hostile name stays text', async () => {
  const page = await tab();
  await page.goto(served.link);
  const name = '<img src onerror>';
  await page.goto(`${served.origin}/#explore?${new URLSearchParams([['seat', `people as ${name}`], ['seat', 'depth as <script>'], ['define', '<img src=x onerror=alert(3)>=1']])}`);
  await page.waitForTimeout(1500);
  await page.goto(`${served.origin}/#explore?${new URLSearchParams([['seat', `people as ${name}`], ['seat', 'depth as <script>']])}`);
  await page.waitForSelector('.charts svg');
  await page.waitForFunction(() => document.querySelector('.charts')?.textContent.includes('<img'));
  assert.equal(await page.evaluate(() => document.querySelectorAll('main img, main script').length), 0);
  assert.deepEqual(page.faults, []);
});

await check('links to what there is not still show the controls', async () => {
  const page = await tab();
  await page.goto(served.link);
  for (const hash of ['toString', '__proto__?a=1', 'explore?set=rounds%3Dabc', 'explore?set=treasures%3D5', 'explore?seat=nobody', 'explore?game=chess&players=x', 'advise?players=3000000&me=9', 'play?game=chess', 'play?seat=best&seat=nobody&seed=5']) {
    await page.goto(`${served.origin}/#${hash}`);
    await page.reload();
    await page.waitForFunction(() => document.querySelector('main fieldset, main .setup, main .play form'), null, { timeout: 20_000 });
  }
});

await check('other pages and other names get nothing', async () => {
  const other = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end('<!doctype html><title>other</title>')).listen(0, '127.0.0.1');
  await new Promise((resolve) => { other.once('listening', resolve); });
  const page = await tab();
  await page.goto(`http://127.0.0.1:${other.address().port}/`);
  const key = /k=(\w+)/.exec(served.link)?.[1] ?? '';
  const tried = await page.evaluate(async ([origin, secret]) => {
    const question = { method: 'POST', body: '{"ask":"about","table":{"game":"diamant"}}' };
    const get = (options) => fetch(`${origin}/ask`, { ...question, ...options }).then((reply) => reply.text().then((text) => `${reply.type} ${reply.status} ${text.length}`), () => 'refused');
    const loads = (name, attributes) => new Promise((resolve) => {
      const element = Object.assign(document.createElement(name), { onload: () => resolve('loaded'), onerror: () => resolve('refused'), ...attributes });
      document.body.append(element);
    });
    return {
      json: await get({ headers: { 'content-type': 'application/json', 'x-carat-key': secret } }),
      plain: await get({ mode: 'no-cors', headers: { 'content-type': 'text/plain' } }),
      page: await fetch(`${origin}/`).then(() => 'read', () => 'refused'),
      image: await loads('img', { src: `${origin}/` }),
      script: await loads('script', { src: `${origin}/page.js` }),
    };
  }, [served.origin, key]);
  assert.equal(tried.json, 'refused');
  assert.match(tried.plain, /^(refused|opaque 0 0)/);
  for (const way of ['page', 'image', 'script']) assert.equal(tried[way], 'refused', way);
  await page.evaluate((origin) => { document.body.innerHTML = `<iframe src="${origin}/"></iframe>`; }, served.origin);
  await page.waitForTimeout(500);
  assert.ok(!page.frames().some((frame) => frame.url().startsWith(served.origin)), 'in a frame');
  await page.evaluate((origin) => { document.body.innerHTML = `<form method="post" action="${origin}/ask" enctype="text/plain"><input name='{"ask":"about","x":"' value='"}'></form>`; }, served.origin);
  const [posted] = await Promise.all([page.waitForResponse(`${served.origin}/ask`), page.evaluate(() => document.querySelector('form').submit())]);
  assert.equal(posted.status(), 403);
  const named = await (await tab()).goto(`http://evil.test:${new URL(served.origin).port}/`);
  assert.equal(named.status(), 421);
  other.close();
});

await check('a closed tab leaves no thread at work, and rest costs nothing', async () => {
  const ticks = () => readFileSync(`/proc/${served.pid}/stat`, 'utf8').split(') ')[1].split(' ').slice(11, 13).reduce((sum, of) => sum + Number(of), 0);
  const page = await tab();
  await page.goto(served.link);
  await page.goto(`${served.origin}/#explore?game=diamond_miner`);
  await page.waitForTimeout(1500);
  await page.context().close();
  await new Promise((resolve) => { setTimeout(resolve, 1000); });
  const before = ticks();
  await new Promise((resolve) => { setTimeout(resolve, 2000); });
  const used = 10 * (ticks() - before);
  assert.ok(used <= 20, `${used} ms`);
  return `${used} ms of the processor in 2 s`;
});

assert.deepEqual(warm.faults, []);
if (SITE) {
  // Rules of 20,000 cards and bots of 16 kB.
  const diamant = execFileSync(CARAT, ['show', 'rules', 'diamant']).toString();
  const many = diamant.replace(/^snake = .*$/m, 'snake = 20000');
  const cards = diamant.replace(/^treasures = \[[^\]]*\]/m, `treasures = [${Array(20_000).fill(5).join(', ')}]`);
  const long = `leave = 'held > 3${' + 1 - 1'.repeat(2_000)}'\n`;
  const deep = `leave = '${'('.repeat(8_000)}held${')'.repeat(8_000)} > 3'\n`;
  const HOSTILE = [
    { ask: 'simulate', table: { game: 'diamant', rules: 'many.toml' }, files: { 'many.toml': many }, games: 20_000 },
    { ask: 'about', table: { game: 'diamant', rules: 'many.toml' }, files: { 'many.toml': many } },
    { ask: 'simulate', table: { game: 'diamant', rules: 'cards.toml' }, files: { 'cards.toml': cards }, games: 20_000 },
    { ask: 'simulate', table: { game: 'diamant', seats: ['deep.toml', '3*people'] }, files: { 'deep.toml': deep }, games: 20_000 },
    { ask: 'simulate', table: { game: 'diamant', seats: ['long.toml', '3*people'] }, files: { 'long.toml': long }, games: 20_000 },
    { ask: 'simulate', table: { game: 'diamant', seats: ['exec:rm -rf /', '3*people'] }, games: 20_000 },
    { ask: 'simulate', table: { game: 'diamant', rules: '/etc/passwd' }, games: 20_000 },
    { ask: 'advise', table: { game: 'diamant', players: 3_000_000 } },
  ];

  await check('no connection is needed once the page was open', async () => {
    const page = await tab();
    await page.goto(served.link);
    await done(page);
    await page.waitForFunction(() => navigator.serviceWorker.controller);
    await page.context().setOffline(true);
    await page.reload();
    await done(page);
    await page.goto(gameLink('diamond_cave'));
    await page.waitForSelector('.told, pre.drawn, .board');
    assert.deepEqual(page.faults, []);
  });

  await check('answers are those of `carat engine`, byte for byte', async () => {
    const page = await tab();
    await page.goto(served.link);
    await done(page);
    const tables = [{ game: 'diamant' }, { game: 'diamant', seats: ['solved-5', '4*people'] }, { game: 'diamant', rules: 'incan-gold-2020', set: ['traps.snakes=4'] },
      { game: 'diamond_cave' }, { game: 'diamond_cave', players: 2, seats: ['solved-2', 'people'] }, { game: 'diamond_miner' }, { game: 'diamond_miner', players: 3, seats: ['solved-4', '2*people'] }];
    const questions = tables.flatMap((table, at) => {
      const games = table.game === 'diamant' ? 20_000 : 500;
      return [
        { ask: 'about', table }, { ask: 'options', table, seed: at + 1 }, { ask: 'advise', table, seed: at + 2, playouts: 64 },
        { ask: 'simulate', table, seed: at, games, width: 400 },
      ];
    });
    questions.push({ ask: 'sweep', table: { game: 'diamant' }, games: 5_000, vary: { players: '3..5' }, metric: ['cards_per_game'] });
    questions.push({ ask: 'advise', table: { game: 'diamant', players: 5 }, situation: '5 7 snake 11', playouts: 200 });
    questions.push({ ask: 'simulate', table: { game: 'diamant', seats: ['own.toml', '3*people'] }, files: { 'own.toml': 'leave = "held > 7.3 + 0.1 * players"' }, games: 5_000 });
    questions.push({ ask: 'simulate', table: { game: 'diamant', players: 3, seats: ['adapted', '2*people'] }, games: 2_000, width: 300 });
    for (const table of [{ game: 'diamant' }, { game: 'diamond_cave', players: 3 }]) {
      questions.push({ ask: 'simulate', table, pin: { ...table, players: 4 }, games: table.game === 'diamant' ? 150_000 : 400, width: 400 });
    }
    questions.push(...HOSTILE);
    // What the page asks at some links, with fewer games.
    const views = VIEWS.concat(['explore?set=traps.snake%3D5', 'explore?game=diamond_miner&players=3', 'explore?seat=bold&seat=best&seat=careful',
      'explore?set=traps.snake%3D5&pin=players%3D4', 'explore?define=late%3Dbust_rate%20*%202', 'advise?players=4', 'explore?rules=incan-gold-2020', 'explore?players=8']).slice(0, 10);
    for (const view of views) {
      const visit = await tab();
      await visit.addInitScript(() => {
        const post = Worker.prototype.postMessage;
        window.asked = [];
        Worker.prototype.postMessage = function send(text) { if (typeof text === 'string') window.asked.push(text); return post.call(this, text); };
      });
      await visit.goto(`${served.origin}/#${view}`);
      await visit.waitForSelector('.charts svg, .verdict .worth, .play form, .play .board', { timeout: 60_000 });
      const asked = await visit.evaluate(() => window.asked);
      await visit.context().close();
      const own = new Set(asked.map((text) => {
        const { part, merge, ...question } = JSON.parse(text);
        if (question.games > 100_000) question.games = 100_000;
        return JSON.stringify(question);
      }));
      assert.ok(own.size, view);
      questions.push(...[...own].map((text) => JSON.parse(text)));
    }
    const input = questions.map((question, id) => JSON.stringify({ ...question, id })).join('\n');
    const native = execFileSync(CARAT, ['engine'], { input, maxBuffer: 1 << 28 }).toString().trim().split('\n');
    const here = await page.evaluate(async (texts) => {
      const { carry } = await import('./carrier.js');
      const lines = [];
      for (const text of texts) for await (const line of carry(text)) lines.push(line);
      return lines;
    }, input.split('\n'));
    const sorted = (lines) => lines.filter((line) => !line.includes('"adapting"')).sort();
    const [ours, theirs] = [sorted(here), sorted(native)];
    for (let at = 0; at < Math.max(ours.length, theirs.length); at += 1) assert.equal(ours[at], theirs[at]);
    const refused = ours.filter((line) => line.includes('"error"'));
    assert.equal(refused.length, HOSTILE.length, refused.join('\n'));
    return `${questions.length} questions, ${views.length} links, ${ours.length} lines`;
  });

  await check('what takes too long is refused as by the server', async () => {
    const page = await tab();
    await page.goto(served.link);
    await done(page);
    const said = await page.evaluate(async () => {
      const { carry } = await import('./carrier.js');
      const lines = [];
      for (const more of ['"games":3000000', '"games":2000000,"pin":{"game":"chess"}']) {
        for await (const line of carry(`{"ask":"simulate","table":{"game":"diamant"},${more}}`)) lines.push(line);
      }
      return lines.join('\n');
    });
    assert.match(said, /write a number from 1 to 2000000.*\n.*chess/);
    assert.deepEqual(page.faults, []);
  });

  await check('memory stays flat in two minutes of dragging', async () => {
    const page = await tab();
    await page.goto(served.link);
    await done(page);
    const slider = page.locator('input[type=range][aria-label=snake]');
    await slider.scrollIntoViewIfNeeded();
    const box = await slider.boundingBox();
    // Of all processes of this browser, where workers are threads of one.
    const used = async () => {
      const system = await browser.newBrowserCDPSession();
      const { processInfo } = await system.send('SystemInfo.getProcessInfo');
      await system.detach();
      const held = ({ id }) => Number(/Pss:\s+(\d+)/.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'utf8'))[1]);
      return processInfo.reduce((sum, process) => sum + held(process), 0) / 1024;
    };
    const seconds = Number(process.env.DRAG ?? 120);
    const held = [];
    await page.mouse.move(box.x + 0.5 * box.width, box.y + box.height / 2);
    await page.mouse.down();
    for (let end = Date.now() + 1000 * seconds, step = 0, look = 0; Date.now() < end; step += 1) {
      await page.mouse.move(box.x + 8 + (0.5 + 0.45 * Math.sin(step / 6)) * (box.width - 16), box.y + box.height / 2);
      await page.waitForTimeout(25);
      if (Date.now() > look) {
        held.push(await used());
        look = Date.now() + 50 * seconds;
      }
    }
    await page.mouse.up();
    // The second half may hold no more than the first, beside a tenth for what is not yet collected.
    const half = (from, to) => quantile(held.slice(from, to), 0.5);
    const middle = Math.floor(held.length / 2);
    const [first, second] = [half(1, middle), half(middle, held.length)];
    assert.ok(second <= 1.1 * first, held.map((of) => of.toFixed(0)).join(' '));
    assert.deepEqual(page.faults, []);
    return `${first.toFixed(0)} MB, then ${second.toFixed(0)} MB`;
  });
}

await finish(0);
