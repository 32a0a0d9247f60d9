// The decision tree: one scale, why a branch is cut off, and trees that are too large.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SCREENS, ask, forgive, launch, leave, visit } from './page.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const bothThere = (page) => page.waitForFunction(() => document.querySelectorAll('.segment:enabled b').length === 2);
const fact = (page, term) => page.locator('.details div', { has: page.getByText(term, { exact: true }) }).locator('dd').textContent();

/** All nodes of a tree. */
const all = (node) => [node, ...node.children.flatMap(all)];

for (const [screen, options] of SCREENS) {
  test(`values, alpha and beta are on one scale, and a cut says why, ${screen}`, async () => {
    const moves = ['4', '0', '1'];
    const { tree } = await ask('tree', { game: 'tic-tac-toe', moves, depth: 3, algorithm: 'alpha-beta' });
    const nodes = all(tree);
    const cut = nodes.find(({ children, evaluation, maximizing }) => maximizing && evaluation?.outcome === 'unknown' && children.some(({ pruned }) => pruned));
    const page = await visit(browser, `?game=tic-tac-toe&moves=${moves}&view=tree&players=you,you`, options);
    await bothThere(page);
    await page.getByLabel('Depth').selectOption('3');
    await bothThere(page);
    await page.locator('.segment', { hasText: 'Alpha-beta' }).click();
    await page.getByTitle('Open all').click();
    const node = page.locator(`[data-node="${nodes.indexOf(cut)}"]`);
    // As the analysis writes them; beta is the value of another node.
    const share = ({ value }) => `${Math.round(50 * (1 + value))}\u202f%`;
    const beta = nodes.find(({ evaluation }) => evaluation?.score === cut.window.beta).evaluation;
    const why = `${share(cut.evaluation)} ≥ β ${share(beta)}`;
    assert.equal(await node.locator('.window').textContent(), `${why}: cut`);
    await node.focus();
    assert.equal(await fact(page, 'Cut'), `${why}: the rest cannot matter`);
    assert.ok((await fact(page, 'Value')).includes(share(cut.evaluation)));
    const windows = await page.locator('.window').allTextContents();
    assert.ok(windows.every((window) => !/\d{4}/.test(window)), 'proven ends have names');
    await leave(page);
  });

  test(`a tree that is too large may have more nodes or a smaller depth, ${screen}`, async () => {
    const page = await visit(browser, '?game=tic-tac-toe&moves=4,0&view=tree&players=you,you', options);
    await bothThere(page);
    await page.getByLabel('Depth').selectOption('6');
    const offer = page.locator('.offers');
    await offer.getByText(/Minimax.* more than 4000 nodes/).waitFor();
    await page.getByRole('button', { name: 'Up to 20,000 nodes' }).click();
    await bothThere(page);
    await page.getByLabel('Depth').selectOption('6');
    await page.getByLabel('Depth').selectOption('1');
    await bothThere(page);
    await page.getByLabel('Depth').selectOption('6');
    await offer.getByRole('button', { name: 'Depth 5' }).click();
    await page.waitForFunction(() => document.querySelector('[aria-label=Depth]').value === '5');
    await page.waitForSelector('.node');
    forgive(page, '422');
    await leave(page);
  });
}

const current = (page) => page.evaluate(() => document.querySelector('.node.current')?.dataset.node);
const count = (page) => page.locator('.steps output').textContent();

