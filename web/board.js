// @ts-check
// The board in SVG. It knows squares, pieces and what a move does to them, and no rule of any game.

import { isStill, pieceElement, s } from './dom.js';
import { text } from './texts.js';
import { pieceWords } from './words.js';

const UNIT = 100;
const STEP_MS = 180;
/** @param {number[]} square */
const key = ([row, column]) => `${row},${column}`;

/** How a board looks whose game does not say. */
const PLAIN = { surface: 'checkered', columns: [], rows: [] };

export class Board {
  /** @type {Record<string, any>} */
  #layers = {};
  #pieces = new Map();
  #cells = new Map();
  #focus = [0, 0];
  #game;
  #size = [0, 0];
  #targets = new Set();

  /** What is called with a square that is clicked or chosen, one that is marked, and when a choice is given up. */
  onpick;
  onmark;
  oncancel;

  flip = false;
  element = s('svg', { class: 'board', focusable: 'false' });

  /** Prepares the board of a game. */
  setGame(game, rows, columns, flip) {
    const isSame = this.#game === game && this.#size[0] === rows && this.#size[1] === columns && this.flip === flip;
    if (isSame) return;
    Object.assign(this, { flip });
    this.#game = game;
    this.#size = [rows, columns];
    this.look = game.board ?? PLAIN;
    this.style = this.look.surface;
    this.element.setAttribute('viewBox', `0 0 ${columns * UNIT} ${rows * UNIT}`);
    this.element.dataset.style = this.style;
    this.element.classList.toggle('margined', hasMargin(this));
    this.#pieces.clear();
    this.#cells.clear();
    this.board = undefined;
    Object.entries({ '--columns': columns, '--rows': rows }).forEach(([name, count]) => this.element.style.setProperty(name, String(count)));
    this.#drawLayers();
  }

  get size() {
    return this.#size;
  }

  #drawLayers() {
    const under = ['squares', 'marks'];
    const names = [...under, 'ghost', 'pieces', 'front', 'labels', 'arrows', 'targets', 'badges'];
    this.#layers = Object.fromEntries(names.map((name) => [name, s('g', { class: name, 'aria-hidden': 'true' })]));
    this.element.replaceChildren(...Object.values(this.#layers));
    drawSquares(this, { squares: this.#layers.squares, front: this.#layers.front });
    drawLabels(this, this.#layers.labels);
    this.element.append(this.#grid());
  }

  /** Calls `draw` with each square. */
  each(draw) {
    const [rows, columns] = this.#size;
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1) draw([row, column]);
    }
  }

  /** The top left corner of a square. */
  at([row, column]) {
    const [rows, columns] = this.#size;
    return [(this.flip ? columns - 1 - column : column) * UNIT, (this.isTurned ? rows - 1 - row : row) * UNIT];
  }

  /** Whether the rows are reversed: a board that stands upright is seen from behind instead. */
  get isTurned() {
    return this.flip && this.style !== 'holes';
  }

  centre(square) {
    return this.at(square).map((corner) => corner + UNIT / 2);
  }

  #rect(square, kind) {
    const [x, y] = this.at(square);
    return s('rect', { x, y, width: UNIT, height: UNIT, class: kind });
  }

  // Pieces

  #piece(name) {
    const piece = this.#game.pieces.find((one) => one.name === name) ?? { name, symbol: name };
    const drawn = pieceElement(this.#game, piece);
    return s('g', { class: 'piece', 'data-piece': name }, drawn);
  }

  #put(square, name) {
    const element = this.#piece(name);
    this.#stand(element, square);
    this.#layers.pieces.append(element);
    this.#pieces.set(key(square), { name, element });
    return element;
  }

  #stand(element, square) {
    const [x, y] = this.at(square);
    element.setAttribute('transform', `translate(${x} ${y})`);
  }

