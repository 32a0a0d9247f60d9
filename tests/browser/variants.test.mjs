// Variants of a game: chosen beside the games, kept in the address, set up and played.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PHONE, SCREENS, click, forgive, launch, leave, pieces, visit, waitForPly } from './page.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const variant = (page, name) => page.getByRole('navigation', { name: 'Variants' }).getByRole('button', { name, exact: true });
const pressed = (page) => page.locator('#variants [aria-pressed="true"]').textContent();
const squares = (page) => page.locator('[data-square]').count();

test('a variant is chosen, played and kept in the address', async () => {
  const page = await visit(browser, '?game=connect-four&players=you,you');
  assert.equal(await squares(page), 42);
  await variant(page, '8×7').click();
  await page.waitForFunction(() => document.querySelectorAll('[data-square]').length === 56);
  await click(page, [[6, 7]]);
  await waitForPly(page, 1);
  assert.match((await pieces(page)).find(([square]) => square === '6,7')?.[1] ?? '', /red/i);
  assert.match(page.url(), /variant=8x7/);
  await page.reload();
  await page.waitForSelector('body.ready');
  assert.equal(await squares(page), 56);
  assert.equal(await pressed(page), '8×7');
  await leave(page);
});

test('a game with one variant offers no choice', async () => {
  const page = await visit(browser, '?game=checkers&players=you,you');
  assert.equal(await page.locator('#variants button').count(), 0);
  await leave(page);
});

test('the engine plays a variant', async () => {
  const page = await visit(browser, '?game=tic-tac-toe&variant=4x4x3&players=you,3&seed=1');
  await click(page, [[1, 1]]);
  await waitForPly(page, 2);
  await leave(page);
});

for (const [screen, options] of [...SCREENS, ['narrow phone', { ...PHONE, viewport: { width: 360, height: 740 } }]]) {
  test(`the variants stand in a row of their own, each with its description, ${screen}`, async () => {
    const page = await visit(browser, '?game=tic-tac-toe&variant=misere&players=you,you', options);
    assert.equal(await pressed(page), 'Misère');
    assert.match(await page.locator('#about').innerText(), /who has three in a row loses/);
    const [games, row, about, board] = await page.evaluate(() => ['#games', '#variants', '#about', '.board'].map((one) => document.querySelector(one).getBoundingClientRect().toJSON()));
    assert.ok(games.bottom <= row.top + 1 && row.bottom <= board.top && about.bottom <= board.top && row.height > 20);
    await page.waitForFunction(() => {
      const [strip, button] = ['#variants', '#variants [aria-pressed="true"]'].map((one) => document.querySelector(one).getBoundingClientRect());
      return button.left >= strip.left - 1 && button.right <= strip.right + 1;
    });
    await leave(page);
  });
}

test('a board that is higher than wide takes clicks where its columns are', async () => {
  const page = await visit(browser, '?game=connect-four&variant=4x8&players=you,you');
  await click(page, [[0, 0], [0, 3]]);
  await waitForPly(page, 2);
  assert.equal(new URL(page.url()).searchParams.get('moves'), '1,4');
  const bottom = await page.locator('.board').evaluate((board) => board.getBoundingClientRect().bottom);
  assert.ok(bottom < 800, String(bottom));
  await leave(page);
});

const start = (page) => new URL(page.url()).searchParams.get('position');
const backRank = async (page) => (await pieces(page)).filter(([square]) => square.startsWith('7,')).map(([, label]) => label.split(' ').at(-1)).join(' ');

test('Chess960 starts from a start drawn by lot, which a rematch keeps and the dice draw anew', async () => {
  const page = await visit(browser, '?game=chess&players=you,you');
  const seen = new Set();
  for (let round = 0; round < 3; round += 1) {
    await variant(page, 'Standard').click();
    await page.waitForFunction(() => !location.search.includes('chess960'));
    await variant(page, 'Chess960').click();
    await page.waitForFunction(() => /position=chess960:\d+/.test(location.search));
    seen.add(start(page));
  }
  assert.ok(seen.size > 1, [...seen].join());
  const number = /\d+$/.exec(start(page))[0];
  await page.getByText(`Start ${number}`, { exact: true }).waitFor();
  const [drawn, rank] = [start(page), await backRank(page)];
  await page.locator('#panel .field').filter({ hasText: `Start ${number}` }).waitFor();
  await click(page, [[6, 4], [4, 4]]);
  await waitForPly(page, 1);
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('button', { name: 'Rematch' }).click();
  await page.waitForFunction(() => !document.querySelector('.move'));
  assert.deepEqual([start(page), await backRank(page)], [drawn, rank]);
  // One draw in 960 gives the same start.
  for (let draw = 0; draw < 3 && start(page) === drawn; draw += 1) {
    await page.getByTitle('Draw another start').click();
    await page.waitForTimeout(400);
  }
  assert.notEqual(start(page), drawn);
  const [there, url] = [await backRank(page), page.url()];
  await page.reload();
  await page.waitForSelector('body.ready');
  assert.deepEqual([await backRank(page), page.url()], [there, url]);
  await leave(page);
});

test('a game of Chess960 leaves the page as a record that the page reads again', async () => {
  const page = await visit(browser, '?game=chess&variant=chess960&position=chess960:17&moves=e4,e5&view=share&players=you,you');
  const record = await page.getByLabel('Game record').innerText();
  assert.match(record, /\[Variant "Chess960"\]/);
  assert.match(record, /\[FEN "bnqbnrkr\/pppppppp/);
  await page.locator('#tab-setup').click();
  await page.getByLabel('Position, game or link').fill(record);
  await page.getByTitle('Open what is pasted').click();
  await page.waitForFunction(() => document.body.dataset.view === 'review');
  await waitForPly(page, 2);
  assert.equal(await pressed(page), 'Chess960');
  await leave(page);
});
