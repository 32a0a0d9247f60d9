// The package in an empty project: a turn, a game, streams, a batch, a problem, a busy service, none.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Bestmove, ProblemError, UnreachableError, type GameName, type SideName } from 'bestmove';

const service = new Bestmove({ baseUrl: process.env['BESTMOVE']!.replace('http://', '') });

const turn = await service.bestMove({ game: 'chess', moves: ['e4', 'e5'], depth: 3, include: ['board'] });
const side: SideName = turn.side_to_move;
assert(side === 'white' && turn.after.board?.length === 8 && turn.evaluation.value <= 1);

const analysis = await service.analyze({ game: 'tic-tac-toe', position: 'XX.OO....', top: 2 });
assert.deepEqual([analysis.moves.length, analysis.moves[0]?.move], [2, '2']);
assert.equal((await service.review({ game: 'tic-tac-toe', moves: ['0', '1'] })).moves[1]?.label, 'blunder');
assert.equal((await service.tree({ game: 'tic-tac-toe', depth: 1 })).tree.children?.length, 9);
assert((await service.health()).version && (await service.game('checkers')).levels.length > 0);

// Whole games: a person who plays the first legal move, on either side.
for (const { name } of (await service.games()).games) {
  const game = await service.play(name as GameName, { level: 'beginner', seed: 7 });
  while (!game.isOver && game.moves.length < 12) await game.play(game.legalMoves[0]!.move);
  const { position } = await service.position({ game: name as GameName, moves: game.moves });
  assert.equal(game.turn.position, position, name);
}
// Variants, and a game with passes to its end.
for (const [name, variant, width] of [['connect-four', '8x7', 8], ['othello', '4x4', 4]] as const) {
  const game = await service.play(name, { variant, level: 'beginner', seed: 7 });
  while (!game.isOver) await game.play(game.legalMoves.at(-1)!.move);
  const told = await service.position({ game: name, variant, moves: game.moves });
  assert.deepEqual([game.turn.position, game.board[0]!.length], [told.position, width]);
}
const passing = await service.play('othello', { level: 'beginner', seed: 7 }, '..XXXXOXXXXXXOOXXOXOOOOXXOXOOOOXXOOOXOOXXOXOOXOXXOOOOOXXXOOXXXXX X');
assert.deepEqual(passing.legalMoves.map(({ move }) => move), ['pass']);
await passing.play('pass');
assert.equal(passing.moves.length, 2);
const black = await service.play('chess', { person: 'black', depth: 1 });
assert.deepEqual([black.moves.length, black.turn.side_to_move], [1, 'black']);
await assert.rejects(black.play('Ke4'), { type: '/problems/illegal-move' });
assert.equal(black.moves.length, 1);
await black.play('e5');
assert.equal(black.moves.length, 3);
await black.undo();
assert.deepEqual([black.moves.length, black.turn.side_to_move], [1, 'black']);
// Sides are what people call them, in any case; the marks of their pieces do too.
for (const [name, person, side, began] of [
  ['othello', 'black', 'black', 0], ['othello', 'White', 'white', 1], ['connect-four', 'Red', 'red', 0],
  ['connect-four', 'o', 'yellow', 1], ['tic-tac-toe', 'o', 'O', 1], ['chess', 'Black', 'black', 1],
] as const) {
  const seated = await service.play(name, { person: person as SideName, depth: 1 });
  assert.deepEqual([seated.person, seated.turn.side_to_move, seated.moves.length], [side, side, began]);
}
for (const [name, person] of [['chess', 'red'], ['othello', 'purple'], ['connect-four', 'black'], ['chess', 'K'], ['chess', '']] as const) {
  await assert.rejects(service.play(name, { person: person as SideName }), { name: 'RangeError', message: / has no side / });
}
// A move that wins ends the game without a reply.
const won = await service.play('tic-tac-toe', {}, 'XX.OO....');
assert.equal(await won.play('2'), undefined);
assert(won.isOver && won.turn.winner === 'X');

