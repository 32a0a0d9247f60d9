// @ts-check
// Playing: who plays which side, at which level, and the way to another game.

import { Lane, settle } from './api.js';
import { button, capital, h, keepingFocus, segments, select } from './dom.js';
import { sideIcon } from './evaluation.js';
import { claimDraw, findLevel, freshSeed, isSeatedAbove, levelId, mayClaim, mayMove, middleLevel, resign, restart, seat, standingText } from './session.js';
import { claimName, isLast, isOver, place, set, state } from './store.js';
import { announce, note } from './status.js';
import { sideName } from './words.js';

const HINT_MS = 1000;
const lane = new Lane('best-move');
let hint;
let repaint = () => undefined;

/** The levels that have a word for everybody, and how far they stand from the weakest to the strongest. */
const WORDS = [{ word: 'Easy', share: 0.12 }, { word: 'Medium', share: 0.34 }, { word: 'Hard', share: 0.67 }, { word: 'Strongest', share: 1 }];

const worded = (info) => WORDS.map(({ word, share }) => ({ word, id: levelId(info.levels[Math.floor((info.levels.length - 1) * share)]) }));

/** What people call a level. */
export function levelName(info, id) {
  const { number, name } = findLevel(info, id) ?? { name: String(id) };
  const { word } = worded(info).find((one) => one.id === id) ?? {};
  if (!number) return capital(name);
  return word ?? `Level ${number}`;
}

/**
 * A level in a list of all: its number, its name and its word.
 * @param {import('./types.d.ts').Game} info
 * @param {{number?: number, name?: string}} level
 */
function fullName(info, { number, name }) {
  const { word } = worded(info).find(({ id }) => id === (number ?? name)) ?? {};
  return [number ? `Level ${number}` : capital(name), number && name, word?.toLowerCase()].filter(Boolean).join(' · ');
}

function description(info, id) {
  const { description: text, rating } = findLevel(info, id) ?? {};
  const elo = rating ? ` About ${rating.elo} ± ${rating.error} Elo (${rating.ladder}).` : '';
  return text ? `${capital(text)}.${elo}` : '';
}

const numeral = (text) => (/^\d+$/.test(text) ? Number(text) : text);

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
    ...info.sides.map((side, index) => ({ id: ['first', 'second'][index], text: sideName(side), symbol: sideIcon(info, side), title: `You play ${sideName(side)}, who moves ${['first', 'second'][index]}` })),
    { id: 'both', text: 'Both', title: 'Two people play at this board' },
    { id: 'watch', text: 'Watch', title: 'Two engines play' },
  ];
  return h('div', { class: 'field' }, h('span', {}, 'Play as'),
    segments('Play as', items.map(({ id, ...item }) => ({ ...item, pressed: id === here, click: () => sit(id) }))));
}

// At which level

const setLevel = (id, index) => seat({
  players: state.players.map((player, place) => (player !== null && (index === undefined || index === place) ? id : player)),
  paused: state.paused,
});

function levels() {
  const { info, players } = state;
  const items = worded(info).map(({ word, id }) => ({ text: word, pressed: players.includes(id), click: () => setLevel(id) }));
  return h('div', { class: 'field' }, h('span', {}, 'Opponent'), segments('Opponent', items));
}

function allLevels(index) {
  const { info, players } = state;
  const options = info.levels.map((level) => ({ value: levelId(level), label: fullName(info, level) }));
  const side = info.sides[index];
  return h('div', { class: 'player-row' },
    h('label', {}, sideIcon(info, side), h('span', {}, sideName(side)),
      select(`Level of ${sideName(side)}`, options, players[index], (value) => setLevel(numeral(value), index))),
    h('p', { class: 'quiet small' }, description(info, players[index])));
}

function seedRow() {
  const input = h('input', {
    type: 'number', min: 0, max: 999999999, value: state.seed, 'aria-label': 'Seed', inputmode: 'numeric',
    onchange: () => seat({ seed: Math.max(0, Math.floor(Number(input.value)) || 0) }),
  });
  const roll = button({ label: 'Another seed', symbol: 'dice', kind: 'quiet', click: () => seat({ seed: freshSeed() }) });
  return h('div', { class: 'field inline' }, h('span', {}, 'Seed'), input, roll,
    h('span', { class: 'quiet small' }, 'The same seed plays the same game.'));
}

let isMoreOpen = false;

function more() {
  const { players } = state;
  const engines = [0, 1].filter((index) => players[index] !== null);
  if (!engines.length) return '';
  const details = h('details', { class: 'more-options', open: isMoreOpen || undefined, ontoggle: () => { isMoreOpen = details.open; } },
    h('summary', {}, 'More'), h('div', { class: 'players' }, engines.map(allLevels), seedRow()));
  return details;
}

// The game

async function newGame() {
  const isLost = state.moves.length > 0;
  await restart();
  if (isLost) note('A new game.', button({ label: 'Back to the last game', text: 'Back to the last game', kind: 'small', click: () => history.back() }));
}

function actions() {
  const { players, paused, moves } = state;
  const people = players.filter((player) => player === null).length;
  const isMatch = people === 0;
  const start = moves.length ? 'Go on' : 'Start';
  const halt = isOver() ? '' : button({ label: paused ? start : 'Pause', text: paused ? start : 'Pause', symbol: paused ? 'play' : 'pause', kind: paused ? 'primary' : '', click: () => set({ paused: !paused }) });
  const retry = paused && !isMatch ? button({ label: 'Ask the engine again', text: 'Ask again', symbol: 'play', click: () => set({ paused: false }) }) : '';
  return h('div', { class: 'row' },
    button({ label: 'New game', text: 'New game', symbol: 'plus', kind: isMatch && paused ? '' : 'primary', click: newGame }),
    isMatch ? halt : retry,
    mayClaim() ? button({ label: `Claim a draw: ${claimName(state.turn.claim)}`, text: 'Claim a draw', symbol: 'flag', click: claimDraw }) : '',
    people ? button({ label: 'Resign', text: 'Resign', symbol: 'flag', click: resign, disabled: isOver() || !isLast() || moves.length === 0 }) : '');
}

/** Shows what the engine would play. */
export async function giveHint() {
  if (!mayMove()) return;
  const { turn } = state;
  const answer = await settle(lane.ask('best-move', { ...place(), time_ms: HINT_MS }));
  if (!answer || state.turn !== turn) return;
  const move = turn.legal_moves.find((one) => one.move === answer.best_move);
  hint = { turn, move };
  announce(`Hint: ${answer.san ?? answer.best_move}.`);
  repaint();
}

const body = h('div', {});

function render() {
  const hasOpponent = ['first', 'second'].includes(seatName(state.players));
  body.replaceChildren(...[
    h('p', { class: 'standing' }, standingText()),
    seats(),
    hasOpponent ? levels() : '',
    more(),
    actions(),
  ].filter(Boolean));
}

export const panel = {
  id: 'play', title: 'Play', symbol: 'play', element: body, hasMoves: true,
  start(paint) { repaint = paint; },
  update(changed) {
    if (changed.has('turn')) { hint = undefined; lane.cancel(); }
    const shown = ['info', 'turn', 'ply', 'players', 'seed', 'paused', 'resigned', 'claimed', 'moves', 'view'];
    if (shown.some((name) => changed.has(name))) keepingFocus(body, render);
  },
  overlay() {
    if (hint?.turn !== state.turn || !hint?.move) return {};
    const { path } = hint.move;
    if (!path.length) return {};
    return { arrows: [{ from: path.length > 1 ? path[0] : undefined, to: path.at(-1), kind: 'hint' }] };
  },
};
