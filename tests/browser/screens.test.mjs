// Screens of all sizes: nothing jumps while the page is set up, fingers hit what they mean, and strips show that they go on.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PHONE, SCREENS, SERVICE, launch, leave, visit } from './page.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const VIEWS = ['play', 'analysis', 'review', 'tree', 'setup', 'share'];
const GAMES = { 'tic-tac-toe': '4,0,8', 'connect-four': '4,4', checkers: '11-15,23-19', chess: 'e4,e5', othello: 'f5,d6,c3' };
const MOST_SHIFT = 0.1;
const LEAST_TARGET = 32;

/** Adds up the shifts of the layout that no input has caused. */
function watchShifts() {
  window.shifts = [];
  new PerformanceObserver((list) => list.getEntries().filter(({ hadRecentInput }) => !hadRecentInput)
    .forEach(({ value }) => window.shifts.push(value))).observe({ type: 'layout-shift', buffered: true });
}

/** How far the layout shifts while a page is set up over a slow line. */
async function shiftOnSlowLine(query, options) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  await page.addInitScript(watchShifts);
  const slow = async (route) => { await new Promise((resume) => { setTimeout(resume, 150); }); await route.continue(); };
  await page.route(/\/(games|position|review|pieces\.svg)$/, slow);
  await page.goto(`${SERVICE}/?${query}`);
  await page.waitForSelector('body.ready');
  await page.waitForTimeout(800);
  const sum = await page.evaluate(() => window.shifts.reduce((all, one) => all + one, 0));
  await context.close();
  return sum;
}

for (const [screen, options] of SCREENS) {
  test(`the layout does not jump on a slow line, ${screen}`, async () => {
    for (const [game, moves] of Object.entries(GAMES)) {
      // The views of a game side by side, since most of the time is waiting.
      await Promise.all((game === 'connect-four' ? VIEWS : ['play', 'analysis']).map(async (view) => {
        const sum = await shiftOnSlowLine(`game=${game}&moves=${moves}&view=${view}&players=you,you`, options);
        assert.ok(sum < MOST_SHIFT, `${game}, ${view}: ${sum}`);
      }));
    }
  });
}

test('every control of a phone is high enough for a finger', async () => {
  for (const [game, moves] of Object.entries(GAMES)) {
    const page = await visit(browser, `?game=${game}&moves=${moves}&players=you,4`, PHONE);
    for (const view of VIEWS) {
      await page.locator(`#tab-${view}`).click();
      await page.waitForTimeout(500);
      const low = await page.evaluate((least) => [...document.querySelectorAll('button, a, select, input, summary, textarea')]
        .filter((one) => one.checkVisibility() && !one.matches('.skip') && !one.closest('label'))
        .map((one) => [one.getBoundingClientRect().height, one.outerHTML.slice(0, 80)]).filter(([height]) => height < least), LEAST_TARGET);
      assert.deepEqual(low, [], `${game}, ${view}`);
    }
    await leave(page);
  }
});

test('the strip of tabs shows on a phone that it goes on', async () => {
  const page = await visit(browser, '?game=chess&players=you,you', PHONE);
  const strip = page.locator('#tabs');
  await page.waitForSelector('#tabs.more-right');
  await strip.evaluate((element) => { element.scrollLeft = element.scrollWidth; });
  await page.waitForSelector('#tabs.more-left:not(.more-right)');
  await leave(page);
  const wide = await visit(browser, '?game=chess&players=you,you');
  assert.equal(await wide.locator('.more-right, .more-left').count(), 0);
  await leave(wide);
});

const boxes = (page, ...places) => page.evaluate((all) => all.map((place) => document.querySelector(place).getBoundingClientRect().toJSON()), places);
const SIZES = [[1280, 800], [1024, 800], [800, 1000], [800, 600], [740, 360]].map(([width, height]) => ({ width, height }));
/** A game of Othello, as long as one gets. */
const LONG = 'c4,c3,f5,f6,e6,f4,d3,d6,g6,b4,f7,c6,b6,d2,e3,f2,g3,h4,c5,g7,b3,b5,a5,g4,f3,a6,e7,g2,c7,a2,a3,d7,d8,a4,b7,b8,h1,c8,g5,c2,e1,f8,h8,e8,a8,g1,f1,h2,h3,h7,g8,h6,d1,a7,a1,e2,h5,pass,c1,b1,b2';

test('board and card are one composition on every screen: the end of a game is seen beside its board', async () => {
  for (const viewport of SIZES) {
    const page = await visit(browser, '?game=connect-four&moves=4,4,3,3,2,2,1&players=you,4', { viewport });
    const [board, field, card, result] = await boxes(page, '.board', '#typed-move', '.side', '.result');
    const name = `${viewport.width} × ${viewport.height}`;
    assert.ok(result.bottom <= viewport.height && board.top < viewport.height / 2, `${name}: ${result.bottom}`);
    assert.ok(board.right <= card.left || board.bottom <= card.top, `${name}: board and card`);
    assert.ok(field.right <= card.left || field.bottom <= card.top, `${name}: field and card`);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), viewport.width, name);
    await leave(page);
  }
});

test('a long game leaves the card of Play its controls', async () => {
  for (const viewport of SIZES.slice(0, 3)) {
    const page = await visit(browser, `?game=othello&moves=${LONG}&players=you,4`, { viewport });
    const [panel, button, list] = await boxes(page, '#panel', '#panel > div > .row:last-child .button', '#moves');
    assert.ok(button.bottom <= panel.bottom && button.bottom <= list.top, `${viewport.width}: ${button.bottom}, ${list.top}`);
    assert.ok(list.height >= 80, `${viewport.width}: ${list.height}`);
    await leave(page);
  }
});

test('text of double size grows everywhere, and nothing is wider than the page', async () => {
  const page = await visit(browser, '?game=chess&moves=e4,e5&players=you,4');
  const client = await page.context().newCDPSession(page);
  const sizes = () => page.evaluate(() => ['#tab-play', '.move', '#panel .button', '.standing'].map((one) => Number.parseFloat(getComputedStyle(document.querySelector(one)).fontSize)));
  const before = await sizes();
  await client.send('Page.enable');
  await client.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
  await page.reload();
  await page.waitForSelector('body.ready');
  assert.deepEqual((await sizes()).map((size, index) => Math.round((10 * size) / before[index])), before.map(() => 20));
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 1280);
  await leave(page);
});

test('forced colours keep the bar and the pieces of the palette', async () => {
  const page = await visit(browser, '?game=connect-four&moves=4,4,3,3,2,2,1&view=review', { forcedColors: 'active', colorScheme: 'dark' });
  const colour = (place) => page.locator(place).first().evaluate((one) => getComputedStyle(one).backgroundColor);
  assert.notEqual(await colour('.bar .fill'), await colour('.bar'));
  await page.locator('#tab-setup').click();
  assert.notEqual(await colour('.palette-piece'), await colour('body'));
  await leave(page);
});
