// Arrows and marks, keys, sounds, and the colours of boards.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PHONE, SCREENS, SERVICE, click, focusBoard, launch, leave, findings, visit, waitForPly } from './page.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const GAME = '?game=chess&moves=e4,e5&players=you,you';

async function rightDrag(page, from, to) {
  const centre = async (square) => {
    const { x, y, width, height } = await page.locator(`[data-square="${square}"]`).boundingBox();
    return [x + width / 2, y + height / 2];
  };
  await page.mouse.move(...await centre(from));
  await page.mouse.down({ button: 'right' });
  await page.mouse.move(...await centre(to));
  await page.mouse.up({ button: 'right' });
}

test('arrows and marks are drawn with the right button, and a click takes them away', async () => {
  const page = await visit(browser, GAME);
  const shapes = page.locator('.arrow.drawn');
  await rightDrag(page, '7,6', '5,5');
  await rightDrag(page, '4,4', '4,4');
  assert.deepEqual([await shapes.count(), await page.locator('.arrow.drawn.ring').count()], [2, 1]);
  await rightDrag(page, '4,4', '4,4');
  assert.equal(await shapes.count(), 1);
  await click(page, [[4, 0]]);
  assert.equal(await shapes.count(), 0);
  await focusBoard(page);
  await page.keyboard.press('m');
  assert.equal(await shapes.count(), 1);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Home');
  await page.waitForFunction(() => !document.querySelector('.move[aria-current]'));
  assert.equal(await shapes.count(), 0);
  await leave(page);
});

test('keys step, turn the board, take back, and show themselves', async () => {
  const page = await visit(browser, GAME);
  await page.locator('.brand').click();
  await page.keyboard.press('Home');
  await page.waitForFunction(() => !document.querySelector('.move[aria-current]'));
  await page.keyboard.press('End');
  await waitForPly(page, 2);
  await page.keyboard.press('f');
  assert.equal(new URL(page.url()).searchParams.get('flip'), 'true');
  await page.keyboard.press('u');
  await waitForPly(page, 1);
  await page.keyboard.press('?');
  const dialog = page.locator('dialog#settings[open]');
  assert.match(await dialog.innerText(), /Arrow keys[\s\S]*Home, End/);
  await page.keyboard.press('Escape');
  assert.equal(await dialog.count(), 0);
  await leave(page);
});

for (const [screen, options] of SCREENS) {
  test(`sounds are off until they are asked for, ${screen}`, async () => {
    const page = await visit(browser, '?game=tic-tac-toe&players=you,you', options);
    const tones = () => page.evaluate(() => window.tones ?? 0);
    const count = () => {
      const { createOscillator } = AudioContext.prototype;
      AudioContext.prototype.createOscillator = function create() { window.tones = (window.tones ?? 0) + 1; return createOscillator.call(this); };
    };
    await page.evaluate(count);
    await click(page, [[1, 1]]);
    await waitForPly(page, 1);
    assert.equal(await tones(), 0);
    await page.getByRole('button', { name: 'Look, sound and keyboard' }).click();
    await page.getByRole('checkbox', { name: 'Sound' }).check();
    await page.getByRole('button', { name: 'Close' }).click();
    await click(page, [[0, 0]]);
    await waitForPly(page, 2);
    assert.equal(await tones(), 1);
    await page.reload();
    await page.waitForSelector('body.ready');
    await page.evaluate(count);
    await click(page, [[2, 2]]);
    await waitForPly(page, 3);
    assert.equal(await tones(), 1);
    await leave(page);
  });

  test(`each game has board colours of its own, ${screen}`, async () => {
    const page = await visit(browser, GAME, options);
    const board = () => page.evaluate(() => document.documentElement.dataset.board);
    await page.getByRole('button', { name: 'Look, sound and keyboard' }).click();
    await page.getByRole('group', { name: 'Board of Chess' }).getByRole('button', { name: 'High contrast' }).click();
    assert.deepEqual(await findings(page), []);
    await page.getByRole('button', { name: 'Close' }).click();
    assert.equal(await board(), 'contrast');
    await page.getByRole('button', { name: 'Checkers' }).click();
    await page.waitForFunction(() => document.documentElement.dataset.board === 'blue');
    await page.reload();
    await page.waitForSelector('body.ready');
    await page.getByRole('button', { name: 'Chess' }).click();
    await page.waitForFunction(() => document.documentElement.dataset.board === 'contrast');
    await leave(page);
  });
}

/** The contrast of two colours as `rgb(…)`. */
function contrast(...colours) {
  const light = colours.map((colour) => {
    const [red, green, blue] = colour.match(/[\d.]+/g).map((part) => part / 255).map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  });
  return Math.max(...light) / Math.min(...light);
}

for (const colorScheme of ['light', 'dark']) {
  for (const [screen, options] of [['desktop', {}], ['phone', PHONE]]) {
    test(`black pieces stand out from dark squares in every colour of the board, ${colorScheme}, ${screen}`, async () => {
      const page = await visit(browser, GAME, { ...options, colorScheme });
      for (const name of ['blue', 'green', 'brown', 'contrast']) {
        const [square, piece] = await page.evaluate((board) => {
          document.documentElement.dataset.board = board;
          const fill = (selector) => getComputedStyle(document.querySelector(selector)).fill;
          return [fill('.squares .dark'), fill('#chess-p g')];
        }, name);
        assert.ok(contrast(square, piece) >= 3, `${name}: ${square}, ${piece}`);
      }
      await leave(page);
    });
  }
}

test('no piece covers the number of its square', async () => {
  const page = await visit(browser, '?game=checkers&players=you,you');
  const isAbove = () => document.querySelector('.pieces').compareDocumentPosition(document.querySelector('.labels')) === Node.DOCUMENT_POSITION_FOLLOWING;
  assert.equal(await page.locator('.labels .on-dark').count(), 32);
  assert.ok(await page.evaluate(isAbove));
  await leave(page);
});

test('a system that asks for more contrast gets it', async () => {
  const page = await visit(browser, GAME, { contrast: 'more' });
  assert.equal(await page.evaluate(() => document.documentElement.dataset.board), 'contrast');
  await leave(page);
});

for (const [screen, options] of SCREENS) {
  test(`coordinates stand outside the squares, and values beside the pieces, ${screen}`, async () => {
    const page = await visit(browser, '?game=chess&view=analysis', options);
    await page.waitForSelector('.badges .badge', { state: 'attached' });
    const overlaps = () => page.evaluate(() => {
      const boxes = (selector) => [...document.querySelectorAll(selector)].map((element) => element.getBoundingClientRect());
      const meet = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1
        && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
      const count = (some, others) => some.filter((one) => others.some((other) => meet(one, other))).length;
      const labels = boxes('.labels .label');
      return { labels: labels.length, inside: count(labels, boxes('.squares rect')), covered: count(boxes('.badges rect'), boxes('.pieces .piece')) };
    });
    assert.deepEqual(await overlaps(), { labels: 16, inside: 0, covered: 0 });
    await page.getByTitle('Flip the board').click();
    assert.deepEqual(await overlaps(), { labels: 16, inside: 0, covered: 0 });
    await page.goto(`${SERVICE}/?game=othello&players=you,you`);
    await page.waitForSelector('body.ready');
    assert.deepEqual(await page.evaluate(() => {
      const felt = document.querySelector('.squares .felt').getBoundingClientRect();
      return [...document.querySelectorAll('.labels .label')].map((label) => label.getBoundingClientRect())
        .filter((label) => label.right > felt.left + 1 && label.top < felt.bottom - 1).length;
    }), 0);
    await leave(page);
  });
}
