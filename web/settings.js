// @ts-check
// How the page looks and sounds, and its keyboard: what a person chooses once.

import { button, h, icon, keepingFocus, segments } from './dom.js';
import { remember, remembered, set, state } from './store.js';

const THEMES = ['auto', 'light', 'dark'];
const BOARDS = ['blue', 'green', 'brown', 'contrast'];
const NAMES = { auto: 'As the system', light: 'Light', dark: 'Dark', blue: 'Blue', green: 'Green', brown: 'Brown', contrast: 'High contrast' };
const KEYS = [
  ['Arrow keys', 'on the board: go from square to square'], ['Enter', 'choose a piece, then its target'], ['Escape', 'give the choice up'],
  ['M', 'on the board: mark the square'], ['← →', 'elsewhere: one move back, one move on'], ['Home, End', 'first and last position'],
  ['F', 'turn the board'], ['U', 'undo'], ['H', 'hint'], ['?', 'this list'],
];

const dialog = /** @type {HTMLDialogElement} */ (document.getElementById('settings'));
const themeButton = document.getElementById('theme');
const root = document.documentElement;

function applyTheme(theme) {
  root.dataset.theme = theme;
  themeButton.replaceChildren(icon({ auto: 'contrast', light: 'sun', dark: 'moon' }[theme]));
  themeButton.title = `Theme: ${theme}`;
  themeButton.setAttribute('aria-label', `Theme: ${theme}`);
}

function chooseTheme(theme) {
  remember('theme', theme);
  applyTheme(theme);
  draw();
}

const nextTheme = () => chooseTheme(THEMES[(THEMES.indexOf(root.dataset.theme) + 1) % THEMES.length]);

/** The colours of the board that are chosen for a game; high contrast where the system asks for it. */
function boardOf(game) {
  const chosen = BOARDS.find((one) => one === remembered(`board-${game}`));
  return chosen ?? (matchMedia('(prefers-contrast: more)').matches ? 'contrast' : 'blue');
}

function chooseBoard(name) {
  remember(`board-${state.info.name}`, name);
  applyBoard();
  draw();
}

/** Gives the board the colours that are chosen for the present game. */
export function applyBoard() {
  root.dataset.board = boardOf(state.info.name);
}

const choice = (label, names, chosen, choose) => h('div', { class: 'field' }, h('span', {}, label),
  segments(label, names.map((name) => ({ text: NAMES[name], pressed: name === chosen, click: () => choose(name) }))));

function chooseSound(isOn) {
  remember('sound', isOn ? 'on' : 'off');
  set({ sound: isOn });
  draw();
}

function content() {
  const sound = [{ text: 'Off', pressed: !state.sound, click: () => chooseSound(false) }, { text: 'On', pressed: state.sound, click: () => chooseSound(true) }];
  return [
    h('div', { class: 'dialog-head' }, h('h2', {}, 'Look, sound and keyboard'), button({ label: 'Close', symbol: 'close', kind: 'quiet', click: () => dialog.close() })),
    choice('Theme', THEMES, root.dataset.theme, chooseTheme),
    choice(`Board of ${state.info.title}`, BOARDS, root.dataset.board, chooseBoard),
    h('div', { class: 'field' }, h('span', {}, 'Sound'), segments('Sound', sound)),
    h('p', { class: 'quiet small' }, 'With the right button of the mouse arrows and marks are drawn on the board; a click takes them away.'),
    h('dl', { class: 'keys' }, KEYS.map(([key, meaning]) => h('div', {}, h('dt', {}, h('kbd', {}, key)), h('dd', {}, meaning)))),
  ];
}

function draw() {
  if (dialog.open) keepingFocus(dialog, () => dialog.replaceChildren(...content()));
}

/** Opens the choices and the list of keys. */
export function show() {
  if (dialog.open) return;
  dialog.replaceChildren(...content());
  dialog.showModal();
}

export function start() {
  applyTheme(THEMES.find((one) => one === remembered('theme')) ?? 'auto');
  themeButton.addEventListener('click', nextTheme);
  document.getElementById('help').addEventListener('click', show);
  set({ sound: remembered('sound') === 'on' });
}
