// @ts-check
// What an evaluation looks like: short on the board, long in words, and as a bar.

import { h, pieceIcon } from './dom.js';
import { sideName } from './words.js';

const OUTCOMES = { win: 'W', loss: 'L', draw: 'D' };

export const isProven = ({ outcome }) => outcome !== 'unknown';

function signed(value) {
  const digits = Math.abs(value).toFixed(2);
  if (Number(digits) === 0) return digits;
  return `${value < 0 ? '−' : '+'}${digits}`;
}

const SIGNS = { 'at-least': '≥', 'at-most': '≤' };
const WORDS = { 'at-least': 'at least ', 'at-most': 'at most ' };

/** A few characters: `W5`, `W≤5`, `D`, `+0.12`. */
export function short(evaluation) {
  const { outcome, plies, plies_bound: pliesBound, value, score_bound: scoreBound, margin } = evaluation;
  if (margin !== undefined) return `${OUTCOMES[outcome]}${Math.abs(margin) || ''}`;
  if (!isProven(evaluation)) return `${SIGNS[scoreBound] ?? ''}${signed(value)}`;
  return `${OUTCOMES[outcome]}${SIGNS[pliesBound] ?? ''}${plies ?? ''}`;
}

/** The class that gives it its colour. */
export const kind = (evaluation) => (isProven(evaluation) ? `proven ${evaluation.outcome}` : 'estimate');

/** In words, from the view of `side`. */
export function long(evaluation, side) {
  const { outcome, plies, plies_bound: pliesBound, value, score, score_bound: scoreBound, margin } = evaluation;
  const name = sideName(side);
  const distance = plies ? ` in ${WORDS[pliesBound] ?? ''}${plies} ${plies === 1 ? 'ply' : 'plies'}` : '';
  if (margin) return `Proven: ${name} ${outcome === 'win' ? 'wins' : 'loses'} by ${Math.abs(margin)}`;
  if (outcome === 'draw') return 'Proven: a draw';
  if (outcome === 'unknown') return `Estimate for ${name}: ${WORDS[scoreBound] ?? ''}${signed(value)} (score ${score})`;
  return `Proven: ${name} ${outcome === 'win' ? 'wins' : 'loses'}${distance}`;
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
    this.element = h('div', { class: 'bar', role: 'meter', 'aria-valuemin': -1, 'aria-valuemax': 1, 'aria-label': 'Evaluation' },
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
    this.text.textContent = own ? short(own).replace('0.', '.') : '';
    const words = own ? long(own, first) : 'No evaluation yet';
    this.element.title = `${words}. Positive is good for ${sideName(first)}.`;
    this.element.setAttribute('aria-valuenow', value.toFixed(2));
    this.element.setAttribute('aria-valuetext', words);
  }
}
