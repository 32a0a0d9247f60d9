// Analysis, review, tree, setting up, sharing; trouble with the server; small screens, themes, accessibility.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SERVICE, SMALL_SERVICE, click, drag, forgive, launch, leave, pieces, findingsOfSchemes, standing, visit, waitForPly } from './page.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const VIEWS = ['play', 'analysis', 'review', 'tree', 'setup', 'share'];
const GAME = '?game=tic-tac-toe&moves=4,1,0&players=you,you';

test('analysis shows a value for every legal move, and which are proven', async () => {
  const page = await visit(browser, '?game=tic-tac-toe&moves=4,0,8&view=analysis');
  await page.waitForFunction(() => document.querySelectorAll('.badges .badge').length === 6);
  assert.deepEqual(await page.locator('.badges .badge.proven.draw').count(), 2);
  assert.deepEqual(await page.locator('.badges .badge.proven.loss').count(), 4);
  assert.match(await page.locator('.figures').textContent(), /solved/);
  assert.match(await page.locator('[role=meter]').getAttribute('title'), /good for X/);
  await leave(page);
});

test('a line plays out while pointed at, and can be stepped into', async () => {
  const page = await visit(browser, '?game=tic-tac-toe&moves=4,0,8&view=analysis');
  const moves = page.locator('.lines .line').first().locator('.line-move');
  await moves.nth(1).waitFor();
  await page.waitForFunction(() => document.querySelector('.figures').textContent.includes('solved'));
  await moves.nth(1).hover();
  await page.waitForFunction(() => document.querySelectorAll('.pieces .piece').length === 5);
  await page.locator('.brand').hover();
  await page.waitForFunction(() => document.querySelectorAll('.pieces .piece').length === 3);
  await moves.nth(1).click();
  await waitForPly(page, 5);
  await leave(page);
});

test('a review names the mistake, and the better move', async () => {
  const page = await visit(browser, `${GAME}&view=review`);
  await page.getByTitle('Review the game').click();
  await page.waitForSelector('.graph');
  await page.getByTitle('Next mistake').click();
  await waitForPly(page, 2);
  assert.match(await page.locator('.verdict').textContent(), /Blunder.*Best/);
  assert.equal(await page.locator('.move.blunder').count(), 1);
  assert.match(await page.locator('.accuracies').textContent(), /100\.0\s%/);
  await leave(page);
});

test('a review can be cancelled, and repeated with another effort', async () => {
  const page = await visit(browser, `${GAME}&view=review`);
  await page.getByTitle('Review the game').click();
  await page.waitForSelector('.graph');
  let asked = new Promise((resolve) => { page.route('**/review/stream', (route) => resolve(route), { times: 1 }); });
  await page.getByLabel('Effort').selectOption('Thorough');
  await page.getByTitle('Review again').click();
  assert.equal((await asked).request().postDataJSON().nodes, 200000);
  await page.getByTitle('Cancel').click();
  await page.waitForSelector('.graph');
  asked = page.waitForResponse('**/review/stream');
  await page.getByTitle('Review again').click();
  assert.equal((await asked).status(), 200);
  await page.waitForSelector('.graph');
  await leave(page);
});

test('the tree is shown as it is searched, and a node shows its board', async () => {
  const page = await visit(browser, '?game=tic-tac-toe&position=XOX.O..X. O&view=tree');
  await page.waitForFunction(() => document.querySelectorAll('.segment b').length === 2 && !document.querySelector('.segment:disabled'));
  const counts = await page.locator('.segments .segment span').allTextContents();
  assert.ok(parseInt(counts[0], 10) > parseInt(counts[1], 10), String(counts));
  const nodes = page.locator('.tree-picture .node');
  const before = await nodes.count();
  await page.getByTitle('Open all').click();
  assert.ok(await nodes.count() > before);
  await page.getByLabel('Nodes tried').fill('1');
  await page.waitForSelector('.node.untried', { state: 'attached' });
  await page.locator('.node.current').hover();
  await page.waitForFunction(() => document.querySelectorAll('.pieces .piece').length === 6);
  await leave(page);
});

