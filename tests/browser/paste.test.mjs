// One box takes whatever is pasted: it says what it sees, and moves stay a game.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SCREENS, forgive, launch, leave, visit, waitForPly } from './page.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const PGN = '[White "Anna"]\n[Black "Bo"]\n\n1. e4 e5 2. Nf3 {developing} Nc6 *';

/** What is pasted into the page of a game, what is said of it, and the game, view and number of moves that it opens. */
const PASTED = [
  ['chess', PGN, /^Chess: a game of 4 moves/, 'chess', 'review', 4],
  ['chess', '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1', /^Chess: a position/, 'chess', 'play', 0],
  ['checkers', PGN, /^Chess: a game of 4 moves/, 'chess', 'review', 4],
  ['chess', '1. 11-15 23-19 2. 8-11 22-17 *', /^Checkers: a game of 4 moves/, 'checkers', 'review', 4],
  ['chess', 'B:W18,24,K27:B5,6', /^Checkers: a position/, 'checkers', 'play', 0],
  ['connect-four', '44453', /^Connect Four: a game of 5 moves/, 'connect-four', 'review', 5],
  ['chess', 'F5D6C3', /^Othello: a game of 3 moves/, 'othello', 'review', 3],
  ['tic-tac-toe', 'X...O....', /^Tic-tac-toe: a position/, 'tic-tac-toe', 'play', 0],
  ['chess', 'https://example.org/?game=othello&moves=f5,d6&players=you,you&view=play', /^Othello: a link/, 'othello', 'play', 2],
  ['chess', 'https://example.org/?game=othello&moves=f5,d6,c3', /^Othello: a link/, 'othello', 'play', 3],
  ['othello', 'position fen 4k3/P7/8/8/8/8/8/4K3 w - - 0 1 moves a7a8q e8d7', /^Chess: a game of 2 moves/, 'chess', 'review', 2],
  ['othello', 'bqnrknrb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKNRB w KQkq - 0 1', /^Chess: a position/, 'chess', 'play', 0],
  ['chess', '1. e4 e5 2. Nf9 Nc6', /^Chess: a game, legal for 2 moves\. Then Nf9: expected/, 'chess', 'review', 2],
];

const field = (page) => page.getByLabel('Position, game or link');

for (const [screen, options] of SCREENS) {
  test(`whatever is pasted is told and opened, ${screen}`, async () => {
    for (const [game, pasted, words, opened, view, plies] of PASTED) {
      const page = await visit(browser, `?game=${game}&players=you,you&view=setup`, options);
      await field(page).fill(pasted);
      await page.waitForFunction(() => document.querySelector('.notation-box [role=status]').textContent);
      assert.match(await page.locator('.notation-box [role=status]').innerText(), words, pasted);
      await page.getByTitle('Open what is pasted').click();
      await page.waitForFunction(([name, there]) => document.body.dataset.game === name && document.body.dataset.view === there, [opened, view]);
      await waitForPly(page, plies);
      assert.equal(await page.locator('#moves .move').count(), plies, pasted);
      if (plies) {
        await page.getByTitle('Undo').click();
        await page.waitForFunction((count) => document.querySelectorAll('#moves .move').length === count, plies - 1);
      }
      forgive(page, '422');
      await leave(page);
    }
  });
}

test('a text that no game knows is refused, and stays', async () => {
  const page = await visit(browser, '?game=chess&moves=e4&view=setup');
  await field(page).fill('hello');
  await page.getByTitle('Open what is pasted').click();
  await page.waitForFunction(() => document.getElementById('pasted-error').textContent);
  assert.match(await page.locator('#pasted-error').innerText(), /^No game knows this\. As moves: .*hello.*As a position: /);
  assert.equal(await field(page).inputValue(), 'hello');
  assert.equal(await field(page).getAttribute('aria-invalid'), 'true');
  forgive(page, '422');
  await leave(page);
});
