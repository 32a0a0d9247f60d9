// @ts-check
// The decision tree of the textbook search: minimax beside alpha-beta, in the order of trial.

import { Lane, settle } from './api.js';
import { button, capital, h, icon, keepingFocus, reveal, segments, select } from './dom.js';
import { bounded, isProven, long } from './evaluation.js';
import { leave, look, preview } from './lines.js';
import { isEnded, place, state } from './store.js';
import { named, text } from './texts.js';
import { annotate, cutReason, draw, onScale, valueOf, windowEnd } from './tree-view.js';
import { sideName } from './words.js';

const ALGORITHMS = ['minimax', 'alpha-beta'];
/** How many nodes a tree has at first, and at most: more are not sent. */
const FEW_NODES = 4000;
const MOST_NODES = 20000;
const lanes = { minimax: new Lane('tree (minimax)'), 'alpha-beta': new Lane('tree (alpha-beta)') };
const boards = new Lane();

let depth = 2;
let algorithm = 'alpha-beta';
let trees = {};
let most = FEW_NODES;
/** What the service said against a tree, by algorithm. */
let refusals = {};
let asked = '';
let shownOrder = 0;
let opened = new Set();
let frame;

const controls = h('div', { class: 'row wrap' });
const steps = h('div', { class: 'row steps' });
/** @param {string} algorithm */
const nameOf = (algorithm) => capital(named('algorithm', algorithm));
const panes = Object.fromEntries(ALGORITHMS.map((each) => {
  const scroll = h('div', { class: 'tree-scroll', tabindex: 0, role: 'region', 'aria-label': text('tree.of', { algorithm: named('algorithm', each) }) });
  return [each, { scroll, element: h('div', { class: 'pane' }, h('h2', {}, nameOf(each)), scroll) }];
}));
const pictures = h('div', { class: 'panes' });
const details = h('div', { class: 'details' });
const legend = h('p', { class: 'quiet small legend' },
  text('tree.legend', { win: `${text('value.win')}2`, draw: text('value.draw'), loss: `${text('value.loss')}2` }));
const body = h('div', { class: 'tree' }, controls, steps, pictures, details, legend);

/** The trees side by side, or one of them. */
let isBoth = false;

/** The algorithms whose trees are shown; the steps are those of the first. */
const shown = () => (isBoth ? ALGORITHMS : [algorithm]);

/** The tree whose steps are counted. */
const tree = () => trees[shown()[0]];

async function load() {
  const request = { ...place(), depth, max_nodes: most };
  const name = JSON.stringify(request);
  if (name === asked) return;
  asked = state.turn.pending ? '' : name;
  trees = {};
  refusals = {};
  render();
  if (isEnded() || state.turn.pending) return;
  await Promise.all(ALGORITHMS.map(async (each) => {
    const refused = ({ message, problem }) => { refusals[each] = { message, isLarge: problem?.type?.endsWith('too-large-a-tree') }; };
    const answer = await settle(lanes[each].ask('tree', { ...request, algorithm: each }), refused);
    if (answer && asked === name) trees[each] = { ...annotate(answer.tree), nodes: answer.search.nodes };
  }));
  if (asked !== name) return;
  // A tree too large for minimax may still be small enough with cut-offs.
  if (!tree() && trees['alpha-beta']) algorithm = 'alpha-beta';
  showAll();
}

/** The chosen path is open at first; the rest opens on demand. */
function showAll() {
  playback.stop();
  opened = new Set();
  if (isBoth && !ALGORITHMS.every((each) => trees[each])) isBoth = false;
  shown().filter((each) => trees[each]).forEach((each) => {
    for (let node = trees[each].root; node; node = node.children.find(({ best }) => best)) opened.add(node);
  });
  shownOrder = tree()?.last ?? 0;
  render();
}

function choose(next) {
  isBoth = next === 'both';
  if (!isBoth) algorithm = next;
  showAll();
}

/** The step of a tree that goes with the present one: side by side, as far as the same nodes have been tried. */
function orderOf(each) {
  if (trees[each] === tree()) return shownOrder;
  const { byKey } = tree();
  return trees[each].byOrder.findLastIndex(({ key }) => byKey.get(key).order <= shownOrder);
}

function renderControls() {
  const depths = [1, 2, 3, 4, 5, 6].map((value) => ({ value, label: text('word.depthOf', { depth: value }) }));
  const over = (each) => (refusals[each]?.isLarge ? text('tree.over', { count: most }) : refusals[each] ? '–' : '…');
  const counts = (each) => (trees[each] ? text('analysis.nodeCount', { count: trees[each].nodes }) : over(each));
  const tabs = ALGORITHMS.map((each) => ({ symbol: h('b', {}, nameOf(each)), text: h('span', {}, counts(each)), pressed: !isBoth && each === algorithm, disabled: !trees[each], click: () => choose(each) }));
  const both = { text: text('tree.both'), pressed: isBoth, disabled: !ALGORITHMS.every((each) => trees[each]), click: () => choose('both') };
  controls.replaceChildren(
    h('label', { class: 'field inline' }, select(text('word.depth'), depths, depth, (value) => setDepth(Number(value)))),
    segments(text('word.algorithm'), [...tabs, both]),
    button({ text: text('tree.openAll'), kind: 'quiet small', click: () => openAll(true) }),
    button({ text: text('tree.closeAll'), kind: 'quiet small', click: () => openAll(false) }), offers());
}

