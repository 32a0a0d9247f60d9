// @ts-check
// Small helpers to build elements. Styles are set by class or through the CSSOM, never by attribute.

const SVG = 'http://www.w3.org/2000/svg';

function build(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat(3).filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

/**
 * An HTML element.
 * @returns {any}
 */
export const h = (tag, properties, ...children) => build(document.createElement(tag), properties, children);

/**
 * An SVG element.
 * @returns {any}
 */
export const s = (tag, properties, ...children) => build(document.createElementNS(SVG, tag), properties, children);

/** An icon of the sprite in the page. */
export const icon = (name) =>
  s('svg', { class: 'icon', 'aria-hidden': 'true' }, s('use', { href: `#icon-${name}` }));

/** The drawing of that name, where it exists. */
const drawing = (id) => document.getElementById(id) && s('use', { href: `#${id}`, width: 100, height: 100 });

/** A drawn piece in a square of 100, or its character where no drawing exists. */
export function pieceElement(game, piece) {
  const id = `${game.name}-${piece.name}`;
  const place = { x: 50, y: 50, 'font-size': 80, class: 'piece-symbol', 'data-drawing': id };
  return drawing(id) ?? s('text', place, piece.symbol);
}

/** Adds the drawings of pieces to the page, and puts them where characters stand in their place until now. */
export function addDrawings(text, roots) {
  const sprite = document.importNode(new DOMParser().parseFromString(text, 'image/svg+xml').documentElement, true);
  sprite.classList.add('sprite');
  document.body.append(sprite);
  roots.flatMap((root) => [...root.querySelectorAll('.piece-symbol')]).forEach((character) => {
    character.replaceWith(drawing(character.dataset.drawing) ?? character);
  });
}

/** A piece as a picture in running text. */
export const pieceIcon = (game, piece) =>
  s('svg', { class: 'piece-icon', viewBox: '0 0 100 100', 'aria-hidden': 'true' }, pieceElement(game, piece));

/** The first letter as a capital one. */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Whether two squares are the same. */
export const same = (one, other) => one[0] === other[0] && one[1] === other[1];

/** Whether the person asked for little motion. */
export const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Scrolls a box so far that an element in it is seen. The page stays where it is. */
export function reveal(box, element, edge = 12) {
  const [outer, inner] = [box, element].map((one) => one.getBoundingClientRect());
  const shift = (low, high, lowEnd, highEnd) => (low < lowEnd + edge ? low - lowEnd - edge : Math.max(0, high - highEnd + edge));
  box.scrollLeft += shift(inner.left, inner.right, outer.left, outer.right);
  box.scrollTop += shift(inner.top, inner.bottom, outer.top, outer.bottom);
}

/** Fades the ends of a strip at which it can be scrolled further. */
export function fadeEnds(strip) {
  const mark = () => requestAnimationFrame(() => {
    strip.classList.toggle('more-left', strip.scrollLeft > 4);
    strip.classList.toggle('more-right', strip.scrollLeft + strip.clientWidth < strip.scrollWidth - 4);
  });
  strip.addEventListener('scroll', mark, { passive: true });
  new ResizeObserver(mark).observe(strip);
  new MutationObserver(mark).observe(strip, { childList: true });
}

/** Buttons side by side, of which one is pressed: `{text, symbol, pressed, click}` each. */
export const segments = (label, items) => h('div', { class: 'segments', role: 'group', 'aria-label': label },
  items.map(({ text, symbol, pressed, click, ...rest }) => h('button', {
    type: 'button', class: 'segment', 'aria-pressed': String(pressed), onclick: click, ...rest,
  }, symbol, text)));

/** A select with options `{value, label}`; `change` gets the chosen value. */
export function select(label, options, chosen, change) {
  const items = options.map(({ value, label: text, lang }) =>
    h('option', { value, lang, selected: String(value) === String(chosen) }, text));
  const list = h('select', { 'aria-label': label, onchange: () => change(list.value) }, items);
  return list;
}

/**
 * A button with an icon, a text, or both.
 * @param {{label?: string, text?: string, symbol?: string, kind?: string, click?: (event: MouseEvent) => void, [name: string]: any}} options
 */
export function button({ text, label = text, symbol, kind = '', click, ...rest }) {
  const name = text ? undefined : label;
  return h('button', { type: 'button', class: `button ${kind}`, 'aria-label': name, title: label, onclick: click, ...rest },
    symbol && icon(symbol), text && h('span', {}, text));
}

const CONTROLS = 'a[href], button, input, select, textarea, summary, [tabindex]';

const isUsable = (control) => !control.disabled && control.checkVisibility();
const nameOf = (control) => control.getAttribute('aria-label') ?? control.getAttribute('title') ?? control.textContent;

/** The control itself, else the nearest one of its name, else the nearest one. */
function nextFocus(controls, control, name, index) {
  if (isUsable(control) && controls.includes(control)) return control;
  const distance = (one) => Math.abs(controls.indexOf(one) - index);
  const usable = controls.filter(isUsable);
  const named = usable.filter((one) => nameOf(one) === name);
  return (named.length ? named : usable).sort((one, other) => distance(one) - distance(other))[0];
}

/**
 * Renders what is in `place` anew and keeps the focus there: at the control of the same name, else at a neighbour.
 * Without one it goes to `otherwise`.
 */
export function keepingFocus(place, renderAnew, otherwise = place.closest('[tabindex]')) {
  const focused = document.activeElement;
  const isInside = place !== focused && place.contains(focused);
  const controls = () => [...place.querySelectorAll(CONTROLS)];
  const [name, index] = isInside ? [nameOf(focused), controls().indexOf(focused)] : [];
  renderAnew();
  const isLost = () => document.activeElement === document.body || !isUsable(document.activeElement);
  if (isInside && isLost()) (nextFocus(controls(), focused, name, index) ?? otherwise)?.focus({ preventScroll: true });
}
