// Nothing is lost: the address holds the whole game, and the way back leads to every game that was left.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SCREENS, SERVICE, click, forgive, launch, leave, pieces, standing, visit, waitForPly } from './page.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const GAME = '?game=tic-tac-toe&moves=4,0,8&players=you,you&seed=5';
const parameters = (page) => Object.fromEntries(new URL(page.url()).searchParams);
const moves = (page) => page.locator('.move').allTextContents();

async function reload(page) {
  await page.reload();
  await page.waitForSelector('body.ready');
}

for (const [screen, options] of SCREENS) {
  test(`a game that is looked back on keeps all its moves in the address, ${screen}`, async () => {
    const page = await visit(browser, GAME, options);
    await page.getByTitle('One move back').click();
    await waitForPly(page, 2);
    const { moves: line, ply } = parameters(page);
    assert.deepEqual([line, ply], ['4,0,8', '2']);
    await reload(page);
    assert.deepEqual([await moves(page), (await pieces(page)).length], [['4', '0', '8'], 2]);
    await page.getByTitle('Last position').click();
    await waitForPly(page, 3);
    assert.equal(parameters(page).ply, undefined);
    await leave(page);
  });

  test(`a resignation and a claim outlive a reload, and earlier positions are open, ${screen}`, async () => {
    const page = await visit(browser, GAME, options);
    await page.getByRole('button', { name: 'Resign' }).click();
    await reload(page);
    assert.match(await page.locator('.result').innerText(), /X wins\s+Resignation/);
    await page.getByTitle('One move back').click();
    await waitForPly(page, 2);
    assert.equal(await page.locator('.result').count(), 0);
    await leave(page);
    const drawn = await visit(browser, '?game=chess&moves=g1f3,g8f6,f3g1,f6g8,g1f3,g8f6,f3g1,f6g8&players=you,you', options);
    await drawn.getByRole('button', { name: 'Claim a draw' }).click();
    await reload(drawn);
    assert.match(await drawn.locator('.result').innerText(), /Threefold repetition, claimed/);
    await leave(drawn);
  });

  test(`a new game is undone by Back, and by a button, ${screen}`, async () => {
    const page = await visit(browser, GAME, options);
    await page.getByTitle('New game').click();
    await page.waitForFunction(() => !document.querySelector('.move'));
    await page.goBack();
    await waitForPly(page, 3);
    await page.goForward();
    await page.waitForFunction(() => !document.querySelector('.move'));
    await page.goBack();
    await waitForPly(page, 3);
    await page.getByTitle('New game').click();
    await page.getByTitle('Back to the last game').click();
    await waitForPly(page, 3);
    await leave(page);
  });

  test(`each kind of game is found as it was left, ${screen}`, async () => {
    const page = await visit(browser, GAME, options);
    await page.getByRole('button', { name: 'Chess' }).click();
    await page.waitForFunction(() => document.body.dataset.game === 'chess');
    await page.getByRole('button', { name: 'Tic-tac-toe' }).click();
    await waitForPly(page, 3);
    assert.deepEqual(await moves(page), ['4', '0', '8']);
    await page.goBack();
    await page.waitForFunction(() => document.body.dataset.game === 'chess');
    await page.goBack();
    await waitForPly(page, 3);
    await page.goto(`${SERVICE}/`);
    await waitForPly(page, 3);
    await leave(page);
  });

  test(`the end of a line that is given up stays one step back, ${screen}`, async () => {
    const page = await visit(browser, GAME, options);
    await page.getByTitle('First position').click();
    await page.waitForFunction(() => !document.querySelector('.move[aria-current]'));
    await click(page, [[0, 0]]);
    await waitForPly(page, 1);
    assert.deepEqual(await moves(page), ['0']);
    await page.goBack();
    await page.waitForFunction(() => document.querySelectorAll('.move').length === 3);
    await leave(page);
  });

  test(`an opened position is left by Back, ${screen}`, async () => {
    const page = await visit(browser, GAME.replace('seed', 'view=setup&seed'), options);
    await page.getByLabel('Position, game or link').fill('X...O....');
    await page.getByTitle('Open what is pasted').click();
    await page.waitForFunction(() => document.body.dataset.view === 'play');
    assert.equal((await pieces(page)).length, 2);
    forgive(page, '422');
    await page.goBack();
    await page.waitForFunction(() => document.body.dataset.view === 'setup' && document.querySelectorAll('.pieces .piece').length === 3);
    await leave(page);
  });
}

