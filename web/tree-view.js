// @ts-check
// The picture of a decision tree: from left to right, leaves one below the other, parents in the middle.

import { capital, s } from './dom.js';
import { kind, scoreText, short } from './evaluation.js';
import { text } from './texts.js';

const [BOX, HIGH, ACROSS, DOWN] = [102, 38, 124, 44];

/** Adds to each node its parent, its way from the root and the last order tried below it. */
export function annotate(root) {
  const all = [];
  const byOrder = [];
  const visit = (node, parent) => {
    node.parent = parent;
    node.id = all.length;
    node.name = node.san ?? node.move;
    node.path = parent ? [...parent.path, node] : [];
    node.key = parent ? `${parent.key} ${node.move}` : '';
    all.push(node);
    if (node.order !== undefined) byOrder[node.order] = node;
    node.lastBelow = node.order ?? -1;
    for (const child of node.children) node.lastBelow = Math.max(node.lastBelow, visit(child, node));
    return node.lastBelow;
  };
  const last = visit(root);
  return { root, all, byOrder, last, names: valueNames(all), byKey: new Map(all.map((node) => [node.key, node])) };
}

/** The scores of the tree, and how the analysis writes them. */
function valueNames(nodes) {
  const known = nodes.filter(({ evaluation }) => evaluation);
  return new Map(known.map(({ evaluation }) => [evaluation.score, short({ ...evaluation, plies_bound: undefined })]));
}

/** A score as the analysis writes it: alpha and beta are scores of other nodes. */
export const onScale = (tree, score) => tree.names.get(score) ?? scoreText(score);

/** One end of a window on the same scale. */
export const windowEnd = (tree, score, sign) => (score === null || score === undefined ? `${sign}∞` : onScale(tree, score));

const BOUNDS = { 'at-least': '≥', 'at-most': '≤' };

/** The value of a node, with the sign of a bound. */
export const valueOf = (tree, { evaluation, bound }) => (BOUNDS[bound] ?? '') + onScale(tree, evaluation.score);

/** Why the rest below a node was left out: `3 ≥ β 1`; nothing where all was searched. */
export function cutReason(tree, { children, evaluation, window, maximizing }) {
  if (!evaluation || !window || !children.some(({ pruned }) => pruned)) return '';
  const [sign, bound] = maximizing ? ['≥ β', window.beta] : ['≤ α', window.alpha];
  return `${onScale(tree, evaluation.score)} ${sign} ${onScale(tree, bound)}`;
}

/** Places the open nodes; the number of rows comes back. */
function arrange(node, opened, level, row) {
  node.x = level * ACROSS;
  const children = opened.has(node) ? node.children : [];
  if (!children.length) { node.y = row * DOWN; return row + 1; }
  let next = row;
  for (const child of children) next = arrange(child, opened, level + 1, next);
  node.y = (children[0].y + children.at(-1).y) / 2;
  return next;
}

function visible(node, opened) {
  return [node, ...(opened.has(node) ? node.children.flatMap((child) => visible(child, opened)) : [])];
}

/** Whether a node has been reached at this step, and whether its value is final. */
const isReached = (node, order) => (node.pruned ? node.parent.lastBelow <= order : node.order <= order);
const isFinal = (node, order) => node.lastBelow <= order;

function edge(node, order) {
  const { parent } = node;
  const [x1, y1] = [parent.x + BOX, parent.y + HIGH / 2];
  const [x2, y2] = [node.x, node.y + HIGH / 2];
  const middle = (x1 + x2) / 2;
  const isOnPath = isReached(node, order) && !node.pruned && (!isFinal(node, order) || node.order === order);
  const kinds = ['edge', node.best && isFinal(parent, order) && 'chosen', node.pruned && 'pruned', !isReached(node, order) && 'untried', isOnPath && 'path'];
  return s('path', { d: `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`, class: kinds.filter(Boolean).join(' ') });
}

/** The window of a node while the search is below it: the best of the moves tried so far is its lower bound. */
function liveWindow({ window, maximizing, children }, order) {
  const scores = children.filter((child) => child.evaluation && child.order !== undefined && isFinal(child, order)).map(({ evaluation }) => evaluation.score);
  const { alpha, beta } = window;
  if (maximizing) return { alpha: Math.max(alpha ?? -Infinity, ...scores), beta: beta ?? Infinity };
  return { alpha: alpha ?? -Infinity, beta: Math.min(beta ?? Infinity, ...scores) };
}

