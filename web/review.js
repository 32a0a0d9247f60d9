// @ts-check
// The review of a game: what each move cost, and what would have been better.

import { Lane, settle } from './api.js';
import { button, capital, h, keepingFocus, s, select } from './dom.js';
import { chip, isProven, percent, sideIcon, turned } from './evaluation.js';
import * as exercises from './exercises.js';
import { moveShape } from './hints.js';
import { GLYPHS, lineView, moveLabels, names } from './lines.js';
import { reasonList, reasonShapes, shownLine } from './reasons.js';
import { go, restartAt } from './session.js';
import { place, set, state } from './store.js';
import { announce } from './status.js';
import { named, number, parts, text } from './texts.js';
import { sideName } from './words.js';

const EFFORTS = [
  { value: 5000, label: text('review.quick') }, { value: 20000, label: text('speed.normal') }, { value: 200000, label: text('review.thorough') },
];
const MISTAKES = new Set(['inaccuracy', 'mistake', 'blunder']);

const lane = new Lane('review');
let nodes = 20000;
let review;
let reviewed = '';
let progress;
let refusal = '';
let repaint = () => undefined;
let board;

const line = () => JSON.stringify({ ...place(state.moves.length) });
const isCurrent = () => Boolean(review) && reviewed === line();

/** The review of the game on the page, where there is one. */
export const currentReview = () => (isCurrent() ? review : undefined);

/** The review of the ply on the board, where there is one. */
const entry = () => (isCurrent() ? review.moves[state.ply - 1] : undefined);

moveLabels.of = (ply) => (isCurrent() ? review.moves[ply - 1]?.label : undefined);

/** A value of the review from the view of the first side. */
const forFirst = (evaluation) => (review.moves[0].side === state.info.sides[0] ? evaluation : turned(evaluation));

async function start() {
  const name = line();
  refusal = '';
  progress = { searched: 0, searches: state.moves.length + 1 };
  render();
  const body = { ...place(state.moves.length), nodes, include: ['reasons', 'exercises'] };
  const asked = lane.watch('review', body, (step) => { if (step.searches) progress = step; renderProgress(); });
  const answer = await settle(asked, (error) => { refusal = error.message; });
  progress = undefined;
  if (answer) {
    review = answer;
    reviewed = name;
    announce(text('review.ready'));
    // The labels in the list of moves follow.
    set({ reviews: state.reviews + 1 });
  }
  render();
}

function cancel() {
  lane.cancel();
  progress = undefined;
  render();
}

const meter = h('progress', { 'aria-label': text('review.title') });
const meterText = h('p', { class: 'quiet small' });

function renderProgress() {
  const { searched, searches } = progress;
  [meter.max, meter.value] = [searches, searched];
  meterText.textContent = text('review.progress', { done: searched, all: searches });
}

function accuracy({ side, accuracy: value, labels }) {
  const known = value === undefined || isLost(side) ? '–' : `${number(value, 1)}\u202f%`;
  const count = (label) => h('li', { class: `label ${label}`, title: plural(label, labels[label]) },
    h('b', {}, String(labels[label])), h('span', { class: 'hidden' }, plural(label, labels[label])), h('span', { 'aria-hidden': 'true' }, GLYPHS[label]));
  return h('div', { class: 'accuracy' },
    h('div', { class: 'accuracy-head' }, sideIcon(state.info, side), h('span', {}, sideName(side)),
      h('strong', { title: text('review.accuracy') }, known)),
    h('ul', {}, ['inaccuracy', 'mistake', 'blunder'].map(count)));
}

/** A side that had lost by proof before each of its moves: nothing can be said of how it played. */
const isLost = (side) => review.moves.filter((move) => move.side === side).every(({ best, expected }) => isProven(best.evaluation) && expected.before === 0);

const PLURALS = /** @type {const} */ ({ inaccuracy: 'review.inaccuracies', mistake: 'review.mistakes', blunder: 'review.blunders' });
const plural = (label, count) => text(PLURALS[label], { count });

function nextMistake() {
  const plies = review.moves.filter(({ label }) => MISTAKES.has(label)).map(({ ply }) => ply);
  return plies.find((ply) => ply > state.ply) ?? plies[0];
}

