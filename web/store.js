// @ts-check
// The state of the page, who wants to know of its changes, its form in the URL, and what outlives it in the browser.

import { named, text } from './texts.js';

const DEFAULT_GAME = 'chess';

/**
 * All state that more than one module needs. Changed by `set` alone.
 * @type {import('./types.d.ts').State}
 */
export const state = {
  games: new Map(),
  info: undefined,
  start: undefined,
  moves: [],
  ply: 0,
  turn: undefined,
  players: [null, null],
  seed: 1,
  view: 'play',
  flip: false,
  resigned: undefined,
  claimed: undefined,
  result: undefined,
  record: undefined,
  undone: [],
  stopped: undefined,
  paused: false,
  thinking: undefined,
  sound: false,
  drawn: { turn: undefined, shapes: [] },
  reviews: 0,
};

const listeners = new Set();

/** Calls `listener` with the names of what has changed, after each change. */
export function subscribe(listener) {
  listeners.add(listener);
}

/** @param {Partial<import('./types.d.ts').State>} changes */
export function set(changes) {
  const changed = new Set(Object.keys(changes).filter((name) => state[name] !== changes[name]));
  Object.assign(state, changes);
  if (changed.size) listeners.forEach((listener) => listener(changed));
}

/** The descriptions of variants that have been asked for, by game and name: each is one object. */
const variants = new Map();

/**
 * The description of a game in one of its variants, the standard one where that has no such name.
 * @returns {import('./types.d.ts').Variant}
 */
export function describe(name, variant = undefined) {
  const game = state.games.get(name);
  const found = game.variants.find((one) => one.name === variant) ?? game.variants[0];
  const key = `${name} ${found.name}`;
  if (!variants.has(key)) {
    const evaluators = game.evaluators.filter((one) => found.evaluators.includes(one.name));
    variants.set(key, { ...game, ...found, name, evaluators, variant: found === game.variants[0] ? undefined : found.name });
  }
  return variants.get(key);
}

/** The position on the board, as requests name it. */
export const place = (ply = state.ply, moves = state.moves) => ({
  game: state.info.name,
  variant: state.info.variant,
  position: state.start,
  moves: moves.slice(0, ply).map(({ move }) => move),
});

/** The state of a game that goes on: no player has ended it, and nothing is taken back. */
export const UNDECIDED = { resigned: undefined, claimed: undefined, result: undefined, undone: [] };

/** Variants with numbered starts, and how many. */
const STARTS = { chess960: 960 };

export const hasStarts = (variant) => Object.hasOwn(STARTS, variant ?? '');

/** A start of the variant, drawn anew, where it has several. */
export const drawStart = (variant) => (hasStarts(variant) ? `${variant}:${Math.floor(Math.random() * STARTS[variant])}` : undefined);

/** The number of the start of the present game, where it has one. */
export const startNumber = () => (hasStarts(state.info.variant) ? /:(\d+)$/.exec(state.start ?? '')?.[1] : undefined);

/** The name of a claim in words. */
export const claimName = (claim) => named('claim', claim, claim.replaceAll('-', ' '));

/** Whether the last move of the line is on the board. */
export const isLast = () => state.ply === state.moves.length;

/** 1 where the second side makes the first move of the line, else 0. */
export const offset = () => (state.ply + state.info.sides.indexOf(state.turn.side_to_move)) % 2;

/** The winner by a result of a record, which speaks of White, else of the first side. */
export function winnerBy(result, { sides }) {
  const subject = sides.find((side) => side === 'white') ?? sides[0];
  return { won: subject, lost: sides.find((side) => side !== subject) }[result];
}

/** The standing after the last move: `turn`, and what the players agreed on. */
export function endOf(turn) {
  const { resigned, claimed, result, info } = state;
  if (turn.state !== 'ongoing') return turn;
  if (claimed) return { ...turn, claim: undefined, state: 'drawn', reason: text('standing.claimed', { claim: claimName(claimed) }) };
  if (resigned) return { ...turn, state: 'won', winner: info.sides.find((side) => side !== resigned), reason: text('standing.resigned') };
  if (!result) return turn;
  return { ...turn, claim: undefined, state: result === 'drawn' ? 'drawn' : 'won', winner: winnerBy(result, info), reason: text('standing.byRecord') };
}

