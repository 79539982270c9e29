// Draws assets/page.png, the picture of README: a fourth snake against the printed game.

import { spawn } from 'node:child_process';
import { chromium } from 'playwright-core';

const [carat, file] = process.argv.slice(2);
const server = spawn(carat, ['serve', '--no-open', '--port', '0']);
let text = '';
for await (const part of server.stdout) {
  text += part;
  if (text.includes('\n')) break;
}
const [link] = /http\S+/.exec(text);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: { width: 1200, height: 1000 }, colorScheme: 'light' });
await page.goto(link);
await page.locator('figure svg').first().waitFor();
await page.goto(`${new URL(link).origin}/#explore?seat=people&seat=people&seat=people&seat=people&seat=people&set=traps.snake=4&pin=seat%3Dpeople%26seat%3Dpeople%26seat%3Dpeople%26seat%3Dpeople%26seat%3Dpeople`);
await page.waitForTimeout(10000);
await page.screenshot({ path: file });
await browser.close();
server.kill();
