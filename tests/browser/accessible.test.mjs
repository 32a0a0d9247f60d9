// The page for everybody: without a mouse, without good eyes, without JavaScript.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SCREENS, SERVICE, launch, leave, findingsOfSchemes, visit, waitForPly } from './page.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const VIEWS = ['play', 'analysis', 'review', 'tree', 'setup', 'share'];
const GAMES = { 'tic-tac-toe': '4,0,8', 'connect-four': '4,4,3', checkers: '11-15,23-19', chess: 'e4,e5', othello: 'f5,d6,c3' };

for (const [screen, options] of SCREENS) {
  test(`no findings in any game and view, light and dark, ${screen}`, async () => {
    const found = [];
    for (const [game, moves] of Object.entries(GAMES)) {
      const page = await visit(browser, `?game=${game}&moves=${moves}&players=you,4`, options);
      for (const view of VIEWS) {
        await page.locator(`#tab-${view}`).click();
        if (view === 'analysis') await page.waitForSelector('.badge');
        if (view === 'tree') await page.waitForSelector('.node', { timeout: 60_000 });
        if (view === 'tree') await page.getByLabel('Nodes tried').fill('3');
        await page.waitForTimeout(300);
        found.push(...(await findingsOfSchemes(page)).map((finding) => `${game}, ${view}: ${finding}`));
      }
      await leave(page);
    }
    assert.deepEqual(found, []);
  });

  test(`what is chosen can be told in forced colours, ${screen}`, async () => {
    const page = await visit(browser, '?game=chess&moves=e4&players=you,4', { ...options, forcedColors: 'active' });
    await page.locator('#help').click();
    const colours = await page.evaluate(() => {
      const colour = (element) => getComputedStyle(element).backgroundColor;
      const chosen = document.querySelectorAll('[aria-pressed="true"], [aria-selected="true"][role=tab], .move[aria-current]');
      return [...chosen].map((element) => {
        const other = [...element.parentElement.children].find((one) => one.matches('[aria-pressed="false"], [aria-selected="false"]'));
        return [element.textContent, colour(element), other ? colour(other) : colour(document.body)];
      });
    });
    // The game, its variant, the tab, the side, the level, the move, the theme and the board.
    assert.ok(colours.length >= 8, String(colours));
    assert.deepEqual(colours.filter(([, chosen, other]) => chosen === other), []);
    await leave(page);
  });

  test(`without JavaScript the explanation comes first, ${screen}`, async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${SERVICE}/`);
    const box = await page.locator('.noscript').boundingBox();
    assert.equal(Math.round(box.y), 0);
    assert.equal(await page.getByText('Setting up the board').isVisible(), false);
    await context.close();
  });

  test(`a typed move may be written in small letters, ${screen}`, async () => {
    const page = await visit(browser, '?game=chess&position=r3k3/8/8/8/8/8/8/R3K2R w KQ - 0 1&players=you,you', options);
    const field = page.getByLabel('Type a move', { exact: true });
    for (const [ply, text] of ['rxa8', 'ke7', 'o-o'].entries()) {
      await field.fill(text);
      await field.press('Enter');
      await waitForPly(page, ply + 1);
    }
    assert.deepEqual(await page.locator('.move').allTextContents(), ['Rxa8+', 'Ke7', 'O-O']);
    page.faults.splice(0, page.faults.length, ...page.faults.filter((fault) => !fault.includes('422')));
    await leave(page);
  });
}
