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
  const corner = (x, y) => `a16 16 0 0 1 ${x} ${y}`;
  const frame = `M16 0H${width - 16}${corner(16, 16)}V${height - 16}${corner(-16, 16)}H16${corner(-16, -16)}V16${corner(16, -16)}z`;
  const holes = [];
  board.each(([row, column]) => {
    holes.push(`M${column * UNIT + 10} ${row * UNIT + 50}a40 40 0 1 0 80 0a40 40 0 1 0-80 0z`);
  });
  squares.append(s('rect', { width, height, rx: 16, class: 'well' }));
  front.append(
    s('path', { d: frame + holes.join(''), 'fill-rule': 'evenodd', class: 'panel' }),
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

/** Whether names of columns stand beside the board. */
export const hasMargin = ({ look }) => look.columns.length > 0;

/** Writes the names of columns and rows along the edges, or the numbers into the squares. */
export function drawLabels(board, layer) {
  const [rows, columns] = board.size;
  // A size that is the same on every board.
  const size = columns * 2.7;
  const write = (x, y, label, kind, anchor) => layer.append(s('text', { x, y, class: `label ${kind}`, 'text-anchor': anchor }, label));
  board.look.columns.forEach((label, column) => write(board.centre([0, column])[0], rows * UNIT + 1.25 * size, label, '', 'middle'));
  board.look.rows.forEach((label, row) => write(-size / 2, board.centre([row, 0])[1] + size / 3, label, '', 'end'));
  board.each((square) => {
    const number = numberOf(board, square);
    const [x, y] = board.at(square);
    if (number !== undefined) write(x + size / 4, y + size, number, board.style === 'checkered' ? 'on-dark' : '', 'start');
  });
}
