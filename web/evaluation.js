// @ts-check
// What an evaluation looks like: short on the board, long in words, and as a bar.

import { h, pieceIcon } from './dom.js';
import { number, text } from './texts.js';
import { sideName } from './words.js';

export const isProven = ({ outcome }) => outcome !== 'unknown';

function signed(value) {
  const rounded = Math.round(100 * value) / 100 || 0;
  return `${rounded > 0 ? '+' : ''}${number(rounded, 2)}`;
}

const OUTCOMES = /** @type {const} */ ({ win: 'value.win', loss: 'value.loss', draw: 'value.draw' });
const SIGNS = { 'at-least': '≥', 'at-most': '≤' };
const BOUNDS = /** @type {const} */ ({ 'at-least': 'value.atLeast', 'at-most': 'value.atMost' });

/** A bound in words, or a value that is none. */
const bounded = (value, bound) => (BOUNDS[bound] ? text(BOUNDS[bound], { value }) : value);

/** A few characters: `W5`, `W≤5`, `D`, `+0.12`. */
export function short(evaluation) {
  const { outcome, plies, plies_bound: pliesBound, value, score_bound: scoreBound, margin } = evaluation;
  if (margin !== undefined) return `${text(OUTCOMES[outcome])}${Math.abs(margin) || ''}`;
  if (!isProven(evaluation)) return `${SIGNS[scoreBound] ?? ''}${signed(value)}`;
  return `${text(OUTCOMES[outcome])}${SIGNS[pliesBound] ?? ''}${plies ?? ''}`;
}

/** The same in the least room: without the zero before the decimals. */
export const tiny = (evaluation) => short(evaluation).replace(/0(?=[.,])/, '');

/** The class that gives it its colour. */
export const kind = (evaluation) => (isProven(evaluation) ? `proven ${evaluation.outcome}` : 'estimate');

/** In words, from the view of `side`. */
export function long(evaluation, side) {
  const { outcome, plies, plies_bound: pliesBound, value, score, score_bound: scoreBound, margin } = evaluation;
  const name = sideName(side);
  if (margin) return text(outcome === 'win' ? 'value.provenWinBy' : 'value.provenLossBy', { side: name, margin: Math.abs(margin) });
  if (outcome === 'draw') return text('value.provenDraw');
  if (outcome === 'unknown') return text('value.estimate', { side: name, value: bounded(signed(value), scoreBound), score });
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
    this.text.textContent = own ? tiny(own) : '';
    const words = own ? long(own, first) : text('value.none');
    this.element.title = text('value.bar', { value: words, side: sideName(first) });
    this.element.setAttribute('aria-valuenow', value.toFixed(2));
    this.element.setAttribute('aria-valuetext', words);
  }
}
