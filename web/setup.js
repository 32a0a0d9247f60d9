// @ts-check
// Setting up a position by hand, and pasting positions and records. The service says what is possible.

import { ask as request, Lane, settle } from './api.js';
import { button, capital, h, keepingFocus, pieceIcon, segments, select } from './dom.js';
import { sideIcon } from './evaluation.js';
import { readRecord } from './record.js';
import { open, readRefusal } from './session.js';
import { describe, fromAddress, state } from './store.js';
import { announce } from './status.js';
import { parts, text } from './texts.js';
import { gameTitle, pieceWords, sideName } from './words.js';

const lane = new Lane('position');
const ERASER = '';
let board;
let draft;
let side;
/** The piece that a click puts down; undefined while clicks only move pieces. */
let brush;
let verdict = {};
/** What the position has beside its board, in games that have such rights. */
let rights;
let pressed;
let repaint = () => undefined;

const palette = h('div', { class: 'palette' });
const sides = h('div', {});
const rightsBox = h('div', { class: 'rights' });
const result = h('div', { class: 'verdict-line', 'aria-live': 'polite' });

function begin() {
  draft = state.turn.board.map((row) => [...row]);
  side = state.turn.side_to_move;
  rights = rightsOf(state.turn.position);
  brush = undefined;
  verdict = {};
  renderPalette();
  check();
}

/** Asks the service whether such a position can be. */
async function check() {
  renderSides();
  renderRights();
  const { info, turn } = state;
  // What the board does not show, such as the count of moves, is kept as long as nothing is changed.
  const isUnchanged = side === turn.side_to_move && String(draft) === String(turn.board);
  const plain = isUnchanged ? { position: turn.position } : await ask({ board: draft, side_to_move: side });
  const answer = plain?.position && hasRights(info) ? await askWithRights(plain.position) : plain;
  if (!answer) return;
  verdict = answer;
  renderVerdict();
}

/** The notation of a position, or an error; nothing where a newer question has been asked. */
async function ask(position) {
  let error;
  const answer = await settle(lane.ask('position', { game: state.info.name, variant: state.info.variant, position }), ({ message }) => { error = message; });
  return answer || error ? { position: answer?.position, error } : undefined;
}

/** The position with the chosen rights that are possible; the others are named. */
async function askWithRights(position) {
  const remarks = [];
  for (let possible = rights; ;) {
    const answer = await ask(withRights(position, possible));
    const fewer = answer?.error && allowedRights(possible, answer.error);
    if (!fewer) return answer && { ...answer, remark: remarks.join(' ') };
    remarks.push(text('setup.leftOut', { error: answer.error }));
    possible = fewer;
  }
}

function change(square, name) {
  draft = draft.map((row, index) => (index === square[0] ? row.with(square[1], name) : row));
  announce(text('setup.changed', { square: board.squareName(square), content: name ? words(name) : text('word.empty') }));
  repaint();
  check();
}

const find = (name) => state.info.pieces.find((one) => one.name === name);

const words = (name) => pieceWords(find(name));

/** A square is clicked, or chosen by keyboard. */
function pick(square) {
  if (brush === undefined) return;
  const there = draft[square[0]][square[1]];
  change(square, brush === there ? ERASER : brush);
}

function choose(name) {
  brush = brush === name ? undefined : name;
  renderPalette();
}

function paletteButton(name, label, content) {
  return h('button', {
    type: 'button', class: 'palette-piece', 'aria-pressed': String(brush === name), 'aria-label': label, title: label,
    onclick: () => choose(name), onpointerdown: (event) => name && lift(event, name),
  }, content);
}

function renderPalette() {
  const { info } = state;
  const rows = info.sides.map((one) => h('div', { class: 'palette-row' },
    info.pieces.filter((piece) => piece.side === one).map((piece) =>
      paletteButton(piece.name, pieceWords(piece), pieceIcon(info, piece)))));
  const clicks = h('div', { class: 'row' },
    segments(text('setup.heading'), [
      { text: text('setup.erase'), pressed: brush === ERASER, click: () => choose(ERASER) },
      { text: text('setup.move'), pressed: brush === undefined, click: () => { brush = undefined; renderPalette(); } }]),
    button({ text: text('setup.clear'), kind: 'small', click: clear }), button({ text: text('setup.reset'), kind: 'small', click: reset }));
  keepingFocus(palette, () => palette.replaceChildren(...rows, clicks));
}

