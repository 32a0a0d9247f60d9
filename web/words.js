// @ts-check
// Games, sides, pieces and reasons in words: in those of the language, else as the service names them.

import { capital } from './dom.js';
import { state } from './store.js';
import { named } from './texts.js';

/** @param {{name: string, title: string}} info */
export const gameTitle = (info = state.info) => named('game', info.name, info.title);

/** @param {string} name */
export const variantName = (name) => named('variant', name, capital(name.replaceAll('x', '×')));

/** Why a game has ended. */
export const reasonWords = (reason) => named('reason', reason);

/** A piece in words: `black rook`; `red disc`, where no other piece is called so. */
export function pieceWords(piece, info = state.info) {
  const isOnly = info.pieces.every(({ side, label }) => side === piece.side || label !== piece.label);
  const words = isOnly ? piece.label : `${piece.side} ${piece.label}`;
  return named(`piece.${info.name}`, words, named('piece', words));
}

/** A side in words. */
export const sideName = (side) => named('side', side, capital(side));
