// @ts-check
// Castling and en passant: what a chess position has beside its board. The only module that knows a notation, that of FEN:
// the third field has the castling rights, the fourth the square behind a pawn that has just made two steps.

import { h, select } from './dom.js';
import { state } from './store.js';
import { text } from './texts.js';
import { sideName } from './words.js';

const NONE = '-';
const CASTLING = /** @type {const} */ ([['K', 0, 'rights.short'], ['Q', 0, 'rights.long'], ['k', 1, 'rights.short'], ['q', 1, 'rights.long']]);

/** Whether positions of the game have such rights. */
export const hasRights = (info) => info.positions.notation.startsWith('FEN');

/** A castling right by the side of the king, where it is the file of the rook, as in Chess960. */
function named(pieces, letter) {
  if ('KQkq'.includes(letter)) return letter;
  const isFirst = letter === letter.toUpperCase();
  const rank = pieces.split('/').at(isFirst ? -1 : 0).replace(/\d/g, (count) => '.'.repeat(Number(count)));
  const king = 'abcdefgh'[rank.indexOf(isFirst ? 'K' : 'k')];
  const way = letter.toLowerCase() > king ? 'k' : 'q';
  return isFirst ? way.toUpperCase() : way;
}

/** The rights of a position: `{castling, passing}`. */
export function rightsOf(position) {
  const [pieces, , castling = NONE, passing = NONE] = position.split(' ');
  const letters = castling === NONE ? [] : [...castling].map((letter) => named(pieces, letter));
  return { castling: letters.join(''), passing };
}

/** The same position with other rights. */
export function withRights(position, { castling, passing }) {
  const fields = position.split(' ');
  fields.splice(2, 2, castling || NONE, passing);
  return fields.join(' ');
}

/** The rights without those that the message refuses; nothing where it refuses something else. */
export function allowedRights(rights, message) {
  const [, refused] = /^the castling rights: .*leave out (\w+)$/.exec(message) ?? [];
  if (refused) return { ...rights, castling: [...rights.castling].filter((right) => !refused.includes(right)).join('') };
  return message.startsWith('the en passant square') && rights.passing !== NONE ? { ...rights, passing: NONE } : undefined;
}

/** The squares behind a pawn that may just have made two steps, as the other side is to move. */
function passingSquares(draft, side) {
  const { board: { columns, rows }, sides, pieces } = state.info;
  const enemy = sides.find((one) => one !== side);
  const pawn = pieces.find((piece) => piece.side === enemy && piece.label === 'pawn')?.name;
  const [row, back] = enemy === sides[0] ? [4, 1] : [3, -1];
  return columns.filter((_, column) => draft[row][column] === pawn && !draft[row + back][column]).map((column) => column + rows[row + back]);
}

/** The controls of the rights; `change` gets the new ones. */
export function rightsControls(draft, side, rights, change) {
  const toggle = (letter) => {
    const has = (one) => (one === letter ? !rights.castling.includes(one) : rights.castling.includes(one));
    change({ ...rights, castling: CASTLING.map(([one]) => one).filter(has).join('') });
  };
  const boxes = CASTLING.map(([letter, index, way]) => h('label', { class: 'check' },
    h('input', { type: 'checkbox', checked: rights.castling.includes(letter), onchange: () => toggle(letter) }),
    text(way, { side: sideName(state.info.sides[index]) })));
  const squares = [...new Set([NONE, ...passingSquares(draft, side), rights.passing])];
  const options = squares.map((value) => ({ value, label: value === NONE ? text('rights.none') : value }));
  return [
    h('div', { class: 'checks', role: 'group', 'aria-label': text('rights.castling') }, h('span', {}, text('rights.mayCastle')), boxes),
    h('label', { class: 'field inline' }, h('span', {}, text('rights.passing')), select(text('rights.passing'), options, rights.passing, (passing) => change({ ...rights, passing }))),
  ];
}
