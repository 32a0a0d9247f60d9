// Whole games by clicking and by keyboard, and the moves that are special.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ask, click, drag, focusBoard, launch, leave, pieces, standing, type, visit, waitForPly } from './page.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const MATE = ['f2f3', 'e7e5', 'g2g4', 'd8h4'];

/** The next move of a game that ends soon enough. */
function choose(game, legal, ply) {
  if (game === 'chess') return legal.find(({ move }) => move === MATE[ply]);
  return legal[(ply * 6) % legal.length];
}

async function playGame(page, game, make) {
  const moves = [];
  for (;;) {
    const turn = await ask('position', { game, moves });
    if (turn.state !== 'ongoing') return turn;
    const move = choose(game, turn.legal_moves, moves.length);
    await waitForPly(page, moves.length);
    // A pass is made by the page itself.
    if (move.path.length) await make(page, move.path.length > 1 ? [move.path[0], move.path.at(-1)] : move.path);
    const dialog = page.locator('dialog[open] .choice', { hasText: move.san ?? move.move });
    if (await dialog.count()) await dialog.first().click();
    moves.push(move.move);
    await waitForPly(page, moves.length);
  }
}

for (const game of ['tic-tac-toe', 'connect-four', 'checkers', 'chess', 'othello']) {
  for (const [how, make] of [['clicking', click], ['keyboard', type]]) {
    test(`a whole game of ${game} by ${how}`, async () => {
      const page = await visit(browser, `?game=${game}&players=you,you`);
      if (make === type) await focusBoard(page);
      const { winner, reason } = await playGame(page, game, make);
      const text = (await standing(page)).toLowerCase();
      assert.ok(text.includes(reason.toLowerCase()), `${text} should tell of ${reason}`);
      assert.ok(!winner || text.startsWith(winner.toLowerCase()), text);
      assert.equal(await page.locator('.result').count(), 1);
      await leave(page);
    });
  }
}

const at = (list, square) => list.find(([place]) => place === square)?.[1];

test('a pawn becomes the piece that is chosen', async () => {
  const page = await visit(browser, '?game=chess&position=8/P6k/8/8/8/8/8/K7 w - - 0 1&players=you,you');
  await click(page, [[1, 0], [0, 0]]);
  assert.equal(await page.locator('dialog[open] .choice').count(), 4);
  await page.locator('dialog[open] .choice', { hasText: 'a8=R' }).click();
  await waitForPly(page, 1);
  assert.match(at(await pieces(page), '0,0'), /^a8, white rook$/);
  await leave(page);
});

test('the king in check is marked', async () => {
  const page = await visit(browser, '?game=chess&moves=e4,f6,Qh5&players=you,you');
  const [mark, king] = await page.evaluate(() => ['.marks .check', '[data-square="0,4"] .hit'].map((name) => {
    const { x, y } = document.querySelector(name).getBoundingClientRect();
    return [Math.round(x), Math.round(y)];
  }));
  assert.deepEqual(mark, king);
  assert.match(await standing(page), /in check/);
  await leave(page);
});

test('castling moves the rook too, by dragging the king', async () => {
  const page = await visit(browser, '?game=chess&position=4k3/8/8/8/8/8/8/4K2R w K - 0 1&players=you,you');
  await drag(page, [7, 4], [7, 6]);
  await waitForPly(page, 1);
  const there = await pieces(page);
  assert.match(at(there, '7,6'), /white king/);
  assert.match(at(there, '7,5'), /white rook/);
  await leave(page);
});

test('a capture of two pieces is played by its squares', async () => {
  const page = await visit(browser, '?game=checkers&position=W:W29:B25,18&players=you,you');
  assert.equal(await page.locator('.marks .must').count(), 1);
  await click(page, [[7, 0], [3, 4]]);
  await waitForPly(page, 1);
  assert.deepEqual((await pieces(page)).map(([square]) => square), ['3,4']);
  assert.match(await standing(page), /^White wins/);
  await leave(page);
});

test('a placed disc turns over those between it and another one', async () => {
  const page = await visit(browser, '?game=othello&players=you,you');
  assert.match(at(await pieces(page), '4,4'), /white disc/);
  await click(page, [[4, 5]]);
  await waitForPly(page, 1);
  const there = await pieces(page);
  assert.match(at(there, '4,4'), /black disc/);
  assert.equal(there.length, 5);
  await leave(page);
});

