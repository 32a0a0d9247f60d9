// Runs after the code of docs/front-ends.md and docs/reviews.md: plays whole games with its loop. A person who moves at random applies
// all moves to a board of its own, which must be the service's after each ply.
import assert from 'node:assert/strict';

let state = 1;
const random = (below) => {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};

const isSpecial = ({ captures, flips, promotion, also }) => captures || flips?.length > 2 || promotion || also;
const choose = (legalMoves) => {
  const special = legalMoves.filter(isSpecial);
  const moves = special.length > 0 && random(2) ? special : legalMoves;
  return moves[random(moves.length)];
};

const games = ['tic-tac-toe', 'connect-four', 'checkers', 'chess', 'othello'].map((game) => [game]);
for (const [game, variant] of [...games, ['connect-four', '8x7'], ['othello', '4x4']]) {
  const { sides } = (await (await fetch(`${service}/games/${game}`)).json());
  for (let round = 0; round < 2; round += 1) {
    const boards = [];
    const draw = (board, moves) => boards.push([structuredClone(board), moves.length, [...moves]]);
    let turns = 0;
    const count = (legalMoves) => { turns += 1; return choose(legalMoves); };
    const end = await play(game, count, draw, sides[round], variant);
    assert.equal(turns, Math.floor((boards.length + 1 - round) / 2), `${game}: the service begins against ${sides[1]}`);
    for (const [board, plies, moves] of boards) {
      const told = await ask('/position', { game, variant, moves });
      assert.deepEqual(board, told.board, `${game} ${moves}`);
      assert.equal(plies === boards.length, told.state !== 'ongoing', `${game} ${moves}`);
    }
    assert.ok(end.state !== 'ongoing' && end.reason, game);
    console.log(`${[game, variant].join(' ').trim()}: ${boards.length} plies, ${end.reason}`);
  }
}

const moves = ['e4', 'e5', 'Nf3', 'Nc6'];
const undone = await undo('chess', moves, 'white');
assert.deepEqual([moves.length, undone.side_to_move], [2, 'white']);
// After a move that ended the game, and after one whose reply failed, only that move is the person's last turn.
for (const [game, person, played, kept] of [
  ['tic-tac-toe', 'X', ['0', '3', '1', '4', '2'], 4],
  ['chess', 'white', ['e4', 'e5', 'Nf3'], 2],
  ['chess', 'black', ['e4', 'e5', 'Nf3'], 1],
  ['chess', 'black', ['e4'], 1],
  ['chess', 'white', [], 0],
]) {
  const turn = await undo(game, played, person);
  assert.equal(played.length, kept, `${game} ${person}`);
  assert.equal(turn.state, 'ongoing', `${game} ${person}`);
}
const illegal = ['e4', 'e4', 'e5'];
await assert.rejects(undo('chess', illegal, 'white'), /e4/);
assert.equal(illegal.length, 3, 'a request that failed takes nothing back');
const knight = movesFrom(undone.legal_moves, [7, 6]);
assert.deepEqual(movesTo(knight, [5, 5]).map(({ san }) => san), ['Nf3']);
const third = await ask('/position', { game: 'chess', moves: '1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8' });
assert.deepEqual([ending(third, false), ending(third, true)], [undefined, 'Draw: threefold repetition, claimed.']);
assert.equal(ending(undone, true), undefined);
assert.equal(forWhite({ side_to_move: 'black', evaluation: { value: 0.5 } }), -0.5);
assert.equal(share({ side_to_move: 'white', evaluation: { value: 1 } }), 100);
assert.equal((await askPatiently('/position', { game: 'chess' })).state, 'ongoing');
assert.ok((await ask('/best-move', { game: 'checkers', ...opponent })).best_move);
for (const asking of [ask, askPatiently]) {
  await assert.rejects(asking('/position', { game: 'go' }), /there is no game 'go'/);
}
assert.deepEqual(await why('tic-tac-toe', ['0', '3', '1', '4', '2']), ['2 wins at once.', 'Only 2 wins.']);
assert.match((await why('chess', ['f3', 'e5', 'g4']))[0], /^Allows mate in one move: 2\. g4 Qh4#\.$/);
assert.deepEqual((await hint('tic-tac-toe', ['0', '3', '1', '4'])).path, [[0, 2]]);
const [fault, ...others] = await faults('chess', ['f3', 'e5', 'g4', 'Qh4#']);
assert.ok(fault.loss > 0 && fault.better && others.some(({ ply, label }) => ply === 3 && label === 'blunder'));

// A server that is busy twice is asked again; one that stays busy is a problem.
const busy = (times) => {
  const real = globalThis.fetch;
  globalThis.fetch = async (...request) => (times-- > 0
    ? new Response('busy', { status: 503, headers: { 'retry-after': '0.01' } }) : real(...request));
  return () => { globalThis.fetch = real; };
};
let restore = busy(2);
assert.equal((await askPatiently('/position', { game: 'chess' })).state, 'ongoing');
restore();
restore = busy(Infinity);
await assert.rejects(askPatiently('/position', { game: 'chess' }, 3), /503/);
restore();

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
