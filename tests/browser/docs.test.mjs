// The page that shows the contract.

import { after, before, test } from 'node:test';
import assert from 'node:assert/strict';
import { SERVICE, launch, leave, open, findings } from './page.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const operation = (page, id) => page.locator(`#operations-${id}`);

/** Opens an operation and sends its first example. Returns the answer that the page shows. */
async function tried(page, id) {
  const opened = operation(page, id);
  await opened.locator('button.opblock-summary-control').click();
  await opened.getByRole('button', { name: 'Try it out' }).click();
  await opened.getByRole('button', { name: 'Execute' }).click();
  return opened.locator('.live-responses-table .response').innerText();
}

test('shows every operation of the contract', async () => {
  const page = await open(browser, 'docs');
  const contract = await (await fetch(`${SERVICE}/openapi.json`)).json();
  const ids = Object.values(contract.paths).flatMap(Object.values).map((it) => `operations-${it.tags[0]}-${it.operationId}`);
  await page.waitForSelector('.opblock');
  const shown = await page.locator('.opblock').evaluateAll((all) => all.map((it) => it.id));
  assert.deepEqual(shown.sort(), ids.sort());
  await leave(page);
});

test('sends a request to its own server and shows the answer', async () => {
  const page = await open(browser, 'docs');
  assert.match(await tried(page, 'games-bestMove'), /"best_move"/);
  assert.match(await tried(page, 'operations-health'), /"status": "ok"/);
  await leave(page);
});

test('opens the operation that an address names, with the keyboard too', async () => {
  const page = await open(browser, 'docs#/analysis/analyze');
  await operation(page, 'analysis-analyze').getByText('Request body').waitFor();
  const summary = operation(page, 'analysis-tree').locator('button.opblock-summary-control');
  await summary.focus();
  await page.keyboard.press('Enter');
  await operation(page, 'analysis-tree').getByText('Request body').waitFor();
  await leave(page);
});

test('follows the colours of the system', async () => {
  const page = await open(browser, 'docs', { colorScheme: 'dark' });
  await page.locator('html.dark-mode .opblock').first().waitFor();
  await page.emulateMedia({ colorScheme: 'light' });
  await page.locator('html:not(.dark-mode) .opblock').first().waitFor();
  await leave(page);
});

test('fits a phone', async () => {
  const page = await open(browser, 'docs#/games/bestMove', { viewport: { width: 390, height: 844 } });
  await operation(page, 'games-bestMove').getByText('Request body').waitFor();
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 390);
  await leave(page);
});

// Faults of Swagger UI itself: its headings and regions, links in the button of an operation, which are low too, and choices of examples without a label.
const KNOWN = ['heading-order', 'nested-interactive', 'region', 'scrollable-region-focusable', 'select-name', 'target-size'];

for (const colorScheme of ['light', 'dark']) {
  test(`no serious findings of accessibility but those of Swagger UI, ${colorScheme}`, async () => {
    const page = await open(browser, 'docs#/games/bestMove', { colorScheme });
    await operation(page, 'games-bestMove').getByText('Request body').waitFor();
    const found = await findings(page);
    assert.deepEqual(found.filter((finding) => !KNOWN.includes(finding.split(':')[0])), []);
    await leave(page);
  });
}
