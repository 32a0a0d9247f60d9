// @ts-check
// Records of games: what they say beside their moves, and the present game as a record with comments. The moves themselves
// are read by the service; the brackets, tags and results are those of PGN and PDN.

import { capital } from './dom.js';
import { isProven, short, turned } from './evaluation.js';
import { endOf, offset, recall, remember, state, winnerBy } from './store.js';
import { named, text } from './texts.js';
import { gameTitle } from './words.js';

const TOKEN = /\[(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]|\{([^}]*)\}|;([^\n]*)|([()])|[^\s{}();[\],]+/g;
const RESULTS = new Map([['1-0', 'won'], ['2-0', 'won'], ['0-1', 'lost'], ['0-2', 'lost'], ['1/2-1/2', 'drawn'], ['½-½', 'drawn'], ['1-1', 'drawn']]);
const NO_MOVE = /^(\*|\.*|[!?]+|\$\d+|e\.p\.)$/;

const tidy = (words) => words.replace(/\s+/g, ' ').trim();

/** Splits a comment into its words and the clock in it. */
function readComment(comment) {
  const clock = /\[%clk\s+([\d:.]+)\]/.exec(comment)?.[1];
  return { clock, words: tidy(comment.replace(/\[%\w+[^\]]*\]/g, '')) };
}

/** What a record says beside its moves: `tags`, `notes` by ply, `count` of its moves and its `result`. */
export function readRecord(written) {
  const record = { tags: {}, notes: [], count: 0, result: undefined };
  const note = () => (record.notes[record.count] ??= { words: '', variations: [] });
  let depth = 0;
  let variation;
  const comment = (found) => {
    const { clock, words } = readComment(found);
    if (clock) note().clock = clock;
    note().words = tidy(`${note().words} ${words}`);
  };
  const word = (token) => {
    const move = token.replace(/^\d+\.+/, '');
    if (depth === 0 && RESULTS.has(token)) record.result = RESULTS.get(token);
    else if (NO_MOVE.test(move) || RESULTS.has(token)) return;
    else if (depth === 0) record.count += 1;
    else if (depth === 1) variation.push(move.replace(/[!?]+$/, ''));
  };
  for (const [token, tag, value, inBraces, toEnd, bracket] of written.matchAll(TOKEN)) {
    if (tag) record.tags[tag] = value.replace(/\\(.)/g, '$1');
    else if (inBraces !== undefined || toEnd !== undefined) { if (depth === 0) comment(inBraces ?? toEnd); }
    else if (bracket === '(') { depth += 1; if (depth === 1) variation = []; }
    else if (bracket === ')') { depth -= 1; if (depth === 0 && variation.length) note().variations.push(variation); }
    else word(token);
  }
  record.result ??= RESULTS.get(record.tags.Result);
  return record;
}

// The record of the present game

/** A record joined to the line that the service has read from it. */
export function joined(record, line) {
  const notes = record.count === line.length ? record.notes : [];
  return { tags: record.tags, notes: [...notes], line };
}

/** Whether the game on the page is that of the record up to this ply. */
const follows = (record, ply) => record.line.length >= ply && record.line.slice(0, ply).every((move, index) => state.moves[index]?.move === move);

/** What the record says of a ply: `{words, clock, variations}`. */
export const noteOf = (ply) => (state.record && follows(state.record, ply) ? state.record.notes[ply] ?? undefined : undefined);

/** The name of the player of a side in the record, with the rating. */
export function nameOf(side) {
  const { tags } = state.record ?? { tags: {} };
  const name = tags[capital(side)];
  const rating = tags[`${capital(side)}Elo`];
  return name && rating ? `${name} (${rating})` : name;
}

/** The clock of a side after the last move of it that is on the board. */
export function clockOf(side) {
  for (let { ply } = state; ply > 0; ply -= 1) {
    const clock = state.moves[ply - 1]?.side === side && noteOf(ply)?.clock;
    if (clock) return clock;
  }
  return undefined;
}

/** Keeps the record beside the game that is kept. */
export const keep = () => { if (state.record) remember(`record-${state.info.name}`, JSON.stringify(state.record)); };

