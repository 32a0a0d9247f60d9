// @ts-check
// Why a click on the board does nothing, in words.

import { capital } from './dom.js';
import { mayMove } from './session.js';
import { isOver, state } from './store.js';
import { text } from './texts.js';
import { pieceWords, sideName } from './words.js';

const pieceAt = ([row, column]) => state.info.pieces.find(({ name }) => name === state.turn.board[row][column]);

/** Why nobody may move now. */
function whyWait() {
  if (isOver()) return text('why.over');
  if (state.turn.pending) return text('why.pending');
  return state.players.includes(null) ? text('why.engine') : text('why.engines');
}

function whyNotPlaced(square, board) {
  const column = board.look.columns[square[1]] ?? square[1] + 1;
  if (board.style === 'holes') return text('why.full', { column });
  const piece = pieceAt(square);
  const name = capital(board.squareName(square));
  return piece ? text('why.taken', { square: name, side: sideName(piece.side) }) : text('why.closed', { square: name });
}

function whyNotMoved(square, board) {
  const { turn } = state;
  const side = sideName(turn.side_to_move);
  const piece = pieceAt(square);
  if (!piece) return text('why.choose', { side });
  const what = { piece: pieceWords(piece), square: board.squareName(square), side };
  if (piece.side !== turn.side_to_move) return text('why.theirs', what);
  if (turn.must_capture) return text('why.cannotCapture', what);
  return text(turn.check ? 'why.cannotHelp' : 'why.cannotMove', what);
}

/** Why a click on `square` does nothing; `from` is the square of the piece that was chosen before. */
export const whyNot = (square, from, board) => capital(reasonNot(square, from, board));

function reasonNot(square, from, board) {
  if (!mayMove()) return whyWait();
  const { legal_moves: legal, must_capture: must, must_pass: passes } = state.turn;
  if (passes) return text('why.mustPass', { side: sideName(state.turn.side_to_move) });
  if (legal.every(({ path }) => path.length === 1)) return whyNotPlaced(square, board);
  const isOther = from && pieceAt(square)?.side !== state.turn.side_to_move;
  if (!isOther) return whyNotMoved(square, board);
  const places = { from: board.squareName(from), square: board.squareName(square) };
  return text(must ? 'why.cannotGoMust' : 'why.cannotGo', { piece: pieceWords(pieceAt(from)), ...places });
}