test('a position is set up by dragging, and what is impossible is said', async () => {
  const page = await visit(browser, '?game=checkers&view=setup');
  await page.getByTitle('Clear', { exact: true }).click();
  await page.getByTitle('white man').click();
  await click(page, [[7, 0]]);
  await page.getByTitle('black man').click();
  await click(page, [[7, 2]]);
  await page.waitForFunction(() => document.querySelector('.verdict-line .error-text'));
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  await drag(page, [7, 2], [1, 2]);
  await page.waitForFunction(() => document.querySelector('.verdict-line code')?.textContent.includes('W29'));
  await page.getByTitle('Play from here').click();
  await page.waitForFunction(() => document.body.dataset.view === 'play');
  assert.deepEqual((await pieces(page)).map(([square]) => square).sort(), ['1,2', '7,0']);
  forgive(page, '422');
  await leave(page);
});

test('a shared link opens the same game, and requests are shown as programs', async () => {
  const page = await visit(browser, '?game=connect-four&moves=4,4,3&players=you,you');
  await page.getByRole('tab', { name: 'Share' }).click();
  const link = await page.getByLabel('Link to this game').inputValue();
  for (const [language, text] of [['curl', /curl -sS http/], ['JavaScript', /await fetch/], ['Python', /urllib/]]) {
    await page.getByRole('button', { name: language, exact: true }).click();
    assert.match(await page.getByLabel(`The request in ${language}`).textContent(), text);
  }
  const there = await pieces(page);
  await leave(page);
  const other = await visit(browser, link.slice(SERVICE.length + 1));
  assert.deepEqual(await pieces(other), there);
  await leave(other);
});

test('a busy server and a lost connection are told in words, and recovered from', async () => {
  const page = await visit(browser, '?game=tic-tac-toe&players=you,you');
  let refusals = 1;
  await page.route('**/position', (route) => {
    if (refusals-- > 0) return route.fulfill({ status: 503, headers: { 'retry-after': '1' }, contentType: 'application/problem+json', body: '{}' });
    return route.continue();
  });
  await click(page, [[1, 1]]);
  await page.waitForFunction(() => document.getElementById('status').textContent.includes('busy'));
  await page.waitForFunction(() => document.getElementById('status').textContent.includes('Connected again'));
  await waitForPly(page, 1);
  refusals = 0;
  await page.context().setOffline(true);
  await click(page, [[0, 0]]);
  await page.waitForFunction(() => document.getElementById('status').textContent.includes('No connection'));
  await page.context().setOffline(false);
  await page.getByTitle('Try now').click();
  await page.waitForFunction(() => document.querySelector('.standing').textContent.startsWith('X to move'));
  forgive(page, '503');
  forgive(page, 'ERR_INTERNET_DISCONNECTED');
  await leave(page);
});

test('four tabs share a server with one worker', { skip: !SMALL_SERVICE }, async () => {
  const open = () => visit(browser, '?game=chess&moves=e4&view=analysis', { service: SMALL_SERVICE });
  const pages = await Promise.all([open(), open(), open(), open()]);
  await Promise.all(pages.map((page) => page.waitForFunction(() => document.querySelector('.figures').textContent.includes('time limit'))));
  for (const page of pages) {
    forgive(page, '503');
    await leave(page);
  }
});

test('an answer to an older question is never shown', async () => {
  const page = await visit(browser, '?game=chess&view=analysis');
  for (const move of ['e4', 'e5', 'Nf3', 'Nc6']) {
    await page.getByLabel('Type a move', { exact: true }).fill(move);
    await page.getByLabel('Type a move', { exact: true }).press('Enter');
    await page.waitForFunction((san) => document.querySelector('.move-list [aria-current]')?.textContent === san, move);
  }
  await page.waitForFunction(() => document.querySelectorAll('.lines .line').length > 3);
  const first = await page.locator('.lines .line-move:first-child').allTextContents();
  const answer = await (await fetch(`${SERVICE}/position`, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ game: 'chess', moves: ['e4', 'e5', 'Nf3', 'Nc6'] }),
  })).json();
  const legal = answer.legal_moves.map(({ san }) => san);
  assert.ok(first.every((san) => legal.includes(san)), String(first));
  await leave(page);
});

test('a link that cannot be opened is explained', async () => {
  const page = await visit(browser, '?game=chess&position=nothing');
  assert.match(await page.locator('#status').textContent(), /cannot be opened/);
  assert.match(await standing(page), /White to move/);
  forgive(page, '422');
  await leave(page);
});

