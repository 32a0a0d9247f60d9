// Takes the pictures of the documentation:   BESTMOVE=http://127.0.0.1:8080 node pictures.mjs FOLDER

import { launch, visit } from './page.mjs';

const folder = process.argv[2];
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true, colorScheme: 'dark' };
const SPANISH = 'e4,e5,Nf3,Nc6,Bb5,a6,Ba4,Nf6,O-O,Be7';
const BLUNDERS = 'e4,e5,Nf3,Nc6,Bc4,Nd4,Nxe5,Qg5,Nxf7,Qxg2,Rf1,Qxe4,Be2,Nf3';
const MISSED_MATE = 'e4,e5,Qh5,Nc6,Bc4,Nf6,Nc3,Nxh5';

const settled = (page) => page.waitForFunction(() => !document.querySelector('.busy') && document.querySelector('.lines .chip'), undefined, { timeout: 30_000 });

const PICTURES = {
  async play(browser) {
    const page = await visit(browser, '?game=checkers&moves=11-15,23-19,8-11,22-17,11-16,24-20&players=you,you&seed=7');
    await page.locator('[data-square="3,6"]').click();
    return page;
  },
  async analysis(browser) {
    const page = await visit(browser, `?game=chess&moves=${SPANISH}&view=analysis`);
    await settled(page);
    await page.locator('.lines .button').first().click();
    await page.waitForSelector('.reasons, .why .quiet');
    return page;
  },
  async review(browser) {
    const page = await visit(browser, `?game=chess&moves=${BLUNDERS}&view=review`);
    await page.getByTitle('Review the game').click();
    await page.waitForSelector('.graph', { timeout: 60_000 });
    await page.getByTitle('First position').click();
    await page.getByTitle('Next mistake').click();
    await page.waitForFunction(() => document.querySelectorAll('.compare').length === 2);
    return page;
  },
  async exercise(browser) {
    const page = await visit(browser, `?game=chess&moves=${MISSED_MATE}&view=review`);
    await page.getByTitle('Review the game').click();
    await page.waitForSelector('.graph', { timeout: 60_000 });
    await page.getByTitle(/^Retry /).click();
    await page.locator('.panel').getByTitle('Hint').click();
    await page.locator('.panel').getByTitle('Hint').click();
    await page.waitForTimeout(300);
    return page;
  },
  async tree(browser) {
    const page = await visit(browser, '?game=tic-tac-toe&moves=4,0,8,2&view=tree', { colorScheme: 'dark' });
    await page.waitForSelector('.tree-picture');
    await page.getByLabel('Depth').selectOption('3');
    await page.waitForFunction(() => document.querySelectorAll('.segment:not(:disabled) b').length === 2);
    await page.getByRole('button', { name: 'Side by side' }).click();
    await page.getByLabel('Nodes tried').fill('22');
    await page.locator('.node.current').last().hover();
    await page.waitForTimeout(300);
    return page;
  },
  async setup(browser) {
    const page = await visit(browser, '?game=chess&position=8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - 99 50&view=setup');
    await page.getByTitle('white queen').click();
    return page;
  },
  async phone(browser) {
    const page = await visit(browser, '?game=connect-four&moves=4,4,4,4,4,2,2,2,3&view=analysis', phone);
    await settled(page);
    return page;
  },
};

const browser = await launch();
for (const [name, open] of Object.entries(PICTURES)) {
  const page = await open(browser);
  await page.screenshot({ path: `${folder}/${name}.png` });
  await page.context().close();
}
await browser.close();