  #remove(place) {
    this.#pieces.get(place)?.element.remove();
    this.#pieces.delete(place);
  }

  /**
   * Shows a board. `move` is the move that led there, `back` that it is taken back; without a move, or
   * where the person asked for little motion, nothing is animated.
   */
  show(board, move, { back = false } = {}) {
    const moving = move && !isStill();
    if (moving && move.path.length > 1) {
      this.#glide(move.path, back, move.captures ?? []);
      if (move.also) this.#glide(move.also, back, []);
    }
    const placed = moving && move.path.length === 1 && !back ? key(move.path[0]) : undefined;
    const flipped = new Set((moving && move.flips ? move.flips : []).map(key));
    this.each((square) => {
      const place = key(square);
      const name = board[square[0]][square[1]];
      const there = this.#pieces.get(place);
      if (there?.name === name || (!there && !name)) return;
      this.#remove(place);
      if (!name) return;
      const element = this.#put(square, name);
      if (place === placed) this.#appear(element, square);
      else if (flipped.has(place)) this.#turnOver(element, square);
      else if (moving && there?.moved) this.#travel(element, there.moved);
    });
    this.#pieces.forEach((there) => { delete there.moved; });
    this.board = board;
    this.#describe();
  }

  #glide(path, back, captures) {
    const [from, to] = back ? [path.at(-1), path[0]] : [path[0], path.at(-1)];
    const there = this.#pieces.get(key(from));
    if (!there) return;
    if (!back) captures.forEach((square) => this.#fade(key(square)));
    this.#remove(key(to));
    this.#pieces.delete(key(from));
    const points = (back ? path.toReversed() : path).map((square) => this.at(square));
    this.#stand(there.element, to);
    this.#layers.pieces.append(there.element);
    this.#pieces.set(key(to), { ...there, moved: points });
    this.#travel(there.element, points);
  }

  #travel(element, points) {
    const frames = points.map(([x, y]) => ({ transform: `translate(${x}px, ${y}px)` }));
    element.animate(frames, { duration: STEP_MS * Math.max(1, points.length - 1), easing: 'ease-in-out' });
  }

  #fade(place) {
    const there = this.#pieces.get(place);
    if (!there) return;
    this.#pieces.delete(place);
    there.element.animate([{ opacity: 1 }, { opacity: 0 }], { duration: STEP_MS }).finished
      .catch(() => undefined).then(() => there.element.remove());
  }

  /** Turns a piece over: it shows its other side from the middle of the motion on. */
  #turnOver(element, square) {
    const [x, y] = this.at(square);
    const turned = (share) => ({ transform: `translate(${x + (1 - share) * UNIT / 2}px, ${y}px) scaleX(${share})` });
    element.animate([turned(0.05), turned(1)], { duration: 1.5 * STEP_MS, easing: 'ease-out' });
  }

  #appear(element, square) {
    const [x, y] = this.at(square);
    const above = [{ transform: `translate(${x}px, ${-UNIT}px)` }, { transform: `translate(${x}px, ${y}px)` }];
    const small = [{ opacity: 0 }, { opacity: 1 }];
    const falls = this.style === 'holes';
    const duration = falls ? 140 + 45 * square[0] : STEP_MS;
    element.animate(falls ? above : small, { duration, easing: falls ? 'cubic-bezier(.5,0,.9,.6)' : 'ease-out' });
  }

  // Marks

  /** Replaces all marks on squares: `{kind: [squares]}`. */
  mark(marks) {
    const rects = Object.entries(marks).flatMap(([kind, squares]) =>
      (squares ?? []).map((square) => (this.style === 'checkered' ? this.#rect(square, kind) : this.#spot(square, kind))));
    this.#layers.marks.replaceChildren(...rects.filter(({ dataset }) => !dataset.front));
    this.#layers.targets.querySelectorAll('.spot').forEach((spot) => spot.remove());
    this.#layers.targets.append(...rects.filter(({ dataset }) => dataset.front));
  }

  #spot(square, kind) {
    const [x, y] = this.at(square);
    if (this.style === 'holes') return s('circle', { cx: x + 50, cy: y + 50, r: 43, class: `spot ${kind}`, 'data-front': 'true' });
    return s('rect', { x: x + 6, y: y + 6, width: 88, height: 88, rx: 14, class: `${kind}` });
  }

  /** Lets the pieces stand back that stand on none of these squares; without squares none. */
  stress(squares) {
    const kept = new Set(squares?.map(key));
    this.#pieces.forEach(({ element }, place) => element.classList.toggle('back', kept.size > 0 && !kept.has(place)));
  }

  /** The line that won. */
  line(squares) {
    this.#layers.arrows.querySelector('.winning')?.remove();
    if (!squares?.length) return;
    const points = squares.map((square) => this.centre(square).join(' ')).join('L');
    this.#layers.arrows.append(s('path', { d: `M${points}`, class: 'winning' }));
  }

  /** Shows where the chosen piece may go, or what is open. */
  targets(squares) {
    this.#targets = new Set(squares.map(key));
    this.#describe();
    this.#layers.targets.querySelectorAll('.target').forEach((target) => target.remove());
    this.#layers.targets.append(...squares.map((square) => {
      const [cx, cy] = this.centre(square);
      const taken = this.board?.[square[0]][square[1]];
      return taken ? s('circle', { cx, cy, r: 44, class: 'target taken' }) : s('circle', { cx, cy, r: 16, class: 'target' });
    }));
  }

  /** Shows faintly what would be placed there. */
  ghost(square, name) {
    const id = square && name ? `${key(square)}${name}` : '';
    if (this.ghosted === id) return;
    this.ghosted = id;
    this.#layers.ghost.replaceChildren();
    if (!id) return;
    const element = this.#piece(name);
    this.#stand(element, square);
    this.#layers.ghost.append(element);
  }

  /** Arrows `{from, to, kind}`; one square alone is ringed. */
  arrows(list) {
    this.#layers.arrows.querySelectorAll('.arrow').forEach((arrow) => arrow.remove());
    this.#layers.arrows.append(...list.map((arrow) => this.#arrow(arrow)));
  }

  #arrow({ from, to, kind = '' }) {
    const [x, y] = this.centre(to);
    if (!from) return s('circle', { cx: x, cy: y, r: 40, class: `arrow ring ${kind}` });
    const [fromX, fromY] = this.centre(from);
    const length = Math.hypot(x - fromX, y - fromY) || 1;
    const [dx, dy] = [(x - fromX) / length, (y - fromY) / length];
    const [neckX, neckY] = [x - dx * 38, y - dy * 38];
    const shaft = `M${fromX + dx * 22} ${fromY + dy * 22}L${neckX} ${neckY}`;
    const side = (sign) => `${neckX - sign * dy * 20} ${neckY + sign * dx * 20}`;
    const head = `M${x - dx * 6} ${y - dy * 6}L${side(1)}L${side(-1)}z`;
    return s('g', { class: `arrow ${kind}` }, s('path', { d: shaft, class: 'shaft' }), s('path', { d: head, class: 'head' }));
  }

  /** Values on squares: `{square, text, kind}`. Pieces make room for them. */
  badges(list) {
    const isTiny = list.length > 0 && this.element.clientWidth < 500;
    this.element.classList.toggle('badged', list.length > 0 && this.style === 'checkered');
    this.element.classList.toggle('tiny', isTiny);
    this.#layers.badges.replaceChildren(...list.map(({ square, text: words, kind }) => {
      const [x, y] = this.at(square);
      const wide = Math.max(38, 12 + 12.5 * words.length);
      const small = this.style === 'checkered' ? (isTiny ? 1.1 : 0.82) : 1;
      const [left, top] = [x + 50 - wide * small / 2, this.style === 'checkered' ? y + 99 - 30 * small : y + 34];
      return s('g', { class: `badge ${kind}`, transform: `translate(${left} ${top}) scale(${small})` },
        s('rect', { width: wide, height: 30, rx: 9 }), s('text', { x: wide / 2, y: 22 }, words));
    }));
  }

  // The grid for keyboard and screen reader, on top of everything; it also takes the pointer.

  #grid() {
    const [rows, columns] = this.#size;
    this.#focus = [Math.min(this.#focus[0], rows - 1), Math.min(this.#focus[1], columns - 1)];
    const lines = Array.from({ length: rows }, (_, index) => {
      const row = this.isTurned ? rows - 1 - index : index;
      const cells = Array.from({ length: columns }, (__, place) => this.#cell([row, this.flip ? columns - 1 - place : place]));
      return s('g', { role: 'row' }, cells);
    });
    const keys = (event) => this.#key(event);
    return s('g', { role: 'grid', class: 'grid', 'aria-label': text('board.label'), onkeydown: keys }, lines);
  }

  /** @param {number[]} square */
  #cell(square) {
    const place = key(square);
    const cell = s('g', {
      role: 'gridcell', class: 'cell', 'data-square': place,
      tabindex: place === key(this.#focus) ? 0 : -1, onfocus: () => this.#reach(square),
    }, this.#rect(square, 'hit'));
    this.#cells.set(place, cell);
    return cell;
  }

  #reach(square) {
    this.#cells.get(key(this.#focus))?.setAttribute('tabindex', '-1');
    this.#focus = square;
    this.#cells.get(key(square))?.setAttribute('tabindex', '0');
  }

  #key(event) {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (step) {
      const signs = [this.isTurned ? -1 : 1, this.flip ? -1 : 1];
      const move = (index) => Math.max(0, Math.min(this.#size[index] - 1, this.#focus[index] + signs[index] * step[index]));
      const square = [move(0), move(1)];
      this.#reach(square);
      this.#cells.get(key(square)).focus();
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.onpick?.(this.#focus);
    } else if (event.key === 'm') {
      this.onmark?.(this.#focus);
    } else if (event.key === 'Escape') {
      this.oncancel?.();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * The name of a square: as the game calls it, or by row and column.
   * @param {number[]} square
   */
  squareName(square) {
    const [row, column] = square;
    const { columns, rows } = this.look;
    const number = numberOf(this, square);
    if (columns.length && rows.length) return columns[column] + rows[row];
    if (number !== undefined) return text('board.square', { number });
    return text('board.place', { row: row + 1, column: columns[column] ?? column + 1 });
  }

  #describe() {
    if (!this.board) return;
    const sides = new Map(this.#game.pieces.map((piece) => [piece.name, piece]));
    this.#cells.forEach((cell, place) => {
      const square = place.split(',').map(Number);
      const piece = sides.get(this.board[square[0]][square[1]]);
      const what = piece ? pieceWords(piece, this.#game) : text('word.empty');
      const form = this.#targets.has(place) ? 'board.target' : 'board.cell';
      cell.setAttribute('aria-label', text(form, { square: this.squareName(square), content: what }));
    });
  }

  /** The chosen square, for screen readers. */
  select(square) {
    this.#cells.forEach((cell, place) => cell.setAttribute('aria-selected', String(Boolean(square) && place === key(square))));
  }

  /** A point of the screen in units of the drawing. */
  #point(x, y) {
    return new DOMPoint(x, y).matrixTransform(this.element.getScreenCTM().inverse());
  }

  /** The square at a point of the screen, if any. */
  squareAt(x, y) {
    const point = this.#point(x, y);
    const [rows, columns] = this.#size;
    const [row, column] = [Math.floor(point.y / UNIT), Math.floor(point.x / UNIT)];
    if (row < 0 || row >= rows || column < 0 || column >= columns) return undefined;
    return [this.isTurned ? rows - 1 - row : row, this.flip ? columns - 1 - column : column];
  }

  /** Lets a piece follow the pointer; `drop` puts it back. */
  drag(square, x, y) {
    const there = this.#pieces.get(key(square));
    if (!there) return;
    const point = this.#point(x, y);
    there.element.setAttribute('transform', `translate(${point.x - UNIT / 2} ${point.y - UNIT / 2})`);
    if (there.element.classList.contains('dragged')) return;
    there.element.classList.add('dragged');
    this.#layers.pieces.append(there.element);
  }

  drop(square) {
    const there = this.#pieces.get(key(square));
    if (!there) return;
    there.element.classList.remove('dragged');
    this.#stand(there.element, square);
  }
}

// The empty board: squares, lines, felt or holes, and the names of columns, rows and squares.

const isDark = ([row, column]) => (row + column) % 2 === 1;

/** Draws what lies under the pieces, and for a board with holes what lies before them. */
function drawSquares(board, { squares, front }) {
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
function numberOf({ look, style, size }, square) {
  const { first_number: first } = look;
  const index = square[0] * size[1] + square[1];
  if (first === undefined) return undefined;
  if (style !== 'checkered') return first + index;
  return isDark(square) ? first + Math.floor(index / 2) : undefined;
}

/** Whether names of columns stand beside the board. */
const hasMargin = ({ look }) => look.columns.length > 0;

/** Writes the names of columns and rows along the edges, or the numbers into the squares. */
function drawLabels(board, layer) {
  const [rows, columns] = board.size;
  // A size that is the same on every board.
  const size = Math.max(columns, rows) * 2.7;
  const write = (x, y, label, kind, anchor) => layer.append(s('text', { x, y, class: `label ${kind}`, 'text-anchor': anchor }, label));
  board.look.columns.forEach((label, column) => write(board.centre([0, column])[0], rows * UNIT + 1.25 * size, label, '', 'middle'));
  board.look.rows.forEach((label, row) => write(-size / 2, board.centre([row, 0])[1] + size / 3, label, '', 'end'));
  board.each((square) => {
    const number = numberOf(board, square);
    const [x, y] = board.at(square);
    if (number !== undefined) write(x + size / 4, y + size, number, board.style === 'checkered' ? 'on-dark' : '', 'start');
  });
}
