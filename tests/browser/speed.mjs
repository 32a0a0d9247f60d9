// Measures when the board takes moves after the page is asked for:   BESTMOVE=http://127.0.0.1:8080 node speed.mjs
// The figures mean something on a machine that does nothing else.

import { launch, SERVICE } from './page.mjs';

const VISITS = 15;
const SLOWDOWNS = [1, 4];

/** Milliseconds from the request of a page in a fresh browser context until its board takes moves. */
async function readyAfter(browser, query, slowdown) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await page.goto(`${SERVICE}/${query}`);
  await page.waitForSelector('body.ready');
  const time = await page.evaluate(() => performance.getEntriesByName('interactive')[0].startTime);
  await context.close();
  return time;
}

const browser = await launch();
for (const game of ['tic-tac-toe', 'chess']) {
  for (const slowdown of SLOWDOWNS) {
    const times = [];
    for (let visit = 0; visit < VISITS; visit += 1) times.push(await readyAfter(browser, `?game=${game}`, slowdown));
    times.sort((one, other) => one - other);
    console.log(`${game}, processor slowed ${slowdown} times: median ${Math.round(times[VISITS >> 1])} ms, slowest ${Math.round(times.at(-1))} ms`);
  }
}
await browser.close();
