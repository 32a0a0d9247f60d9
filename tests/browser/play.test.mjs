// Taking a seat, captures given step by step, what is said of clicks and steps, and the end of a game.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SCREENS, ask, click, launch, leave, pieces, standing, visit, waitForPly } from './page.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const live = (page) => page.locator('#live').textContent().then((text) => text.trim());
const said = (page, words) => page.waitForFunction((text) => document.getElementById('live').textContent.includes(text), words);
const seat = (page, name) => page.getByRole('group', { name: 'Play as' }).getByRole('button', { name });
const players = (page) => new URL(page.url()).searchParams.get('players');

for (const [screen, options] of SCREENS) {
  test(`a seat turns the board, and no match starts by itself, ${screen}`, async () => {
    const page = await visit(browser, '?game=chess&players=you,you', options);
    const bottom = () => page.locator('#player-below b').textContent();
    await seat(page, 'Black').click();
    await page.waitForFunction(() => document.querySelectorAll('.move').length === 1, undefined, { timeout: 60_000 });
    assert.equal(await bottom(), 'Black');
    assert.match(await standing(page), /^Your turn: Black to move/);
    await seat(page, 'White').click();
    assert.equal(await bottom(), 'White');
    await seat(page, 'Both').click();
    assert.equal(players(page), 'you,you');
    // The engine may have replied while White was the person's.
    const played = await page.locator('.move').count();
    await seat(page, 'Watch').click();
    await page.waitForTimeout(800);
    assert.equal(await page.locator('.move').count(), played);
    assert.equal(await page.getByRole('button', { name: 'Go on' }).count(), 1);
    await leave(page);
  });

  test(`a level is a word, and every level, and its rating stand under More, ${screen}`, async () => {
    const page = await visit(browser, '?game=chess&players=you,4', options);
    const opponent = page.getByRole('group', { name: 'Opponent' });
    assert.equal(await opponent.getByRole('button', { pressed: true }).textContent(), 'Medium');
    assert.equal(await page.getByText('Elo').isVisible(), false);
    await opponent.getByRole('button', { name: 'Easy' }).click();
    assert.equal(players(page), 'you,2');
    await page.getByText('More', { exact: true }).click();
    await page.getByLabel('Level of Black').selectOption({ index: 8 });
    assert.equal(players(page), 'you,9');
    assert.equal(await page.getByText('Elo').isVisible(), true);
    await leave(page);
  });

  test(`the end of a game is told beside the board, with a rematch, the review and the link, ${screen}`, async () => {
    const page = await visit(browser, '?game=connect-four&moves=1,7,2,7,3,7&players=you,4', options);
    await click(page, [[5, 3]]);
    const end = page.locator('.result');
    await end.waitFor();
    assert.match(await end.innerText(), /^You won\s+Four in a row\.$/);
    const [box, board] = await page.evaluate(() => ['.result', '.board'].map((one) => document.querySelector(one).getBoundingClientRect().toJSON()));
    assert.ok(box.left >= board.right || box.top >= board.bottom, 'nothing lies over the board');
    assert.equal(await page.locator('.piece.back').count(), 3, 'what did not win stands back');
    await page.getByTitle('One move back').click();
    await waitForPly(page, 6);
    assert.equal(await page.locator('.result, .piece.back').count(), 0);
    await page.getByTitle('One move on').click();
    await end.waitFor();
    for (const [name, view] of [['Share', 'share'], ['Review', 'review']]) {
      await page.locator('#tab-play').click();
      await page.getByRole('button', { name, exact: true }).click();
      assert.equal(await page.evaluate(() => document.body.dataset.view), view);
    }
    await leave(page);
  });

  test(`the end is told from the view of the only person, and rightly in misère, ${screen}`, async () => {
    const lost = await visit(browser, '?game=tic-tac-toe&variant=misere&moves=4,1,0,5,8&players=you,4', options);
    assert.match(await lost.locator('.result').innerText(), /^You lost\s+X made three in a row\.$/);
    await leave(lost);
    const watched = await visit(browser, '?game=tic-tac-toe&moves=4,1,0,5,8&players=you,you', options);
    assert.match(await watched.locator('.result').innerText(), /^X wins\s+Three in a row\.$/);
    await leave(watched);
  });

  test(`discs are counted, open squares are marked, and the end is told in discs, ${screen}`, async () => {
    const page = await visit(browser, '?game=othello&moves=f5,d6,c3&players=you,you', options);
    const counts = () => page.locator('.player .flag.value').allTextContents();
    assert.deepEqual(await counts(), ['2', '5']);
    const { legal_moves: legal } = await ask('position', { game: 'othello', moves: ['f5', 'd6', 'c3'] });
    assert.equal(await page.locator('.target').count(), legal.length);
    assert.equal(await page.locator('[data-square="2,3"]').getAttribute('aria-label'), 'd3, empty, possible');
    await click(page, [[2, 3]]);
    await waitForPly(page, 4);
    assert.deepEqual(await counts(), ['4', '4']);
    await page.locator('#tools').getByTitle('Hint').click();
    await page.waitForFunction(() => /^The idea: /.test(document.getElementById('remark').textContent));
    await leave(page);
    const moves = [];
    let turn = await ask('position', { game: 'othello', variant: '4x4', moves });
    while (turn.state === 'ongoing') {
      moves.push(turn.legal_moves[0].move);
      turn = await ask('position', { game: 'othello', variant: '4x4', moves });
    }
    const ended = await visit(browser, `?game=othello&variant=4x4&moves=${moves}&players=you,you`, options);
    const own = (side) => turn.board.flat().filter((name) => name === side).length;
    const [black, white] = [own('X'), own('O')];
    assert.ok(black !== white);
    assert.ok((await ended.locator('.result').innerText()).includes(`${Math.max(black, white)} : ${Math.min(black, white)}`));
    assert.equal(await ended.locator('.piece.back').count(), Math.min(black, white));
    await leave(ended);
  });

  test(`the card tells the opening, the last move, the opponent and what has been taken, ${screen}`, async () => {
    const page = await visit(browser, '?game=chess&moves=d4,d5,c4,dxc4&players=you,6', options);
    await page.locator('.news').getByText('Queen’s gambit accepted').waitFor();
    assert.match(await page.locator('.news').innerText(), /^Black pawn from d5 to c4, 1 captured\./);
    assert.equal(await page.getByText('Plays like a club player.').count(), 1);
    assert.equal(await page.locator('#player-above .material').getAttribute('aria-label'), '1 piece ahead +1');
    await page.getByTitle('First position').click();
    await page.waitForFunction(() => !document.querySelector('.news b'));
    // The same position by another order of moves.
    const turned = await visit(browser, '?game=chess&moves=c4,d5,d4&players=you,you', options);
    await turned.locator('.news').getByText('Queen’s gambit', { exact: true }).waitFor();
    await leave(turned);
    await leave(page);
  });

  test(`clicks that come fast all count, ${screen}`, async () => {
    const page = await visit(browser, '?game=chess&players=you,you', options);
    await page.route('**/position', async (route) => { await new Promise((resume) => { setTimeout(resume, 200); }); await route.continue(); });
    for (const square of [[6, 4], [4, 4], [1, 4], [3, 4], [7, 6], [5, 5]]) {
      await page.locator(`[data-square="${square}"]`).click({ noWaitAfter: true });
      await page.waitForTimeout(60);
    }
    await waitForPly(page, 3);
    assert.deepEqual(await page.locator('.move').allTextContents(), ['e4', 'e5', 'Nf3']);
    await leave(page);
    const busy = await visit(browser, '?game=chess&players=you,10', options);
    await click(busy, [[6, 4], [4, 4], [6, 3]]);
    await busy.waitForFunction(() => document.getElementById('remark').textContent === 'It is the engine’s turn.' && !document.getElementById('remark').hidden);
    await leave(busy);
  });

  test(`a rematch swaps the sides, ${screen}`, async () => {
    const page = await visit(browser, '?game=tic-tac-toe&moves=4,1,0&players=you,2&resigned=X', options);
    await page.getByRole('button', { name: 'Rematch' }).click();
    await page.waitForFunction(() => new URLSearchParams(location.search).get('players') === '2,you');
    await waitForPly(page, 1);
    assert.equal((await pieces(page)).length, 1);
    await leave(page);
  });

  test(`a click that does nothing says why, ${screen}`, async () => {
    const tries = [
      ['?game=tic-tac-toe&moves=4&players=you,you', [[1, 1]], 'Square 4 is taken by X.'],
      ['?game=connect-four&moves=1,1,1,1,1,1&players=you,you', [[3, 0]], 'Column 1 is full.'],
      ['?game=chess&players=you,you', [[7, 0]], 'The white rook on a1 cannot move.'],
      ['?game=chess&players=you,you', [[0, 0]], 'It is White’s turn: this is a black rook.'],
      ['?game=chess&players=you,you', [[4, 4]], 'Choose a piece of White first.'],
      ['?game=chess&players=you,you', [[7, 1], [4, 4]], 'The white knight on b1 cannot go to e4.'],
      ['?game=chess&moves=e4,f6,Qh5&players=you,you', [[1, 0]], 'The black pawn on a7 cannot help the king, which is in check.'],
      ['?game=checkers&position=W:W29,32:B25&players=you,you', [[7, 6]], 'The white man on square 32 cannot capture, and White must capture.'],
      ['?game=tic-tac-toe&moves=4,1,0&players=you,you&resigned=X', [[1, 2]], 'The game is over.'],
    ];
    for (const [address, path, reason] of tries) {
      const page = await visit(browser, address, options);
      await click(page, path);
      await page.waitForFunction((words) => document.getElementById('remark').textContent === words, reason);
      assert.equal(await live(page), reason);
      assert.ok(await page.locator('#remark').isVisible());
      await leave(page);
    }
  });

  test(`steps and new games are announced, and squares are read in words, ${screen}`, async () => {
    const page = await visit(browser, '?game=chess&moves=e4,e5,Nf3&players=you,you', options);
    const label = (square) => page.locator(`[data-square="${square}"]`).getAttribute('aria-label');
    assert.deepEqual([await label('0,0'), await label('5,5'), await label('4,0')], ['a8, black rook', 'f3, white knight', 'a4, empty']);
    await page.getByTitle('One move back').click();
    await said(page, 'Move 2 of 3: Black played e5. White to move.');
    await page.getByTitle('First position').click();
    await said(page, 'Start of the game. White to move.');
    await page.getByTitle('New game').click();
    await said(page, 'A new game');
    await leave(page);
    const discs = await visit(browser, '?game=connect-four&moves=4&players=you,you', options);
    assert.equal(await discs.locator('[data-square="5,3"]').getAttribute('aria-label'), 'row 6, column 4, red disc');
    await leave(discs);
  });

  test(`a capture is given jump by jump, and what is left is marked, ${screen}`, async () => {
    const page = await visit(browser, '?game=checkers&position=W:W29:B25,18&players=you,you', options);
    await click(page, [[7, 0], [5, 2]]);
    assert.deepEqual((await pieces(page)).map(([square]) => square), ['4,3', '5,2']);
    assert.equal(await page.locator('.marks .left').count(), 1);
    await said(page, 'One capture is left');
    await page.locator('.grid [tabindex="0"]').focus();
    await page.keyboard.press('Escape');
    assert.deepEqual((await pieces(page)).map(([square]) => square), ['4,3', '6,1', '7,0']);
    await click(page, [[7, 0], [5, 2], [3, 4]]);
    await waitForPly(page, 1);
    assert.deepEqual((await pieces(page)).map(([square]) => square), ['3,4']);
    await leave(page);
  });

  test(`two ways to one square are drawn and chosen on the board, ${screen}`, async () => {
    const page = await visit(browser, '?game=checkers&position=W:W31:B26,27,18,19&players=you,you', options);
    await click(page, [[7, 4], [3, 4]]);
    await said(page, '2 ways lead to square 15. Choose the way by square 22 or square 24.');
    assert.equal(await page.locator('dialog[open]').count(), 0);
    assert.equal(await page.locator('.arrow.route-1').count(), 2);
    assert.equal(await page.locator('.arrow.route-2').count(), 2);
    await click(page, [[5, 6]]);
    await waitForPly(page, 1);
    assert.deepEqual((await pieces(page)).map(([square]) => square), ['3,4', '4,3', '6,3']);
    await leave(page);
  });
}
