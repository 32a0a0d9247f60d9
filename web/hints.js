// @ts-check
// Hints in steps, each of which tells more than the one before: the piece, the idea, the move.

import { capital } from './dom.js';
import { state } from './store.js';
import { named, text } from './texts.js';
import { pieceWords } from './words.js';

/** An arrow along a move, or a ring where it places a piece. */
export const moveShape = ({ path }, kind) => (path.length ? [{ from: path.length > 1 ? path[0] : undefined, to: path.at(-1), kind }] : []);

/**
 * The hints for a legal move; `kind` is that of its most important reason, where one is certain, and `replies` the number
 * of moves that it leaves. Each has words and what the board shows.
 */
export function hintsFor(move, kind, board, replies = undefined) {
  const hints = [];
  const [from] = move.path;
  if (move.path.length > 1) {
    const piece = state.info.pieces.find(({ name }) => name === state.turn.board[from[0]][from[1]]);
    hints.push({ words: text('hints.piece', { piece: pieceWords(piece), square: board.squareName(from) }), shapes: [{ to: from, kind: 'hint' }] });
  }
  const idea = state.info.reasons.find(({ name }) => name === kind)?.description;
  if (idea) hints.push({ words: text('hints.idea', { idea: named('idea', kind, idea) }), shapes: hints[0]?.shapes ?? [] });
  else if (move.flips && replies !== undefined) hints.push({ words: text('hints.flips', { turned: move.flips.length, count: replies }), shapes: [] });
  hints.push({ words: text('play.hint', { move: move.san ?? move.move }), shapes: moveShape(move, 'hint') });
  return hints.map((hint) => ({ ...hint, words: capital(hint.words) }));
}
