// @ts-check
// Why a move is good or bad: the reasons that the service gives, in the language of the page.

import { settle } from './api.js';
import { capital, h } from './dom.js';
import { materialWords } from './evaluation.js';
import { moveShape } from './hints.js';
import { lineView, look } from './lines.js';
import { announce } from './status.js';
import { named, text } from './texts.js';

/** The positions that the search of an explanation visits at most. */
const NODES = 50_000;

/** Kinds whose moves cannot be played from the position: one side would have passed before them. */
const AFTER_A_PASS = new Set(['prevents', 'threatens', 'double-threat', 'threat']);

/** @type {Map<string, import('./types.d.ts').Explanation>} */
const known = new Map();
const MOST_KNOWN = 400;

/**
 * Why a move in a position is good or bad, and the path of the reply that its line shows. Nothing where a newer request
 * of the lane takes its place, or the service refuses.
 * @returns {Promise<import('./types.d.ts').Explanation | undefined>}
 */
export async function explain(lane, base, move) {
  const key = JSON.stringify([base, move]);
  if (known.has(key)) { lane.cancel(); return known.get(key); }
  const question = { ...base, search_moves: [move], nodes: NODES, include: ['reasons'] };
  const answer = await settle(lane.ask('best-move', question));
  if (!answer) return undefined;
  const line = shownLine(answer.reasons, move);
  const after = line && await settle(look({ ...base, moves: [...base.moves, move] }, lane));
  const reply = after?.legal_moves.find((legal) => legal.move === line.moves[1])?.path;
  const explanation = { base, move, reasons: answer.reasons, reply };
  if (known.size >= MOST_KNOWN) known.delete(known.keys().next().value);
  known.set(key, explanation);
  return explanation;
}

/** The reason with a line that begins with this move and can be played. */
export const shownLine = (reasons, move) =>
  reasons.find(({ kind, moves }) => !AFTER_A_PASS.has(kind) && moves[0] === move && moves.length > 1);

/** The plies up to which a sentence says how near an end is. */
const NEAR = 12;

/** The moves of a reason as people write them, with numbers where the sentence of the service has them. */
function namesOf({ moves, moves_san: san = moves, text: told }) {
  const escaped = san.map((name) => `(?:\\d+\\.+ ?)?${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`);
  return told.match(`(${escaped.join(') (')})`)?.slice(1) ?? san;
}

/** The sentence of a reason. The service has one in English; other languages have a template for each kind. */
export function sentence(reason, board) {
  const { plies, gain, loss, squares = [] } = reason;
  const moves = namesOf(reason);
  const isMate = moves.some((move) => move.endsWith('#'));
  const kind = reason.kind === 'trades' && moves.length === 1 ? 'recaptures' : reason.kind;
  const template = named('why', kind, '');
  if (!template) return reason.text;
  const places = squares.map((square) => board.squareName(square));
  const worth = gain === undefined ? '' : materialWords(gain);
  const values = {
    move: moves[0] ?? '', line: moves.join(' '), rest: places.slice(1).join(', '), gain: worth, loss,
    win: text(isMate ? 'reasons.mate' : 'reasons.win'), by: worth && ` (${worth})`, at: places.length ? text('reasons.at', { square: places[0] }) : '',
    within: plies <= NEAR ? ` (${text('reasons.within', { count: Math.ceil(plies / 2) })})` : '',
  };
  return capital(template.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? places[Number(name)] ?? ''));
}

/** A sentence in which a line that can be played is one. */
function told(reason, board, base, step) {
  const words = sentence(reason, board);
  const line = namesOf(reason).join(' ');
  const start = AFTER_A_PASS.has(reason.kind) || !line ? -1 : words.indexOf(line);
  const lang = named('why', reason.kind, '') ? undefined : 'en';
  if (start < 0) return h('li', { lang }, words);
  return h('li', { lang }, words.slice(0, start), lineView(reason.moves, namesOf(reason), { base, step }), words.slice(start + line.length));
}

/**
 * The reasons of a move as a list.
 * @param {import('./types.d.ts').Explanation} explanation
 * @param {import('./board.js').Board} board
 * @param {{step?: (moves: string[], base: any) => void, isShort?: boolean}} options
 */
export function reasonList({ base, reasons }, board, { step, isShort } = {}) {
  if (!reasons.length) return isShort ? '' : h('p', { class: 'quiet small' }, text('reasons.none'));
  return h('ul', { class: 'reasons' }, reasons.map((reason) => told(reason, board, base, step)));
}

/** What the board shows of reasons: rings on their squares, and the reply. */
export const reasonShapes = ({ reasons, reply }) => [
  ...reasons.flatMap(({ squares = [] }) => squares.map((to) => ({ to, kind: 'reason' }))),
  ...moveShape({ path: reply ?? [] }, 'reply'),
];

/** Says the reasons to screen readers. */
export const announceReasons = ({ reasons }, board) =>
  announce(reasons.length ? reasons.map((reason) => sentence(reason, board)).join(' ') : text('reasons.none'));
