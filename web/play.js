// Playing: who plays which side, at which level, and the state of the game.

import { Lane, settle } from './api.js';
import { button, capital, h, keepingFocus, select } from './dom.js';
import { sideIcon } from './evaluation.js';
import { claimDraw, findLevel, freshSeed, isSeatedAbove, levelId, mayClaim, mayMove, resign, restart, seat, standingText } from './session.js';
import { claimName, isOver, place, set, standing, state } from './store.js';
import { announce, note } from './status.js';

const HINT_MS = 1000;
const lane = new Lane('best-move');
let hint;
let repaint = () => undefined;

/** What people call a level. */
export function levelName(info, id) {
  const { number, name } = findLevel(info, id) ?? { name: String(id) };
  if (!number) return capital(name);
  return `Level ${number}${name ? ` (${name})` : ''}`;
}

function description(info, id) {
  const { description: text, rating } = findLevel(info, id) ?? {};
  const elo = rating ? ` About ${rating.elo} ± ${rating.error} Elo (${rating.ladder}).` : '';
  return text ? `${capital(text)}.${elo}` : '';
}

function numeral(text) {
  return /^\d+$/.test(text) ? Number(text) : text;
}

function playerRow(index) {
  const { info, players } = state;
  const side = info.sides[index];
  const levels = info.levels.map((level) => ({ value: levelId(level), label: `Engine · ${levelName(info, levelId(level))}` }));
  const options = [{ value: '', label: 'You' }, ...levels];
  const choose = (value) => {
    const next = players.map((player, place) => (place === index ? (value === '' ? null : numeral(value)) : player));
    const flip = state.ply === 0 ? isSeatedAbove(info, next) : state.flip;
    seat({ players: next, flip });
  };
  return h('div', { class: 'player-row' },
    h('label', {}, sideIcon(info, side), h('span', {}, capital(side)),
      select(`${capital(side)} is played by`, options, players[index] ?? '', choose)),
    players[index] === null ? '' : h('p', { class: 'quiet small' }, description(info, players[index])));
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

function result() {
  if (!isOver()) return '';
  const { winner, reason } = standing();
  const title = winner ? `${capital(winner)} wins` : 'Draw';
  return h('div', { class: 'result' },
    winner ? sideIcon(state.info, winner) : '', h('div', {}, h('strong', {}, title), h('span', {}, capital(reason))),
    button({ label: 'Review this game', text: 'Review', kind: 'small', click: () => set({ view: 'review' }) }));
}

function actions() {
  const { players, paused } = state;
  const people = players.filter((player) => player === null).length;
  const isMatch = people === 0;
  const halt = button({ label: paused ? 'Go on' : 'Pause', text: paused ? 'Go on' : 'Pause', symbol: paused ? 'play' : 'pause', click: () => set({ paused: !paused }) });
  const retry = paused && !isMatch ? button({ label: 'Ask the engine again', text: 'Ask again', symbol: 'play', click: () => set({ paused: false }) }) : '';
  return h('div', { class: 'row' },
    button({ label: 'New game', text: 'New game', symbol: 'plus', kind: 'primary', click: newGame }),
    isMatch ? halt : retry,
    mayClaim() ? button({ label: `Claim a draw: ${claimName(state.turn.claim)}`, text: 'Claim a draw', symbol: 'flag', click: claimDraw }) : '',
    people ? button({ label: 'Resign', text: 'Resign', symbol: 'flag', click: resign, disabled: isOver() || state.moves.length === 0 }) : '');
}

async function newGame() {
  const isLost = state.moves.length > 0;
  await restart();
  if (isLost) note('A new game.', button({ label: 'Back to the last game', text: 'Back to the last game', kind: 'small', click: () => history.back() }));
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
  body.replaceChildren(...[
    result(),
    h('div', { class: 'players' }, playerRow(0), playerRow(1)),
    seedRow(),
    actions(),
    h('p', { class: `quiet small standing ${isOver() ? 'hidden' : ''}` }, standingText()),
  ].filter(Boolean));
}

export const panel = {
  id: 'play', title: 'Play', symbol: 'play', element: body, hasMoves: true,
  start(paint) { repaint = paint; },
  update(changed) {
    if (changed.has('turn')) { hint = undefined; lane.cancel(); }
    if (['info', 'turn', 'players', 'seed', 'paused', 'resigned', 'claimed', 'moves'].some((name) => changed.has(name))) keepingFocus(body, render);
  },
  overlay() {
    if (hint?.turn !== state.turn || !hint?.move) return {};
    const { path } = hint.move;
    return { arrows: [{ from: path.length > 1 ? path[0] : undefined, to: path.at(-1), kind: 'hint' }] };
  },
};
