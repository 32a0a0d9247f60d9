// @ts-check
// What the pieces on the board say: how many a side has where discs are counted, else what it is ahead.

import { h, pieceIcon } from './dom.js';
import { state } from './store.js';
import { text } from './texts.js';

const WORTH = { pawn: 1, knight: 3, bishop: 3, rook: 5, queen: 9 };
const piecesOf = (side) => state.info.pieces.filter((piece) => piece.side === side);

/** The squares on which these pieces stand. */
function squaresOf(pieces, cells = state.turn.board) {
  const names = new Set(pieces.map(({ name }) => name));
  return cells.flatMap((row, index) => row.flatMap((name, column) => (names.has(name) ? [[index, column]] : [])));
}

/** How many discs a side has, in games that count them. */
const countOf = (side) => (state.info.score_unit === 'disc' ? squaresOf(piecesOf(side)).length : undefined);

/** The counts of the sides, that of `first` first: `27 : 9`. */
export const scoreOf = (first) => (countOf(first) === undefined ? '' : ` ${countOf(first)} : ${countOf(state.info.sides.find((side) => side !== first))}`);

/** The squares that decided a game: the line, or the discs of the winner. */
export function decisive({ winner, line, board }) {
  return line ?? (winner && state.info.score_unit === 'disc' ? squaresOf(piecesOf(winner), board) : []);
}

/** What is said of a side beside its name: its discs, or the pieces that it has taken and not lost. */
export function material(side) {
  const count = countOf(side);
  if (count !== undefined) return h('span', { class: 'flag value', title: text('player.discs') }, String(count));
  const own = piecesOf(side);
  if (own.length < 2) return '';
  const taken = state.info.pieces.filter((piece) => piece.side !== side).map((piece) => {
    const more = squaresOf(own.filter(({ label }) => label === piece.label)).length - squaresOf([piece]).length;
    return { piece, more, worth: more * (WORTH[piece.label] ?? 0) };
  });
  const points = taken.reduce((sum, { worth }) => sum + worth, 0);
  const icons = taken.flatMap(({ piece, more }) => Array.from({ length: Math.max(0, more) }, () => pieceIcon(state.info, piece)));
  const lead = state.info.score_unit === 'pawn' && points > 0 ? `+${points}` : '';
  return icons.length ? h('span', { class: 'material', role: 'img', 'aria-label': text('player.ahead', { lead, count: icons.length }) }, icons, lead) : '';
}
