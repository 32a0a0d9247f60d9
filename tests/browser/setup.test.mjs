// Setting up a position: what the board does not show is kept, and has controls.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SCREENS, click, forgive, launch, leave, visit } from './page.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const shows = (page, text) => page.waitForFunction((part) => document.querySelector('.verdict-line code')?.textContent.includes(part), text);
const right = (page, name) => page.getByRole('group', { name: 'Castling rights' }).getByLabel(name);

for (const [screen, options] of SCREENS) {
  test(`castling rights are kept where pieces are changed, and can be chosen, ${screen}`, async () => {
    const page = await visit(browser, '?game=chess&players=you,you&view=setup', options);
    await shows(page, ' w KQkq - 0 1');
    await page.getByRole('button', { name: 'Erase' }).click();
    await click(page, [[1, 4]]);
    await shows(page, 'pppp1ppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -');
    await right(page, 'White long').click();
    await shows(page, ' w Kkq -');
    await click(page, [[0, 7]]);
    await shows(page, ' w Kq -');
    assert.match(await page.locator('.verdict-line').textContent(), /Left out: the castling rights: k needs the black rook on h8/);
    await page.getByTitle('Play from here').click();
    await page.waitForFunction(() => document.body.dataset.view === 'play');
    assert.match(new URL(page.url()).searchParams.get('position'), / w Kq -/);
    forgive(page, '422');
    await leave(page);
  });

  test(`an en passant square is kept, and can be chosen, ${screen}`, async () => {
    const page = await visit(browser, '?game=chess&position=4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1&players=you,you&view=setup', options);
    await shows(page, ' w - d6');
    const square = page.getByLabel('En passant on');
    await square.selectOption('none');
    await shows(page, ' w - - ');
    await square.selectOption('d6');
    await page.getByRole('button', { name: 'Erase' }).click();
    await click(page, [[3, 2]]);
    await shows(page, '3pP3/8/8/8/4K3 w - d6');
    await leave(page);
  });

  test(`a game without such rights has no controls for them, ${screen}`, async () => {
    const page = await visit(browser, '?game=checkers&view=setup', options);
    await shows(page, 'B:W');
    assert.equal(await page.getByText('May castle').count(), 0);
    await leave(page);
  });
}