/** How the game stands at the position on the board. */
export const standing = () => (isLast() ? endOf(state.turn) : state.turn);

/** Whether the rules have ended the game at the position on the board, so that no move is legal. */
export const isEnded = () => state.turn.state !== 'ongoing';

export const isOver = () => Boolean(state.turn) && standing().state !== 'ongoing';

const YOU = 'you';

/** @type {import('./types.d.ts').Result[]} */
const RESULTS = ['won', 'lost', 'drawn'];

const wholeNumber = (word) => (/^\d+$/.test(word ?? '') && Number.isSafeInteger(Number(word)) ? Number(word) : undefined);

/** The moves of an address: a list with commas, or a text in the record notation of the game, such as `443`. */
function movesOf(text) {
  const isList = text.includes(',') && !/\s/.test(text);
  return isList || !text ? text.split(',').filter(Boolean) : text;
}

/**
 * What an address asks for. One that asks for nothing stands for the game that was played last.
 * @returns {import('./types.d.ts').Wanted}
 */
export function fromAddress(search) {
  const query = new URLSearchParams(search);
  const name = query.get('game') ?? remembered('game') ?? DEFAULT_GAME;
  const last = query.size ? undefined : remembered(`game-${name}`);
  if (last?.includes('game=')) return fromAddress(last);
  const [variant, moves] = [query.get('variant') ?? undefined, movesOf(query.getAll('moves').join(','))];
  const players = query.get('players')?.split(',').map((player) => (player === YOU ? null : wholeNumber(player) ?? player));
  return {
    game: name,
    variant, moves,
    position: query.get('position') ?? (moves.length ? undefined : drawStart(variant)),
    ply: wholeNumber(query.get('ply')),
    players: players?.length === 2 ? players : undefined,
    seed: wholeNumber(query.get('seed')),
    view: query.get('view') ?? undefined,
    flip: query.has('flip') ? query.get('flip') !== 'false' : undefined,
    resigned: query.get('resigned') ?? undefined,
    claimed: query.get('claimed') ?? undefined,
    hasRecord: query.has('record'),
    result: RESULTS.find((one) => one === query.get('result')),
  };
}

/**
 * The game of this kind that was played last, as `fromAddress` gives it; else its start.
 * @returns {import('./types.d.ts').Wanted}
 */
export function lastGame(name) {
  const wanted = fromAddress(remembered(`game-${name}`) ?? '');
  return wanted.game === name ? wanted : { game: name, moves: [] };
}

/** The address of the present game. */
export function url() {
  const query = new URLSearchParams({ game: state.info.name });
  if (state.info.variant) query.set('variant', state.info.variant);
  if (state.start) query.set('position', state.start);
  if (state.moves.length) query.set('moves', place(state.moves.length).moves.join(','));
  if (!isLast()) query.set('ply', String(state.ply));
  if (state.resigned) query.set('resigned', state.resigned);
  if (state.claimed) query.set('claimed', state.claimed);
  if (state.result) query.set('result', state.result);
  if (state.record) query.set('record', 'kept');
  query.set('view', state.view);
  query.set('players', state.players.map((player) => player ?? YOU).join(','));
  query.set('seed', String(state.seed));
  if (state.flip) query.set('flip', 'true');
  return `?${query.toString().replaceAll('%2C', ',').replaceAll('%2F', '/').replaceAll('%3A', ':')}`;
}

/** What the browser has kept under a name; nothing where it keeps none. */
export function remembered(name) {
  try {
    return localStorage.getItem(`bestmove-${name}`) ?? undefined;
  } catch {
    return undefined;
  }
}

/** A remembered value that was written as JSON. */
export function recall(name) {
  try {
    return JSON.parse(remembered(name) || 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

export function remember(name, value) {
  try {
    localStorage.setItem(`bestmove-${name}`, value);
  } catch {
    // Without storage the setting lasts as long as the page.
  }
}
