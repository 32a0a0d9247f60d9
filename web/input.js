// From squares to moves: click, drag or keyboard. Which moves there are, the service says.

import { capital, h, pieceIcon, same } from './dom.js';
import { announce } from './status.js';

const FAR = 6;

/** Lets a person choose one of the legal moves on a board. */
export class MoveInput {
  #prefix = [];
  #board;
  #pressed;
  #dialog = document.getElementById('chooser');

  /** `legal` gives the legal moves, `play` gets the chosen one, `side` names the side to move. */
  constructor(board, { legal, play, side, game }) {
    this.#board = board;
    Object.assign(this, { legal, play, side, game });
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
    this.#prefix = [];
    this.#show();
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

  #starts(square) {
    return this.legal().some(({ path }) => path.length > 1 && same(path[0], square));
  }

  /** Takes a square as the next one of a move. */
  pick(square) {
    const placed = this.#placements(square);
    if (placed.length) { this.#choose(placed, square); return; }
    if (this.#prefix.length === 0) { this.#begin(square); return; }
    const next = this.#prefix.length;
    const moves = this.#moves();
    const ends = moves.filter(({ path }) => same(path.at(-1), square) && path.length > next);
    const passes = moves.filter(({ path }) => path[next] && same(path[next], square));
    const options = [...new Set([...ends, ...passes])];
    if (options.length === 0) this.#begin(square);
    else if (ends.length === 0 && options.length > 1) this.#extend(square);
    else this.#choose(options, square);
  }

  #begin(square) {
    const again = this.#prefix.length && same(square, this.#prefix[0]);
    this.#prefix = !again && this.#starts(square) ? [square] : [];
    this.#show();
  }

  #extend(square) {
    this.#prefix.push(square);
    this.#show();
  }

  #show() {
    const board = this.#board;
    const [selected] = this.#prefix;
    const next = this.#prefix.length;
    const squares = selected ? this.#moves().flatMap(({ path }) => [path[next], path.at(-1)]).filter(Boolean) : [];
    const distinct = [...new Map(squares.map((square) => [String(square), square])).values()];
    board.targets(distinct);
    board.select(selected);
    if (selected && next === 1) announce(`${board.squareName(selected)} chosen, ${distinct.length} squares to go to.`);
    this.onselect?.(selected);
  }

  #choose(moves, square) {
    if (moves.length === 1) { this.#finish(moves[0]); return; }
    this.#ask(moves, square);
  }

  #finish(move) {
    this.#prefix = [];
    this.#show();
    this.#board.ghost();
    this.play(move);
  }

  /** Asks which of several moves is meant: promotions by piece, routes by name. */
  #ask(moves, square) {
    const pieces = new Map(this.game().pieces.map((piece) => [piece.name, piece]));
    const offer = (move) => h('button', {
      type: 'button', class: 'choice', 'aria-label': `${move.san ?? move.move}`,
      onclick: () => { this.#dialog.close(); this.#finish(move); },
    }, pieces.has(move.promotion) ? pieceIcon(this.game(), pieces.get(move.promotion)) : '', h('span', {}, move.san ?? move.move));
    const promotes = moves.every(({ promotion }) => promotion);
    const title = promotes ? 'Choose a piece' : 'Choose a move';
    this.#dialog.replaceChildren(
      h('h2', {}, title),
      h('p', { class: 'quiet' }, `${capital(this.side())} moves to ${this.#board.squareName(square)}.`),
      h('div', { class: 'choices' }, moves.map(offer)),
      h('form', { method: 'dialog' }, h('button', { class: 'button small' }, 'Cancel')),
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
    const isTarget = this.selected && this.#moves().some(({ path }) => same(path.at(-1), square));
    if (starts && !wasSelected && !isTarget) { this.#prefix = []; this.#begin(square); }
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
