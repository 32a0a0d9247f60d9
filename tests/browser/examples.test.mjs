// The pages in examples/, each opened as a file.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { SERVICE, launch } from './page.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

/** A page of an example, and the errors on it. */
async function opened(game) {
  const page = await (await browser.newContext()).newPage();
  const faults = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (line) => { if (line.type() === 'error') faults.push(line.text()); });
  const file = fileURLToPath(new URL(`./examples/pages/${game}.html`, import.meta.url));
  await page.goto(`file://${file}?service=${SERVICE}`);
  await page.waitForFunction(() => document.querySelector('#status').textContent.includes('our move'));
  return { page, faults };
}

const pieces = (page) => page.locator('#board button').evaluateAll((cells) => cells.filter((cell) => !cell.ariaLabel.endsWith('empty')).length);
const isOver = (page) => page.locator('#status').innerText().then((text) => /win|draw:|A draw\./.test(text));

/** Waits until the board is another one and it is the person's turn. */
const waitForReply = (page, board) => page.waitForFunction((board) => {
  const labels = [...document.querySelectorAll('#board button')].map(({ ariaLabel }) => ariaLabel);
  return labels.join() !== board && document.querySelector('#board .movable');
}, board);
const labels = (page) => page.locator('#board button').evaluateAll((cells) => cells.map(({ ariaLabel }) => ariaLabel).join());

for (const game of ['tic-tac-toe', 'connect-four']) {
  test(`a game of ${game} is played to its end, and again`, async () => {
    const { page, faults } = await opened(game);
    for (let turn = 0; turn < 21 && !(await isOver(page)); turn += 1) {
      const before = await pieces(page);
      await page.locator('#board button:enabled').first().click();
      await page.waitForFunction((before) => {
        const cells = [...document.querySelectorAll('#board button')];
        const placed = cells.filter((cell) => !cell.ariaLabel.endsWith('empty')).length;
        return placed === before + 2 || /win|draw/i.test(document.querySelector('#status').textContent);
      }, before);
    }
    assert(await isOver(page), game);
    await page.getByText('New game').click();
    await page.waitForFunction(() => document.querySelector('#status').textContent.includes('our move'));
    assert.equal(await pieces(page), 0);
    if (game === 'connect-four') {
      await page.locator('#board button:enabled').first().click();
      await page.waitForFunction(() => document.querySelectorAll('#board .O').length === 1);
      await page.getByText('Undo').click();
      await page.waitForFunction(() => document.querySelectorAll('#board .X, #board .O').length === 0);
    }
    assert.deepEqual(faults, []);
  });
}

test('a game of othello is played to its end, and a turn is taken back', async () => {
  const { page, faults } = await opened('othello');
  for (let turn = 0; !(await isOver(page)); turn += 1) {
    const board = await labels(page);
    await page.locator('#board .movable, #pass:not([hidden])').first().click();
    await page.waitForFunction((board) => {
      const labels = [...document.querySelectorAll('#board button')].map(({ ariaLabel }) => ariaLabel);
      const isOver = /win|draw:/.test(document.querySelector('#status').textContent);
      return labels.join() !== board && (isOver || document.querySelector('#board .movable, #pass:not([hidden])'));
    }, board);
    if (turn > 0) continue;
    await page.getByText('Undo').click();
    await page.waitForFunction(() => document.querySelectorAll('#board .disc').length === 4);
  }
  assert.deepEqual(faults, []);
});

for (const game of ['checkers', 'chess']) {
  test(`a piece of ${game} is chosen and moved, and the service replies`, async () => {
    const { page, faults } = await opened(game);
    for (let turn = 0; turn < 4; turn += 1) {
      const board = await labels(page);
      await page.locator('#board .movable').first().click();
      await page.locator('#board .target').first().click();
      await waitForReply(page, board);
    }
    assert.deepEqual(faults, []);
  });
}
