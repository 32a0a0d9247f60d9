// @ts-check
// Playing: who plays which side, at which level, and the way to another game.

import { Lane, settle } from './api.js';
import { button, capital, h, keepingFocus, segments, select } from './dom.js';
import { scoreOf, sideIcon } from './evaluation.js';
import { claimDraw, findLevel, isSeatedAbove, levelId, mayClaim, mayMove, middleLevel, resign, restart, seat, soleSide, standingText } from './session.js';
import { drawStart, isLast, isOver, place, set, standing, startNumber, state } from './store.js';
import { note, remark } from './status.js';
import { named, text } from './texts.js';
import { pieceWords, reasonWords, sideName } from './words.js';

const HINT_MS = 1000;
const HINT_SHOWN_MS = 12_000;
const lane = new Lane('best-move');
let hint;
let repaint = () => undefined;
let board;

/** The levels that have a word for everybody, and how far they stand from the weakest to the strongest. */
const WORDS = /** @type {const} */ ([['level.easy', 0.12], ['level.medium', 0.34], ['level.hard', 0.67], ['level.strongest', 1]]);

const worded = (info) => WORDS.map(([key, share]) => ({ word: text(key), id: levelId(info.levels[Math.floor((info.levels.length - 1) * share)]) }));

/** What people call a level, as within a sentence. */
export function levelName(info, id) {
  const { number, name } = findLevel(info, id) ?? { name: String(id) };
  const { word } = worded(info).find((one) => one.id === id) ?? {};
  if (!number) return named('level', name);
  return word ?? text('play.level', { number });
}

/**
 * A level in a list of all: its number, its name and its word.
 * @param {import('./types.d.ts').Game} info
 * @param {{number?: number, name?: string}} level
 */
function fullName(info, { number, name }) {
  const { word } = worded(info).find(({ id }) => id === (number ?? name)) ?? {};
  return [capital(number ? text('play.level', { number }) : named('level', name)), number && name && named('level', name), word].filter(Boolean).join(' · ');
}

/** How a level plays, in the first words of its description. */
function face({ info, players }) {
  const [who] = findLevel(info, players.find((player) => player !== null)).description.split(':');
  const known = named('who', who);
  return /^an? /.test(who) ? text('play.like', { who: known }) : `${capital(known)}.`;
}

const numeral = (word) => (/^\d+$/.test(word) ? Number(word) : word);

// Who plays

/** The level of the last opponent, by game. */
const opponents = new Map();

function levelOf({ info, players }) {
  const level = players.find((player) => player !== null) ?? opponents.get(info.name) ?? middleLevel(info);
  opponents.set(info.name, level);
  return level;
}

function seatName(players) {
  const [first, second] = players.map((player) => player === null);
  if (first && second) return 'both';
  return first ? 'first' : second ? 'second' : 'watch';
}

/** Takes a seat, and turns the board to it. A match of two engines waits for its start. */
function sit(name) {
  const { info, players } = state;
  const level = levelOf(state);
  const seats = { first: [null, level], second: [level, null], both: [null, null], watch: players.map((player) => player ?? level) };
  seat({ players: seats[name], flip: isSeatedAbove(info, seats[name]), paused: name === 'watch' });
}

function seats() {
  const { info, players } = state;
  const here = seatName(players);
  const items = [
    ...info.sides.map((side, index) => ({ id: ['first', 'second'][index], text: sideName(side), symbol: sideIcon(info, side), title: text(index ? 'play.second' : 'play.first', { side: sideName(side) }) })),
    { id: 'both', text: text('play.both') },
    { id: 'watch', text: text('play.watch') },
  ];
  return h('div', { class: 'field' }, h('span', {}, text('play.playAs')),
    segments(text('play.playAs'), items.map(({ id, ...item }) => ({ ...item, pressed: id === here, click: () => sit(id) }))));
}

// At which level

const setLevel = (id, index) => seat({
  players: state.players.map((player, place) => (player !== null && (index === undefined || index === place) ? id : player)),
  paused: state.paused,
});

function levels() {
  const { info, players } = state;
  const items = worded(info).map(({ word, id }) => ({ text: capital(word), pressed: players.includes(id), click: () => setLevel(id) }));
  return h('div', { class: 'field' }, h('span', {}, text('play.opponent')), segments(text('play.opponent'), items), h('p', { class: 'small' }, face(state)));
}

function allLevels(index) {
  const { info, players } = state;
  const options = info.levels.map((level) => ({ value: levelId(level), label: fullName(info, level) }));
  const side = info.sides[index];
  const { rating } = findLevel(info, players[index]) ?? {};
  return h('div', { class: 'player-row' },
    h('label', {}, sideIcon(info, side), h('span', {}, sideName(side)),
      select(text('play.levelOf', { side: sideName(side) }), options, players[index], (value) => setLevel(numeral(value), index))),
    h('p', { class: 'quiet small' }, rating && text('play.rating', rating)));
}

/** The start that has been drawn, and a way to another one. */
function startRow() {
  const number = startNumber();
  return number === undefined ? '' : h('div', { class: 'field inline' }, h('span', {}, text('play.startNumber', { number })),
    button({ label: text('play.otherStart'), symbol: 'dice', kind: 'quiet', click: () => restart({ position: drawStart(state.info.variant) }) }));
}

let isMoreOpen = false;

function toggleMore({ target: { open } }) {
  if (open === isMoreOpen) return;
  isMoreOpen = open;
  keepingFocus(body, render);
}

