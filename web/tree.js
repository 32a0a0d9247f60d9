// The decision tree of the textbook search: minimax beside alpha-beta, in the order of trial.

import { Lane, settle } from './api.js';
import { button, capital, h, keepingFocus, reveal, select } from './dom.js';
import { isProven, long } from './evaluation.js';
import { leave, look, preview } from './lines.js';
import { isEnded, place, state } from './store.js';
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
const picture = h('div', { class: 'tree-scroll', tabindex: 0, role: 'region', 'aria-label': 'Decision tree' });
const details = h('div', { class: 'details' });
const legend = h('p', { class: 'quiet small legend' },
  '▲ maximises, ▼ minimises for the side to move. Values, α and β are on one scale; W2, D and L2 are proven ends. A bold path is the one chosen; a dashed node was cut off. Click a node to open it, point at it to see its board.');
const body = h('div', { class: 'tree' }, controls, steps, picture, details, legend);

const tree = () => trees[algorithm];

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
  const counts = (each) => (trees[each] ? `${trees[each].nodes} nodes` : refusals[each]?.isLarge ? `over ${most} nodes` : refusals[each] ? '–' : '…');
  const tab = (each) => h('button', {
    type: 'button', class: 'segment', 'aria-pressed': String(each === algorithm), disabled: !trees[each], onclick: () => choose(each),
  }, h('b', {}, capital(each)), h('span', {}, counts(each)));
  const [all, cut] = ALGORITHMS.map((each) => trees[each]?.nodes);
  const saved = all && cut ? h('span', { class: 'quiet small' }, `Alpha-beta visits ${Math.round(100 - (100 * cut) / all)} % fewer nodes.`) : '';
  controls.replaceChildren(
    h('label', { class: 'field' }, h('span', {}, 'Depth'), select('Depth', depths, depth, (value) => setDepth(Number(value)))),
    h('div', { class: 'segments', role: 'group', 'aria-label': 'Algorithm' }, ALGORITHMS.map(tab)), saved, offers());
}

/** What to do about a tree that is too large. */
function offers() {
  const large = ALGORITHMS.filter((each) => refusals[each]?.isLarge);
  if (!large.length) return '';
  const names = large.map(capital).join(' and ');
  const more = () => { most = MOST_NODES; load(); };
  return h('div', { class: 'row offers' },
    h('span', { class: 'small' }, `${names} would have more than ${most} nodes.`),
    depth > 1 ? button({ label: `Depth ${depth - 1}`, text: `Depth ${depth - 1}`, kind: 'small', click: () => setDepth(depth - 1) }) : '',
    most < MOST_NODES ? button({ label: `Up to ${MOST_NODES} nodes`, text: `Up to ${MOST_NODES} nodes`, kind: 'small', click: more }) : '');
}

function setDepth(value) {
  depth = value;
  most = FEW_NODES;
  load();
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
    const refused = refusals[algorithm] && !refusals[algorithm].isLarge ? refusals[algorithm].message : '';
    const text = isEnded() ? 'The game is over: there is nothing to search.' : refusals[algorithm]?.isLarge ? 'This tree is too large to show.' : refused;
    picture.replaceChildren(text ? h('p', { class: refused ? 'empty error-text' : 'empty' }, text) : h('div', { class: 'skeleton tall' }));
    return;
  }
  picture.replaceChildren(draw(tree(), { opened, order: shownOrder, toggle, point: tell, leave: untell }));
  picture.scrollTo(scrollLeft, scrollTop);
  const current = picture.querySelector('.node.current');
  if (current && shownOrder < tree().last) reveal(picture, current);

}

/** What a value on the scale of the tree says, in words. */
function meaning({ evaluation, bound }) {
  const side = state.turn.side_to_move;
  const text = isProven(evaluation) ? long(evaluation, side) : `an estimate for ${sideName(side)}`;
  return bound ? `${text}, a bound (${bound.replace('-', ' ')})` : text;
}

/** Tells of a node in words, and shows its board. */
async function tell(node) {
  if (!node) return;
  const cut = cutReason(tree(), node.pruned ? node.parent : node);
  const facts = [
    ['Move', node.name ?? 'the position itself'],
    ['To move', `${sideName(node.side_to_move)}, ${node.maximizing ? 'maximises' : 'minimises'}`],
    ['Tried', node.pruned ? 'never: cut off' : node.order ? `as number ${node.order}` : 'the root'],
    ['Value', node.evaluation ? `${valueOf(tree(), node)}: ${meaning(node)}` : '–'],
    ['Window', node.window ? `α ${windowEnd(tree(), node.window.alpha, '−')}, β ${windowEnd(tree(), node.window.beta, '+')}` : '–'],
    cut && ['Cut', `${cut}: the rest cannot matter`],
    ['Line', node.path.map((one) => one.name).join(' ') || '–'],
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
  picture.scrollTo(0, Math.max(0, (tree()?.root.y ?? 0) - picture.clientHeight / 2));
  if (tree()) {
    const { root } = tree();
    details.replaceChildren(h('p', { class: 'quiet' }, `Value of the position: ${onScale(tree(), root.evaluation.score)}, ${meaning(root)}.`));
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