/** What to do about a tree that is too large. */
function offers() {
  const large = ALGORITHMS.filter((each) => refusals[each]?.isLarge);
  if (!large.length) return '';
  const names = large.map(nameOf).join(text('word.and'));
  const more = () => { most = MOST_NODES; load(); };
  return h('div', { class: 'row offers' },
    h('span', { class: 'small' }, text('tree.large', { algorithm: names, count: most })),
    depth > 1 ? button({ label: text('word.depthOf', { depth: depth - 1 }), text: text('word.depthOf', { depth: depth - 1 }), kind: 'small', click: () => setDepth(depth - 1) }) : '',
    most < MOST_NODES ? button({ label: text('tree.upTo', { count: MOST_NODES }), text: text('tree.upTo', { count: MOST_NODES }), kind: 'small', click: more }) : '');
}

function setDepth(value) {
  depth = value;
  most = FEW_NODES;
  load();
}

const SPEEDS = [{ value: 1500, label: text('speed.slow') }, { value: 600, label: text('speed.normal') }, { value: 150, label: text('speed.fast') }];

/** Steps that follow each other by themselves: a button that plays and pauses, and a choice of speeds. */
class Playback {
  #step;
  #timer;
  #pause = 600;

  /** `step` makes a step and tells whether one follows; `rewind` is called at the end. */
  constructor({ step, rewind }) {
    this.#step = step;
    this.rewind = rewind;
    this.button = h('button', { type: 'button', class: 'button quiet', onclick: () => (this.#timer ? this.stop() : this.start()) });
    this.speed = select(text('speed.title'), SPEEDS, this.#pause, (value) => { this.#pause = Number(value); if (this.#timer) this.start(); });
    this.#mark();
  }

  start() {
    clearTimeout(this.#timer);
    this.rewind();
    this.#next();
    this.#mark();
  }

  stop() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#mark();
  }

  #next() {
    this.#timer = setTimeout(() => { if (this.#step()) this.#next(); else this.stop(); }, this.#pause);
  }

  #mark() {
    const [verb, symbol] = this.#timer ? [text('word.pause'), 'pause'] : [text('word.play'), 'play'];
    this.button.title = verb;
    this.button.replaceChildren(icon(symbol), h('span', {}, verb));
  }
}

const slider = h('input', { type: 'range', min: 0, 'aria-label': text('tree.nodesTried'), oninput: () => { playback.stop(); showStep(Number(slider.value)); } });
const count = h('output', {});

function openTo(node) {
  for (let above = node?.parent; above; above = above.parent) opened.add(above);
}

function showStep(order) {
  shownOrder = Math.max(0, Math.min(tree().last, order));
  shown().forEach((each) => openTo(trees[each].byOrder[orderOf(each)]));
  renderSteps();
  // The slider may go on before a large tree is drawn.
  cancelAnimationFrame(frame);
  frame = requestAnimationFrame(() => {
    if (!tree()) return;
    renderTree();
    tell(tree().byOrder[shownOrder], tree());
    // What is told of the node may leave the trees less room.
    shown().forEach(keepInSight);
  });
}

const playback = new Playback({
  step() { showStep(shownOrder + 1); return shownOrder < tree().last; },
  rewind() { if (shownOrder >= tree().last) showStep(0); },
});

const stepBy = (steps) => { playback.stop(); showStep(shownOrder + steps); };

function countText() {
  const { last } = tree();
  if (!isBoth) return text('tree.tried', { tried: shownOrder, all: last });
  const order = orderOf('alpha-beta');
  return text('tree.triedBoth', { minimax: shownOrder, alphaBeta: order, saved: shownOrder - order });
}

function renderSteps() {
  if (!tree()) { steps.replaceChildren(); return; }
  slider.max = tree().last;
  slider.value = shownOrder;
  count.textContent = countText();
  if (steps.childElementCount) return;
  steps.replaceChildren(
    playback.button, playback.speed,
    button({ label: text('tree.back'), symbol: 'prev', kind: 'quiet', click: () => stepBy(-1) }), slider,
    button({ label: text('tree.on'), symbol: 'next', kind: 'quiet', click: () => stepBy(1) }), count);
}

const MOST_OPEN = 1500;

function openAll(open) {
  const all = shown().map((each) => trees[each]);
  opened = new Set(all.map(({ root }) => root));
  if (open) all.forEach((one) => one.all.slice(0, MOST_OPEN).forEach((node) => opened.add(node)));
  renderTree();
}

/** Opens or closes a node, side by side in both trees. */
function toggle(node, each) {
  const isOpen = opened.has(node);
  const same = shown().map((one) => trees[one].byKey.get(node.key)).filter(Boolean);
  same.forEach((one) => (isOpen ? opened.delete(one) : opened.add(one)));
  renderTree();
  panes[each].scroll.querySelector(`[data-node="${node.id}"]`)?.focus({ preventScroll: true });
}

/** The smallest scale at which a tree can be read. */
const LEAST_SCALE = 0.8;

/** Makes a picture as small as its box, as far as it can be read. */
function fitInto(box, picture) {
  const { width, height } = picture.viewBox.baseVal;
  const scale = Math.max(LEAST_SCALE, Math.min(1, (box.clientWidth - 14) / width, (box.clientHeight - 14) / height));
  picture.setAttribute('width', width * scale);
  picture.setAttribute('height', height * scale);
}

function renderPane(each) {
  const { scroll } = panes[each];
  const { scrollLeft, scrollTop } = scroll;
  if (!trees[each]) {
    const { message = '', isLarge } = refusals[each] ?? {};
    const words = isEnded() ? text('why.over') : isLarge ? text('tree.tooLarge') : message;
    scroll.replaceChildren(words ? h('p', { class: message && !isLarge ? 'empty error-text' : 'empty' }, words) : h('div', { class: 'skeleton tall' }));
    return;
  }
  const order = orderOf(each);
  const picture = draw(trees[each], { opened, order, toggle: (node) => toggle(node, each), point: (node) => tell(node, trees[each]), leave: untell });
  scroll.replaceChildren(picture);
  fitInto(scroll, picture);
  scroll.scrollTo(scrollLeft, scrollTop);
  keepInSight(each);
}

/** Scrolls to the node of the moment, until all have been tried. */
function keepInSight(each) {
  const current = panes[each].scroll.querySelector('.node.current');
  if (current && orderOf(each) < trees[each].last) reveal(panes[each].scroll, current);
}

/** Scrolls to the root, in the middle of the box. */
const centre = (scroll) => reveal(scroll, scroll.querySelector('.node'), scroll.clientHeight / 2 - 20);

function renderTree() {
  const elements = shown().map((each) => panes[each].element);
  if (elements.some((element, index) => element !== pictures.children[index]) || elements.length !== pictures.childElementCount) pictures.replaceChildren(...elements);
  shown().forEach(renderPane);
}

/** What a value on the scale of the tree says, in words. */
function meaning({ evaluation, bound }) {
  const side = state.turn.side_to_move;
  const meant = isProven(evaluation) ? long(evaluation, side) : text('tree.estimate', { side: sideName(side) });
  return bounded(meant, bound);
}

/** Tells of a node in words, and shows its board. */
async function tell(node, of) {
  if (!node) return;
  const cut = cutReason(of, node.pruned ? node.parent : node);
  const facts = [
    [text('tree.move'), node.name ?? text('tree.root')],
    [text('setup.sideToMove'), text(node.maximizing ? 'tree.maximises' : 'tree.minimises', { side: sideName(node.side_to_move) })],
    [text('tree.triedFact'), node.pruned ? text('tree.cutOff') : node.order ? text('tree.asNumber', { number: node.order }) : text('tree.root')],
    [text('tree.value'), node.evaluation ? `${valueOf(of, node)}: ${meaning(node)}` : '–'],
    [text('tree.window'), node.window ? `α ${windowEnd(of, node.window.alpha, '−')}, β ${windowEnd(of, node.window.beta, '+')}` : '–'],
    cut && [text('tree.cut'), text('tree.cutReason', { reason: cut })],
    [text('tree.line'), node.path.map((one) => one.name).join(' ') || '–'],
  ];
  details.replaceChildren(h('dl', {}, facts.filter(Boolean).map(([term, fact]) => h('div', {}, h('dt', {}, term), h('dd', {}, fact)))));
  const base = place();
  const turn = await settle(look({ ...base, moves: [...base.moves, ...node.path.map(({ move }) => move)] }, boards), () => undefined);
  if (turn && state.view === 'tree') preview.show(turn);
}

function untell() {
  boards.cancel();
  leave();
}

function drawAll() {
  renderControls();
  renderSteps();
  renderTree();
  shown().filter((each) => trees[each]).forEach((each) => centre(panes[each].scroll));
  if (tree()) {
    const { root } = tree();
    details.replaceChildren(h('p', { class: 'quiet' }, text('tree.rootValue', { value: onScale(tree(), root.evaluation.score), meaning: meaning(root) })));
  } else details.replaceChildren();
}

const render = () => keepingFocus(body, drawAll);

export const panel = {
  element: body,
  update(changed) {
    if (state.view !== 'tree') { playback.stop(); return; }
    if (['info', 'turn', 'view'].some((name) => changed.has(name))) load();
  },
};
