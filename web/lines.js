// @ts-check
// Lines of moves: each plays out on the board while pointed at, and each move can be stepped into. The line of the game.

import { Lane, settle } from './api.js';
import { h, isStill, keepingFocus } from './dom.js';
import { noteOf } from './record.js';
import { follow, go, restartAt, standingText } from './session.js';
import { offset, place, standing, state } from './store.js';
import { named, text } from './texts.js';

const STEP_MS = 550;
const lane = new Lane();
let playing;

/**
 * Gets the position to show in place of the game's, or nothing to show the game again.
 * @type {{show: (turn?: import('./types.d.ts').Turn) => void}}
 */
export const preview = { show: () => undefined };

const known = new Map();
const MOST_KNOWN = 400;

/** What the service says of a position, from memory where it has been asked. */
export async function look(question, through = lane) {
  const name = JSON.stringify(question);
  if (known.has(name)) { through.cancel(); return known.get(name); }
  const turn = await through.ask('position', question);
  if (known.size >= MOST_KNOWN) known.delete(known.keys().next().value);
  known.set(name, turn);
  return turn;
}

let showing = false;

/** Whether a line is being shown in place of the game. */
export const isShowing = () => showing;

/** Where the last click was: a list drawn anew under a pointer at rest does not play out. */
let clicked = {};
const isMoved = ({ clientX, clientY }) => clientX !== clicked.clientX || clientY !== clicked.clientY;

function stop() {
  clearTimeout(playing);
  lane.cancel();
}

/** Ends what is shown and returns to the game. */
export function leave() {
  stop();
  showing = false;
  preview.show(undefined);
}

async function showAt(base, line, index) {
  showing = true;
  const question = { ...base, moves: [...base.moves, ...line.slice(0, index + 1)] };
  const turn = await settle(look(question), () => undefined);
  if (turn) preview.show(turn);
  return turn;
}

async function playFrom(base, line, index) {
  stop();
  const turn = await showAt(base, line, index);
  if (turn && !isStill() && index + 1 < line.length) {
    playing = setTimeout(() => playFrom(base, line, index + 1), STEP_MS);
  }
}

/** Shows the end of a line in place of the game, until the pointer or the game moves on. */
export function showLine(line, base) {
  stop();
  return showAt(base, line, line.length - 1);
}

/** The number of a move in a line where people write it: before the first side's, and before the first move. */
function numberAt(ply, isFirst, name) {
  const at = ply + offset();
  const isWritten = (at % 2 === 0 || isFirst) && !/^\d+\./.test(name);
  return isWritten ? `${Math.floor(at / 2) + 1}${at % 2 ? '…' : '.'}` : undefined;
}

/**
 * The moves of a line as buttons. `line` has what requests take, `names` what people read.
 * @param {string[]} line
 * @param {string[]} names
 * @param {{base?: any, most?: number, step?: (moves: string[], base: any) => void}} options
 */
export function lineView(line, names = line, { base = place(), most = 12, step = follow } = {}) {
  const moves = line.slice(0, most).map((_, index) => h('button', {
    type: 'button', class: 'line-move', 'data-number': numberAt(base.moves.length + index, index === 0, names[index]), 'aria-label': text('moves.goTo', { move: names[index] }),
    onmouseenter: (event) => { if (isMoved(event)) { stop(); showAt(base, line, index); } },
    onclick: ({ clientX, clientY }) => { clicked = { clientX, clientY }; leave(); step(line.slice(0, index + 1), base); },
  }, names[index]));
  const rest = line.length > most ? h('span', { class: 'quiet' }, ` +${line.length - most}`) : '';
  return h('span', {
    class: 'line', onmouseenter: (event) => { if (isMoved(event)) playFrom(base, line, 0); }, onmouseleave: leave,
  }, moves, rest);
}

/** The names of the moves in a list: the game's own notation where it has one. */
export const names = ({ principal_variation: line, principal_variation_san: san }) => san ?? line;

// The moves of the game, numbered in pairs; each leads to its position.

export const GLYPHS = { best: '★', inaccuracy: '?!', mistake: '?', blunder: '??', forced: '□' };

/**
 * What a review says of a ply, once there is one.
 * @type {{of: (ply: number) => string | undefined}}
 */
export const moveLabels = { of: () => undefined };

export const moveList = h('div', { class: 'move-list', role: 'group', 'aria-label': text('moves.list'), tabindex: 0 });

function moveItem(ply) {
  const { move, san } = state.moves[ply - 1];
  const label = moveLabels.of(ply);
  const glyph = GLYPHS[label];
  return h('button', {
    type: 'button', class: ['move', label, noteOf(ply) && 'noted'].filter(Boolean).join(' '), 'data-ply': ply, 'aria-current': ply === state.ply ? 'step' : undefined,
    title: label && named('label', label), onclick: () => go(ply),
  }, san ?? move, glyph && label !== 'best' && label !== 'forced' ? h('span', { class: 'glyph' }, glyph) : '');
}

function drawMoves() {
  const { moves } = state;
  const rows = [];
  moves.forEach((_, index) => {
    const place = index + offset();
    if (place % 2 === 0 || index === 0) rows.push([h('span', { class: 'number' }, `${Math.floor(place / 2) + 1}.`)]);
    if (index === 0 && offset()) rows.at(-1).push(h('span', { class: 'gap' }, '…'));
    rows.at(-1).push(moveItem(index + 1));
  });
  const isEnd = state.ply === moves.length && standing().state !== 'ongoing';
  const end = isEnd ? [h('div', { class: 'end' }, standingText())] : [];
  moveList.replaceChildren(...rows.map((row) => h('div', { class: 'pair' }, row)), ...end);
  const here = moveList.querySelector('[aria-current]');
  requestAnimationFrame(() => { moveList.scrollTop = here ? here.offsetTop - moveList.clientHeight / 2 : 0; });
}

/** What the record of the game says of the move on the board. */
export const noteBox = h('div', { class: 'note', role: 'note', 'aria-label': text('moves.record'), tabindex: 0, hidden: true });

function drawNote() {
  const { words, variations = [] } = noteOf(state.ply) ?? {};
  noteBox.hidden = !words && !variations.length;
  const base = () => place(state.ply - 1);
  noteBox.replaceChildren(words ? h('p', {}, words) : '',
    ...variations.map((line) => lineView(line, line, { base: base(), step: (moves, from) => restartAt(from, moves) })));
}

/** Draws the list anew. */
export function renderMoves() {
  keepingFocus(moveList, drawMoves);
  keepingFocus(noteBox, drawNote);
}