function renderSides() {
  const items = state.info.sides.map((one) => ({ text: sideName(one), symbol: sideIcon(state.info, one), pressed: one === side, click: () => { side = one; check(); } }));
  keepingFocus(sides, () => sides.replaceChildren(segments(text('setup.sideToMove'), items)));
}

function renderRights() {
  const choose = (chosen) => { rights = chosen; check(); };
  keepingFocus(rightsBox, () => rightsBox.replaceChildren(...hasRights(state.info) ? rightsControls(draft, side, rights, choose) : []));
}

function renderVerdict() {
  const { error, position, remark } = verdict;
  const use = button({ label: text('setup.playHere'), text: text('setup.playHere'), kind: 'primary', disabled: !position, click: () => openDraft(position) });
  keepingFocus(result, () => result.replaceChildren(
    error ? h('p', { class: 'error-text' }, error) : h('code', { class: 'notation' }, position ?? ''),
    remark ? h('p', { class: 'quiet small' }, remark) : '',
    h('div', { class: 'row' }, use,
      button({ label: text('setup.analyse'), text: text('setup.analyse'), disabled: !position, click: () => openDraft(position, 'analysis') }))));
}

function openDraft(position, view = 'play') {
  settle(open({ game: state.info.name, variant: state.info.variant, position, flip: state.flip, view }));
}

// Dragging: from the palette, on the board, and off it.

function lift(event, name) {
  const ghost = h('div', { class: 'lifted' }, pieceIcon(state.info, find(name)));
  const follow = ({ clientX, clientY }) => {
    ghost.style.setProperty('--x', `${clientX}px`);
    ghost.style.setProperty('--y', `${clientY}px`);
    if (!ghost.isConnected && Math.hypot(clientX - event.clientX, clientY - event.clientY) > 6) document.body.append(ghost);
  };
  const end = ({ clientX, clientY }) => {
    removeEventListener('pointermove', follow);
    removeEventListener('pointerup', end);
    removeEventListener('pointercancel', end);
    if (!ghost.isConnected) return;
    ghost.remove();
    const square = board.squareAt(clientX, clientY);
    if (square) change(square, name);
  };
  addEventListener('pointermove', follow);
  addEventListener('pointerup', end);
  addEventListener('pointercancel', end);
}

const isActive = () => state.view === 'setup' && draft;

function down(event) {
  if (!isActive() || event.button !== 0) return;
  const square = board.squareAt(event.clientX, event.clientY);
  if (square) pressed = { square, x: event.clientX, y: event.clientY, name: draft[square[0]][square[1]] };
}

function move(event) {
  if (!pressed?.name) return;
  if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > 6) pressed.dragging = true;
  if (pressed.dragging) board.drag(pressed.square, event.clientX, event.clientY);
}

function up(event) {
  if (!pressed) return;
  const { square: from, dragging, name } = pressed;
  pressed = undefined;
  const to = board.squareAt(event.clientX, event.clientY);
  if (!dragging) { if (to) pick(from); return; }
  board.drop(from);
  if (to && String(to) === String(from)) return;
  draft = draft.map((row, index) => (index === from[0] ? row.with(from[1], ERASER) : row));
  if (to) change(to, name);
  else change(from, ERASER);
}

// Pasting

/** What a refused text is as moves and as a position of the present game, and the game with the longest legal part. */
function unknown(refusals) {
  const part = refusals.filter(({ refused }) => refused?.count).sort((one, other) => other.refused.count - one.refused.count)[0];
  const [{ moves, position }] = refusals;
  if (!part) return { error: text('setup.unknown', { moves, position }) };
  const { wanted, refused } = part;
  return { wanted, words: text('setup.sawPart', { game: titleOf(wanted), count: refused.count, error: `${refused.move}: ${refused.why}` }) };
}

const titleOf = ({ game }) => gameTitle(state.games.get(game));

/**
 * Reads a text as moves, which it may not be, and as a position of a game: `{wanted, words}`, else what the service says against both.
 * @param {import('./types.d.ts').Variant} info
 */
