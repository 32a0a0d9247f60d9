// @ts-check
// The game on the board: opening, playing, taking back, and the engine's turns; and the address that holds it.

import { ask, Lane, settle } from './api.js';
import { joined, keep, kept, readRecord } from './record.js';
import { claimName, describe, drawStart, fromAddress, hasStarts, isLast, isOver, lastGame, place, remember, set, standing, state, UNDECIDED, url } from './store.js';
import { announce, fail } from './status.js';
import { text } from './texts.js';
import { gameTitle, reasonWords, sideName } from './words.js';

const positions = new Lane('position');
const records = new Lane();
const engine = new Lane('best-move');
/** What the service said of each ply of the present line. */
let turns = [];

const SHORTEST_THOUGHT = 350;
const pause = (milliseconds) => new Promise((resume) => { setTimeout(resume, milliseconds); });

/** A level as requests name it. */
export const levelId = (level) => level.number ?? level.name;

/** The level of that number or name. */
export const findLevel = (info, id) => info.levels.find((level) => String(levelId(level)) === String(id) || level.name === id);

/** The side with this name, or, in older addresses, with a piece of this name. */
const sideOf = ({ sides, pieces }, name) => sides.find((side) => side === name) ?? pieces.find((piece) => piece.name === name)?.side;

/** The level of the first opponent. */
export const middleLevel = (info) => levelId(info.levels[Math.floor((info.levels.length - 1) * 0.34)]);

/** Levels of a link that the game does not have are replaced. */
function fittingPlayers(info, players) {
  const found = players?.map((player) => (player === null ? null : findLevel(info, player)));
  if (!found || found.includes(undefined)) return [null, middleLevel(info)];
  return found.map((level) => level && levelId(level));
}

/** The moves of a line, and the sides that make them. `moves` is a list, or a text in the record notation of the game. */
async function readMoves(question) {
  if (!question.moves.length) return [];
  const review = await records.ask('review', { ...question, nodes: 1 });
  return review.moves.map(({ played, side }) => ({ ...played, side }));
}

/** What a refusal of moves says: how many before the refused one are legal, where that stands in a record, and why. */
export function readRefusal({ message }) {
  const [, count, move, line, column, why] = /^moves\[(\d+)\] '(.*?)'(?: at line (\d+), column (\d+))?: (.*)$/s.exec(message) ?? [];
  return count === undefined ? undefined : { count: Number(count), move, line: Number(line), column: Number(column), why };
}

/** The moves before the refused one: of a list, or of a record, in which moves of one length may stand in one word. */
function legalPart(moves, { count, move, line, column }) {
  if (Array.isArray(moves)) return moves.slice(0, count);
  const lines = moves.split('\n');
  const before = [...lines.slice(0, line - 1), lines[line - 1].slice(0, column - 1)].join('\n');
  const inWord = (count - readRecord(before).count) * move.length;
  return moves.slice(0, before.length + inWord).trim() || [];
}

/** Opens a game as `load` does; where a move is refused, the part before it, and says so. */
export async function open(wanted) {
  const { moves = [] } = wanted;
  let refused;
  try {
    return await load(wanted);
  } catch (error) {
    refused = readRefusal(error);
    if (!refused || !moves.length) throw error;
  }
  await load({ ...wanted, moves: legalPart(moves, refused), ply: undefined, turn: undefined, isCut: true });
  fail(new Error(text('page.stopped', { number: refused.count + 1, move: refused.move, error: refused.why })));
}

/**
 * Opens a game: `moves` is a list of moves, or a text in the record notation of the game; `ply` tells how many of them are
 * on the board, all where it is left out. `turn` is what the service says of that position, where it has been asked already.
 * `record` is what a record says beside its moves. A link that is broken, or cut at a bad move, stays in the address.
 * @param {import('./types.d.ts').Wanted} wanted
 */
