// @ts-check
// What an evaluation looks like, short on the board, long in words, and as a bar; and what the pieces on the board say.

import { h, pieceIcon } from './dom.js';
import { state } from './store.js';
import { number, text } from './texts.js';
import { sideName } from './words.js';

export const isProven = ({ outcome }) => outcome !== 'unknown';

/** A number with its sign and so many decimals. */
function signed(value, decimals) {
  const rounded = Number(value.toFixed(decimals)) || 0;
  return `${rounded > 0 ? '+' : ''}${number(rounded, decimals)}`;
}

/** The units in which people count, by what 100 points of a score stand for. */
const UNITS = /** @type {const} */ ({
  pawn: { decimals: 2, words: 'value.pawns', caption: 'value.inPawns' },
  disc: { decimals: 1, words: 'value.discs', caption: 'value.inDiscs' },
});

const unit = () => UNITS[state.info.score_unit];

/** A share of a point in per cent. */
export const percent = (share) => `${number(100 * share)}\u202f%`;

/** An estimate in few characters: pawns, discs, or the share of the points that may be expected. */
const amount = ({ score, value }) => (unit() ? signed(score / 100, unit().decimals) : percent((1 + value) / 2));

/** A score as a number on the scale of the evaluator, in the unit that people count in where there is one. */
export const scoreText = (score) => (unit() ? number(score / 100, unit().decimals) : number(score));

/** The same in words. */
function amountWords(evaluation) {
  const words = amount(evaluation);
  return unit() ? text(unit().words, { count: Math.abs(evaluation.score) / 100, amount: words }) : text('value.share', { share: words });
}

/** In what unit values are told: a part of a sentence. */
export const unitWords = () => text(unit()?.caption ?? 'value.inShares');

/** So much material, of which the least piece has 100. */
export function materialWords(gain) {
  const count = Math.abs(gain) / 100;
  return text(state.info.score_unit === 'pawn' ? 'value.pawns' : 'value.men', { count, amount: number(count, count % 1 ? 1 : 0) });
}

const OUTCOMES = /** @type {const} */ ({ win: 'value.win', loss: 'value.loss', draw: 'value.draw' });
const SIGNS = { 'at-least': '≥', 'at-most': '≤' };
const BOUNDS = /** @type {const} */ ({ 'at-least': 'value.atLeast', 'at-most': 'value.atMost' });

/** A bound in words, or a value that is none. */
export const bounded = (value, bound) => (BOUNDS[bound] ? text(BOUNDS[bound], { value }) : value);

/** A few characters: `W5`, `W≤5`, `D`, `+0.12`, `57 %`. */
export function short(evaluation) {
  const { outcome, plies, plies_bound: pliesBound, score_bound: scoreBound, margin } = evaluation;
  if (margin !== undefined) return `${text(OUTCOMES[outcome])}${Math.abs(margin) || ''}`;
  if (!isProven(evaluation)) return `${SIGNS[scoreBound] ?? ''}${amount(evaluation)}`;
  return `${text(OUTCOMES[outcome])}${SIGNS[pliesBound] ?? ''}${plies ?? ''}`;
}

/** The class that gives it its colour. */
export const kind = (evaluation) => (isProven(evaluation) ? `proven ${evaluation.outcome}` : 'estimate');

/** In words, from the view of `side`. */
export function long(evaluation, side) {
  const { outcome, plies, plies_bound: pliesBound, score_bound: scoreBound, margin } = evaluation;
  const name = sideName(side);
  if (margin) return text(outcome === 'win' ? 'value.provenWinBy' : 'value.provenLossBy', { side: name, margin: Math.abs(margin) });
  if (outcome === 'draw') return text('value.provenDraw');
  if (outcome === 'unknown') return text('value.estimate', { side: name, value: bounded(amountWords(evaluation), scoreBound) });
  if (!plies) return text(outcome === 'win' ? 'value.provenWin' : 'value.provenLoss', { side: name });
  const distance = text('value.plies', { count: plies, amount: bounded(number(plies), pliesBound) });
  return text(outcome === 'win' ? 'value.provenWinIn' : 'value.provenLossIn', { side: name, plies: distance });
}

/** A value as a small label. */
export const chip = (evaluation, side) =>
  h('span', { class: `chip ${kind(evaluation)}`, title: long(evaluation, side) }, short(evaluation));

