// @ts-check
// The page: the board, what stands around it, and the views.

import * as early from './early.js';
import { Lane, settle } from './api.js';
import { Board } from './board.js';
import { addDrawings, button, capital, fadeEnds, h, keepingFocus, reveal } from './dom.js';
import { Bar, decisive, material, short, sideIcon, turned } from './evaluation.js';
import { drawn, listenForDrawings, MoveInput } from './input.js';
import { leave, moveList, noteBox, preview, renderMoves } from './lines.js';
import { giveHint, knowOpenings, levelName, panel as playPanel } from './play.js';
import { clockOf, nameOf } from './record.js';
import * as session from './session.js';
import * as settings from './settings.js';
import { announce, fail, remark } from './status.js';
import { isEnded, isOver, place, remember, set, standing, state, subscribe } from './store.js';
import { text } from './texts.js';
import { gameTitle, sideName, variantName } from './words.js';

/** @returns {any} */
const byId = (id) => document.getElementById(id);
/** The names of all views, in the order of their tabs. */
const NAMES = /** @type {const} */ (['play', 'analysis', 'review', 'tree', 'setup', 'share']);

/** The views that are there, by name. @type {Map<string, any>} */
const views = new Map([['play', playPanel]]);

/** The view that is shown. */
const active = () => views.get(state.view) ?? playPanel;

const board = new Board();
const bar = new Bar();
let previewed;
let shown = {};

const input = new MoveInput(board, {
  legal: () => (session.mayMove() && state.view !== 'setup' ? state.turn.legal_moves : []),
  cells: () => state.turn.board,
  play: playMove,
  refuse: async (square, from) => remark((await import('./why.js')).whyNot(square, from, board)),
  side: () => state.turn.side_to_move,
  game: () => state.info,
  isPending: () => state.turn.pending,
  known: session.known,
});
/** Plays a legal move, unless the view takes it as an answer. */
function playMove(move) {
  if (active().tryMove?.(move)) input.clear();
  else session.play(move);
}

input.onselect = () => paint();
const pickMove = board.onpick;
board.onpick = (square) => (active().pick ?? pickMove)(square);

// The board

/** Gives the board its game and size. */
const prepare = (cells) => board.setGame(state.info, cells.length, cells[0].length, state.flip);

/** Draws the board as it should be now. */
function paint() {
  const { turn, ply } = state;
  if (!turn) return;
  const edited = active().drafted?.();
  const there = previewed ?? turn;
  const half = edited || previewed ? undefined : input.half;
  const cells = edited ?? half?.cells ?? there.board;
  prepare(cells);
  if (cells !== shown.board) {
    const step = !edited && shown.ply !== undefined && !previewed && !shown.previewed ? ply - shown.ply : 0;
    const jump = half && step === 0 && { path: half.last, captures: half.taken };
    const move = previewed ? previewed.last_move : step === 1 ? rest(turn.last_move) : step === -1 ? shown.last : jump;
    board.show(cells, move, { back: step === -1 });
    shown = { board: cells, ply, last: there.last_move, previewed: Boolean(previewed), steps: half?.steps };
  }
  paintMarks(edited, there);
}

/** What is left of a move of which the first jumps are on the board already. */
const rest = (move) => (shown.steps && move ? { ...move, path: move.path.slice(shown.steps) } : move);

/** The ways from which one is to be chosen, leg by leg. */
const routeArrows = (routes) => routes.flatMap(({ path }, index) =>
  path.slice(1).map((to, leg) => ({ from: path[leg], to, kind: `route-${index % 2 + 1}` })));

function paintMarks(edited, there) {
  const overlay = previewed || edited ? {} : active().overlay?.(input.selected) ?? {};
  const last = edited ? [] : (there.last_move?.path ?? []);
  const forced = there.must_capture && session.mayMove() ? there.legal_moves.map(({ path }) => path[0]) : [];
  const ends = last.length > 1 ? [last[0], last.at(-1)] : last;
  board.mark({
    last: ends, [`verdict-${overlay.verdict}`]: overlay.verdict ? ends.slice(-1) : [],
    check: there.check && there.checked ? [there.checked] : [], must: edited || input.half ? [] : forced,
    selected: input.selected ? [input.half?.last.at(-1) ?? input.selected] : [], left: input.half?.left ?? [],
  });
  board.line(edited ? [] : there.line);
  board.stress(edited || there.state !== 'won' ? [] : decisive(there));
  board.arrows([...(input.routes ? routeArrows(input.routes) : overlay.arrows ?? []), ...(edited || previewed ? [] : drawn())]);
  board.badges(overlay.badges ?? []);
  board.element.classList.toggle('previewed', Boolean(previewed));
  board.element.setAttribute('aria-busy', String(Boolean(state.turn.pending)));
  paintBar();
}