async function load({ game, variant, record, position = record?.tags.FEN, moves = [], ...options }) {
  const info = describe(game, variant ?? record?.tags.Variant?.toLowerCase());
  const of = { game, variant: info.variant };
  engine.cancel();
  const isList = Array.isArray(moves);
  const askFor = (line) => positions.ask('position', { ...of, position, moves: line });
  const early = options.turn ?? (isList ? askFor(moves.slice(0, options.ply)) : undefined);
  const learning = learnSides(info, position === undefined && !moves.length ? early : undefined);
  const [played, known] = await Promise.all([readMoves({ ...of, position, moves }), early, learning]);
  const line = played.map(({ move }) => move);
  const ply = Math.min(options.ply ?? played.length, played.length);
  const turn = known ?? await askFor(line.slice(0, ply));
  turns = [];
  turns[ply] = turn;
  // A record tells the start as a position, not by its number.
  if (ply && hasStarts(info.variant)) turns[0] = await ask('position', { ...of, position });
  const sameGame = state.info === info;
  const players = fittingPlayers(info, options.players ?? (sameGame ? state.players : undefined));
  set({
    info, start: position, moves: played, ply, turn, players,
    flip: options.flip ?? isSeatedAbove(info, players),
    seed: options.seed ?? freshSeed(),
    view: options.view ?? state.view,
    resigned: sideOf(info, options.resigned),
    claimed: ply < played.length || turn.claim === options.claimed ? options.claimed : undefined,
    result: record?.result ?? options.result,
    record: record ? joined(record, line) : options.hasRecord ? kept(game, line) : undefined,
    undone: [], stopped: options.isLink && options.isCut ? played : undefined,
    paused: !players.includes(null) || Boolean(options.isCut && players[info.sides.indexOf(turn.side_to_move)] !== null), thinking: undefined,
  });
}

/** What is known of the first and of the last position of the line. */
export const firstTurn = () => turns[0];
export const lastTurn = () => turns[state.moves.length];

export const freshSeed = () => 1 + Math.floor(Math.random() * 999_999);

/** The side whose pieces stand at the top of the board at the start of each game. */
const sidesAbove = new Map();

async function learnSides(info, start) {
  if (sidesAbove.has(info.name)) return;
  const { board } = await (start ?? ask('position', { game: info.name }));
  const sideOf = new Map(info.pieces.map(({ name, side }) => [name, side]));
  sidesAbove.set(info.name, board.slice(0, board.length / 2).flat().map((name) => sideOf.get(name)).find(Boolean));
}

/** The side at the top of a board that is not flipped, where the game has one. */
export const sideAbove = (info) => sidesAbove.get(info.name);

/** Whether the only person plays the side at the top. */
export function isSeatedAbove(info, players) {
  const people = info.sides.filter((_, index) => players[index] === null);
  return people.length === 1 && people[0] === sideAbove(info);
}

/** A new game, from the same start unless another one is given. */
export async function restart({ players = state.players, position = state.start } = {}) {
  await settle(open({ game: state.info.name, variant: state.info.variant, position, players }));
  announce(text('standing.newGame', { game: gameTitle(), standing: standingText() }));
}

/** Does to a board what a move does to it. `own` is the piece that a side places, in games that place pieces. */
function applied(board, { path, captures = [], flips = [], promotion, also }, own) {
  const next = board.map((row) => [...row]);
  if (path.length === 0) return next;
  const take = ([row, column]) => next[row].splice(column, 1, '')[0];
  const put = ([row, column], piece) => { next[row][column] = piece; };
  const piece = path.length === 1 ? own : take(path[0]);
  captures.forEach(take);
  const second = also && take(also[0]);
  put(path.at(-1), promotion ?? piece);
  flips.forEach((square) => put(square, own));
  if (also) put(also.at(-1), second);
  return next;
}

/** What a legal move leads to, before the service has told of the replies. */
function expected(legal) {
  const { turn, info } = state;
  const { state: status, winner, reason, claim, line, check, checked, must_capture, must_pass, margin, position } = legal;
  return {
    board: applied(turn.board, legal, info.pieces.find(({ side }) => side === turn.side_to_move)?.name),
    side_to_move: info.sides.find((side) => side !== turn.side_to_move),
    state: status, winner, reason, claim, line, check, checked, must_capture, must_pass, margin, position,
    last_move: legal, legal_moves: [], pending: status === 'ongoing',
  };
}

/** Plays a legal move; the board shows it at once. */
export async function play(legal) {
  const { turn, ply } = state;
  engine.cancel();
  const moves = [...state.moves.slice(0, ply), { move: legal.move, san: legal.san, side: turn.side_to_move }];
  const next = expected(legal);
  turns.length = ply + 1;
  if (!next.pending) turns[ply + 1] = next;
  set({ moves, ply: ply + 1, turn: next, ...UNDECIDED, thinking: undefined });
  tell(turn.side_to_move, legal, next);
  if (next.pending) await fetchTurn(ply + 1);
}