for (const [screen, options] of SCREENS) {
  test(`the search is played, paused and stepped, and its window moves along the path, ${screen}`, async () => {
    const page = await visit(browser, '?game=tic-tac-toe&moves=4,0,1&view=tree&players=you,you', options);
    await bothThere(page);
    await page.getByLabel('Depth').selectOption('3');
    await bothThere(page);
    await page.locator('.segment', { hasText: 'Alpha-beta' }).click();
    await page.getByLabel('Speed').selectOption('Fast');
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.waitForFunction(() => parseInt(document.querySelector('.steps output').textContent, 10) > 12 && document.querySelector('.node.active'));
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    const paused = await count(page);
    await page.waitForTimeout(500);
    assert.equal(await count(page), paused);
    const [box, node] = await page.evaluate(() => ['.tree-scroll', '.node.current'].map((one) => document.querySelector(one).getBoundingClientRect().toJSON()));
    assert.ok(node.top >= box.top - 1 && node.bottom <= box.bottom + 1 && node.left >= box.left - 1, 'the current node is in sight');
    const { tree } = await ask('tree', { game: 'tic-tac-toe', moves: ['4', '0', '1'], depth: 3, algorithm: 'alpha-beta' });
    const second = all(tree).find(({ order }) => order === tree.children[1].order);
    await page.getByLabel('Nodes tried').fill(String(second.order));
    const alpha = (sign) => page.waitForFunction((isOpen) => document.querySelector('.node[data-node="0"] .window').textContent.includes('α −∞') === isOpen, sign);
    await alpha(false);
    await page.getByLabel('Nodes tried').fill('1');
    await alpha(true);
    await page.getByLabel('Nodes tried').fill(String(second.order));
    await alpha(false);
    await page.getByTitle('One node on').click();
    assert.match(await count(page), new RegExp(`^${second.order + 1} of`));
    assert.ok(await current(page));
    await leave(page);
  });

  test(`both trees stand side by side, and what was saved is counted, ${screen}`, async () => {
    const page = await visit(browser, '?game=tic-tac-toe&moves=4,0,1&view=tree&players=you,you', options);
    await bothThere(page);
    await page.getByLabel('Depth').selectOption('3');
    await bothThere(page);
    await page.getByRole('button', { name: 'Side by side' }).click();
    assert.deepEqual(await page.locator('.pane h2').allTextContents(), ['Minimax', 'Alpha-beta']);
    const [tried, cut, saved] = (await count(page)).match(/\d+/g).map(Number);
    assert.ok(tried > cut && saved === tried - cut, `${tried}, ${cut}, ${saved}`);
    const [panes, below] = await page.evaluate(() => ['.pane:last-child', '.details'].map((one) => document.querySelector(one).getBoundingClientRect().toJSON()));
    assert.ok(panes.bottom <= below.top && panes.height > 100, 'the trees have room');
    await page.getByLabel('Nodes tried').fill('20');
    await page.waitForFunction(() => document.querySelectorAll('.node.current').length === 2);
    if (screen === 'desktop') {
      const over = await page.locator('.tree-scroll').evaluateAll((boxes) => boxes.map((box) => box.scrollWidth - box.clientWidth));
      assert.ok(over.every((width) => width <= 1), String(over));
    }
    const letters = await page.locator('.tree-picture .name').evaluateAll((names) => Math.min(...names.map((name) => name.getBoundingClientRect().height)));
    assert.ok(letters >= 10, `letters of ${letters} px`);
    const [card, view] = await page.evaluate(() => ['.side', '.tree'].map((one) => document.querySelector(one).getBoundingClientRect().toJSON()));
    assert.ok(screen !== 'desktop' || (card.bottom - view.bottom >= 0 && card.bottom - view.bottom < 40), 'the tree is as tall as its card');
    await leave(page);
  });
}

test('a tree opens at its root, however many leaves it has', async () => {
  for (const viewport of [{ width: 1280, height: 800 }, { width: 1024, height: 800 }]) {
    const page = await visit(browser, '?game=chess&moves=e4,e5&view=tree', { viewport });
    await page.waitForSelector('.tree-picture');
    await page.waitForFunction(() => document.querySelectorAll('.segment:not(:disabled) b').length === 2);
    const [box, root] = await page.evaluate(() => ['.tree-scroll', '[data-node="0"]'].map((one) => document.querySelector(one).getBoundingClientRect().toJSON()));
    assert.ok(root.top > box.top && root.bottom < box.bottom, `${root.top} in ${box.top} to ${box.bottom}`);
    await leave(page);
  }
});
