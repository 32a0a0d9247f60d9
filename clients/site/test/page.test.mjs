// The playground with the engine in it, from a host of files and without a service: play, analysis and review of each game.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { click, forgive, launch, leave, visit, waitForPly } from './page.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

for (const game of ['tic-tac-toe', 'connect-four', 'checkers', 'chess', 'othello']) {
  test(`a level replies, and a game of ${game} is analysed and reviewed`, async () => {
    const page = await visit(browser, `?game=${game}&players=you,3&seed=2&engine=local`);
    const path = await page.evaluate(async (body) => {
      const answer = await fetch('position', { method: 'POST', body });
      return (await answer.json()).legal_moves[0].path;
    }, JSON.stringify({ game }));
    await click(page, path);
    await waitForPly(page, 2);
    await page.getByRole('tab', { name: 'Analysis' }).click();
    await page.waitForFunction(() => document.querySelectorAll('.badges .badge').length > 1);
    await page.getByRole('tab', { name: 'Review' }).click();
    await page.getByTitle('Review the game').click();
    await page.waitForSelector('.graph', { timeout: 60_000 });
    assert.ok(await page.locator('.accuracies').textContent());
    await leave(page);
  });
}

test('a search leaves the page free, and other requests are answered meanwhile', async () => {
  const page = await visit(browser, '?game=chess&moves=e4,e5&players=you,you&engine=local');
  const [turns, others, { search }] = await page.evaluate(async (body) => {
    const counts = [0, 0];
    const answer = fetch('best-move', { method: 'POST', body });
    let isDone = false;
    answer.then(() => { isDone = true; });
    (async () => { for (; !isDone; counts[1] += 1) await (await fetch('games/chess')).text(); })();
    for (; !isDone; counts[0] += 1) await new Promise((resolve) => { setTimeout(resolve, 0); });
    return [...counts, await (await answer).json()];
  }, JSON.stringify({ game: 'chess', time_ms: 2000 }));
  assert.equal(search.stopped_by, 'time');
  assert.ok(turns > 40 && others > 4, `${turns} turns, ${others} answers`);
  await leave(page);
});

test('where no service answers the engine does, also offline, and draws the pictures', async () => {
  const page = await visit(browser, '?game=chess&players=you,you');
  await page.evaluate(async () => (await navigator.serviceWorker.ready).active);
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  await page.context().setOffline(true);
  await page.reload();
  await page.waitForSelector('body.ready');
  await click(page, [[6, 4], [4, 4]]);
  await waitForPly(page, 1);
  await page.getByRole('tab', { name: 'Share' }).click();
  await page.waitForFunction(() => document.querySelector('.picture img')?.naturalWidth > 0);
  forgive(page, 'Failed to load resource');
  await leave(page);
});
