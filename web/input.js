// @ts-check
// From squares to moves: click, drag or keyboard. Which moves there are, the service says.

import { h, pieceIcon, same } from './dom.js';
import { announce } from './status.js';
import { set, state } from './store.js';
import { text } from './texts.js';
import { sideName } from './words.js';

const FAR = 6;

/** Whether a square lies on the straight line between two others. */
function isBetween([row, column], [fromRow, fromColumn], [toRow, toColumn]) {
  const isInside = (one, from, to) => one >= Math.min(from, to) && one <= Math.max(from, to);
  const turned = (toRow - fromRow) * (column - fromColumn) - (toColumn - fromColumn) * (row - fromRow);
  return turned === 0 && isInside(row, fromRow, toRow) && isInside(column, fromColumn, toColumn);
}

const distinct = (squares) => [...new Map(squares.map((square) => [String(square), square])).values()];

/** The first place, from `index` on, at which the ways of moves part; undefined where they are the same. */
function parting(moves, index) {
  const [{ path }] = moves;
  for (let place = index; place < path.length; place += 1) {
    if (moves.some((move) => !move.path[place] || !same(move.path[place], path[place]))) return place;
  }
  return undefined;
}

/** Lets a person choose one of the legal moves on a board. */
export class MoveInput {
  #prefix = [];
  #board;
  #pressed;
  #targets = [];
  #waiting = Promise.resolve();
  #dialog = /** @type {HTMLDialogElement} */ (document.getElementById('chooser'));

  /** What is called with the chosen square, or without one. */
  onselect;

  /** Moves to one square by several ways, of which one is to be chosen. */
  routes;
  /** A capture of which only the first jumps are given: `{cells, steps, last, taken, left}`. */
  half;

  /**
   * `legal` gives the legal moves, `cells` the board before the move, `play` gets the chosen move, `refuse` a square on
   * which a click does nothing and the square chosen before it; `side` names the side to move. While `isPending`, squares
   * wait until the position is `known`.
   */
  constructor(board, { legal, cells, play, refuse, side, game, isPending, known }) {
    this.#board = board;
    this.legal = legal;
    this.cells = cells;
    this.play = play;
    this.refuse = refuse;
    this.side = side;
    this.game = game;
    this.isPending = isPending;
    this.known = known;
    board.onpick = (square) => this.pick(square);
    board.oncancel = () => this.clear();
    const { element } = board;
    element.addEventListener('pointerdown', (event) => this.#down(event));
    element.addEventListener('pointermove', (event) => this.#move(event));
    element.addEventListener('pointerup', (event) => this.#up(event));
    element.addEventListener('pointercancel', () => this.#release());
    element.addEventListener('pointerleave', () => board.ghost());
  }

  clear() {
    this.#reset([]);
    this.#show();
  }

  /** The same, but nothing is drawn yet. */
  forget() {
    this.#reset([]);
  }

  #reset(prefix) {
    this.#prefix = prefix;
    this.routes = undefined;
    this.half = undefined;
  }

  get selected() {
    return this.#prefix[0];
  }

  #moves() {
    const follows = ({ path }) => this.#prefix.every((square, index) => path[index] && same(path[index], square));
    return this.legal().filter(({ path }) => path.length > 1).filter(follows);
  }

  /** Where a piece placed at this square would land. */
  #placements(square) {
    const hits = ({ path: [target] }) => same(target, square) || (this.#board.style === 'holes' && target[1] === square[1]);
    return this.legal().filter((move) => move.path.length === 1 && hits(move));
  }

  /** The squares on which something may be placed, in games where not every empty one is open. */
  #open() {
    const placed = this.legal().filter(({ path }) => path.length === 1).map(({ path: [square] }) => square);
    const isFree = this.#board.style === 'holes' || placed.length === this.cells().flat().filter((name) => !name).length;
    return isFree ? [] : placed;
  }

  #starts(square) {
    return this.legal().some(({ path }) => path.length > 1 && same(path[0], square));
  }