for (const view of VIEWS) {
  test(`the view ${view} fits a phone`, async () => {
    const page = await visit(browser, `?game=chess&moves=e4,e5&view=${view}`, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, document.querySelector('.board').getBoundingClientRect().width]);
    assert.ok(widths[0] <= 390 && widths[1] >= 340, String(widths));
    await leave(page);
  });
}

test('a finger scrolls over a board on which nothing is dragged', async () => {
  const touch = (page) => page.locator('.board').evaluate((board) => getComputedStyle(board).touchAction);
  for (const [game, play] of [['connect-four', 'manipulation'], ['tic-tac-toe', 'manipulation'], ['checkers', 'none']]) {
    const page = await visit(browser, `?game=${game}`);
    assert.equal(await touch(page), play, game);
    await page.locator('#tab-setup').click();
    assert.equal(await touch(page), 'none', game);
    await leave(page);
  }
});

/** A position that the first side loses. */
const LOST = '?game=chess&position=6k1/5ppp/8/8/8/8/5q2/K7 w - - 0 1&view=analysis';

for (const [width, flip] of [[1280, false], [1280, true], [390, false]]) {
  test(`the label of the bar lies on the side that is ahead, ${width} px${flip ? ', turned' : ''}`, async () => {
    const page = await visit(browser, `${LOST}&flip=${flip}`, { viewport: { width, height: 844 } });
    await page.waitForFunction(() => document.querySelector('.bar.losing .bar-text')?.textContent);
    const [fill, text] = await page.evaluate(() => {
      const words = document.createRange();
      words.selectNodeContents(document.querySelector('.bar-text'));
      return [document.querySelector('.bar .fill'), words].map((one) => one.getBoundingClientRect().toJSON());
    });
    const isApart = text.right <= fill.left || text.left >= fill.right || text.bottom <= fill.top || text.top >= fill.bottom;
    assert.ok(isApart, JSON.stringify({ fill, text }));
    await leave(page);
  });
}

test('no serious findings of accessibility, light and dark', async () => {
  const page = await visit(browser, `${GAME}&view=play`);
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  for (const [colorScheme, colour] of [['light', 'rgb(244, 245, 243)'], ['dark', 'rgb(20, 23, 26)']]) {
    await page.emulateMedia({ colorScheme });
    assert.equal(await background(), colour);
  }
  for (const view of VIEWS) {
    await page.locator(`#tab-${view}`).click();
    await page.waitForTimeout(400);
    assert.deepEqual(await findingsOfSchemes(page), [], view);
  }
  await leave(page);
  const lost = await visit(browser, LOST);
  await lost.waitForSelector('.bar.losing');
  assert.deepEqual(await findingsOfSchemes(lost), [], 'a lost position');
  await leave(lost);
});

/** A page on which the module of the tree comes when `release` is called. */
async function withoutTree(query) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const held = new Promise((release) => { page.release = release; });
  await page.route('**/web/tree.js', async (route) => { await held; await route.continue(); });
  await page.goto(`${SERVICE}/${query}`);
  return page;
}

test('the board waits for no other view, and a tab that is chosen early is shown as soon as it can be', async () => {
  const page = await withoutTree(`${GAME}&view=play`);
  await page.waitForSelector('body.ready');
  await page.locator('#tab-tree').click();
  assert.equal(await page.locator('#tab-tree').getAttribute('aria-selected'), 'true');
  assert.equal(await page.locator('#panel .tree').count(), 0);
  page.release();
  await page.waitForSelector('#panel .tree svg');
  await page.context().close();
});

test('a page that is opened at another view waits for it', async () => {
  const page = await withoutTree(`${GAME}&view=tree`);
  await page.waitForTimeout(1000);
  assert.equal(await page.locator('body.ready').count(), 0);
  page.release();
  await page.waitForSelector('body.ready');
  assert.equal(await page.locator('#panel .tree').count(), 1);
  await page.context().close();
});

test('the board is there soon', async () => {
  const times = [];
  for (let round = 0; round < 3; round += 1) {
    const page = await visit(browser, '?game=chess&players=you,you');
    times.push(await page.evaluate(() => performance.getEntriesByName('interactive')[0].startTime));
    await leave(page);
  }
  console.log(`interactive after ${times.map((time) => Math.round(time)).join(', ')} ms`);
  // Machines that test are busy: the promise is 200 ms on two idle cores.
  assert.ok(Math.min(...times) < 2000, String(times));
});
