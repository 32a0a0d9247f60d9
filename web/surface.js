// @ts-check
// The empty board: squares, lines, felt or holes, and the names of columns, rows and squares.

import { s } from './dom.js';

const UNIT = 100;
const isDark = ([row, column]) => (row + column) % 2 === 1;

/** Draws what lies under the pieces, and for a board with holes what lies before them. */
export function drawSquares(board, { squares, front }) {
  const draw = { checkered: drawCheckered, lines: drawLines, felt: drawFelt, holes: drawHoles }[board.style];
  draw(board, squares, front);
}

function drawCheckered(board, squares) {
  board.each((square) => {
    const [x, y] = board.at(square);
    squares.append(s('rect', { x, y, width: UNIT, height: UNIT, class: isDark(square) ? 'dark' : 'light' }));
  });
}

function drawLines({ size: [rows, columns] }, squares) {
  const lines = [];
  for (let row = 1; row < rows; row += 1) lines.push(`M12 ${row * UNIT}H${columns * UNIT - 12}`);
  for (let column = 1; column < columns; column += 1) lines.push(`M${column * UNIT} 12V${rows * UNIT - 12}`);
  squares.append(s('path', { d: lines.join(''), class: 'rule' }));
}

function drawFelt(board, squares) {
  const [height, width] = board.size.map((count) => count * UNIT);
  squares.append(s('rect', { width, height, class: 'felt' }));
  drawLines(board, squares);
}

function drawHoles(board, squares, front) {
  const [height, width] = board.size.map((count) => count * UNIT);
  const holes = [];
  board.each(([row, column]) => {
    holes.push(`M${column * UNIT + 10} ${row * UNIT + 50}a40 40 0 1 0 80 0a40 40 0 1 0-80 0z`);
  });
  squares.append(s('rect', { width, height, class: 'well' }));
  front.append(
    s('path', { d: `M0 0H${width}V${height}H0z${holes.join('')}`, 'fill-rule': 'evenodd', class: 'panel' }),
    s('path', { d: holes.join(''), class: 'rim' }));
}

/** The number of a square, in games that number them row by row; on a checkered board the dark ones. */
export function numberOf({ look, style, size }, square) {
  const { first_number: first } = look;
  const index = square[0] * size[1] + square[1];
  if (first === undefined) return undefined;
  if (style !== 'checkered') return first + index;
  return isDark(square) ? first + Math.floor(index / 2) : undefined;
}

/** Whether names of columns and rows stand beside the board, not in its frame. */
export const hasMargin = ({ look }) => look.columns.length > 0 && look.rows.length > 0;

/** Writes the names of columns and rows along the edges, or the numbers into the squares. */
export function drawLabels(board, layer) {
  const [rows] = board.size;
  const write = (x, y, label, kind, anchor) => layer.append(s('text', { x, y, class: `label ${kind}`, 'text-anchor': anchor }, label));
  const [kind, below] = hasMargin(board) ? ['beside', 28] : ['plain', -1];
  board.look.columns.forEach((label, column) => write(board.centre([0, column])[0], rows * UNIT + below, label, kind, 'middle'));
  board.look.rows.forEach((label, row) => write(-10, board.centre([row, 0])[1] + 9, label, kind, 'end'));
  board.each((square) => {
    const number = numberOf(board, square);
    const [x, y] = board.at(square);
    if (number !== undefined) write(x + 5, y + 18, number, board.style === 'checkered' ? 'on-dark' : 'plain', 'start');
  });
}