/** The record of a line that has been kept in the browser. */
export function kept(game, line) {
  const record = recall(`record-${game}`);
  const isSame = record?.line?.length && line.length && line.every((move, index) => index >= record.line.length || record.line[index] === move);
  return isSame ? record : undefined;
}

// Writing

/** A value in the unit of the game, from the view of the first side: pawns in chess. */
function evaluationText(evaluation, isFirst) {
  if (isProven(evaluation)) return '';
  const seen = isFirst ? evaluation : turned(evaluation);
  return state.info.score_unit === 'pawn' ? `[%eval ${(seen.score / 100).toFixed(2)}]` : text('record.value', { value: short(seen) });
}

const GRADES = { inaccuracy: '$6', mistake: '$2', blunder: '$4' };

/** What a review says of a ply: a sign, a comment, and the better line; `sentence` tells a reason. */
function reviewed(review, ply, sentence) {
  const entry = review?.moves[ply - 1];
  if (!entry) return {};
  const isFirst = review.moves[0].side === state.info.sides[0];
  const grade = GRADES[entry.label];
  const best = entry.best.san ?? entry.best.move;
  const words = [evaluationText(entry.evaluation, isFirst), grade && text('record.best', { label: capital(named('label', entry.label)), best }), ...(grade ? entry.reasons.map(sentence) : [])];
  return { grade, words: words.filter(Boolean).join(' '), line: grade && (entry.best.principal_variation_san ?? entry.best.principal_variation) };
}

function numbered(names, from, isFresh) {
  return names.map((name, index) => {
    const place = from + index + offset();
    const number = `${Math.floor(place / 2) + 1}.`;
    if (place % 2 === 0) return `${number} ${name}`;
    return isFresh && index === 0 ? `${number}.. ${name}` : name;
  }).join(' ');
}

function moveText(review, sentence) {
  const words = [];
  let isFresh = true;
  const intro = noteOf(0)?.words;
  if (intro) words.push(`{${intro}}`);
  state.moves.forEach(({ move, san }, index) => {
    const ply = index + 1;
    const note = noteOf(ply) ?? { words: '', variations: [] };
    const { grade, words: said = '', line } = reviewed(review, ply, sentence);
    words.push(numbered([san ?? move], index, isFresh));
    if (grade) words.push(grade);
    const comment = [note.clock && `[%clk ${note.clock}]`, said, note.words].filter(Boolean).join(' ').replaceAll('}', ')');
    if (comment) words.push(`{${comment}}`);
    const variations = [...note.variations, ...(line ? [line] : [])];
    variations.forEach((variation) => words.push(`(${numbered(variation, index, true)})`));
    isFresh = Boolean(comment) || variations.length > 0;
  });
  return words.join(' ').replace(/(?=.{80}).{1,80}(?= )/g, '$&\n').replace(/\n /g, '\n');
}

/** How the game ended, as a record says it: from the view of White, else of the first side. */
function resultText(last) {
  const end = last && endOf(last);
  if (!end || end.state === 'ongoing') return '*';
  if (!end.winner) return '1/2-1/2';
  return end.winner === winnerBy('won', state.info) ? '1-0' : '0-1';
}

const quoted = (words) => String(words).replace(/["\\]/g, '\\$&');

/** The present game as a record. `first`, `last`: the first and the last position; `review`: the cost of each move; `sentence` tells a reason. */
export function writeRecord({ first, last, review, names, sentence }) {
  const { info, record, start } = state;
  const result = resultText(last);
  const players = Object.fromEntries(info.sides.map((side, index) => [capital(side), names[index]]).reverse());
  const known = info.sides.includes('white') ? { White: players.White, Black: players.Black } : players;
  const tags = { Event: text('record.event', { game: gameTitle() }), Date: new Date().toISOString().slice(0, 10).replaceAll('-', '.'), ...known, ...record?.tags, Result: result };
  if (info.variant) tags.Variant = capital(info.variant);
  if (start) Object.assign(tags, { SetUp: '1', FEN: first?.position ?? start });
  const head = Object.entries(tags).map(([tag, value]) => `[${tag} "${quoted(value)}"]`).join('\n');
  return `${head}\n\n${moveText(review, sentence)} ${result}\n`;
}

/** What files of such records are called. */
export const extension = (info) => (info.moves.notation.startsWith('PDN') ? 'pdn' : 'pgn');
