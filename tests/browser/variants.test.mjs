// Variants of a game: chosen beside the games, kept in the address, set up and played.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { click, launch, leave, pieces, visit, waitForPly } from './page.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const squares = (page) => page.locator('[data-square]').count();

test('a variant is chosen, played and kept in the address', async () => {
  const page = await visit(browser, '?game=connect-four&players=you,you');
  assert.equal(await squares(page), 42);
  await page.getByLabel('Variant').selectOption('8x7');
  await page.waitForFunction(() => document.querySelectorAll('[data-square]').length === 56);
  await click(page, [[6, 7]]);
  await waitForPly(page, 1);
  assert.match((await pieces(page)).find(([square]) => square === '6,7')?.[1] ?? '', /red/i);
  assert.match(page.url(), /variant=8x7/);
  await page.reload();
  await page.waitForSelector('body.ready');
  assert.equal(await squares(page), 56);
  assert.equal(await page.getByLabel('Variant').inputValue(), '8x7');
  await leave(page);
});

test('a game with one variant offers no choice', async () => {
  const page = await visit(browser, '?game=checkers&players=you,you');
  assert.equal(await page.getByLabel('Variant').count(), 0);
  await leave(page);
});

test('the engine plays a variant', async () => {
  const page = await visit(browser, '?game=tic-tac-toe&variant=4x4x3&players=you,3&seed=1');
  await click(page, [[1, 1]]);
  await waitForPly(page, 2);
  await leave(page);
});
