// Records in and out: what stands beside the moves is kept, and the game leaves the page with what a review has found.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { SCREENS, SERVICE, ask, launch, leave, standing, visit, waitForPly } from './page.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const RECORD = `[White "Anna \\"A\\" Ash"]
[Black "Bo"]
[WhiteElo "1500"]
[Result "1-0"]

{A short game} 1. e4 {[%clk 0:09:58] the best by test} e5 {[%clk 0:09:55]} (1... c5 2. Nf3 (2. c3 d5) d6) 2. Nf3 $1 Nc6 3. Bc4 Qg5?? 1-0`;

async function importRecord(page, text) {
  await page.getByLabel('Position, game or link').fill(text);
  await page.getByTitle('Open what is pasted').click();
  await page.waitForFunction(() => document.body.dataset.view === 'review');
}

const step = async (page, title, ply) => { await page.getByTitle(title).click(); await waitForPly(page, ply); };

test('another game that begins alike has nothing of the record', async () => {
  const page = await visit(browser, '?game=chess&view=setup&players=you,you');
  await importRecord(page, RECORD);
  await waitForPly(page, 6);
  await page.goto(`${SERVICE}/?game=chess&moves=e4,e5&players=you,you`);
  await page.waitForSelector('body.ready');
  assert.doesNotMatch(await page.locator('.stage').innerText(), /Anna|0:09/);
  await leave(page);
});

for (const [screen, options] of SCREENS) {
  test(`a record keeps its names, clocks, comments, variations and result, ${screen}`, async () => {
    const page = await visit(browser, '?game=chess&view=setup&players=you,you', options);
    await importRecord(page, RECORD);
    await waitForPly(page, 6);
    const strips = async () => [await page.locator('#player-below').innerText(), await page.locator('#player-above').innerText()];
    assert.match((await strips()).join(' '), /Anna "A" Ash \(1500\)[\s\S]*0:09:58[\s\S]*Won[\s\S]*Bo[\s\S]*0:09:55[\s\S]*Lost/);
    await page.reload();
    await page.waitForSelector('body.ready');
    await step(page, 'First position', 0);
    await page.getByText('A short game').waitFor();
    await step(page, 'One move on', 1);
    assert.equal(await page.locator('.note').innerText(), 'the best by test');
    await step(page, 'One move on', 2);
    assert.deepEqual(await page.locator('.note .line-move').allTextContents(), ['c5', 'Nf3', 'd6']);
    await page.locator('.note .line-move').nth(1).click();
    await waitForPly(page, 3);
    assert.deepEqual(await page.locator('.move').allTextContents(), ['e4', 'c5', 'Nf3']);
    assert.equal(await page.locator('.note').isVisible(), false);
    await leave(page);
  });

  test(`a record that starts from a position opens there, ${screen}`, async () => {
    const page = await visit(browser, '?game=chess&view=setup&players=you,you', options);
    await importRecord(page, '[FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"] 1. O-O Kd7 1/2-1/2');
    await waitForPly(page, 2);
    await page.locator('#tab-play').click();
    assert.match(await standing(page), /^DrawBy the record/);
    await leave(page);
  });

  test(`a game leaves the page as a record that the page reads again, ${screen}`, async () => {
    const page = await visit(browser, '?game=chess&view=setup&players=you,you', options);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await importRecord(page, RECORD);
    await waitForPly(page, 6);
    await page.getByTitle('Review the game').click();
    await page.waitForSelector('.graph', { timeout: 60_000 });
    await page.locator('#tab-share').click();
    await page.getByTitle('Copy the record').click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(copied, /\[White "Anna \\"A\\" Ash"\]/);
    assert.match(copied, /\{A short game\} 1\. e4 \{\[%clk 0:09:58\] \[%eval -?\d+\.\d\d\] the best by test\} 1\.\.\. e5/);
    assert.match(copied, /Qg5 \$\d \{\[%eval [^}]*Best is [^}]*\} \(3\.\.\. /);
    assert.match(copied, /1-0\n$/);
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByTitle('Save .pgn').click()]);
    assert.equal(download.suggestedFilename(), 'chess.pgn');
    assert.equal(await readFile(await download.path(), 'utf8'), copied);
    const read = await ask('review', { game: 'chess', moves: copied, nodes: 1 });
    assert.deepEqual(read.moves.map(({ san }) => san), ['e4', 'e5', 'Nf3', 'Nc6', 'Bc4', 'Qg5']);
    await page.locator('#tab-setup').click();
    await importRecord(page, copied);
    await waitForPly(page, 6);
    await step(page, 'First position', 0);
    await step(page, 'One move on', 1);
    assert.match(await page.locator('.note').innerText(), /the best by test/);
    await leave(page);
  });

  test(`the picture is copied as SVG and saved as PNG, ${screen}`, async () => {
    const page = await visit(browser, '?game=checkers&moves=11-15,23-19&view=share&players=you,you', options);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByTitle('Copy SVG').click();
    await page.getByText('Copied.').first().waitFor({ state: 'attached' });
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^<svg/);
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByTitle('Save PNG').click()]);
    const bytes = await readFile(await download.path());
    assert.deepEqual([bytes.subarray(1, 4).toString(), bytes.readUInt32BE(16)], ['PNG', 800]);
    assert.match(await page.getByLabel('Game record').innerText(), /1\. 11-15 23-19 \*/);
    await leave(page);
  });
}