async function readAs({ name: game, variant }, pasted, isGame = true) {
  const record = readRecord(pasted);
  const refusal = {};
  const tryAs = (kind, path, question) => settle(request(path, { game, variant, ...question }), (error) => { refusal[kind] = error.message; refusal.refused ??= readRefusal(error); });
  const wanted = { game, variant, moves: pasted, record, view: 'review' };
  const { FEN: start, Variant: named } = record.tags;
  const line = isGame && await tryAs('moves', 'review', { position: start, variant: named?.toLowerCase() ?? variant, moves: pasted, nodes: 1 });
  if (line) return { wanted, words: text('setup.sawGame', { game: titleOf(wanted), count: line.moves.length }) };
  const position = record.count ? pasted : start ?? pasted;
  if (await tryAs('position', 'position', { position })) return { wanted: { game, variant, position, view: 'play' }, words: text('setup.sawPosition', { game: titleOf(wanted) }) };
  return { ...refusal, wanted };
}

/** A position and moves as programs of chess write them, as a record. */
const asRecord = (pasted) => pasted.replace(/^position (fen|startpos moves) /, '').replace(/^(\S+ [wb] \S+ \S+(?: \d+ \d+)?) moves /, '[FEN "$1"] ');

/**
 * Finds out what a text is: a link, else moves or a position of a game, of the present one first; at last a position of a variant.
 * @returns {Promise<{wanted?: any, words?: string, error?: string}>}
 */
async function recognise(pasted) {
  const link = /\?\S*\bgame=\S+/.exec(pasted);
  const linked = link && fromAddress(link[0]);
  const { info, games } = state;
  if (linked && games.has(linked.game)) return { wanted: { ...linked, view: linked.view ?? 'play' }, words: text('setup.sawLink', { game: titleOf(linked) }) };
  const refusals = [];
  for (const game of new Set([info, ...[...games.keys()].map((name) => describe(name))])) {
    const found = await readAs(game, pasted);
    if (found.words) return found;
    refusals.push(found);
  }
  const known = unknown(refusals);
  const variants = known.wanted ? [] : [...games.values()].flatMap(({ name, variants: [, ...rest] }) => rest.map((variant) => describe(name, variant.name)));
  for (const game of variants) {
    const found = await readAs(game, pasted, false);
    if (found.words) return found;
  }
  return known;
}

const seen = h('p', { class: 'small', role: 'status' });
const error = h('p', { class: 'error-text', id: 'pasted-error', role: 'alert' });
const field = h('textarea', { id: 'pasted', rows: 2, spellcheck: 'false', autocapitalize: 'off', 'aria-describedby': error.id, oninput: () => { clearTimeout(typing); typing = setTimeout(look, TYPING_MS); } });
const TYPING_MS = 250;
let typing;
let sight;

/** Says what is pasted. */
async function look() {
  clearTimeout(typing);
  const pasted = field.value.trim();
  field.removeAttribute('aria-invalid');
  seen.textContent = error.textContent = '';
  const looking = pasted ? recognise(asRecord(pasted)) : undefined;
  sight = looking;
  const found = await looking;
  if (sight === looking && found?.words) seen.textContent = found.words;
  return found;
}

async function openPasted() {
  const found = await look();
  if (found?.wanted) { settle(open(found.wanted)); return; }
  error.textContent = found?.error ?? text('setup.nothing');
  field.setAttribute('aria-invalid', 'true');
  field.focus();
}

const pasteBox = h('div', { class: 'notation-box' }, h('label', { for: field.id }, text('setup.pasted')), field, seen, error);
const help = h('details', {});
pasteBox.append(h('div', { class: 'row' }, button({ label: text('setup.openPasted'), text: text('word.open'), click: openPasted }), help));

/** Words of the service that are told in English in every language. */
const english = (words) => h('span', { lang: 'en' }, words);

function renderHelp() {
  const { info } = state;
  const examples = [...info.positions.examples.filter(Boolean), info.moves.examples[0]];
  help.replaceChildren(h('summary', {}, text('setup.notation')), h('p', { class: 'quiet small' }, english(`${capital(info.positions.notation)}.`)),
    h('p', { class: 'quiet small' }, parts('setup.records', { notation: english(info.moves.notation) })),
    h('div', { class: 'examples' }, examples.map((example) => h('button', { type: 'button', class: 'example', onclick: () => { field.value = example; look(); } }, example))));
}

// Castling and en passant: what a chess position has beside its board. Only this part knows a notation, that of FEN: the
// third field has the castling rights, the fourth the square behind a pawn that has just made two steps.

const NONE = '-';
const CASTLING = /** @type {const} */ ([['K', 0, 'rights.short'], ['Q', 0, 'rights.long'], ['k', 1, 'rights.short'], ['q', 1, 'rights.long']]);

/** Whether positions of the game have such rights. */
const hasRights = (info) => info.positions.notation.startsWith('FEN');

