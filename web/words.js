// @ts-check
// Sides and pieces in words, as the service names them.

import { capital } from './dom.js';
import { state } from './store.js';

const isOwn = (info, { label }) => info.pieces.filter((one) => one.label === label).length === 1;

/** A piece in words: `black rook`; `red disc`, where no other piece is called so. */
export const pieceWords = (piece, info = state.info) => (isOwn(info, piece) ? piece.label : `${piece.side} ${piece.label}`);

/** What people call a side: by the look of its only piece, else by its name. */
export function sideName(side, info = state.info) {
  const pieces = info.pieces.filter((one) => one.side === side);
  const hasOne = pieces.length === 1 && isOwn(info, pieces[0]);
  return capital(hasOne ? pieces[0].label.split(' ')[0] : side);
}
