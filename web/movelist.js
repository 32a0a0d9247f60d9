// @ts-check
// The moves of the game, numbered in pairs; each leads to its position.

import { h, keepingFocus } from './dom.js';
import { lineView } from './lines.js';
import { noteOf } from './record.js';
import { go, restartAt } from './session.js';
import { offset, place, standing, state } from './store.js';
import { named, text } from './texts.js';
import { reasonWords, sideName } from './words.js';

export const GLYPHS = { best: '★', inaccuracy: '?!', mistake: '?', blunder: '??', forced: '□' };

/**
 * What a review says of a ply, once there is one.
 * @type {{of: (ply: number) => string | undefined}}
 */
export const moveLabels = { of: () => undefined };

export const list = h('div', { class: 'move-list', role: 'group', 'aria-label': text('moves.list'), tabindex: 0 });

function item(ply) {
  const { move, san } = state.moves[ply - 1];
  const label = moveLabels.of(ply);
  const glyph = GLYPHS[label];
  return h('button', {
    type: 'button', class: ['move', label, noteOf(ply) && 'noted'].filter(Boolean).join(' '), 'data-ply': ply, 'aria-current': ply === state.ply ? 'step' : undefined,
    title: label && named('label', label), onclick: () => go(ply),
  }, san ?? move, glyph && label !== 'best' && label !== 'forced' ? h('span', { class: 'glyph' }, glyph) : '');
}

function endText() {
  const { winner, reason } = standing();
  return winner ? text('moves.won', { side: sideName(winner), reason: reasonWords(reason) }) : text('moves.drawn', { reason: reasonWords(reason) });
}

function draw() {
  const { moves } = state;
  const rows = [];
  moves.forEach((_, index) => {
    const place = index + offset();
    if (place % 2 === 0 || index === 0) rows.push([h('span', { class: 'number' }, `${Math.floor(place / 2) + 1}.`)]);
    if (index === 0 && offset()) rows.at(-1).push(h('span', { class: 'gap' }, '…'));
    rows.at(-1).push(item(index + 1));
  });
  const isEnd = state.ply === moves.length && standing().state !== 'ongoing';
  const end = isEnd ? [h('div', { class: 'end' }, endText())] : [];
  list.replaceChildren(...rows.map((row) => h('div', { class: 'pair' }, row)), ...end);
  const here = list.querySelector('[aria-current]');
  requestAnimationFrame(() => { list.scrollTop = here ? here.offsetTop - list.clientHeight / 2 : 0; });
}

/** What the record of the game says of the move on the board. */
export const noteBox = h('div', { class: 'note', role: 'note', 'aria-label': text('moves.record'), tabindex: 0, hidden: true });

function drawNote() {
  const { words, variations = [] } = noteOf(state.ply) ?? {};
  noteBox.hidden = !words && !variations.length;
  const base = () => place(state.ply - 1);
  noteBox.replaceChildren(words ? h('p', {}, words) : '',
    ...variations.map((line) => lineView(line, line, { base: base(), step: (moves, from) => restartAt(from, moves) })));
}

/** Draws the list anew. */
export function render() {
  keepingFocus(list, draw);
  keepingFocus(noteBox, drawNote);
}
