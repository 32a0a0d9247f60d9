// @ts-check
// Arrows and marks that a person draws on the board: with the right button of the mouse, or by a key on a square.

import { same } from './dom.js';
import { set, state } from './store.js';

/** What is drawn in the position on the board. */
export const drawn = () => (state.drawn.turn === state.turn ? state.drawn.shapes : []);

const draw = (shapes) => set({ drawn: { turn: state.turn, shapes } });

/** Draws an arrow, or a mark where both squares are the same. One that is there is taken away. */
export function toggle(from, to) {
  const start = same(from, to) ? undefined : from;
  const isIt = (shape) => same(shape.to, to) && (start ? shape.from && same(shape.from, start) : !shape.from);
  const others = drawn().filter((shape) => !isIt(shape));
  draw(others.length < drawn().length ? others : [...others, { from: start, to, kind: 'drawn' }]);
}

const clear = () => { if (drawn().length) draw([]); };

/** Lets a person draw on this board. */
export function listen(board) {
  let start;
  const { element } = board;
  element.addEventListener('contextmenu', (event) => event.preventDefault());
  element.addEventListener('pointerdown', (event) => {
    start = event.button === 2 ? board.squareAt(event.clientX, event.clientY) : undefined;
    if (event.button === 0) clear();
  });
  element.addEventListener('pointerup', (event) => {
    const end = start && event.button === 2 && board.squareAt(event.clientX, event.clientY);
    if (end) toggle(start, end);
    start = undefined;
  });
  board.onmark = (square) => toggle(square, square);
}