const finite = (score) => (Number.isFinite(score) ? score : null);

/** What is known of a node after `order` nodes have been tried. */
function stage(tree, node, order) {
  const reached = isReached(node, order);
  const final = reached && isFinal(node, order) && Boolean(node.evaluation);
  const unfinished = reached ? '…' : '';
  const value = node.pruned ? text('tree.cutOff') : final ? valueOf(tree, node) : unfinished;
  const live = node.window && (final ? node.window : liveWindow(node, order));
  const ends = live && `α ${windowEnd(tree, finite(live.alpha), '−')}  β ${windowEnd(tree, finite(live.beta), '+')}`;
  const cut = final && cutReason(tree, node);
  return { reached, final, value, window: reached ? cut ? text('tree.cutHere', { reason: cut }) : ends ?? '' : '', isCut: Boolean(cut) };
}

function kinds(node, order, reached) {
  const isChosen = node.best && isFinal(node.parent ?? node, order);
  return ['node', node.maximizing ? 'max' : 'min', isChosen && 'chosen', node.pruned && 'pruned',
    !reached && 'untried', reached && !node.pruned && !isFinal(node, order) && 'active', node.order === order && 'current'].filter(Boolean).join(' ');
}

function box(tree, node, { opened, order, toggle, point, leave }) {
  const { reached, final, value, window, isCut } = stage(tree, node, order);
  const open = opened.has(node);
  const count = node.children.length;
  const y = window ? 16 : 24;
  return s('g', {
    class: kinds(node, order, reached), transform: `translate(${node.x} ${node.y})`, 'data-node': node.id,
    role: 'treeitem', tabindex: node.parent ? -1 : 0, 'aria-level': node.path.length + 1,
    'aria-expanded': count ? String(open) : undefined, 'aria-label': [node.name ?? capital(text('tree.root')), value || text('tree.untried'), isCut && window].filter(Boolean).join(', '),
    onclick: () => count && toggle(node),
    onpointerenter: () => point(node), onfocus: () => point(node), onpointerleave: leave, onblur: leave,
  },
  s('rect', { width: BOX, height: HIGH, rx: node.maximizing ? 10 : 3 }),
  s('text', { x: 9, y, class: 'name' }, `${node.maximizing ? '▲' : '▼'} ${node.name ?? text('tree.root')}`),
  s('text', { x: BOX - 8, y, 'text-anchor': 'end', class: `value ${final ? kind(node.evaluation) : ''}` }, value),
  window && s('text', { x: 9, y: 31, class: isCut ? 'window cut' : 'window' }, window),
  count && !open ? s('text', { x: BOX + 6, y: 24, class: 'more' }, `+${count}`) : '');
}

function keys(event, tree, { opened, toggle }) {
  const here = tree.all[Number(event.target.dataset.node)];
  if (!here) return;
  const shown = visible(tree.root, opened);
  const go = (node) => event.currentTarget.querySelector(`[data-node="${node?.id}"]`)?.focus();
  const open = opened.has(here);
  const actions = {
    ArrowDown: () => go(shown[shown.indexOf(here) + 1]),
    ArrowUp: () => go(shown[shown.indexOf(here) - 1]),
    ArrowRight: () => (here.children.length && !open ? toggle(here) : go(here.children[0])),
    ArrowLeft: () => (open && here.parent ? toggle(here) : go(here.parent)),
    Enter: () => here.children.length && toggle(here),
  };
  if (!actions[event.key]) return;
  event.preventDefault();
  event.stopPropagation();
  actions[event.key]();
}

/** Draws the open part of a tree as it stands after `order` nodes have been tried. */
export function draw(tree, options) {
  const { opened, order } = options;
  const rows = arrange(tree.root, opened, 0, 0);
  const nodes = visible(tree.root, opened);
  const levels = Math.max(...nodes.map(({ path }) => path.length)) + 1;
  const [width, height] = [levels * ACROSS + 8, rows * DOWN + 8];
  return s('svg', { width, height, viewBox: `-4 -4 ${width} ${height}`, class: 'tree-picture' },
    s('g', { 'aria-hidden': 'true' }, nodes.slice(1).map((node) => edge(node, order))),
    s('g', { role: 'tree', 'aria-label': text('analysis.nodes'), onkeydown: (event) => keys(event, tree, options) },
      nodes.map((node) => box(tree, node, options))));
}
