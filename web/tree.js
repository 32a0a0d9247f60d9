// The decision tree of the textbook search: minimax beside alpha-beta, in the order of trial.

import { Lane, settle } from './api.js';
import { button, capital, h, keepingFocus, reveal, select } from './dom.js';
import { long, short } from './evaluation.js';
import { leave, look, preview } from './lines.js';
import { isOver, place, state } from './store.js';
import { annotate, draw } from './tree-view.js';
import { sideName } from './words.js';

const ALGORITHMS = ['minimax', 'alpha-beta'];
const MOST_NODES = 20000;
const lanes = { minimax: new Lane('tree (minimax)'), 'alpha-beta': new Lane('tree (alpha-beta)') };
const boards = new Lane();

let depth = 2;
let algorithm = 'alpha-beta';
let trees = {};
let refusal = '';
let asked = '';
let shownOrder = 0;
let opened = new Set();
let frame;

const controls = h('div', { class: 'row wrap' });
const steps = h('div', { class: 'row steps' });
const picture = h('div', { class: 'tree-scroll', tabindex: 0, role: 'region', 'aria-label': 'Decision tree' });
const details = h('div', { class: 'details' });
const legend = h('p', { class: 'quiet small legend' },
  '▲ maximises, ▼ minimises for the side to move. A bold path is the one chosen; a dashed node was cut off. Click a node to open it, point at it to see its board.');
const body = h('div', { class: 'tree' }, controls, steps, picture, details, legend);

const tree = () => trees[algorithm];

async function load() {
  const request = { ...place(), depth, max_nodes: MOST_NODES };
  const name = JSON.stringify(request);
  if (name === asked) return;
  asked = state.turn.pending ? '' : name;
  trees = {};
  refusal = '';
  render();
  if (isOver() || state.turn.pending) return;
  await Promise.all(ALGORITHMS.map(async (each) => {
    const refused = (error) => { if (each === algorithm) refusal = error.message; };
    const answer = await settle(lanes[each].ask('tree', { ...request, algorithm: each }), refused);
    if (answer && asked === name) trees[each] = { ...annotate(answer.tree), nodes: answer.search.nodes };
  }));
  if (asked !== name) return;
  // A tree too large for minimax may still be small enough with cut-offs.
  if (!tree() && trees['alpha-beta']) algorithm = 'alpha-beta';
  if (tree()) refusal = '';
  showAll();
}

/** The chosen path is open at first; the rest opens on demand. */
function showAll() {
  opened = new Set();
  if (tree()) {
    for (let node = tree().root; node; node = node.children.find(({ best }) => best)) opened.add(node);
    shownOrder = tree().last;
  }
  render();
}

function choose(next) {
  algorithm = next;
  showAll();
}

function renderControls() {
  const depths = [1, 2, 3, 4, 5, 6].map((value) => ({ value, label: `Depth ${value}` }));
  const counts = (each) => (trees[each] ? `${trees[each].nodes} nodes` : '…');
  const tab = (each) => h('button', {
    type: 'button', class: 'segment', 'aria-pressed': String(each === algorithm), disabled: !trees[each], onclick: () => choose(each),
  }, h('b', {}, capital(each)), h('span', {}, counts(each)));
  const [all, cut] = ALGORITHMS.map((each) => trees[each]?.nodes);
  const saved = all && cut ? h('span', { class: 'quiet small' }, `Alpha-beta visits ${Math.round(100 - (100 * cut) / all)} % fewer nodes.`) : '';
  controls.replaceChildren(
    h('label', { class: 'field' }, h('span', {}, 'Depth'), select('Depth', depths, depth, (value) => { depth = Number(value); load(); })),
    h('div', { class: 'segments', role: 'group', 'aria-label': 'Algorithm' }, ALGORITHMS.map(tab)), saved);
}

const slider = h('input', { type: 'range', min: 0, 'aria-label': 'Nodes tried', oninput: () => showStep(Number(slider.value)) });
const count = h('output', {});