/** The same evaluation from the other side's view. */
export function turned(evaluation) {
  const outcome = { win: 'loss', loss: 'win' }[evaluation.outcome] ?? evaluation.outcome;
  const scoreBound = { 'at-least': 'at-most', 'at-most': 'at-least' }[evaluation.score_bound];
  const margin = evaluation.margin === undefined ? {} : { margin: -evaluation.margin || 0 };
  return { ...evaluation, ...margin, outcome, value: -evaluation.value || 0, score: -evaluation.score || 0, score_bound: scoreBound };
}

/** The first piece of a side, as its mark. */
export function sideIcon(game, side) {
  const pieces = game.pieces.filter((piece) => piece.side === side);
  return pieceIcon(game, pieces.at(-1));
}

/** The bar beside the board, always from the view of the first side. */
export class Bar {
  constructor() {
    this.fill = h('div', { class: 'fill' });
    this.text = h('span', { class: 'bar-text' });
    this.element = h('div', { class: 'bar', role: 'meter', 'aria-valuemin': -1, 'aria-valuemax': 1, 'aria-label': text('value.label') },
      this.fill, this.text);
  }

  /** Shows an evaluation from the view of the first side; without one the bar is empty. */
  show(game, own, flip) {
    const [first] = game.sides;
    this.element.classList.toggle('flipped', Boolean(flip));
    this.element.classList.toggle('unknown', !own);
    const value = own?.value ?? 0;
    this.element.classList.toggle('losing', value < 0);
    this.fill.style.setProperty('--share', `${50 + 50 * value}%`);
    this.text.textContent = own ? short(own) : '';
    const words = own ? long(own, first) : text('value.none');
    this.element.title = text('value.bar', { value: words, side: sideName(first) });
    this.element.setAttribute('aria-valuenow', value.toFixed(2));
    this.element.setAttribute('aria-valuetext', words);
  }
}

// What the pieces on the board say: how many a side has where discs are counted, else what it is ahead.

const WORTH = { pawn: 1, knight: 3, bishop: 3, rook: 5, queen: 9 };
const piecesOf = (side) => state.info.pieces.filter((piece) => piece.side === side);

/** The squares on which these pieces stand. */
function squaresOf(pieces, cells = state.turn.board) {
  const names = new Set(pieces.map(({ name }) => name));
  return cells.flatMap((row, index) => row.flatMap((name, column) => (names.has(name) ? [[index, column]] : [])));
}

/** How many discs a side has, in games that count them. */
const countOf = (side) => (state.info.score_unit === 'disc' ? squaresOf(piecesOf(side)).length : undefined);

/** The counts of the sides, that of `first` first: `27 : 9`. */
export const scoreOf = (first) => (countOf(first) === undefined ? '' : ` ${countOf(first)} : ${countOf(state.info.sides.find((side) => side !== first))}`);

/** The squares that decided a game: the line, or the discs of the winner. */
export function decisive({ winner, line, board }) {
  return line ?? (winner && state.info.score_unit === 'disc' ? squaresOf(piecesOf(winner), board) : []);
}

/** What is said of a side beside its name: its discs, or the pieces that it has taken and not lost. */
export function material(side) {
  const count = countOf(side);
  if (count !== undefined) return h('span', { class: 'flag value', title: text('value.discs', { count, amount: String(count) }) }, String(count));
  const own = piecesOf(side);
  if (own.length < 2) return '';
  const taken = state.info.pieces.filter((piece) => piece.side !== side).map((piece) => {
    const more = squaresOf(own.filter(({ label }) => label === piece.label)).length - squaresOf([piece]).length;
    return { piece, more, worth: more * (WORTH[piece.label] ?? 0) };
  });
  const points = taken.reduce((sum, { worth }) => sum + worth, 0);
  const icons = taken.flatMap(({ piece, more }) => Array.from({ length: Math.max(0, more) }, () => pieceIcon(state.info, piece)));
  const lead = state.info.score_unit === 'pawn' && points > 0 ? `+${points}` : '';
  return icons.length ? h('span', { class: 'material', role: 'img', 'aria-label': text('player.ahead', { lead, count: icons.length }) }, icons, lead) : '';
}