/** Why there is no mistake to go to. */
function noMistakes() {
  const lost = state.info.sides.find(isLost);
  if (review.no_exercises === 'no-choice') return text('review.noChoice');
  if (review.no_exercises === 'decided') return text('review.decided');
  return lost ? text('review.lost', { side: sideName(lost) }) : text('review.noMistakes');
}

function verdict() {
  const move = entry();
  if (!move) return h('p', { class: 'quiet' }, text('review.step'));
  const played = move.san ?? move.move;
  const best = move.best.san ?? move.best.move;
  const base = place(state.ply - 1);
  const isBest = best === played || move.label === 'best' || move.label === 'forced';
  const label = h('span', { class: `label ${move.label}` }, GLYPHS[move.label] ?? '', ` ${capital(named('label', move.label))}`);
  const cost = move.loss ? parts('review.cost', { label, points: percent(move.loss) })
    : move.hastened ? parts('review.hastened', { label, count: move.hastened }) : label;
  const first = review.moves[0].side;
  // Counted from before the move, as that of the best one is.
  const { plies } = move.evaluation;
  const evaluation = plies === undefined ? move.evaluation : { ...move.evaluation, plies: plies + 1 };
  const rows = [h('div', { class: 'compare' }, h('span', {}, text('review.played')), chip(evaluation, first), h('b', {}, played)),
    reasonList(explanationOf(move), board, { step: branch, isShort: true })];
  if (!isBest) {
    rows.push(h('div', { class: 'compare' }, h('span', {}, text('word.best')), chip(move.best.evaluation, first),
      lineView(move.best.principal_variation, names(move.best), { base, step: branch })),
      reasonList({ base, move: move.best.move, reasons: move.best.reasons }, board, { step: branch, isShort: true }));
  }
  return h('div', { class: `verdict ${move.label}` },
    h('p', {}, move.proven ? parts('review.proven', { verdict: cost }) : cost),
    rows, h('p', { class: 'quiet small' }, text('review.values', { side: sideName(first) })));
}

/** Why a reviewed move is good or bad, and the reply where that is the best of the next position. */
function explanationOf({ ply, played, reasons }) {
  const reply = shownLine(reasons, played.move)?.moves[1];
  const next = review.moves[ply]?.best;
  return { base: place(ply - 1), move: played.move, reasons, reply: reply && next?.move === reply ? next.path : undefined };
}

/** Leaves the game for a better line. */
const branch = (moves, base) => restartAt(base, moves);

const [WIDTH, HEIGHT, EDGE] = [600, 84, 8];

/** The graph of the values after each ply, from the view of the first side. `points` are `{value, label, name}` by ply; `pick` gets the ply that is clicked. */
function graph(points, ply, title, pick) {
  const x = (index) => EDGE + (index / Math.max(1, points.length - 1)) * (WIDTH - 2 * EDGE);
  const y = (value) => HEIGHT / 2 - value * (HEIGHT / 2 - EDGE);
  const curve = points.map(({ value }, index) => `${x(index).toFixed(1)} ${y(value).toFixed(1)}`).join('L');
  const area = `M${x(0)} ${HEIGHT / 2}L${curve}L${x(points.length - 1)} ${HEIGHT / 2}z`;
  const dots = points.map(({ label, value, name }, index) => MISTAKES.has(label)
    && s('circle', { cx: x(index), cy: y(value), r: 6, class: `dot ${label}` }, s('title', {}, text('review.point', { move: name, label: named('label', label) }))));
  const nearest = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    const share = ((event.clientX - box.left) / box.width * WIDTH - EDGE) / (WIDTH - 2 * EDGE);
    pick(Math.round(Math.max(0, Math.min(1, share)) * (points.length - 1)));
  };
  return s('svg', { class: 'graph', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': title, onclick: nearest },
    s('path', { d: area, class: 'area' }),
    s('path', { d: `M${EDGE} ${HEIGHT / 2}H${WIDTH - EDGE}`, class: 'axis' }),
    s('path', { d: `M${curve}`, class: 'curve' }),
    s('path', { d: `M${x(ply)} 0V${HEIGHT}`, class: 'now' }),
    dots,
    points[ply] && s('circle', { cx: x(ply), cy: y(points[ply].value), r: 4, class: 'here' }));
}