function more() {
  const { players } = state;
  const engines = [0, 1].filter((index) => players[index] !== null);
  if (!engines.length) return '';
  return h('details', { class: 'more-options', open: isMoreOpen, ontoggle: toggleMore }, h('summary', {}, text('play.more')),
    isMoreOpen && h('div', { class: 'players' }, engines.map(allLevels)));
}

// The game

async function newGame() {
  const isLost = state.moves.length > 0;
  await restart();
  if (isLost) note(text('play.fresh'), button({ label: text('play.backToLast'), text: text('play.backToLast'), kind: 'small', click: () => history.back() }));
}

function actions() {
  const { players, paused, moves } = state;
  const people = players.filter((player) => player === null).length;
  const isMatch = people === 0;
  const start = text(moves.length ? 'play.goOn' : 'play.start');
  const turning = paused ? start : text('word.pause');
  const halt = isOver() ? '' : button({ label: turning, text: turning, symbol: paused ? 'play' : 'pause', kind: paused ? 'primary' : '', click: () => set({ paused: !paused }) });
  const retry = paused && !isMatch ? button({ text: text('play.askAgain'), symbol: 'play', click: () => set({ paused: false }) }) : '';
  return h('div', { class: 'row' },
    button({ label: text('play.newGame'), text: text('play.newGame'), symbol: 'plus', kind: (isMatch && paused) || isOver() ? '' : 'primary', click: newGame }),
    isMatch ? halt : retry,
    mayClaim() ? button({ text: text('play.claim'), symbol: 'flag', click: claimDraw }) : '',
    people && !isOver() ? button({ label: text('play.resign'), text: text('play.resign'), symbol: 'flag', click: resign, disabled: !isLast() || moves.length === 0 }) : '');
}

/** What the last move did, in words. */
function lastMove() {
  const { last_move: last, board: cells } = state.turn;
  if (!last?.path.length || !board) return '';
  const [from, to] = [last.path[0], last.path.at(-1)];
  const piece = pieceWords(state.info.pieces.find(({ name }) => name === cells[to[0]][to[1]]));
  const [count, turned] = [last.captures?.length, last.flips?.length];
  const places = { piece, to: board.squareName(to), from: board.squareName(from) };
  const words = text(last.path.length > 1 ? 'play.moved' : 'play.placed', places);
  return `${[capital(words), count && text('play.captured', { count }), turned && text('play.turned', { count: turned })].filter(Boolean).join(', ')}.`;
}

/** How the game ended, from the view of the only person at the board. */
function endWords() {
  const { winner, reason } = standing();
  const own = soleSide();
  const words = winner ? own ? text(own === winner ? 'ending.youWon' : 'ending.youLost') : text('ending.wins', { side: sideName(winner) }) : text('player.draw');
  return [h('strong', {}, words + scoreOf(own ?? winner ?? state.info.sides[0])), h('span', {}, `${capital(reasonWords(reason))}.`)];
}

/** The end of the game, and what may follow it. */
function ending() {
  const { winner } = standing();
  const kind = winner && [undefined, winner].includes(soleSide()) ? 'won' : '';
  const again = () => restart({ players: [...state.players].reverse() });
  const show = (/** @type {'review' | 'share'} */ view) => button({ label: text(`${view}.title`), text: text(`${view}.title`), click: () => set({ view }) });
  return [h('div', { class: `standing result ${kind}` }, endWords()),
    h('div', { class: 'row' }, button({ text: text('ending.rematch'), kind: 'primary', click: again }), show('review'), show('share'))];
}

/** Tells more of what the engine would play with each call: the piece, the idea, the move. */
export async function giveHint() {
  if (!mayMove()) return;
  const { turn } = state;
  if (hint?.turn !== turn) {
    const answer = await settle(lane.ask('best-move', { ...place(), time_ms: HINT_MS, include: ['reasons', 'legal_moves'] }));
    const { hintsFor } = await import('./hints.js');
    if (!answer || state.turn !== turn) return;
    const move = turn.legal_moves.find((one) => one.move === answer.best_move);
    hint = { turn, steps: hintsFor(move, answer.reasons[0]?.kind, board, answer.after.legal_moves?.length), given: 0 };
  }
  hint.given = Math.min(hint.given + 1, hint.steps.length);
  remark(hint.steps[hint.given - 1].words, HINT_SHOWN_MS);
  repaint();
}

const body = h('div', {});

function render() {
  const hasOpponent = ['first', 'second'].includes(seatName(state.players));
  body.replaceChildren(...[
    ...(isOver() ? ending() : [h('p', { class: 'standing' }, standingText())]),
    h('p', { class: 'news quiet' }, lastMove(), nameOpening() && h('b', {}, nameOpening())),
    startRow(),
    seats(),
    hasOpponent ? levels() : '',
    more(),
    actions(),
  ].filter(Boolean));
}

/** Gives the name of the opening, once the module of the names is there. */
let nameOpening = () => '';
export const knowOpenings = ({ openingName }) => { nameOpening = openingName; if (state.turn) keepingFocus(body, render); };

export const panel = {
  element: body, hasMoves: true,
  start(paint, onBoard) { [repaint, board] = [paint, onBoard]; },
  update(changed) {
    if (changed.has('turn')) { hint = undefined; lane.cancel(); }
    const shown = ['info', 'turn', 'ply', 'players', 'seed', 'paused', 'resigned', 'claimed', 'moves', 'view'];
    if (shown.some((name) => changed.has(name))) keepingFocus(body, render);
  },
  overlay() {
    return hint?.turn === state.turn ? { arrows: hint.steps[hint.given - 1].shapes } : {};
  },
};
