// A page of the playground in a real browser, and what the tests do with it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The service under test: `http://127.0.0.1:8080`. */
export const SERVICE = process.env.BESTMOVE ?? 'http://127.0.0.1:8080';
/** Another one with a single worker and room for one waiting search. */
export const SMALL_SERVICE = process.env.BESTMOVE_SMALL;
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync'];

export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });

/** The screens on which the page is tried. */
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
export const SCREENS = [['desktop', {}], ['phone', PHONE]];

/** Posts to the service, without the page. */
export async function ask(path, body) {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${SERVICE}/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return response.json();
}

/** A page of the playground at `query`, ready to be used. */
export async function visit(browser, query = '', options = {}) {
  const page = await open(browser, query, options);
  await page.waitForSelector('body.ready');
  return page;
}

/** A page at `query`. Errors in the console and requests elsewhere are collected. */
export async function open(browser, query = '', { service = SERVICE, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  const faults = [];
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) faults.push(message.text()); });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('request', (request) => { if (!request.url().startsWith(service) && !request.url().startsWith('data:')) faults.push(`asked ${request.url()}`); });
  page.faults = faults;
  await page.goto(`${service}/${query}`);
  return page;
}

/** The browser itself reports each refused request; such a report is expected here. */
export const forgive = (page, text) => page.faults.splice(0, page.faults.length, ...page.faults.filter((fault) => !fault.includes(text)));

/** The findings of axe about the page as it is; of one rule alone where its name is given. */
export async function findings(page, rule) {
  if (!await page.evaluate(() => 'axe' in window)) await page.evaluate(axe);
  return page.evaluate(async (runOnly) => {
    // The rules that are on ask for no style sheets, which axe would else fetch again each time.
    const common = { resultTypes: ['violations'], preload: { assets: ['media'] } };
    const rules = { 'target-size': { enabled: true } };
    const { violations } = await window.axe.run(document, { ...common, ...(runOnly ? { runOnly } : { rules }) });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
  }, rule && [rule]);
}

/** The findings about the page in the dark and in the light scheme, which differ in colours alone. */
export async function findingsOfSchemes(page) {
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await findings(page, 'color-contrast');
  await page.emulateMedia({ colorScheme: 'dark' });
  return [...light, ...await findings(page)];
}

/** Closes a page in which nothing went wrong. */
export async function leave(page) {
  assert.deepEqual(page.faults, []);
  await page.context().close();
}

const cell = (page, [row, column]) => page.locator(`[data-square="${row},${column}"]`);

/** Plays the moves of a path by clicking. */
export async function click(page, path) {
  for (const square of path) await cell(page, square).click();
}

/** Drags a piece from one square to another. */
export async function drag(page, from, to) {
  const centre = async (square) => {
    const box = await cell(page, square).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  await page.mouse.move(...await centre(from));
  await page.mouse.down();
  await page.mouse.move(...await centre(to), { steps: 4 });
  await page.mouse.up();
}

/** Plays the moves of a path with arrow keys and Enter; the board has the focus. */
export async function type(page, path) {
  for (const [row, column] of path) {
    const focused = await page.evaluate(() => document.activeElement.dataset.square);
    const [fromRow, fromColumn] = focused.split(',').map(Number);
    const press = async (steps, forward, back) => {
      for (let step = 0; step < Math.abs(steps); step += 1) await page.keyboard.press(steps > 0 ? forward : back);
    };
    await press(row - fromRow, 'ArrowDown', 'ArrowUp');
    await press(column - fromColumn, 'ArrowRight', 'ArrowLeft');
    await page.keyboard.press('Enter');
  }
}

export const focusBoard = (page) => page.locator('.grid [tabindex="0"]').focus();

/** Waits until so many plies have been played and the next may be. */
export async function waitForPly(page, ply) {
  if (ply === 0) return;
  await page.waitForFunction((count) => {
    const here = document.querySelector('.move-list [aria-current]');
    const isReady = document.querySelector('.board')?.getAttribute('aria-busy') === 'false';
    return isReady && here && Number(here.dataset.ply) === count;
  }, ply);
}

/** The pieces on the board, each with its square. */
export const pieces = (page) => page.evaluate(() => [...document.querySelectorAll('.cell')]
  .map((element) => [element.dataset.square, element.getAttribute('aria-label')])
  .filter(([, label]) => !/\bempty\b/.test(label)));

export const standing = (page) => page.locator('.standing').textContent();