function results() {
  const { moves, sides } = review;
  const names = [text('review.start'), ...moves.map(({ played }) => played.san ?? played.move)];
  const values = [moves[0].best.evaluation, ...moves.map(({ evaluation }) => evaluation)].map(forFirst);
  const points = values.map(({ value }, ply) => ({ value, label: moves[ply - 1]?.label, name: names[ply] }));
  const first = sideName(state.info.sides[0]);
  const next = nextMistake();
  const tasks = exercises.exercisesOf(review);
  return [
    h('div', { class: 'accuracies' }, sides.map(accuracy)),
    graph(points, state.ply, text('review.graph', { side: first }), go),
    h('div', { class: 'row wrap' },
      button({ label: text('review.next'), text: text('review.next'), symbol: 'next', kind: 'primary', disabled: next === undefined, click: () => go(next) }),
      next === undefined ? h('span', { class: 'quiet small' }, noMistakes()) : '',
      tasks.length ? button({ label: text('exercises.begin', { count: tasks.length }), text: text('exercises.begin', { count: tasks.length }), symbol: 'dice', click: () => exercises.begin(tasks, board, redraw) }) : ''),
    verdict(),
    ...form(text('review.again'), ''),
  ];
}

/** Chooses the effort and starts a review; what the server said against the last one stands below. */
function form(title, kind, ...rest) {
  return [
    h('div', { class: 'row wrap' },
      h('label', { class: 'field' }, h('span', {}, text('word.effort')), select(text('word.effort'), EFFORTS, nodes, (value) => { nodes = Number(value); })),
      button({ label: title, text: title, symbol: 'chart', kind, disabled: state.moves.length === 0, click: start }), rest),
    refusal ? h('p', { class: 'error-text', role: 'alert' }, refusal) : '',
  ];
}

const body = h('div', {});

function intro() {
  const isEmpty = state.moves.length === 0;
  const stale = review && !isCurrent() ? text('review.changed') : '';
  return [
    h('p', { class: isEmpty ? 'empty' : '' }, isEmpty ? text('review.nothing') : `${stale} ${text('review.intro', { count: state.moves.length })}`),
    ...form(text('review.game'), 'primary', exercises.action('review.paste', () => set({ view: 'setup' }))),
  ];
}

function running() {
  renderProgress();
  return [meter, meterText, h('div', { class: 'row' }, exercises.action('input.cancel', cancel, { symbol: 'close' }))];
}

/** What stands in the view now. */
function content() {
  if (progress) return running();
  if (!isCurrent()) return intro();
  return exercises.isSolving() ? exercises.content() : results();
}

function render() {
  keepingFocus(body, () => body.replaceChildren(...content().filter(Boolean)));
}

function redraw() {
  render();
  repaint();
}

export const panel = {
  element: body, hasMoves: true, hasBar: true,
  start(paint, onBoard) { [repaint, board] = [paint, onBoard]; },
  update(changed) {
    if (changed.has('info') || changed.has('moves')) { lane.cancel(); progress = undefined; refusal = ''; }
    if (changed.has('turn') || changed.has('view')) exercises.follow();
    if (state.view === 'review' || changed.has('moves')) render();
  },
  /** Takes a move as the answer to an exercise. */
  tryMove(move) {
    if (!isCurrent() || !exercises.isSolving()) return false;
    exercises.tryMove(move);
    return true;
  },
  evaluation() {
    if (!isCurrent() || exercises.isSolving()) return undefined;
    const evaluation = entry()?.evaluation ?? review.moves[0].best.evaluation;
    return { evaluation, side: review.moves[0].side };
  },
  overlay() {
    if (isCurrent() && exercises.isSolving()) return exercises.overlay();
    const move = entry();
    if (!move) return {};
    const shapes = reasonShapes(explanationOf(move));
    if (!MISTAKES.has(move.label)) return { arrows: shapes };
    return { arrows: [...moveShape(move.best, 'best'), ...shapes], verdict: move.label };
  },
};
