// The page in another language than English.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SCREENS, SERVICE, click, forgive, launch, leave, findings, standing, visit, waitForPly } from './page.mjs';
import { texts as german } from './web/texts/de.js';
import { texts as english } from './web/texts/en.js';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const VIEWS = ['play', 'analysis', 'review', 'tree', 'setup', 'share'];
const forms = (texts) => Object.values(texts).flatMap((entry) => (typeof entry === 'string' ? [entry] : Object.values(entry)));
const escaped = (words) => words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const same = new Set(forms(german));

/** The English texts that are others in German, as patterns; those that are nothing but values are left out. */
const foreign = forms(english).filter((form) => !same.has(form) && /[a-z]{2}/i.test(form.replace(/\{\w+\}/g, '')))
  .map((form) => `^${form.split(/\{\w+\}/).map(escaped).join('.+')}$`);

/** The texts and names of what is on the page that are English; those that say so themselves do not count. */
const englishTexts = (page) => page.evaluate((patterns) => {
  const seen = (element) => element.checkVisibility() && !element.closest('[lang=en], code, pre, textarea') && !element.querySelector('[lang=en]');
  const elements = [...document.body.querySelectorAll('*')].filter(seen);
  const attributes = elements.flatMap((element) => ['aria-label', 'title', 'placeholder', 'alt', 'aria-valuetext'].map((name) => element.getAttribute(name)));
  const written = elements.flatMap((element) => [element.textContent, ...[...element.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data)]);
  const all = new Set([document.title, ...attributes, ...written].filter(Boolean).map((text) => text.trim()).filter((text) => text.length < 600));
  const tests = patterns.map((pattern) => new RegExp(pattern));
  return [...all].filter((text) => tests.some((one) => one.test(text)));
}, foreign);

const loaded = (page) => page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name)
  .filter((name) => name.includes('/texts/')).map((name) => name.split('/').at(-1)));
const tag = (page) => page.evaluate(() => document.documentElement.lang);

for (const [screen, options] of SCREENS) {
  const inGerman = { ...options, locale: 'de-AT' };

  test(`a game is played in German, ${screen}`, async () => {
    const page = await visit(browser, '?game=connect-four&moves=1,7,2,7,3&players=you,you', inGerman);
    assert.deepEqual([await tag(page), await loaded(page), await page.title()], ['de', ['de.js'], 'Vier gewinnt · bestmove']);
    assert.equal(await standing(page), 'Gelb ist am Zug.');
    await click(page, [[3, 6]]);
    await waitForPly(page, 6);
    assert.equal(await page.locator('#live').textContent(), 'Gelb spielt 7. Rot ist am Zug.');
    assert.equal(await page.locator('[data-square="5,0"]').getAttribute('aria-label'), 'Reihe 6, Spalte 1: roter Stein');
    await click(page, [[5, 3]]);
    await page.locator('.result').waitFor();
    assert.match(await page.locator('.result').innerText(), /Rot gewinnt\s+Vier in einer Reihe/);
    assert.deepEqual(await englishTexts(page), []);
    await page.getByRole('button', { name: 'Rückblick', exact: true }).click();
    await page.getByTitle('Rückblick starten').click();
    await page.waitForSelector('.graph', { timeout: 60_000 });
    await page.getByTitle('Einen Zug zurück').click();
    await waitForPly(page, 6);
    assert.deepEqual(await englishTexts(page), []);
    assert.match(await page.locator('.accuracies').innerText(), /\d,\d\s%/);
    await leave(page);
  });

  test(`no English is left in any view, and nothing serious is found there, ${screen}`, async () => {
    for (const [game, moves] of Object.entries({ 'tic-tac-toe': '4,0,8', chess: 'e4,e5' })) {
      const page = await visit(browser, `?game=${game}&moves=${moves}&players=you,4&seed=1`, inGerman);
      for (const view of VIEWS) {
        await page.locator(`#tab-${view}`).click();
        if (view === 'play') await page.getByText('Mehr', { exact: true }).click();
        if (view === 'analysis') await page.waitForSelector('.badge');
        if (view === 'tree') await page.waitForSelector('.node', { timeout: 60_000 });
        if (view === 'tree') await page.getByLabel('Besuchte Knoten').fill('3');
        await page.waitForTimeout(300);
        assert.deepEqual(await englishTexts(page), [], `${game}, ${view}`);
        assert.deepEqual(await findings(page), [], `${game}, ${view}`);
      }
      await leave(page);
    }
  });

  test(`clicks and errors are answered in German, ${screen}`, async () => {
    const page = await visit(browser, '?game=chess&players=you,you', inGerman);
    await click(page, [[7, 1], [4, 4]]);
    await page.waitForFunction((words) => document.getElementById('live').textContent === words, 'Weißer Springer auf b1: kann nicht nach e4 ziehen.');
    assert.deepEqual(await englishTexts(page), []);
    await page.route('**/position', (route) => route.fulfill({ status: 503, headers: { 'retry-after': '1' }, body: '' }), { times: 1 });
    await click(page, [[6, 4], [4, 4]]);
    await page.getByText('Der Server ist mit anderen Suchen ausgelastet. Neuer Versuch in').waitFor();
    assert.deepEqual(await englishTexts(page), []);
    await waitForPly(page, 1);
    forgive(page, '503');
    await leave(page);
  });

  test(`the language is chosen under ?, kept, and the game goes on, ${screen}`, async () => {
    const page = await visit(browser, '?game=tic-tac-toe&moves=4,0,8&players=you,you', inGerman);
    await page.locator('#help').click();
    assert.deepEqual(await englishTexts(page), []);
    await page.getByLabel('Sprache').selectOption({ label: 'English' });
    await page.waitForSelector('html[lang=en] body.ready');
    await waitForPly(page, 3);
    assert.deepEqual([await loaded(page), await standing(page)], [['en.js'], 'O to move.']);
    await page.reload();
    await page.waitForSelector('body.ready');
    assert.equal(await tag(page), 'en');
    await page.locator('#help').click();
    await page.getByLabel('Language').selectOption({ label: 'Deutsch' });
    await page.waitForSelector('html[lang=de] body.ready');
    assert.equal(await standing(page), 'O ist am Zug.');
    await leave(page);
  });
}

test('the first language of the browser that has a catalogue is taken, else English', async () => {
  for (const [languages, taken] of [[['fr', 'de-CH', 'en'], 'de'], [['fr', 'en-GB', 'de'], 'en'], [['fr'], 'en']]) {
    const context = await browser.newContext();
    await context.addInitScript((list) => Object.defineProperty(navigator, 'languages', { get: () => list }), languages);
    const page = await context.newPage();
    await page.goto(`${SERVICE}/?game=tic-tac-toe`);
    await page.waitForSelector('body.ready');
    assert.equal(await tag(page), taken, languages.join());
    await context.close();
  }
});
