// Runs after the code of docs/front-ends.md: plays whole games with its loop. A person who moves at random applies
// all moves to a board of its own, which must be the service's after each ply.
import assert from 'node:assert/strict';

let state = 1;
const random = (below) => {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};

const isSpecial = ({ captures, promotion, also }) => captures || promotion || also;
const choose = (legalMoves) => {
  const special = legalMoves.filter(isSpecial);
  const moves = special.length > 0 && random(2) ? special : legalMoves;
  return moves[random(moves.length)];
};

for (const game of ['tic-tac-toe', 'connect-four', 'checkers', 'chess']) {
  for (let round = 0; round < 2; round += 1) {
    const boards = [];
    const end = await play(game, choose, (board, moves) => boards.push([structuredClone(board), moves.length, [...moves]]));
    for (const [board, plies, moves] of boards) {
      const told = await ask('/position', { game, moves });
      assert.deepEqual(board, told.board, `${game} ${moves}`);
      assert.equal(plies === boards.length, told.state !== 'ongoing', `${game} ${moves}`);
    }
    assert.ok(end.state !== 'ongoing' && end.reason, game);
    console.log(`${game}: ${boards.length} plies, ${end.reason}`);
  }
}

const moves = ['e4', 'e5', 'Nf3', 'Nc6'];
const undone = await undo('chess', moves);
assert.deepEqual([moves.length, undone.side_to_move], [2, 'white']);
const knight = movesFrom(undone.legal_moves, [7, 6]);
assert.deepEqual(movesTo(knight, [5, 5]).map(({ san }) => san), ['Nf3']);
const third = await ask('/position', { game: 'chess', moves: '1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8' });
assert.deepEqual([ending(third, false), ending(third, true)], [undefined, 'Draw: threefold repetition, claimed.']);
assert.equal(ending(undone, true), undefined);
assert.equal(forWhite({ side_to_move: 'black', evaluation: { value: 0.5 } }), -0.5);
assert.equal(share({ side_to_move: 'white', evaluation: { value: 1 } }), 100);
assert.equal((await askPatiently('/position', { game: 'chess' })).state, 'ongoing');
assert.ok((await ask('/best-move', { game: 'checkers', ...opponent })).best_move);
await assert.rejects(ask('/position', { game: 'go' }), /there is no game 'go'/);

// As much of an `EventSource` as the guide uses, which Node lacks.
globalThis.EventSource = class {
  listeners = {};

  constructor(url) {
    fetch(url).then((response) => response.text()).then((text) => {
      for (const event of text.split('\n\n')) {
        const [, kind, data] = event.match(/^event: (\w+)\ndata: (.*)$/m) ?? [];
        if (kind) this.listeners[kind]?.forEach((listener) => listener({ data }));
      }
    });
  }

  addEventListener(kind, listener) { (this.listeners[kind] ??= []).push(listener); }

  close() { this.listeners = {}; }
};

const shown = await new Promise((done) => {
  const kinds = [];
  watch('tic-tac-toe', ['4', '0'], (kind, answer) => {
    kinds.push(kind);
    if (kind !== 'progress') done({ kinds, answer });
  });
});
assert.ok(shown.kinds.length > 1 && shown.kinds.at(-1) === 'result', `${shown.kinds}`);
assert.equal(shown.answer.side_to_move, 'X');