/** A castling right by the side of the king, where it is the file of the rook, as in Chess960. */
function rightNamed(pieces, letter) {
  if ('KQkq'.includes(letter)) return letter;
  const isFirst = letter === letter.toUpperCase();
  const rank = pieces.split('/').at(isFirst ? -1 : 0).replace(/\d/g, (count) => '.'.repeat(Number(count)));
  const king = 'abcdefgh'[rank.indexOf(isFirst ? 'K' : 'k')];
  const way = letter.toLowerCase() > king ? 'k' : 'q';
  return isFirst ? way.toUpperCase() : way;
}

/** The rights of a position: `{castling, passing}`. */
function rightsOf(position) {
  const [pieces, , castling = NONE, passing = NONE] = position.split(' ');
  const letters = castling === NONE ? [] : [...castling].map((letter) => rightNamed(pieces, letter));
  return { castling: letters.join(''), passing };
}

/** The same position with other rights. */
function withRights(position, { castling, passing }) {
  const fields = position.split(' ');
  fields.splice(2, 2, castling || NONE, passing);
  return fields.join(' ');
}

/** The rights without those that the message refuses; nothing where it refuses something else. */
function allowedRights(rights, message) {
  const [, refused] = /^the castling rights: .*leave out (\w+)$/.exec(message) ?? [];
  if (refused) return { ...rights, castling: [...rights.castling].filter((right) => !refused.includes(right)).join('') };
  return message.startsWith('the en passant square') && rights.passing !== NONE ? { ...rights, passing: NONE } : undefined;
}

/** The squares behind a pawn that may just have made two steps, as the other side is to move. */
function passingSquares(draft, side) {
  const { board: { columns, rows }, sides, pieces } = state.info;
  const enemy = sides.find((one) => one !== side);
  const pawn = pieces.find((piece) => piece.side === enemy && piece.label === 'pawn')?.name;
  const [row, back] = enemy === sides[0] ? [4, 1] : [3, -1];
  return columns.filter((_, column) => draft[row][column] === pawn && !draft[row + back][column]).map((column) => column + rows[row + back]);
}

/** The controls of the rights; `change` gets the new ones. */
function rightsControls(draft, side, rights, change) {
  const toggle = (letter) => {
    const has = (one) => (one === letter ? !rights.castling.includes(one) : rights.castling.includes(one));
    change({ ...rights, castling: CASTLING.map(([one]) => one).filter(has).join('') });
  };
  const boxes = CASTLING.map(([letter, index, way]) => h('label', { class: 'check' },
    h('input', { type: 'checkbox', checked: rights.castling.includes(letter), onchange: () => toggle(letter) }),
    text(way, { side: sideName(state.info.sides[index]) })));
  const squares = [...new Set([NONE, ...passingSquares(draft, side), rights.passing])];
  const options = squares.map((value) => ({ value, label: value === NONE ? text('rights.none') : value }));
  return [
    h('div', { class: 'checks', role: 'group', 'aria-label': text('rights.castling') }, h('span', {}, text('rights.castling')), boxes),
    h('label', { class: 'field inline' }, h('span', {}, text('rights.passing')), select(text('rights.passing'), options, rights.passing, (passing) => change({ ...rights, passing }))),
  ];
}

const clear = () => { draft = draft.map((row) => row.map(() => ERASER)); repaint(); check(); };
const reset = () => { begin(); repaint(); };

const body = h('div', {},
  pasteBox,
  h('h2', {}, text('setup.heading')),
  h('p', { class: 'quiet small' }, text('setup.how')),
  palette,
  h('div', { class: 'field inline' }, h('span', {}, text('setup.sideToMove')), sides),
  rightsBox,
  result);

export const panel = {
  element: body,
  start(paint, mainBoard) {
    repaint = paint;
    board = mainBoard;
    const { element } = board;
    element.addEventListener('pointerdown', down);
    element.addEventListener('pointermove', move);
    element.addEventListener('pointerup', up);
    element.addEventListener('pointercancel', () => { if (pressed) board.drop(pressed.square); pressed = undefined; });
  },
  update(changed) {
    if (changed.has('info')) renderHelp();
    if (state.view !== 'setup') { lane.cancel(); draft = undefined; return; }
    if (changed.has('view') || changed.has('info') || (changed.has('turn') && !draft)) begin();
  },
  /** The board that is set up. */
  drafted: () => draft,
  pick,
};