const kinds: string[] = [];
for await (const { kind, answer } of service.streamBestMove({ game: 'checkers', depth: 3 })) {
  assert(answer.best_move);
  kinds.push(kind);
}
assert.deepEqual([kinds.at(-1), kinds.length > 1], ['result', true]);
for await (const { answer } of service.streamAnalysis({ game: 'connect-four', depth: 2 })) assert(answer.moves.length === 7);
// Leaving a stream ends the search.
for await (const { kind } of service.streamBestMove({ game: 'chess', time_ms: 9000 })) if (kind) break;

const answers = [];
for await (const answer of service.batch([{ game: 'tic-tac-toe' }, { game: 'chess', moves: ['e5'] }])) answers.push(answer);
assert('best_move' in answers[0]! && 'type' in answers[1]! && answers.length === 2);

// More requests than are sent at a time; an error of theirs.
let count = 0;
for await (const answer of service.batch(Array.from({ length: 250 }, () => ({ game: 'tic-tac-toe' })))) count += 'best_move' in answer ? 1 : 0;
assert.equal(count, 250);
async function* failing() {
  yield { game: 'tic-tac-toe' } as const;
  throw new Error('mine');
}
await assert.rejects(service.batch(failing()).next(), { message: 'mine' });

const refused = await service.bestMove({ game: 'chess', moves: ['e4', 'e4'] }).catch((error: unknown) => error);
assert(refused instanceof ProblemError && refused.status === 422 && refused.problem.field === '/moves/1');
assert(refused.problem.allowed && refused.message === refused.problem.detail);

// A busy service is asked again after the time that it names, and no more often than allowed.
let sent = 0;
const busy = (times: number): typeof fetch => async (...request) => {
  sent += 1;
  if (sent > times) return fetch(...request);
  return new Response('', { status: sent % 2 ? 503 : 429, headers: { 'retry-after': '0.01' } });
};
const baseUrl = process.env['BESTMOVE']!;
assert.equal((await new Bestmove({ baseUrl, fetch: busy(3) }).health()).status, 'ok');
assert.equal(sent, 4);
sent = 0;
await assert.rejects(new Bestmove({ baseUrl, fetch: busy(9), attempts: 3 }).health(), { status: 503, type: 'about:blank' });
assert.equal(sent, 3);
const waits = new Bestmove({ baseUrl, fetch: async () => new Response('', { status: 503, headers: { 'retry-after': '60' } }) });
await assert.rejects(waits.bestMove({ game: 'chess' }, { signal: AbortSignal.timeout(20) }), { name: 'TimeoutError' });
// One that closes connections is asked again; so are the lines of a batch that found no place, or that broke off.
let drops = 2;
sent = 0;
const faulty = createServer((request, response) => {
  sent += 1;
  request.resume();
  if (request.method === 'GET') {
    drops -= 1;
    if (drops >= 0) return request.socket.destroy();
    return response.end('{"status":"ok","version":"0"}');
  }
  if (!request.url!.endsWith('batch')) return response.end('{"best_move":"2"}');
  response.write('{"best_move":"1"}\n{"type":"/problems/overloaded","status":503}\n');
  setTimeout(() => response.destroy(), 50);
}).listen(0, '127.0.0.1');
await new Promise((resolve) => { faulty.once('listening', resolve); });
const trial = new Bestmove({ baseUrl: `127.0.0.1:${(faulty.address() as AddressInfo).port}`, attempts: 3 });
assert.equal((await trial.health()).status, 'ok');
const again = [];
for await (const answer of trial.batch(Array(3).fill({ game: 'chess' }))) again.push('best_move' in answer && answer.best_move);
assert.deepEqual([again, sent], [['1', '2', '2'], 6]);
faulty.close();
faulty.closeAllConnections();
// One that is not there, and one that does not answer.
await assert.rejects(trial.health(), UnreachableError);
const silent = new Bestmove({ baseUrl, timeout: 20, fetch: () => new Promise(() => {}) });
await assert.rejects(silent.health(), { name: 'UnreachableError', message: /silent/ });
console.log('the npm package plays');