test('a remembered game that the service refuses gives way to a new one', async () => {
  const page = await visit(browser, GAME);
  await page.evaluate(() => localStorage.setItem('bestmove-game-chess', '?game=chess&position=nothing'));
  await page.getByRole('button', { name: 'Chess' }).click();
  await page.waitForFunction(() => document.body.dataset.game === 'chess');
  assert.match(await standing(page), /White to move/);
  forgive(page, '422');
  await leave(page);
});

for (const [name, options] of [...SCREENS, ['small window', { viewport: { width: 640, height: 400 } }], ['200 %', { viewport: { width: 640, height: 360 }, deviceScaleFactor: 2 }]]) {
  test(`the page opens at its top, ${name}`, async () => {
    for (const view of ['play', 'analysis', 'tree', 'share']) {
      const page = await visit(browser, `${GAME}&view=${view}`, options);
      await page.waitForTimeout(300);
      assert.equal(await page.evaluate(() => scrollY), 0, view);
      const [strip, tab] = await page.evaluate(() => ['#tabs', '[role=tab][aria-selected=true]']
        .map((one) => document.querySelector(one).getBoundingClientRect().toJSON()));
      assert.ok(tab.left >= strip.left && tab.right <= strip.right + 1, `${view}: ${tab.left} to ${tab.right}`);
      await leave(page);
    }
  });
}

for (const [name, query, open, words] of [
  ['a list', '?game=chess&moves=e4,e5,Nf9,d5&players=you,you', ['e4', 'e5'], /^Move 3, Nf9, cannot be played: expected a move/],
  ['an illegal move', '?game=chess&moves=e4,e5,Nf6&players=you,4', ['e4', 'e5'], /^Move 3, Nf6, cannot be played: no white knight can go to f6/],
  ['a record', '?game=chess&moves=1.+e4+e5+2.+Nf3+Ng3', ['e4', 'e5', 'Nf3'], /^Move 4, Ng3, /],
  ['digits', '?game=connect-four&moves=3444444427', ['3', '4', '4', '4', '4', '4', '4'], /^Move 8, 4, cannot be played: column 4 is full/],
  ['a transcript', '?game=othello&moves=f5d6a1', ['f5', 'd6'], /^Move 3, a1, /],
]) {
  test(`a link with a bad move opens the legal part, and stays in the address: ${name}`, async () => {
    const page = await visit(browser, query);
    assert.deepEqual(await moves(page), open);
    assert.match(await page.locator('#status').innerText(), words);
    assert.equal(new URL(page.url()).search, query);
    await page.getByTitle('One move back').click();
    await waitForPly(page, open.length - 1);
    assert.equal(new URL(page.url()).search, query);
    await page.getByTitle('New game').click();
    await page.waitForFunction((old) => location.search !== old, query);
    await page.goBack();
    await waitForPly(page, open.length);
    forgive(page, '422');
    await leave(page);
  });
}

test('a link to a game that is not there opens another one without its moves', async () => {
  const page = await visit(browser, '?game=go&moves=e4');
  assert.match(await page.locator('#status').innerText(), /There is no game “go”/);
  assert.deepEqual(await moves(page), []);
  assert.equal(new URL(page.url()).search, '?game=go&moves=e4');
  forgive(page, '422');
  await leave(page);
});

test('moves in an address may be a record, as in a request', async () => {
  for (const [query, line] of [
    ['?game=connect-four&moves=443', ['4', '4', '3']],
    ['?game=othello&moves=f5d6c3', ['f5', 'd6', 'c3']],
    ['?game=chess&moves=1.+e4+e5+2.+Nf3&ply=1', ['e4', 'e5', 'Nf3']],
    ['?game=chess&moves=e4', ['e4']],
    ['?game=chess&moves=e2e4&ply=0', ['e4']],
  ]) {
    const page = await visit(browser, `${query}&players=you,you`);
    assert.deepEqual(await moves(page), line, query);
    await leave(page);
  }
});