function tell(side, move, turn) {
  const name = move.san ?? move.move;
  announce(text('standing.plays', { side: sideName(side), move: name, standing: standingText(turn) }));
}

/** The side of the only person at the board, while they play. */
export function soleSide() {
  const { info, players, view } = state;
  return view === 'play' && players.some((player) => player !== null) ? info.sides[players.indexOf(null)] : undefined;
}

/** Whether the only person at the board plays this side. */
export const isYours = (side) => side === soleSide();

/** How a position stands, in words. */
export function standingText(turn = standing()) {
  const { state: status, winner, reason, claim, side_to_move: side, check, must_capture: must, must_pass: passes, margin } = turn;
  const won = { side: sideName(winner ?? side), reason: reasonWords(reason) };
  if (status === 'won') return margin ? text('standing.wonBy', { ...won, margin }) : text('standing.won', won);
  if (status === 'drawn') return text('standing.drawn', { reason: reasonWords(reason) });
  const whose = text(isYours(side) ? 'standing.yourTurn' : 'standing.turn', { side: sideName(side) });
  const facts = [whose, check && text('standing.check'), must && text('standing.mustCapture'), passes && text('standing.mustPass')].filter(Boolean);
  const claimable = claim ? ` ${text('standing.claim', { claim: claimName(claim) })}` : '';
  return `${facts.join(', ')}.${claimable}`;
}

/** The move that led to the position on the board, and how it stands, in words. */
function stepText() {
  const { ply, moves } = state;
  if (ply === 0) return text('standing.start', { standing: standingText() });
  const { side, san, move } = moves[ply - 1];
  return text('standing.step', { ply, plies: moves.length, side: sideName(side), move: san ?? move, standing: standingText() });
}

let fetching = Promise.resolve();

/** Settles when the position on the board is known in full. */
export const known = () => fetching;

function fetchTurn(ply, changes) {
  fetching = fetchInto(ply, changes);
  return fetching;
}

async function fetchInto(ply, changes = {}) {
  const turn = await settle(positions.ask('position', place(ply, changes.moves)));
  if (!turn) return;
  turns[ply] = turn;
  set({ ply, turn, thinking: undefined, ...changes });
}

/** Shows the position after so many moves of the line, which `changes` may change. */
export async function go(ply, changes) {
  const target = Math.max(0, Math.min((changes ?? state).moves.length, ply));
  if (target === state.ply && !state.turn.pending) return;
  engine.cancel();
  positions.cancel();
  records.cancel();
  if (turns[target]) set({ ply: target, turn: turns[target], thinking: undefined, ...changes });
  else await fetchTurn(target, changes);
  announce(stepText());
}

/** Plays the moves of a line from the present position. */
export async function follow(line) {
  const from = place();
  const moves = await settle(readMoves({ ...from, moves: [...from.moves, ...line] }));
  if (!moves) return;
  engine.cancel();
  turns.length = state.ply + 1;
  set({ moves, ...UNDECIDED });
  await fetchTurn(moves.length);
}

/** How many plies undo takes back: to the last turn of a person. */
export function undoTarget() {
  const { ply, moves, info, players } = state;
  const isPerson = (index) => players[info.sides.indexOf(moves[index].side)] === null && !turns[index]?.must_pass;
  for (let target = ply - 1; target >= 0; target -= 1) {
    if (state.view !== 'play' || isPerson(target) || players.every((player) => player !== null)) return target;
  }
  return undefined;
}

export function undo() {
  if (isSettled() && isLast()) set(UNDECIDED);
  const target = undoTarget();
  if (target === undefined) return;
  const { moves, undone } = state;
  go(target, { moves: moves.slice(0, target), undone: [...moves.slice(target), ...undone] }).then(() => announce(text('standing.takenBack', { standing: standingText() })));
}

/** Makes moves that were taken back again: in a game with an engine also its answer. */
export function redo() {
  const { moves, undone, players, view } = state;
  const count = view === 'play' && players.some((player) => player !== null) ? 2 : 1;
  const line = [...moves, ...undone.slice(0, count)];
  go(line.length, { moves: line, undone: undone.slice(count) }).then(() => announce(standingText()));
}

