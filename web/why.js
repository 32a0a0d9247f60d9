// @ts-check
// Why a click on the board does nothing, in words.

import { capital } from './dom.js';
import { mayMove } from './session.js';
import { isOver, state } from './store.js';
import { pieceWords, sideName } from './words.js';

const pieceAt = ([row, column]) => state.info.pieces.find(({ name }) => name === state.turn.board[row][column]);

/** Why nobody may move now. */
function whyWait() {
  if (isOver()) return 'The game is over.';
  if (state.turn.pending) return 'The last move is still being played.';
  return state.players.includes(null) ? 'It is the engine’s turn.' : 'The engines play this game.';
}

function whyNotPlaced(square, board) {
  const column = board.look.columns[square[1]] ?? square[1] + 1;
  if (board.style === 'holes') return `Column ${column} is full.`;
  const piece = pieceAt(square);
  return piece ? `${capital(board.squareName(square))} is taken by ${sideName(piece.side)}.` : `${capital(board.squareName(square))} is not open.`;
}

/** The piece on a square with its place: `The white rook on a1`. */
const onSquare = (square, board) => `The ${pieceWords(pieceAt(square))} on ${board.squareName(square)}`;

function whyNotMoved(square, board) {
  const { turn } = state;
  const side = sideName(turn.side_to_move);
  const piece = pieceAt(square);
  if (!piece) return `Choose a piece of ${side} first.`;
  if (piece.side !== turn.side_to_move) return `It is ${side}’s turn: this is a ${pieceWords(piece)}.`;
  const what = onSquare(square, board);
  if (turn.must_capture) return `${what} cannot capture, and ${side} must capture.`;
  return turn.check ? `${what} cannot help the king, which is in check.` : `${what} cannot move.`;
}

/** Why a click on `square` does nothing; `from` is the square of the piece that was chosen before. */
export function whyNot(square, from, board) {
  if (!mayMove()) return whyWait();
  const { legal_moves: legal, must_capture: must, must_pass: passes } = state.turn;
  if (passes) return `${sideName(state.turn.side_to_move)} has no square to play on and must pass.`;
  if (legal.every(({ path }) => path.length === 1)) return whyNotPlaced(square, board);
  const isOther = from && pieceAt(square)?.side !== state.turn.side_to_move;
  if (!isOther) return whyNotMoved(square, board);
  return `${onSquare(from, board)} cannot go to ${board.squareName(square)}${must ? ': it must capture' : ''}.`;
}
