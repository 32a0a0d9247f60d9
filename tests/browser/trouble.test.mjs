// What goes wrong outside the page, or is put in wrongly, is survived and said.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SERVICE, click, forgive, launch, leave, visit, waitForPly } from './page.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

/** Answers the first requests for a path with a status. */
function refuse(page, path, status, times) {
  const headers = { 'retry-after': '1' };
  return page.route(path, (route) => route.fulfill({ status, headers, contentType: 'application/problem+json', body: '{}' }), { times });
}

test('pieces are characters until their drawings come', async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await refuse(page, '**/pieces.svg', 503, 2);
  await page.goto(`${SERVICE}/?game=chess&players=you,you`);
  await page.waitForSelector('body.ready');
  assert.equal(await page.locator('.pieces .piece-symbol').count(), 32);
  await page.waitForFunction(() => document.querySelectorAll('.pieces .piece use').length === 32);
  assert.equal(await page.locator('.piece-symbol').count(), 0);
  await context.close();
});

test('a proxy that limits requests is waited for', async () => {
  const page = await visit(browser, '?game=tic-tac-toe&players=you,you');
  await refuse(page, '**/position', 429, 1);
  await click(page, [[1, 1]]);
  await page.waitForFunction(() => document.getElementById('status').textContent.includes('busy'));
  await page.waitForFunction(() => document.querySelector('.standing').textContent.startsWith('O to move'));
  await waitForPly(page, 1);
  forgive(page, '429');
  await leave(page);
});

test('an empty record leaves the game as it is', async () => {
  const page = await visit(browser, '?game=tic-tac-toe&moves=4,0&players=you,you&view=setup');
  await page.getByTitle('Open what is pasted').click();
  assert.match(await page.locator('#pasted-error').textContent(), /nothing to open/);
  assert.match(page.url(), /moves=4,0/);
  await leave(page);
});

test('the seed of a link is a whole number, else a fresh one is taken', async () => {
  for (const [given, kept] of [['0', '0'], ['7', '7'], ['-5'], ['x'], ['1.5'], ['']]) {
    const page = await visit(browser, `?game=tic-tac-toe&players=you,you&seed=${given}`);
    const seed = new URL(page.url()).searchParams.get('seed');
    assert.ok(kept === undefined ? Number(seed) > 0 && seed !== given : seed === kept, `${given} became ${seed}`);
    await leave(page);
  }
});