const MUST_PASS = '..XXXXOXXXXXXOOXXOXOOOOXXOXOOOOXXOOOXOOXXOXOOXOXXOOOOOXXXOOXXXXX X';

test('a side without a move passes after a moment, or at once by a button', async () => {
  const address = `?game=othello&position=${MUST_PASS}&players=you,you`;
  // Nothing passes by itself outside the view of play, however slow the browser is.
  const page = await visit(browser, `${address}&view=analysis`);
  const turn = page.locator('.player.turn');
  assert.match(await turn.innerText(), /Black.*Must pass/s);
  await page.getByRole('button', { name: 'Pass', exact: true }).click();
  await waitForPly(page, 1);
  assert.match(await turn.innerText(), /White/);
  await leave(page);
  const other = await visit(browser, address);
  await waitForPly(other, 1);
  await leave(other);
});

test('undo takes back the answer of the engine too, redo plays both again', async () => {
  const page = await visit(browser, '?game=connect-four&players=you,beginner&seed=3');
  await click(page, [[5, 3]]);
  await waitForPly(page, 2);
  await page.getByTitle('Undo').click();
  await page.waitForFunction(() => !document.querySelector('.move-list [aria-current]'));
  assert.deepEqual(await pieces(page), []);
  assert.equal(await page.locator('.move').count(), 0, 'the list does not show what was taken back');
  await page.getByTitle('Redo').click();
  await waitForPly(page, 2);
  assert.equal((await pieces(page)).length, 2);
  assert.equal(await page.locator('.move').count(), 2);
  await leave(page);
});

test('two engines play a game by themselves', async () => {
  const page = await visit(browser, '?game=tic-tac-toe&players=master,master&seed=1');
  await page.waitForTimeout(800);
  assert.equal(await page.locator('.move').count(), 0, 'a link waits for a start');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.waitForSelector('.result', { timeout: 20_000 });
  assert.match(await standing(page), /Draw/);
  await leave(page);
});

const THREEFOLD = 'g1f3,g8f6,f3g1,f6g8,g1f3,g8f6,f3g1,f6g8';

test('a draw that must be claimed does not end the game, and a button claims it', async () => {
  const page = await visit(browser, `?game=chess&moves=${THREEFOLD}&players=you,you`);
  const claim = page.getByRole('button', { name: 'Claim a draw' });
  assert.equal(await page.locator('.result').count(), 0);
  assert.match(await standing(page), /A draw may be claimed: threefold repetition/);
  await claim.click();
  assert.match(await page.locator('.result').innerText(), /Draw\s+Threefold repetition, claimed/);
  assert.equal(await claim.count(), 0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await waitForPly(page, 7);
  assert.equal(await page.locator('.result').count(), 0);
  assert.equal(await claim.count(), 0);
  await leave(page);
});

test('a game goes on past a draw that nobody claims', async () => {
  const page = await visit(browser, `?game=chess&moves=${THREEFOLD}&players=you,you`);
  await click(page, [[6, 4], [4, 4]]);
  await waitForPly(page, 9);
  assert.equal(await page.getByRole('button', { name: 'Claim a draw' }).count(), 0);
  await leave(page);
});

test('two engines claim a draw at once', async () => {
  const page = await visit(browser, '?game=chess&position=4k3/8/8/8/8/8/8/4KR2 w - - 100 80&players=1,1&seed=1');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.waitForSelector('.result', { timeout: 20_000 });
  assert.match(await page.locator('.result').innerText(), /Fifty moves, claimed/);
  await leave(page);
});

test('a typed move is read by the service, and what is wrong with it is said', async () => {
  const page = await visit(browser, '?game=chess&players=you,you');
  const field = page.getByLabel('Type a move', { exact: true });
  await field.fill('Nf9');
  await field.press('Enter');
  await page.waitForFunction(() => document.getElementById('typed-error').textContent.includes('Nf9'));
  await field.fill('Nf3');
  await field.press('Enter');
  await waitForPly(page, 1);
  assert.match(await page.locator('#live').textContent(), /White plays Nf3/);
  page.faults.splice(0, page.faults.length, ...page.faults.filter((fault) => !fault.includes('422')));
  await leave(page);
});
