// @ts-check
// Analysis: a value for every legal move, the best lines, and the progress of the search.

import { Lane, settle } from './api.js';
import { button, capital, h, keepingFocus, same, select } from './dom.js';
import { chip, kind, percent, short, unitWords } from './evaluation.js';
import { moveShape } from './hints.js';
import { isShowing, leave, lineView, names } from './lines.js';
import { announceReasons, explain, reasonList, reasonShapes } from './reasons.js';
import { standingText } from './session.js';
import { isEnded, place, state } from './store.js';
import { named, number, parts, text } from './texts.js';
import { sideName } from './words.js';

const EFFORTS = [
  { value: 'time_ms:500', label: text('analysis.halfSecond') },
  ...[2, 10].map((count) => ({ value: `time_ms:${count * 1000}`, label: text('analysis.seconds', { count }) })),
  ...[20_000, 1_000_000].map((count) => ({ value: `nodes:${count}`, label: text('analysis.nodeCount', { count }) })),
  ...[2, 4, 6, 8].map((depth) => ({ value: `depth:${depth}`, label: text('word.depthOf', { depth }) })),
];
const SHOWN = 8;
const MOST_KEPT = 200;

const lane = new Lane('analyze');
const kept = new Map();
let effort = 'time_ms:2000';
let algorithm = '';
let answer;
let rate;
let all = false;
let asked = '';
let refusal = '';
let repaint = () => undefined;
let board;

const figures = h('dl', { class: 'figures' });
const list = h('ol', { class: 'lines', tabindex: -1 });
const more = h('button', { type: 'button', class: 'button quiet small', onclick: () => { all = !all; renderLines(); } });
const controls = h('div', { class: 'row wrap' });
const caption = h('p', { class: 'quiet small' });
const body = h('div', {}, controls, figures, caption, list);

function question() {
  const [limit, amount] = effort.split(':');
  return { ...place(), [limit]: Number(amount), algorithm: algorithm || undefined };
}

async function analyse() {
  const request = question();
  const name = JSON.stringify(request);
  if (name === asked) return;
  // A turn that is not known in full yet is asked about once it is.
  asked = state.turn.pending ? '' : name;
  answer = kept.get(name);
  rate = undefined;
  refusal = '';
  lane.cancel();
  render();
  if (answer || isEnded() || state.turn.pending) return;
  const start = performance.now();
  const show = (progress) => {
    rate = progress.search.nodes / Math.max(1, performance.now() - start);
    answer = progress;
    schedule();
  };
  const result = await settle(lane.watch('analyze', request, show), (error) => { refusal = error.message; render(); });
  if (!result || asked !== name) return;
  show(result);
  if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value);
  kept.set(name, result);
  render(true);
}

let scheduled = false;

/** Progress may come faster than the screen is drawn. */
function schedule() {
  if (scheduled) return;
  scheduled = true;
  requestAnimationFrame(() => { scheduled = false; render(true); });
}

function figure(term, value) {
  return h('div', {}, h('dt', {}, term), h('dd', {}, value));
}

const SOURCES = { book: text('analysis.book'), tables: text('analysis.tables') };
const ENDS = {
  solved: text('analysis.solved'), depth: text('analysis.depthReached'), nodes: text('analysis.nodeLimit'), time: text('analysis.timeLimit'),
};

function renderFigures() {
  const search = answer?.search;
  const busy = lane.busy;
  const by = search && !busy ? SOURCES[search.source] ?? ENDS[search.stopped_by] : '';
  figures.replaceChildren(
    figure(text('word.depth'), search ? number(search.depth) : '–'),
    figure(text('analysis.nodes'), search ? number(search.nodes) : '–'),
    figure(text('analysis.rate'), rate && !SOURCES[search?.source] ? number(rate * 1000) : '–'),
    figure(text('analysis.search'), busy ? h('span', { class: 'busy' }, text('analysis.running')) : by || '–'),
  );
}

/** The move that is explained, and its explanation once it is known. */
let why = {};
const whyLane = new Lane('best-move');

/** How often a beginner plays a move of the position. */
async function chanceOf(move) {
  const answer = await settle(whyLane.ask('analyze', { ...place(), depth: 1, top: 1, level: 'beginner', include: ['chances'] }));
  return answer?.chances?.find((chance) => chance.move === move)?.probability;
}

/** Explains a move, or ends that where it is explained already. */
async function askWhy({ move }) {
  whyLane.cancel();
  const asked = why.move === move ? {} : { move };
  why = asked;
  redraw();
  if (!asked.move) return;
  const explanation = await explain(whyLane, place(), move);
  const chance = explanation && await chanceOf(move);
  if (why !== asked) return;
  why = explanation ? { move, explanation, chance } : {};
  redraw();
  if (explanation) announceReasons(explanation, board);
}

function redraw() {
  renderLines();
  repaint();
}

