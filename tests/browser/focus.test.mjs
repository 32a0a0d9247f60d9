// The focus of the keyboard stays where a person has put it, whatever is drawn anew.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { forgive, launch, leave, visit, waitForPly } from './page.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const GAME = '?game=chess&moves=e4,e5,Nf3,Nc6&players=you,you';

/** What the focused element is called. */
const focused = (page) => page.evaluate(() => {
  const { activeElement: element } = document;
  return element.getAttribute('aria-label') ?? element.getAttribute('title') ?? (element.id || element.textContent);
});

async function press(page, control, key = 'Enter') {
  await control.focus();
  await page.keyboard.press(key);
}

test('a chosen game and a chosen move keep the focus', async () => {
  const page = await visit(browser, GAME);
  await press(page, page.locator('.move').nth(1));
  await waitForPly(page, 2);
  assert.equal(await focused(page), 'e5');
  await press(page, page.getByRole('button', { name: 'Checkers' }));
  await page.waitForFunction(() => document.body.dataset.game === 'checkers');
  assert.equal(await focused(page), 'Checkers');
  await leave(page);
});

test('a button that has become disabled hands the focus on', async () => {
  const page = await visit(browser, GAME);
  await press(page, page.getByTitle('First position'));
  await page.waitForFunction(() => document.querySelector('[title="First position"]').disabled);
  assert.equal(await focused(page), 'One move on');
  await leave(page);
});

test('a line that is reached by keyboard stays while the search goes on', async () => {
  const page = await visit(browser, `${GAME}&view=analysis`);
  await page.getByLabel('Effort').selectOption('10 seconds');
  const line = page.locator('.line-move').nth(1);
  await line.waitFor();
  await page.keyboard.press('Tab');
  await line.focus();
  await line.evaluate((element) => { element.dataset.kept = 'true'; });
  const figures = await page.locator('.figures').textContent();
  await page.waitForFunction((old) => document.querySelector('.figures').textContent !== old, figures);
  assert.equal(await page.locator('[data-kept]').count(), 1);
  assert.ok(await page.evaluate(() => 'kept' in document.activeElement.dataset));
  await page.getByLabel('Effort').focus();
  await page.waitForFunction(() => !document.querySelector('[data-kept]'));
  await press(page, page.locator('.line-move').nth(1));
  await waitForPly(page, 6);
  assert.ok(await page.evaluate(() => document.activeElement.closest('.lines') !== null));
  await leave(page);
});

test('controls of the views keep the focus', async () => {
  const page = await visit(browser, '?game=tic-tac-toe&moves=4,0&players=you,you&view=setup');
  const stays = async (control, name) => {
    await press(page, control);
    await page.waitForTimeout(300);
    assert.equal(await focused(page), name);
  };
  const piece = page.locator('.palette-piece').nth(1);
  await stays(piece, await piece.getAttribute('title'));
  await stays(page.getByRole('group', { name: 'Side to move' }).getByRole('button').nth(1), 'O');
  await page.locator('#tab-share').click();
  await stays(page.getByRole('button', { name: 'Python' }), 'Python');
  await page.locator('#tab-tree').click();
  await page.waitForFunction(() => document.querySelectorAll('.segment:enabled b').length === 2);
  const minimax = page.locator('.segment', { hasText: 'Minimax' });
  await stays(minimax, await minimax.textContent());
  await page.getByLabel('Depth').focus();
  await page.getByLabel('Depth').selectOption('3');
  await page.waitForFunction(() => document.querySelectorAll('.segment:enabled b').length === 2);
  assert.equal(await focused(page), 'Depth');
  await leave(page);
});

test('a view that is left from within gives the focus to the next one', async () => {
  const page = await visit(browser, '?game=tic-tac-toe&moves=4,0&players=you,you&view=review');
  await press(page, page.getByTitle('Paste a game'));
  assert.equal(await focused(page), 'panel');
  await leave(page);
});

test('the button of a wait keeps the focus, and gives it back', async () => {
  const page = await visit(browser, '?game=tic-tac-toe&players=you,you');
  await page.route('**/position', (route) => route.abort());
  await press(page, page.locator('[data-square="1,1"]'));
  const retry = page.getByTitle('Try now');
  await retry.waitFor();
  const text = await page.locator('#status [aria-hidden]').textContent();
  await retry.focus();
  await page.waitForFunction((old) => document.querySelector('#status [aria-hidden]').textContent !== old, text);
  await page.waitForTimeout(1500);
  assert.equal(await focused(page), 'Try now');
  await page.unroute('**/position');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.getElementById('status').textContent.includes('Connected again'));
  assert.match(await focused(page), /^square 4/);
  forgive(page, 'ERR_FAILED');
  await leave(page);
});