function presentEvaluation() {
  const known = active().evaluation?.();
  const over = isEnded() && active().hasBar ? finalEvaluation() : undefined;
  return over ?? known;
}

/** The evaluation from the view of the first side, where there is one. */
function barValue() {
  const known = presentEvaluation();
  return known && (known.side === state.info.sides[0] ? known.evaluation : turned(known.evaluation));
}

function paintBar() {
  bar.show(state.info, barValue(), isFirstAbove());
  renderPlayers();
}

/** Whether the first side's pieces stand at the top of the board as shown. */
const isFirstAbove = () => board.isTurned !== (session.sideAbove(state.info) === state.info.sides[0]);

function finalEvaluation() {
  const { winner } = standing();
  const [first] = state.info.sides;
  if (!winner) return { evaluation: { outcome: 'draw', value: 0, score: 0 }, side: first };
  const won = winner === first;
  return { evaluation: { outcome: won ? 'win' : 'loss', value: won ? 1 : -1, score: 0 }, side: first };
}

preview.show = (turn) => { if (turn !== previewed) { previewed = turn; paint(); } };

// Around the board

/** What is to be said of a side beside its name. */
function flags(side, isTurn) {
  const { info, turn, thinking } = state;
  const { winner } = standing();
  const value = side === info.sides[0] && active().hasBar ? barValue() : undefined;
  const result = winner === side ? text('player.won') : text('player.lost');
  return [
    value && h('span', { class: 'flag value', title: text('player.value') }, `${sideName(side)} ${short(value)}`),
    thinking === side && h('span', { class: 'busy' }, text('player.thinking')),
    isTurn && !thinking && session.isYours(side) && h('span', { class: 'flag turn' }, text('player.yourTurn')),
    isTurn && turn.check && h('span', { class: 'flag bad' }, text('player.check')),
    isTurn && turn.must_pass && h('span', { class: 'flag' }, text('player.mustPass')),
    isTurn && turn.must_capture && h('span', { class: 'flag' }, text('player.mustCapture')),
    isOver() && h('span', { class: `flag ${winner === side ? 'good' : ''}` }, winner ? result : text('player.draw')),
  ];
}

function playerStrip(index) {
  const { info, players, turn } = state;
  const side = info.sides[index];
  const isTurn = turn.side_to_move === side && !isOver();
  const player = players[index] === null ? text('player.you') : text('player.engine', { level: levelName(info, players[index]) });
  const isPlayed = state.view === 'play' && players.some((one) => one !== null);
  const who = isPlayed ? player : nameOf(side) ?? (state.view === 'play' ? player : '');
  const clock = clockOf(side);
  return h('div', { class: `player ${isTurn ? 'turn' : ''}` }, sideIcon(info, side),
    h('b', {}, sideName(side)), h('span', { class: 'quiet who' }, who), material(side),
    h('span', { class: 'flags' }, clock && h('span', { class: 'flag value', title: text('player.clock') }, clock), flags(side, isTurn)));
}

function renderPlayers() {
  const above = isFirstAbove() ? 0 : 1;
  byId('player-above').replaceChildren(playerStrip(above));
  byId('player-below').replaceChildren(playerStrip(1 - above));
}

const tools = {
  first: button({ label: text('tools.first'), symbol: 'first', kind: 'quiet', click: () => session.go(0) }),
  prev: button({ label: text('tools.back'), symbol: 'prev', kind: 'quiet', click: () => session.go(state.ply - 1) }),
  next: button({ label: text('tools.on'), symbol: 'next', kind: 'quiet', click: () => session.go(state.ply + 1) }),
  last: button({ label: text('tools.last'), symbol: 'last', kind: 'quiet', click: () => session.go(state.moves.length) }),
  undo: button({ label: text('tools.undo'), text: text('tools.undo'), symbol: 'undo', kind: 'quiet', click: session.undo }),
  redo: button({ label: text('tools.redo'), symbol: 'redo', kind: 'quiet', click: session.redo }),
  pass: button({ hidden: true, label: text('tools.pass'), text: text('tools.pass'), kind: 'primary', click: () => playMove(session.forcedPass()) }),
  hint: button({ label: text('tools.hint'), text: text('tools.hint'), symbol: 'hint', kind: 'quiet', click: giveHint }),
  flip: button({ label: text('tools.flip'), symbol: 'flip', kind: 'quiet', click: () => set({ flip: !state.flip }) }),
};