function drawLines() {
  const { turn } = state;
  if (isEnded()) { list.replaceChildren(h('li', { class: 'empty' }, `${text('why.over')} ${standingText()}`)); return; }
  if (refusal) { list.replaceChildren(h('li', { class: 'empty error-text' }, refusal)); return; }
  if (!answer) { list.replaceChildren(...Array.from({ length: 5 }, () => h('li', { class: 'skeleton' }))); return; }
  const moves = answer.moves ?? [];
  const rows = moves.slice(0, all ? moves.length : SHOWN).map((entry, index) => h('li', {},
    h('span', { class: 'rank' }, String(index + 1)),
    chip(entry.evaluation, turn.side_to_move),
    button({ label: text('reasons.whyOf', { move: entry.san ?? entry.move }), symbol: 'why', kind: 'quiet small', 'aria-expanded': String(entry.move === why.move), click: () => askWhy(entry) }),
    lineView(entry.principal_variation, names(entry)),
    entry.move === why.move ? h('div', { class: 'why' }, why.explanation ? [reasonList(why.explanation, board), why.chance === undefined ? '' : h('p', { class: 'quiet small' }, text('analysis.chance', { share: percent(why.chance) }))] : h('span', { class: 'busy' }, text('analysis.running'))) : ''));
  more.textContent = all ? text('analysis.fewer') : text('analysis.all', { count: moves.length });
  list.replaceChildren(...rows, moves.length > SHOWN ? h('li', { class: 'more' }, more) : '');
}

/** A line that is pointed at, or reached by keyboard, stays where it is. */
const isHeld = () => isShowing() || list.querySelector(':focus-visible') !== null;
let isBehind = false;

function renderLines() {
  isBehind = false;
  keepingFocus(list, drawLines);
}

function render(isProgress = false) {
  renderFigures();
  const side = sideName(state.turn.side_to_move);
  const example = (kind, words) => h('span', { class: `chip proven ${kind}` }, words);
  caption.replaceChildren(...parts('analysis.values', {
    side, unit: unitWords(), win: example('win', `${text('value.win')}5`), draw: example('draw', text('value.draw')), loss: example('loss', `${text('value.loss')}4`),
  }));
  isBehind = isProgress && isHeld();
  if (!isBehind) renderLines();
  repaint();
}

list.addEventListener('mouseleave', () => { leave(); if (state.view === 'analysis') renderLines(); });
list.addEventListener('focusout', () => { if (isBehind) schedule(); });

function renderControls() {
  const algorithms = [{ value: '', label: text('analysis.strongest') }, ...state.info.algorithms.map((name) => ({ value: name, label: capital(named('algorithm', name)) }))];
  controls.replaceChildren(
    h('label', { class: 'field' }, h('span', {}, text('word.effort')), select(text('word.effort'), EFFORTS, effort, (value) => { effort = value; analyse(); })),
    h('label', { class: 'field' }, h('span', {}, text('word.algorithm')), select(text('word.algorithm'), algorithms, algorithm, (value) => { algorithm = value; analyse(); })),
  );
}

/** The best entry for each square that `where` names. */
function bestBySquare(where) {
  const legal = new Map(state.turn.legal_moves.map((move) => [move.move, move]));
  const best = new Map();
  (answer?.moves ?? []).forEach((entry, index) => {
    const move = legal.get(entry.move);
    const square = move && where(move);
    if (square && !best.has(String(square))) best.set(String(square), { square, entry, index });
  });
  return [...best.values()];
}

export const panel = {
  element: body, hasMoves: true, hasBar: true,
  start(paint, onBoard) { [repaint, board] = [paint, onBoard]; },
  update(changed) {
    if (changed.has('info')) { algorithm = ''; renderControls(); }
    if (changed.has('turn') || changed.has('view')) { all = false; why = {}; whyLane.cancel(); }
    if (state.view !== 'analysis') { lane.cancel(); asked = ''; return; }
    if (['info', 'turn', 'view'].some((name) => changed.has(name))) analyse();
  },
  /** That of the latest answer for the position on the board. */
  evaluation: () => (answer ? { evaluation: answer.evaluation, side: answer.side_to_move } : undefined),
  overlay(selected) {
    if (!answer || isEnded()) return {};
    const where = ({ path }) => {
      if (path.length <= 1) return path[0];
      if (!selected) return path[0];
      return same(path[0], selected) ? path.at(-1) : undefined;
    };
    const shown = bestBySquare(where);
    const top = answer.moves?.[0];
    const badges = shown.map(({ square, entry, index }) => ({
      square, text: short(entry.evaluation), kind: `${kind(entry.evaluation)}${index === 0 ? ' best' : ''}`,
    }));
    const move = top && state.turn.legal_moves.find((one) => one.move === top.move);
    const arrows = move && move.path.length > 1 && !selected ? moveShape(move, 'best') : [];
    const explained = why.explanation && state.turn.legal_moves.find((one) => one.move === why.move);
    return { badges, arrows: explained ? [...moveShape(explained, 'best'), ...reasonShapes(why.explanation)] : arrows };
  },
};
