// The moves of the game, numbered in pairs; each leads to its position.

import { h, keepingFocus } from './dom.js';
import { go } from './session.js';
import { standing, state } from './store.js';
import { sideName } from './words.js';

export const GLYPHS = { best: '★', inaccuracy: '?!', mistake: '?', blunder: '??', forced: '□' };

/** What a review says of a ply, once there is one. */
export const moveLabels = { of: () => undefined };

export const list = h('div', { class: 'move-list', role: 'group', 'aria-label': 'Moves', tabindex: 0 });

function item(ply) {
  const { move, san } = state.moves[ply - 1];
  const label = moveLabels.of(ply);
  const glyph = GLYPHS[label];
  return h('button', {
    type: 'button', class: `move ${label ?? ''}`, 'data-ply': ply, 'aria-current': ply === state.ply ? 'step' : undefined,
    title: label, onclick: () => go(ply),
  }, san ?? move, glyph && label !== 'best' && label !== 'forced' ? h('span', { class: 'glyph' }, glyph) : '');
}

function draw() {
  const { moves, info } = state;
  if (!moves.length) { list.replaceChildren(h('p', { class: 'empty' }, 'No moves yet.')); return; }
  const offset = moves[0].side === info.sides[0] ? 0 : 1;
  const rows = [];
  moves.forEach((_, index) => {
    const place = index + offset;
    if (place % 2 === 0 || index === 0) rows.push([h('span', { class: 'number' }, `${Math.floor(place / 2) + 1}.`)]);
    if (index === 0 && offset) rows.at(-1).push(h('span', { class: 'gap' }, '…'));
    rows.at(-1).push(item(index + 1));
  });
  const isEnd = state.ply === moves.length && standing().state !== 'ongoing';
  const end = isEnd ? [h('div', { class: 'end' }, standing().winner ? `${sideName(standing().winner)} won, ${standing().reason}` : `drawn, ${standing().reason}`)] : [];
  list.replaceChildren(...rows.map((row) => h('div', { class: 'pair' }, row)), ...end);
  const here = list.querySelector('[aria-current]');
  if (here) list.scrollTop = Math.max(0, here.offsetTop - list.clientHeight / 2);
  else list.scrollTop = 0;
}

/** Draws the list anew. */
export const render = () => keepingFocus(list, draw);