function renderTools() {
  const { ply, moves } = state;
  [tools.first, tools.prev].forEach((tool) => { tool.disabled = ply === 0; });
  [tools.next, tools.last].forEach((tool) => { tool.disabled = ply >= moves.length; });
  tools.undo.disabled = !session.isSettled() && session.undoTarget() === undefined;
  tools.redo.disabled = !state.undone.length;
  tools.pass.hidden = !session.forcedPass();
  tools.hint.hidden = state.view !== 'play';
  tools.hint.disabled = !session.mayMove();
  tools.flip.hidden = board.style === 'lines';
}

/** A move typed in the game's own notation; the service reads it. */
const typing = new Lane();

async function typeMove(event) {
  event.preventDefault();
  const field = byId('typed-move');
  const error = byId('typed-error');
  const typed = field.value.trim();
  error.textContent = '';
  if (!typed) return;
  await session.known();
  if (!session.mayMove()) { error.textContent = text('typing.notYours'); return; }
  const { turn } = state;
  const after = await settle(typing.ask('position', { ...place(), moves: [...place().moves, typed] }), (refused) => {
    const loose = looselyNamed(turn.legal_moves, typed);
    if (loose && state.turn === turn) { playTyped(loose); return; }
    error.textContent = refused.message.replace(/^moves\[\d+\] /, '');
    field.select();
  });
  const move = after && turn.legal_moves.find((one) => one.move === after.last_move.move);
  if (move && state.turn === turn) playTyped(move);
}

/** The only legal move of that name, whatever the size of its letters and without its signs. */
function looselyNamed(legal, typed) {
  const plain = (name = '') => name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const found = legal.filter(({ move, san }) => plain(move) === plain(typed) || plain(san) === plain(typed));
  return found.length === 1 ? found[0] : undefined;
}

function playTyped(move) {
  const field = byId('typed-move');
  field.value = '';
  playMove(move);
}

// The views

const tabs = NAMES.map((view) => h('button', {
  type: 'button', role: 'tab', id: `tab-${view}`, 'aria-controls': 'panel', onclick: () => set({ view }),
}, text(`${view}.title`)));

function renderTabs() {
  NAMES.forEach((view, index) => {
    const isActive = view === state.view;
    tabs[index].setAttribute('aria-selected', String(isActive));
    tabs[index].tabIndex = isActive ? 0 : -1;
    // With the next frame, which lays the page out anyway.
    if (isActive) requestAnimationFrame(() => reveal(byId('tabs'), tabs[index]));
  });
  byId('panel').setAttribute('aria-labelledby', `tab-${state.view}`);
  const hadFocus = byId('panel').contains(document.activeElement);
  byId('panel').replaceChildren(active().element);
  if (hadFocus) byId('panel').focus({ preventScroll: true });
  document.body.dataset.view = state.view;
}

function moveTab(event) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step) return;
  event.preventDefault();
  event.stopPropagation();
  const next = (tabs.indexOf(event.target) + step + tabs.length) % tabs.length;
  set({ view: NAMES[next] });
  tabs[next].focus();
}

function renderGames() {
  const items = [...state.games.values()].map((game) => h('button', {
    type: 'button', class: 'game', 'aria-pressed': String(game.name === state.info.name),
    onclick: () => session.openLast(game.name),
  }, gameTitle(game)));
  const { variants } = state.games.get(state.info.name);
  const chosen = state.info.variant ?? variants[0].name;
  const choices = variants.map(({ name }) => h('button', {
    type: 'button', class: 'game', 'aria-pressed': String(name === chosen), onclick: () => session.openVariant(name),
  }, variantName(name)));
  byId('about').textContent = byId('about').title = `${capital(state.info.description)}.`;
  fill(byId('games'), items);
  fill(byId('variants'), variants.length > 1 ? choices : []);
}

