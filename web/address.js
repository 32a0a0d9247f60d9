// @ts-check
// The address bar: it holds the whole game, and each game that is left stays one step back.

import { settle } from './api.js';
import { keep } from './record.js';
import { open, standingText } from './session.js';
import { drawStart, fromAddress, lastGame, remember, state, url } from './store.js';
import { announce } from './status.js';
import { text } from './texts.js';
import { gameTitle } from './words.js';

/** The line that the present entry of the history holds. */
let held;
let isReturning = false;

/** Whether the game on the page is the held one, at any of its plies, with more moves or with none given up. */
function isHeld() {
  const { info, start, moves } = state;
  return held.info === info && held.start === start && held.moves.every(({ move }, index) => moves[index]?.move === move);
}

/** Writes the present game into the address, unless that is a link that could not be opened in full. */
export function follow() {
  const { info, start, moves, record, stopped } = state;
  if (stopped !== moves) write();
  held = { info, start, moves, record };
}

/** A game, or an end of a line, that is given up gets an entry of its own. */
function write() {
  const address = url();
  const isNew = held && !isReturning && !isHeld();
  if (isNew) history.pushState(null, '', address);
  else if (address !== location.search) history.replaceState(null, '', address);
  if (held?.record !== state.record) keep();
  remember(`game-${state.info.name}`, address);
}

/** Opens an address within the page. */
async function reopen(wanted) {
  isReturning = true;
  await settle(open({ ...wanted, isLink: true }));
  isReturning = false;
  announce(text('page.opened', { game: gameTitle(), standing: standingText() }));
}

/** Opens the game of this kind that was played last; one that the service refuses gives way to a new game. */
export async function openLast(name) {
  const view = state.view === 'setup' ? 'setup' : 'play';
  await settle(open({ ...lastGame(name), view }), () => settle(open({ game: name, view })));
  announce(text('page.opened', { game: gameTitle(), standing: standingText() }));
}

/** Opens a new game of another variant. */
export async function openVariant(variant) {
  const { info, view, players } = state;
  await settle(open({ game: info.name, variant, position: drawStart(variant), players, view: view === 'setup' ? 'setup' : 'play' }));
  announce(text('page.opened', { game: `${gameTitle()}, ${state.info.description}`, standing: standingText() }));
}

/** Lets the buttons of the browser go back and forward. */
export function listen() {
  addEventListener('popstate', () => { if (location.search !== url()) reopen(fromAddress(location.search)); });
}
