// @ts-check
// How the page looks and sounds, and its keyboard: what a person chooses once.

import { button, h, keepingFocus, segments, select } from './dom.js';
import { LANGUAGES, language } from './language.js';
import { remember, remembered, set, state } from './store.js';
import { text } from './texts.js';
import { gameTitle } from './words.js';

const THEMES = /** @type {const} */ (['auto', 'light', 'dark']);
const BOARDS = /** @type {const} */ (['blue', 'green', 'brown', 'contrast']);
const keys = () => [
  [text('key.arrows'), text('keys.arrows')], [text('key.enter'), text('keys.enter')], [text('key.escape'), text('keys.escape')],
  ['M', text('keys.mark')], ['← →', text('keys.steps')], [text('key.ends'), text('keys.ends')],
  ['F', text('tools.flip')], ['U', text('tools.undo')], ['H', text('tools.hint')], ['?', text('keys.help')],
];

const dialog = /** @type {HTMLDialogElement} */ (document.getElementById('settings'));
const root = document.documentElement;

function chooseTheme(theme) {
  remember('theme', theme);
  root.dataset.theme = theme;
  draw();
}

function chooseBoard(name) {
  remember(`board-${state.info.name}`, name);
  applyBoard();
  draw();
}

/** Gives the board the colours that are chosen for the present game; high contrast where the system asks for it. */
export function applyBoard() {
  const usual = state.info.board.surface === 'felt' ? 'green' : 'blue';
  const preset = matchMedia('(prefers-contrast: more)').matches ? 'contrast' : usual;
  root.dataset.board = BOARDS.find((one) => one === remembered(`board-${state.info.name}`)) ?? preset;
}

const choice = (label, names, nameOf, chosen, choose) => h('div', { class: 'field' }, h('span', {}, label),
  segments(label, names.map((name) => ({ text: nameOf(name), pressed: name === chosen, click: () => choose(name) }))));

/** The page starts anew: its address holds the game. */
function chooseLanguage(tag) {
  remember('language', tag);
  location.reload();
}

function languages() {
  const options = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label, lang: value }));
  return h('label', { class: 'field inline' }, h('span', {}, text('settings.language')), select(text('settings.language'), options, language, chooseLanguage));
}

function chooseSound(isOn) {
  remember('sound', isOn ? 'on' : 'off');
  set({ sound: isOn });
  draw();
}

function content() {
  return [
    h('div', { class: 'dialog-head' }, h('h2', {}, text('settings.title')), button({ label: text('word.close'), symbol: 'close', kind: 'quiet', click: () => dialog.close() })),
    choice(text('settings.theme'), THEMES, (/** @type {typeof THEMES[number]} */ name) => text(`theme.${name}`), root.dataset.theme, chooseTheme),
    choice(text('settings.boardOf', { game: gameTitle() }), BOARDS, (/** @type {typeof BOARDS[number]} */ name) => text(`colours.${name}`), root.dataset.board, chooseBoard),
    h('label', { class: 'check' }, h('input', { type: 'checkbox', checked: state.sound, onchange: ({ target }) => chooseSound(target.checked) }), text('settings.sound')),
    languages(),
    h('p', { class: 'quiet small' }, text('settings.drawing')),
    h('dl', { class: 'keys' }, keys().map(([key, meaning]) => h('div', {}, h('dt', {}, h('kbd', {}, key)), h('dd', {}, meaning)))),
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
  root.dataset.theme = THEMES.find((one) => one === remembered('theme')) ?? 'auto';
  document.getElementById('help').addEventListener('click', show);
  set({ sound: remembered('sound') === 'on' });
}