/** Puts buttons into a strip, the pressed one in sight. */
function fill(strip, items) {
  keepingFocus(strip, () => strip.replaceChildren(...items));
  requestAnimationFrame(() => { if (items.length) reveal(strip, strip.querySelector('[aria-pressed="true"]')); });
}

function update(changed) {
  const isElsewhere = ['turn', 'view', 'info'].some((name) => changed.has(name));
  if (isElsewhere) { input.forget(); leave(); remark(''); }
  if (changed.has('info')) { document.body.dataset.game = state.info.name; remember('game', state.info.name); settings.applyBoard(); renderGames(); document.title = `${gameTitle()} · bestmove`; }
  if (changed.has('view')) renderTabs();
  if (state.turn) prepare(state.turn.board);
  views.forEach((view) => view.update(changed));
  paint();
  if (isElsewhere) input.clear();
  keepingFocus(byId('tools'), renderTools);
  byId('moves').hidden = !active().hasMoves || !state.moves.length;
  if (active().hasMoves) renderMoves();
  session.writeAddress();
  if (state.sound) import('./sound.js').then((sound) => sound.update());
  session.think();
  if (changed.has('turn') || changed.has('view')) session.passSoon();
}

function onKey(event) {
  const isTyping = event.target.closest?.('input, textarea, select, [role=tree], dialog');
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || !state.turn) return;
  const actions = {
    ArrowLeft: () => session.go(state.ply - 1), ArrowRight: () => session.go(state.ply + 1),
    Home: () => session.go(0), End: () => session.go(state.moves.length),
    f: () => tools.flip.click(), u: () => tools.undo.click(), h: () => tools.hint.click(), '?': settings.show,
  };
  const action = Object.hasOwn(actions, event.key) && actions[event.key];
  if (action) { event.preventDefault(); action(); }
}

function build() {
  byId('board').append(board.element);
  byId('bar').append(bar.element);
  byId('tools').append(...Object.values(tools));
  byId('tabs').append(...tabs);
  [byId('tabs'), byId('games'), byId('variants')].forEach(fadeEnds);
  byId('tabs').addEventListener('keydown', moveTab);
  byId('moves').append(moveList, noteBox);
  byId('typing').addEventListener('submit', typeMove);
  document.addEventListener('keydown', onKey);
  settings.start();
  listenForDrawings(board);
  active().start(paint, board);
  session.followHistory();
  subscribe(update);
}

/** Loads the other views, which catch up with what is on the page. */
async function addViews() {
  const [, ...names] = NAMES;
  const modules = await Promise.all(names.map((name) => import(`./${name}.js`)));
  modules.forEach(({ panel }, index) => {
    views.set(names[index], panel);
    panel.start?.(paint, board);
    if (state.turn) panel.update(new Set(Object.keys(state)));
  });
  knowOpenings(await import('./openings.js'));
  if (state.turn && active() !== views.get('play')) { renderTabs(); paint(); }
}

/** How long the board waits for the drawings of its pieces, in milliseconds; then it shows characters. */
const LONGEST_WAIT = 500;

async function start() {
  build();
  const { wanted, turn } = early;
  const view = NAMES.find((name) => name === wanted.view) ?? 'play';
  const others = view === 'play' ? undefined : addViews();
  const { games } = await early.games;
  const drawings = settle(early.pieces.then((file) => addDrawings(file, [document, ...[...views.values()].map(({ element }) => element)])));
  await Promise.race([drawings, new Promise((resume) => { setTimeout(resume, LONGEST_WAIT); })]);
  state.games = new Map(games.map((game) => [game.name, game]));
  const game = state.games.has(wanted.game) ? wanted.game : games[0].name;
  state.view = '';
  await others;
  try {
    if (game !== wanted.game) throw new Error(text('page.noGame', { game: wanted.game, other: gameTitle(state.games.get(game)) }));
    await session.open({ ...wanted, view, turn, isLink: true });
  } catch (error) {
    fail(new Error(text('page.noLink', { error: error.message })));
    await session.open({ game, view, isLink: true, isCut: true });
  }
  document.body.classList.add('ready');
  performance.mark('interactive');
  if (!others) (window.requestIdleCallback ?? setTimeout)(() => addViews().catch(fail));
  announce(text('page.opened', { game: gameTitle(), standing: session.standingText() }));
}

start().catch(fail);
