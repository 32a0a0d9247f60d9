// The engine as WebAssembly, asked as the page asks it. Takes the module, and the program whose answers must be the same.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const [, , module, program] = process.argv;
const { instance } = await WebAssembly.instantiate(readFileSync(module), {});
const { memory, buffer, ask } = instance.exports;
function asked(request) {
  const bytes = new TextEncoder().encode(JSON.stringify(request));
  const at = buffer(bytes.length);
  new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
  const length = ask();
  return new TextDecoder().decode(new Uint8Array(memory.buffer, buffer(0), length));
}
for (const game of ['tic-tac-toe', 'connect-four', 'checkers', 'chess', 'othello']) {
  const start = JSON.parse(asked({ game }));
  assert.ok(start.legal_moves.length > 3 && start.drawing && start.answer === null, game);
  for (const moves of [[], start.legal_moves.slice(-1).map(({ move }) => move)]) {
    const text = asked({ game, moves, search: true, nodes: 20000 });
    assert.ok(JSON.parse(text).answer.best_move, text);
    if (!program) continue;
    const own = execFileSync(program, ['best-move', game, ...moves, '--nodes', '20000', '--json'], { encoding: 'utf8' });
    assert.equal(text.slice(text.indexOf('"answer":') + 9, -1), own.trim());
  }
}
assert.match(JSON.parse(asked({ game: 'go' })).error, /no such game/);
assert.match(JSON.parse(asked({ game: 'chess', moves: ['e5'] })).error, /e5/);
assert.match(JSON.parse(asked(7)).error, /invalid type/);
console.log(program ? 'the module answers as the program does' : 'the module answers');
