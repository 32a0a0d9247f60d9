// @ts-check
// The mistakes of a reviewed game as exercises: find the best move before each of them.

import { Lane } from './api.js';
import { button, h } from './dom.js';
import { hintsFor, moveShape } from './hints.js';
import { lineView, names, showLine } from './lines.js';
import { announceReasons, explain, reasonList, reasonShapes } from './reasons.js';
import { go } from './session.js';
import { place, state } from './store.js';
import { announce } from './status.js';
import { text } from './texts.js';
import { sideName } from './words.js';

const lane = new Lane('best-move');
/** The exercises that are being solved, and what has come of each: `found`, `helped` or `shown`. */
let list = [];
let results = [];
/** The exercise of the moment: its hints given, wrong moves, the move tried last and its explanation. */
let present = fresh();
let isRunning = false;
let board;
let redraw = () => undefined;

function fresh() {
  return { hints: 0, wrong: 0, tried: undefined, explanation: undefined, result: undefined };
}

const exercise = () => list[results.length];
const isDone = () => results.length >= list.length;

/** Whether the position of an exercise is on the board. */
const isShown = () => state.ply === (exercise() ?? list.at(-1)).ply - 1;

/** Whether exercises are being solved. */
export const isSolving = () => isRunning && isShown();

/** The exercises of a review, each with the best line: those of the only person at the board, else all. */
export function exercisesOf({ exercises = [], moves }) {
  const people = state.info.sides.filter((_, index) => state.players[index] === null);
  const isOwn = ({ side_to_move: side }) => people.length !== 1 || side === people[0];
  return exercises.filter(isOwn).map((one) => ({ ...one, best: moves[one.ply - 1].best }));
}

/** Begins with the first exercise. `render` draws the view anew. */
export function begin(exercises, onBoard, render) {
  [list, results, board, redraw] = [exercises, [], onBoard, render];
  return show();
}

export function end() {
  lane.cancel();
  isRunning = false;
  redraw();
}

async function show() {
  present = fresh();
  await go(exercise().ply - 1);
  isRunning = isShown();
  if (!isRunning) return;
  announce(task());
  redraw();
}

/** Ends the exercises where another position has come on the board. */
export function follow() {
  if (isRunning && !isShown()) isRunning = false;
}

const solution = () => state.turn.legal_moves.find(({ move }) => move === exercise().solution[0]);
const nameOf = ({ move, san }) => san ?? move;
const task = () => text('exercises.task', { side: sideName(exercise().side_to_move), move: nameOf(exercise().played) });

/** Takes a move that a person makes on the board. */
export function tryMove(move) {
  if (isDone() || present.result) return;
  const isRight = exercise().accepted.includes(move.move);
  if (isRight) settleAs(present.hints || present.wrong ? 'helped' : 'found', move);
  else attempt(move, { wrong: present.wrong + 1 });
}

/** Shows a move with its reasons. */
async function attempt(move, changes) {
  const { ply } = exercise();
  const tried = { ...present, ...changes, tried: move, explanation: undefined };
  present = tried;
  redraw();
  const explanation = await explain(lane, place(ply - 1), move.move);
  if (!explanation || present !== tried) return;
  present.explanation = explanation;
  redraw();
  announceReasons(explanation, board);
}

function settleAs(result, move) {
  announce(text(result === 'shown' ? 'exercises.shown' : 'exercises.right', { move: nameOf(move) }));
  attempt(move, { result });
}

const hints = () => hintsFor(solution(), exercise().kind, board);

function hint() {
  const given = hints().slice(0, present.hints + 1);
  present = { ...present, hints: given.length };
  announce(given.at(-1).words);
  redraw();
}

async function next() {
  results.push(present.result);
  if (isDone()) { redraw(); announce(summary()); }
  else await show();
}

function summary() {
  const found = results.filter((result) => result === 'found').length;
  const helped = results.filter((result) => result === 'helped').length;
  return text('exercises.summary', { count: list.length, found, helped });
}

/** A button with its text. */
export const action = (key, click, rest, values) => button({ label: text(key, values), text: text(key, values), click, ...rest });

function ending() {
  return [
    h('p', { class: 'standing' }, summary()),
    h('div', { class: 'row wrap' }, action('exercises.again', () => { results = []; show(); }, { kind: 'primary' }), action('exercises.leave', end)),
  ];
}

/** What is said of the move that was tried. */
function verdict() {
  const { tried, result, explanation } = present;
  if (!tried) return [];
  const key = result === 'shown' ? 'exercises.shown' : result ? 'exercises.right' : 'exercises.wrong';
  const { ply, best } = exercise();
  const label = result ? 'best' : 'mistake';
  const line = lineView(best.principal_variation, names(best), { base: place(ply - 1), step: showLine });
  return [h('div', { class: `verdict ${label}` }, h('p', {}, h('b', {}, text(key, { move: nameOf(tried) }))),
    explanation ? reasonList(explanation, board, { step: showLine }) : '',
    result ? h('p', {}, line) : '')];
}

/** The view of the exercise. */
export function content() {
  if (isDone()) return ending();
  const all = hints();
  const given = all.slice(0, present.hints);
  const isLastOne = results.length + 1 === list.length;
  const isSolved = Boolean(present.result);
  return [
    h('p', { class: 'quiet small' }, text('exercises.number', { number: results.length + 1, count: list.length })),
    h('p', { class: 'standing' }, task()),
    h('div', { class: 'row wrap' },
      isSolved ? action(isLastOne ? 'exercises.result' : 'exercises.next', next, { kind: 'primary', symbol: 'next' })
        : [action('tools.hint', hint, { symbol: 'hint', disabled: given.length === all.length }),
          action('exercises.show', () => settleAs('shown', solution()))],
      action('exercises.leave', end)),
    !isSolved && given.length ? h('ol', { class: 'hints' }, given.map(({ words }) => h('li', {}, words))) : '',
    ...verdict(),
  ];
}

/** What the board shows of the exercise. */
export function overlay() {
  if (isDone()) return {};
  const { tried, result, explanation } = present;
  const shapes = tried ? moveShape(tried, result ? 'best' : 'reply') : [];
  const given = result ? [] : hints()[present.hints - 1]?.shapes ?? [];
  return { arrows: [...shapes, ...given, ...(explanation ? reasonShapes(explanation) : [])] };
}