  /** Takes a square as the next one of a move; one that is clicked early waits for its turn. */
  pick(square) {
    if (this.isPending()) this.#waiting = this.#waiting.then(this.known).then(() => this.#take(square));
    else this.#take(square);
  }

  #take(square) {
    if (this.routes) { this.#chooseRoute(square); return; }
    const placed = this.#placements(square);
    if (placed.length) { this.#choose(placed, square); return; }
    if (this.#prefix.length === 0) { this.#begin(square); return; }
    const next = this.#prefix.length;
    const moves = this.#moves();
    const ends = moves.filter(({ path }) => same(path.at(-1), square) && path.length > next);
    const passes = moves.filter(({ path }) => path[next] && same(path[next], square));
    if (ends.length) this.#choose([...new Set([...ends, ...passes])], square);
    else if (passes.length) this.#extend(square);
    else this.#begin(square);
  }

  #begin(square) {
    const from = this.selected;
    const isAgain = from && same(square, from);
    const starts = this.#starts(square);
    this.#reset(!isAgain && starts ? [square] : []);
    this.#show();
    if (!isAgain && !starts) this.refuse(square, from);
  }

  /** Goes on with a capture by one jump. */
  #extend(square) {
    this.#prefix.push(square);
    const moves = this.#moves();
    const isTaken = (captured) => this.#prefix.some((to, index) => index && isBetween(captured, this.#prefix[index - 1], to));
    const captures = moves.flatMap((move) => move.captures ?? []);
    const taken = distinct(captures.filter(isTaken));
    const cells = this.cells().map((row) => [...row]);
    const [[row, column]] = this.#prefix;
    cells[square[0]][square[1]] = cells[row][column];
    [this.#prefix[0], ...taken].forEach((one) => { cells[one[0]][one[1]] = ''; });
    const left = distinct(captures.filter((captured) => !isTaken(captured)));
    this.half = { cells, steps: this.#prefix.length - 1, last: this.#prefix.slice(-2), taken, left };
    this.#show();
    announce(text('input.left', { count: left.length, square: this.#board.squareName(square) }));
  }

  #show() {
    const board = this.#board;
    const [selected] = this.#prefix;
    const next = this.#prefix.length;
    const squares = selected ? this.#moves().flatMap(({ path }) => [path[next], path.at(-1)]).filter(Boolean) : this.#open();
    this.#targets = distinct(squares);
    board.targets(this.#targets);
    board.select(this.half ? this.#prefix.at(-1) : selected);
    if (selected && next === 1) announce(text('input.chosen', { count: this.#targets.length, square: board.squareName(selected) }));
    this.onselect?.(selected);
  }

  #choose(moves, square) {
    if (moves.length === 1) { this.#finish(moves[0]); return; }
    const place = parting(moves, this.#prefix.length);
    if (place === undefined || moves.some(({ path }) => !path[place])) this.#ask(moves, square);
    else this.#showRoutes(moves, place, square);
  }

  /** Draws several ways to one square; a square where they part chooses. */
  #showRoutes(moves, place, square) {
    const board = this.#board;
    this.routes = moves;
    this.#targets = distinct(moves.map(({ path }) => path[place]));
    board.targets(this.#targets);
    this.onselect?.(this.selected);
    const ways = this.#targets.map((one) => board.squareName(one)).join(text('word.or'));
    announce(text('input.ways', { count: moves.length, square: board.squareName(square), ways }));
  }

  #chooseRoute(square) {
    const { routes } = this;
    const place = parting(routes, this.#prefix.length);
    const chosen = routes.filter(({ path }) => same(path[place], square));
    if (chosen.length) { this.#choose(chosen, chosen[0].path.at(-1)); return; }
    const isAgain = same(routes[0].path.at(-1), square);
    if (!isAgain) this.#begin(square);
  }

  /** The board is drawn anew with what follows; until then it stays as it is. */
  #finish(move) {
    this.#board.ghost();
    this.play(move);
  }

  /** Asks which of several moves with the same squares is meant: promotions by piece. */
  #ask(moves, square) {
    const pieces = new Map(this.game().pieces.map((piece) => [piece.name, piece]));
    const offer = (move) => h('button', {
      type: 'button', class: 'choice', 'aria-label': `${move.san ?? move.move}`,
      onclick: () => { this.#dialog.close(); this.#finish(move); },
    }, pieces.has(move.promotion) ? pieceIcon(this.game(), pieces.get(move.promotion)) : '', h('span', {}, move.san ?? move.move));
    const promotes = moves.every(({ promotion }) => promotion);
    const title = text(promotes ? 'input.choosePiece' : 'input.chooseMove');
    this.#dialog.replaceChildren(
      h('h2', {}, title),
      h('p', { class: 'quiet' }, text('input.target', { side: sideName(this.side()), square: this.#board.squareName(square) })),
      h('div', { class: 'choices' }, moves.map(offer)),
      h('form', { method: 'dialog' }, h('button', { class: 'button small' }, text('input.cancel'))),
    );
    this.#dialog.onclose = () => this.clear();
    this.#dialog.showModal();
  }

  // The pointer

  #down(event) {
    if (event.button !== 0) return;
    const square = this.#board.squareAt(event.clientX, event.clientY);
    if (!square) return;
    event.preventDefault();
    this.#board.element.setPointerCapture(event.pointerId);
    const starts = this.#starts(square);
    const wasSelected = Boolean(this.selected) && same(this.selected, square);
    this.#pressed = { square, starts, wasSelected, x: event.clientX, y: event.clientY, dragging: false };
    const isTarget = this.#targets.some((target) => same(target, square));
    if (starts && !wasSelected && !isTarget) { this.#reset([]); this.#begin(square); }
  }

  #move(event) {
    const pressed = this.#pressed;
    if (!pressed) { this.#hover(event); return; }
    if (!pressed.starts) return;
    const far = Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > FAR;
    if (far && !pressed.dragging && this.selected && same(this.selected, pressed.square)) pressed.dragging = true;
    if (pressed.dragging) this.#board.drag(pressed.square, event.clientX, event.clientY);
  }

  #hover(event) {
    if (event.pointerType === 'touch') return;
    const square = this.#board.squareAt(event.clientX, event.clientY);
    const [placed] = square ? this.#placements(square) : [];
    this.#board.ghost(placed?.path[0], placed && this.side());
  }

  #up(event) {
    const pressed = this.#pressed;
    if (!pressed) return;
    this.#release();
    const square = this.#board.squareAt(event.clientX, event.clientY);
    if (pressed.dragging) {
      if (square && !same(square, pressed.square)) this.pick(square);
      return;
    }
    if (!square || !same(square, pressed.square)) return;
    const justSelected = this.selected && same(this.selected, square) && !pressed.wasSelected;
    if (!justSelected) this.pick(square);
  }

  #release() {
    if (this.#pressed?.dragging) this.#board.drop(this.#pressed.square);
    this.#pressed = undefined;
  }
}

// Arrows and marks that a person draws on the board: with the right button of the mouse, or by a key on a square.

/** What is drawn in the position on the board. */
export const drawn = () => (state.drawn.turn === state.turn ? state.drawn.shapes : []);

const draw = (shapes) => set({ drawn: { turn: state.turn, shapes } });

/** Draws an arrow, or a mark where both squares are the same. One that is there is taken away. */
function toggle(from, to) {
  const start = same(from, to) ? undefined : from;
  const isIt = (shape) => same(shape.to, to) && (start ? shape.from && same(shape.from, start) : !shape.from);
  const others = drawn().filter((shape) => !isIt(shape));
  draw(others.length < drawn().length ? others : [...others, { from: start, to, kind: 'drawn' }]);
}

const clear = () => { if (drawn().length) draw([]); };

/** Lets a person draw on this board. */
export function listenForDrawings(board) {
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
