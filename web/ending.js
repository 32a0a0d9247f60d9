// @ts-check
// The end of a game, told over the board.

import { button, capital, h, keepingFocus } from './dom.js';
import { sideIcon } from './evaluation.js';
import { restart } from './session.js';
import { isOver, set, standing, state } from './store.js';
import { text } from './texts.js';
import { reasonWords, sideName } from './words.js';

export const card = h('div', { class: 'ending', hidden: true });

/** The end that a person has put away to see the board. */
let dismissed;
let told;

const rematch = () => restart({ players: [...state.players].reverse() });

const winText = (side, margin) => (margin ? text('ending.winsBy', { side, margin }) : text('ending.wins', { side }));

function draw() {
  const { winner, reason, margin } = standing();
  card.replaceChildren(h('div', { class: 'result' },
    winner ? sideIcon(state.info, winner) : '',
    h('div', {}, h('strong', {}, winner ? winText(sideName(winner), margin) : text('player.draw')), h('span', {}, capital(reasonWords(reason)))),
    button({ label: text('ending.again'), text: text('ending.rematch'), kind: 'small primary', click: rematch }),
    button({ label: text('ending.reviewThis'), text: text('ending.review'), kind: 'small', click: () => set({ view: 'review' }) }),
    button({ label: text('ending.show'), symbol: 'close', kind: 'quiet', click: () => { dismissed = told; card.hidden = true; } })));
}

/** Shows the end of the game where there is one, away from the squares that decided it. */
export function update(board) {
  const { turn, resigned, claimed, view } = state;
  const isShown = isOver() && view === 'play';
  const end = isShown ? [turn, resigned, claimed] : [];
  if (!told || end.some((part, index) => part !== told[index]) || end.length !== told.length) {
    told = end;
    dismissed = undefined;
    if (isShown) keepingFocus(card, draw);
    else card.replaceChildren();
  }
  card.hidden = !isShown || dismissed === told;
  if (!isShown) return;
  const squares = turn.line ?? (turn.checked ? [turn.checked] : turn.last_move?.path ?? []);
  const rows = squares.map((square) => board.at(square)[1] / 100);
  const middle = rows.reduce((sum, row) => sum + row, 0) / Math.max(1, rows.length);
  card.classList.toggle('low', middle < (board.size[0] - 1) / 2);
}