function showStep(order) {
  shownOrder = Math.max(0, Math.min(tree().last, order));
  for (let node = tree().byOrder[shownOrder]?.parent; node; node = node.parent) opened.add(node);
  renderSteps();
  // The slider may go on before a large tree is drawn.
  cancelAnimationFrame(frame);
  frame = requestAnimationFrame(() => {
    if (!tree()) return;
    renderTree();
    tell(tree().byOrder[shownOrder]);
  });
}

function renderSteps() {
  if (!tree()) { steps.replaceChildren(); return; }
  slider.max = tree().last;
  slider.value = shownOrder;
  count.textContent = `${shownOrder} of ${tree().last} tried`;
  if (steps.childElementCount) return;
  steps.replaceChildren(
    button({ label: 'One node back', symbol: 'prev', kind: 'quiet', click: () => showStep(shownOrder - 1) }), slider,
    button({ label: 'One node on', symbol: 'next', kind: 'quiet', click: () => showStep(shownOrder + 1) }), count,
    button({ label: 'Open all nodes', text: 'Open all', kind: 'quiet small', click: () => openAll(true) }),
    button({ label: 'Close all nodes', text: 'Close all', kind: 'quiet small', click: () => openAll(false) }));
}

const MOST_OPEN = 1500;

function openAll(open) {
  opened = new Set([tree().root]);
  if (open) tree().all.slice(0, MOST_OPEN).forEach((node) => opened.add(node));
  renderTree();
}

function toggle(node) {
  if (!opened.delete(node)) opened.add(node);
  renderTree();
  picture.querySelector(`[data-node="${node.id}"]`)?.focus({ preventScroll: true });
}

function renderTree() {
  const { scrollLeft, scrollTop } = picture;
  if (!tree()) {
    const text = isOver() ? 'The game is over: there is nothing to search.' : refusal;
    picture.replaceChildren(text ? h('p', { class: refusal ? 'empty error-text' : 'empty' }, text) : h('div', { class: 'skeleton tall' }));
    return;
  }
  picture.replaceChildren(draw(tree(), { opened, order: shownOrder, toggle, point: tell, leave: untell }));
  picture.scrollTo(scrollLeft, scrollTop);
  const current = picture.querySelector('.node.current');
  if (current && shownOrder < tree().last) reveal(picture, current);

}

const bound = (end, sign) => (end === null || end === undefined ? `${sign}∞` : String(end));

/** Tells of a node in words, and shows its board. */
async function tell(node) {
  if (!node) return;
  const side = state.turn.side_to_move;
  const facts = [
    ['Move', node.name ?? 'the position itself'],
    ['To move', `${sideName(node.side_to_move)}, ${node.maximizing ? 'maximises' : 'minimises'}`],
    ['Tried', node.pruned ? 'never: cut off' : node.order ? `as number ${node.order}` : 'the root'],
    ['Value', node.evaluation ? `${long(node.evaluation, side)}${node.bound ? `, a bound (${node.bound.replace('-', ' ')})` : ''}` : '–'],
    ['Window', node.window ? `α ${bound(node.window.alpha, '−')}, β ${bound(node.window.beta, '+')}` : '–'],
    ['Line', node.path.map((one) => one.name).join(' ') || '–'],
  ];
  details.replaceChildren(h('dl', {}, facts.map(([term, fact]) => h('div', {}, h('dt', {}, term), h('dd', {}, fact)))));
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
  picture.scrollTo(0, Math.max(0, (tree()?.root.y ?? 0) - picture.clientHeight / 2));
  if (tree()) {
    const { evaluation } = tree().root;
    details.replaceChildren(h('p', { class: 'quiet' },
      `Value of the position: ${short(evaluation)}. ${long(evaluation, state.turn.side_to_move)}.`));
  } else details.replaceChildren();
}

const render = () => keepingFocus(body, drawAll);

export const panel = {
  id: 'tree', title: 'Tree', symbol: 'tree', element: body,
  start() {},
  update(changed) {
    if (state.view !== 'tree') return;
    if (['info', 'turn', 'view'].some((name) => changed.has(name))) load();
  },
  overlay: () => ({}),
};
