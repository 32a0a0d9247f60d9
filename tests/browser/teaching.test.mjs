// What the page teaches: why a move is good or bad, hints in steps, and the mistakes of a game as exercises.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SCREENS, click, launch, leave, findings, visit, waitForPly } from './page.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const FOOLS_MATE = '?game=chess&moves=f3,e5,g4,Qh4&players=you,you';
/** White does not see that Qxf7 is mate, and loses the queen. */
const MISSED_MATE = '?game=chess&moves=e4,e5,Qh5,Nc6,Bc4,Nf6,Nc3,Nxh5&players=you,you';

async function review(page) {
  await page.getByTitle('Review the game').click();
  await page.waitForSelector('.graph', { timeout: 60_000 });
}

const list = (page) => page.locator('.reasons li').allTextContents();
const remark = (page) => page.locator('#remark').textContent();

for (const [screen, options] of SCREENS) {
  test(`the analysis says why a move is good or bad, ${screen}`, async () => {
    const page = await visit(browser, '?game=tic-tac-toe&moves=0,4,8,1&view=analysis', options);
    await page.waitForFunction(() => document.querySelector('.figures').textContent.includes('solved'));
    await page.getByTitle('Why 2?').click();
    await page.waitForSelector('.reasons');
    assert.match((await list(page)).join(' '), /Allows a win in one move: 27\./);
    assert.equal(await page.locator('.arrow.reply').count(), 1);
    await page.waitForFunction(() => /A beginner plays this move \d+.% of the time\./.test(document.querySelector('.why')?.textContent ?? ''));
    await page.getByTitle('Why 7?').click();
    await page.waitForFunction(() => document.querySelector('.reasons')?.textContent.includes('Stops'));
    assert.deepEqual(await findings(page), []);
    await page.getByTitle('Why 7?').click();
    assert.equal(await page.locator('.reasons').count(), 0);
    await leave(page);
  });

  test(`the review explains a mistake, and its refutation can be played through, ${screen}`, async () => {
    const page = await visit(browser, `${FOOLS_MATE}&view=review`, options);
    await review(page);
    await page.locator('.move[data-ply="3"]').click();
    await page.waitForFunction(() => document.querySelector('.reasons')?.textContent.includes('Allows mate'));
    assert.match((await list(page))[0], /^Allows mate in one move: 2\. g4Qh4#\.$/);
    assert.equal(await page.locator('.arrow.reply').count(), 1);
    await page.locator('#tab-share').click();
    assert.match(await page.locator('.code pre').first().innerText(), /Allows mate in one move: 2\. g4\sQh4#/);
    await page.locator('#tab-review').click();
    await page.locator('.reasons').first().getByRole('button', { name: 'Go to Qh4#' }).click();
    await waitForPly(page, 4);
    await leave(page);
  });

  test(`the mistakes of a game can be tried again, with hints, ${screen}`, async () => {
    const page = await visit(browser, `${MISSED_MATE}&view=review`, options);
    await review(page);
    const address = page.url();
    const skipFirst = async () => {
      await page.locator('.panel').getByText('Black to move. Nf6 was played: find a better move.').waitFor();
      await page.getByTitle('Show the move').click();
      await page.getByTitle('Next', { exact: true }).and(page.locator('.panel *')).click();
      await page.locator('.panel').getByText('White to move. Nc3 was played: find a better move.').waitFor();
    };
    await page.getByTitle('Retry 2 mistakes').click();
    await skipFirst();
    assert.equal(await page.locator('.arrow').count(), 0, 'the best move is hidden');
    const hint = page.getByTitle('Hint', { exact: true }).and(page.locator('.panel *'));
    await hint.click();
    await page.locator('.panel').getByText('Look at the white queen on h5.').waitFor();
    await hint.click();
    await page.locator('.panel').getByText('The idea: ').waitFor();
    await hint.click();
    await page.locator('.panel').getByText('Hint: Qxf7#.').waitFor();
    assert.ok(await hint.isDisabled());
    await click(page, [[7, 6], [5, 5]]);
    await page.locator('.panel').getByText('Nf3 is not the move.').waitFor();
    await page.waitForSelector('.reasons, .panel .verdict .quiet');
    assert.deepEqual(await findings(page), []);
    await click(page, [[3, 7], [1, 5]]);
    await page.locator('.panel').getByText('Qxf7# is right.').waitFor();
    await page.waitForFunction(() => /is mate/.test(document.querySelector('.reasons')?.textContent));
    await page.getByTitle('Result').click();
    await page.locator('.panel').getByText('0 of 2 found without help, 1 with help.').waitFor();
    await page.getByTitle('Once more').click();
    await skipFirst();
    await click(page, [[3, 7], [1, 5]]);
    await page.getByTitle('Result').click();
    await page.locator('.panel').getByText('1 of 2 found without help, 0 with help.').waitFor();
    await page.getByTitle('Back to the review').click();
    await page.waitForSelector('.graph');
    assert.equal(new URL(page.url()).searchParams.get('moves'), new URL(address).searchParams.get('moves'), 'the game is as it was');
    await leave(page);
  });

  test(`a hint tells the piece, then the idea, then the move, ${screen}`, async () => {
    const page = await visit(browser, '?game=chess&moves=e4,e5,Qh5,Nc6,Bc4,Nf6&players=you,you', options);
    const hint = page.locator('#tools').getByTitle('Hint');
    const given = async (pattern) => {
      await hint.click();
      await page.waitForFunction((source) => new RegExp(source).test(document.getElementById('remark').textContent), pattern.source);
      assert.equal(await page.locator('.arrow.hint').count(), 1);
      return remark(page);
    };
    assert.equal(await given(/Look/), 'Look at the white queen on h5.');
    assert.match(await given(/idea/), /^The idea: The move wins/);
    assert.equal(await given(/Hint/), 'Hint: Qxf7#.');
    await leave(page);
  });
}

test('an exercise ends where another position comes on the board', async () => {
  const page = await visit(browser, `${MISSED_MATE}&view=review`);
  await review(page);
  await page.getByTitle('Retry 2 mistakes').click();
  await waitForPly(page, 5);
  await page.getByTitle('One move back').click();
  await page.waitForSelector('.graph');
  await leave(page);
});

test('numbers are pawns in chess, discs in Othello, and per cent of the points elsewhere', async () => {
  const forms = { chess: /^[+−]?\d+\.\d\d$/, othello: /^[+−]?\d+\.\d$/, checkers: /^\d+\s%$/ };
  for (const [game, form] of Object.entries(forms)) {
    const page = await visit(browser, `?game=${game}&view=analysis`);
    await page.getByLabel('Effort').selectOption('Depth 4');
    await page.waitForFunction(() => document.querySelector('.figures').textContent.includes('depth reached'));
    const chips = await page.locator('.lines > li > .chip').allTextContents();
    assert.ok(chips.length > 3 && chips.every((chip) => form.test(chip.replace(/^[≥≤]/, ''))), `${game}: ${chips}`);
    await leave(page);
  }
});

for (const [screen, options] of [...SCREENS, ['German', { locale: 'de-DE' }]]) {
  test(`numbers have their leading zeros, and the label of the bar fits, ${screen}`, async () => {
    for (const position of ['', '&position=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1']) {
      const page = await visit(browser, `?game=chess${position}&view=analysis`, options);
      await page.waitForFunction(() => document.querySelector('.lines .chip') && !document.querySelector('.figures .busy'), undefined, { timeout: 30_000 });
      const written = await page.locator('.badge text, .bar-text, .lines .chip').allTextContents();
      assert.ok(written.length > 12 && written.every((value) => !/(^|[^\d])[.,]\d/.test(value)), String(written));
      const [bar, label] = await page.evaluate(() => {
        const words = document.createRange();
        words.selectNodeContents(document.querySelector('.bar-text'));
        return [document.querySelector('.bar'), words].map((one) => one.getBoundingClientRect().toJSON());
      });
      assert.ok(label.left >= bar.left && label.right <= bar.right, JSON.stringify({ bar, label }));
      await leave(page);
    }
  });
}

test('an answer of the book tells no speed, and a lost game no accuracy', async () => {
  const page = await visit(browser, '?game=connect-four&moves=4,4&view=analysis');
  await page.waitForFunction(() => document.querySelector('.figures').textContent.includes('opening book'));
  assert.match(await page.locator('.figures').innerText(), /Nodes\/s\s+–/);
  await leave(page);
  // The first side wins Connect Four from the start.
  const lost = await visit(browser, '?game=connect-four&moves=4,4,4,4,4,2&view=review');
  await review(lost);
  const [red, yellow] = await lost.locator('.accuracy-head strong').allTextContents();
  assert.match(red, /^100\.0\s%$/);
  assert.equal(yellow, '–');
  await lost.getByText('Yellow had lost by proof before each move.').waitFor();
  assert.equal(await lost.getByText('No mistakes found').count(), 0);
  // The move that was played and the best one are counted from the same position.
  await lost.locator('.move[data-ply="3"]').click();
  await waitForPly(lost, 3);
  assert.equal(await lost.locator('.compare .chip').innerText(), 'W39');
  await leave(lost);
});

test('lines have the numbers of their moves, and nothing stands before a full stop', async () => {
  const page = await visit(browser, `${FOOLS_MATE}&view=review`);
  await review(page);
  await page.locator('.move[data-ply="3"]').click();
  await page.waitForFunction(() => document.querySelectorAll('.compare').length === 2);
  const numbers = await page.locator('.compare .line-move').evaluateAll((moves) => moves.slice(0, 3).map((move) => move.dataset.number));
  assert.deepEqual(numbers, ['2.', undefined, '3.'].slice(0, numbers.length));
  const gap = await page.evaluate(() => {
    const item = document.querySelector('.reasons li');
    const stop = document.createRange();
    stop.selectNodeContents(item.lastChild);
    return stop.getBoundingClientRect().left - item.querySelector('.line-move:last-of-type').getBoundingClientRect().right;
  });
  assert.ok(gap < 2, `${gap} px`);
  const [panel, form] = await page.evaluate(() => ['#panel', '#panel .row:last-child'].map((one) => document.querySelector(one).getBoundingClientRect().toJSON()));
  assert.ok(form.bottom <= panel.bottom, 'nothing of the review is cut');
  await leave(page);
});
