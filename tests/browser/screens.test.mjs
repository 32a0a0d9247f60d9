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
