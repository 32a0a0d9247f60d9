// @ts-check
// Analysis: a value for every legal move, the best lines, and the progress of the search.

import { Lane, settle } from './api.js';
import { capital, h, keepingFocus, same, select } from './dom.js';
import { chip, kind, short } from './evaluation.js';
import { isShowing, leave, lineView, names } from './lines.js';
import { standingText } from './session.js';
import { isEnded, place, state } from './store.js';
import { sideName } from './words.js';

const EFFORTS = [
  { value: 'time_ms:500', label: 'Half a second' }, { value: 'time_ms:2000', label: '2 seconds' },
  { value: 'time_ms:10000', label: '10 seconds' }, { value: 'nodes:20000', label: '20 000 nodes' },
  { value: 'nodes:1000000', label: '1 000 000 nodes' }, { value: 'depth:2', label: 'Depth 2' },
  { value: 'depth:4', label: 'Depth 4' }, { value: 'depth:6', label: 'Depth 6' }, { value: 'depth:8', label: 'Depth 8' },
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

const grouped = (number) => Math.round(number).toLocaleString('en-US').replaceAll(',', ' ');

const SOURCES = { book: 'opening book', tables: 'endgame tables' };
const ENDS = { solved: 'solved', depth: 'depth reached', nodes: 'node limit', time: 'time limit' };

function renderFigures() {
  const search = answer?.search;
  const busy = lane.busy;
  const by = search && !busy ? SOURCES[search.source] ?? ENDS[search.stopped_by] : '';
  figures.replaceChildren(
    figure('Depth', search ? String(search.depth) : '–'),
    figure('Nodes', search ? grouped(search.nodes) : '–'),
    figure('Nodes/s', rate ? grouped(rate * 1000) : '–'),
    figure('Search', busy ? h('span', { class: 'busy' }, 'running') : by || '–'),
  );
}

function drawLines() {
  const { turn } = state;
  if (isEnded()) { list.replaceChildren(h('li', { class: 'empty' }, `The game is over. ${standingText()}`)); return; }
  if (refusal) { list.replaceChildren(h('li', { class: 'empty error-text' }, refusal)); return; }
  if (!answer) { list.replaceChildren(...Array.from({ length: 5 }, () => h('li', { class: 'skeleton' }))); return; }
  const moves = answer.moves ?? [];
  const rows = moves.slice(0, all ? moves.length : SHOWN).map((entry, index) => h('li', {},
    h('span', { class: 'rank' }, String(index + 1)),
    chip(entry.evaluation, turn.side_to_move),
    lineView(entry.principal_variation, names(entry))));
  more.textContent = all ? 'Fewer moves' : `All ${moves.length} moves`;
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
  caption.replaceChildren(`Values for ${side}, who is to move: from −1 lost to +1 won. Filled `,
    h('span', { class: 'chip proven win' }, 'W5'), ' ', h('span', { class: 'chip proven draw' }, 'D'), ' ',
    h('span', { class: 'chip proven loss' }, 'L4'), ' is proven, with the plies to the end (≤: at most).');
  isBehind = isProgress && isHeld();
  if (!isBehind) renderLines();
  repaint();
}

list.addEventListener('mouseleave', () => { leave(); if (state.view === 'analysis') renderLines(); });
list.addEventListener('focusout', () => { if (isBehind) schedule(); });

function renderControls() {
  const algorithms = [{ value: '', label: 'Strongest' }, ...state.info.algorithms.map((name) => ({ value: name, label: capital(name) }))];
  controls.replaceChildren(
    h('label', { class: 'field' }, h('span', {}, 'Effort'), select('Effort', EFFORTS, effort, (value) => { effort = value; analyse(); })),
    h('label', { class: 'field' }, h('span', {}, 'Algorithm'), select('Algorithm', algorithms, algorithm, (value) => { algorithm = value; analyse(); })),
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
  id: 'analysis', title: 'Analysis', symbol: 'chart', element: body, hasMoves: true, hasBar: true,
  start(paint) { repaint = paint; },
  update(changed) {
    if (changed.has('info')) { algorithm = ''; renderControls(); }
    if (changed.has('turn')) all = false;
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
      square, text: short(entry.evaluation).replace('0.', '.'), kind: `${kind(entry.evaluation)}${index === 0 ? ' best' : ''}`,
    }));
    const move = top && state.turn.legal_moves.find((one) => one.move === top.move);
    const arrows = move && move.path.length > 1 && !selected ? [{ from: move.path[0], to: move.path.at(-1), kind: 'best' }] : [];
    return { badges, arrows };
  },
};
