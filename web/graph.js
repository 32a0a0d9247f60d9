// @ts-check
// The graph of a review: the value after each ply, from the view of the first side.

import { s } from './dom.js';
import { named, text } from './texts.js';

const [WIDTH, HEIGHT, EDGE] = [600, 84, 8];
const SHOWN = new Set(['inaccuracy', 'mistake', 'blunder']);

/** `points` are `{value, label, name}` by ply; `pick` gets the ply that is clicked. */
export function graph(points, ply, title, pick) {
  const x = (index) => EDGE + (index / Math.max(1, points.length - 1)) * (WIDTH - 2 * EDGE);
  const y = (value) => HEIGHT / 2 - value * (HEIGHT / 2 - EDGE);
  const curve = points.map(({ value }, index) => `${x(index).toFixed(1)} ${y(value).toFixed(1)}`).join('L');
  const area = `M${x(0)} ${HEIGHT / 2}L${curve}L${x(points.length - 1)} ${HEIGHT / 2}z`;
  const dots = points.map(({ label, value, name }, index) => SHOWN.has(label)
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