export function resign() {
  const { info, players, turn } = state;
  const own = info.sides.filter((_, index) => players[index] === null);
  const side = own.includes(turn.side_to_move) ? turn.side_to_move : own[0];
  if (!side || isOver() || !isLast()) return;
  engine.cancel();
  set({ resigned: side, thinking: undefined });
  announce(standingText());
}

/** Whether a player has ended the game. */
export const isSettled = () => Boolean(state.resigned || state.claimed || state.result);

/** Whether a person may claim a draw: on their turn, or right after the move that leads to it. */
export function mayClaim() {
  const { ply, moves, players } = state;
  return Boolean(standing().claim) && !isOver() && ply === moves.length && players.includes(null);
}

/** Ends the game by the draw that may be claimed. */
export function claimDraw() {
  engine.cancel();
  set({ claimed: state.turn.claim, thinking: undefined });
  announce(standingText());
}

/** Lets other players, or another seed, go on with the game. */
export function seat(changes) {
  engine.cancel();
  set({ thinking: undefined, paused: false, ...changes });
}

/** Whether a person may move a piece now. */
export function mayMove() {
  const { turn, info, players, view } = state;
  if (!turn || turn.pending || isOver()) return false;
  return view !== 'play' || players[info.sides.indexOf(turn.side_to_move)] === null;
}

function isEngineTurn() {
  const { turn, info, players, view, ply, moves, paused } = state;
  return view === 'play' && turn && !turn.pending && !isOver() && !paused && ply === moves.length
    && players[info.sides.indexOf(turn.side_to_move)] !== null;
}

/** The pass that a person has to make now, if it is the only move. */
export const forcedPass = () => (state.turn?.must_pass && mayMove() ? state.turn.legal_moves[0] : undefined);

/** How long a person sees that they have to pass, in milliseconds. */
const PASS_MS = 1200;

/** Passes for a person who plays a game and has no other move, after a moment. */
export async function passSoon() {
  const { turn, view, ply, moves } = state;
  if (!forcedPass() || view !== 'play' || ply !== moves.length) return;
  await pause(PASS_MS);
  const pass = forcedPass();
  if (pass && state.turn === turn && state.view === 'play') play(pass);
}

/** Lets the engine move where it is its turn; ends its search where it is not. */
export async function think() {
  const { turn, info, players, seed } = state;
  if (!isEngineTurn()) {
    if (state.thinking) { engine.cancel(); set({ thinking: undefined }); }
    return;
  }
  if (state.thinking) return;
  if (turn.claim && !players.includes(null)) {
    claimDraw();
    return;
  }
  const side = turn.side_to_move;
  const level = players[info.sides.indexOf(side)];
  const slow = players.every((player) => player !== null);
  const start = performance.now();
  const question = { ...place(), level, seed, include: ['board', 'legal_moves'] };
  const asked = engine.ask('best-move', question);
  set({ thinking: side });
  const answer = await settle(asked, (error) => { set({ paused: true, thinking: undefined }); fail(error); });
  if (!answer) return;
  await pause((slow ? 2 : 1) * SHORTEST_THOUGHT - (performance.now() - start));
  if (state.turn !== turn || !isEngineTurn() || players !== state.players) return;
  const last = answer.after.last_move;
  const ply = state.ply + 1;
  turns[ply] = answer.after;
  set({ moves: [...state.moves, { move: last.move, san: last.san, side }], ply, turn: answer.after, thinking: undefined, undone: [] });
  tell(side, last, answer.after);
}

/** Leaves the game at an earlier position and plays a line from there. */
export async function restartAt(base, line) {
  await go(base.moves.length);
  await follow(line);
}

// The address bar: it holds the whole game, and each game that is left stays one step back.

/** The line that the present entry of the history holds. */
let held;
let isReturning = false;

/** Whether the game on the page is the held one, at any of its plies, with more moves or with none given up. */
function isHeld() {
  const { info, start, moves } = state;
  return held.info === info && held.start === start && held.moves.every(({ move }, index) => moves[index]?.move === move);
}

/** Writes the present game into the address, unless that is a link that could not be opened in full. */
export function writeAddress() {
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
export function followHistory() {
  addEventListener('popstate', () => { if (location.search !== url()) reopen(fromAddress(location.search)); });
}
