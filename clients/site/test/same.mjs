// The npm package with its engine, in an empty project: the same bytes as over HTTP on every route, for every game and variant;
// the class of the client; the command; speed and sizes. Takes the program and the process of its service, which is at $BESTMOVE.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { Bestmove, ProblemError } from 'bestmove';
import { ask } from 'bestmove/engine';

const [, , program, pid] = process.argv;
const service = process.env.BESTMOVE;
const fold = (text) => text.replaceAll(/^:\n\n/gm, '');

async function told(answer) {
  return { status: answer.status, kind: answer.headers.get('content-type'), body: fold(await answer.text()) };
}

/** Asks the service and the engine; both answer the same, which is returned. */
async function same(method, path, body) {
  const headers = { 'x-request-id': 'local', 'content-type': path.endsWith('batch') ? 'application/x-ndjson' : 'application/json' };
  const over = await told(await fetch(service + path, { method, headers, body }));
  const own = await told(await ask(path, body, { method }));
  assert.deepEqual(own, over, `${method} ${path} ${body}`);
  compared += 1;
  statuses.add(own.status);
  return own.body;
}
let compared = 0;
const statuses = new Set();
const post = (path, body) => same('POST', path, JSON.stringify(body));
const get = (path, query = {}) => same('GET', `${path}?${new URLSearchParams(query)}`);

/** Some moves of a game, and the searches of the positions around them. */
async function play(game, variant, index) {
  const place = { game, variant, moves: [] };
  for (let ply = 0; ply < 3; ply += 1) {
    const { legal_moves } = JSON.parse(await post('/position', place));
    place.moves.push(legal_moves[(7 * index + 5 * ply) % legal_moves.length].move);
  }
  const query = { game, variant, moves: place.moves.join(','), nodes: 1500 };
  await post('/best-move', { ...place, nodes: 3000, include: ['board', 'legal_moves', 'reasons', 'threat'] });
  await get('/best-move', { ...query, view: 'first' });
  await get('/best-move.txt', { ...query, level: '4', seed: index, nodes: '' });
  await get('/board.svg', { game, variant, moves: query.moves, arrows: place.moves[2], theme: 'dark' });
  await post('/analyze', { ...place, depth: 2, top: 3, include: ['board'] });
  await post('/tree', { ...place, depth: 2, max_nodes: 5000 });
  await post('/review', { ...place, nodes: 400, include: ['reasons', 'exercises'] });
  await post('/review/stream', { ...place, nodes: 200 });
  await post('/best-move/stream', { ...place, depth: 3 });
  await get('/best-move/stream', { ...query, nodes: 500 });
  await post('/analyze/stream', { ...place, nodes: 1000 });
  const lines = [{ ...place, id: 'a', depth: 2 }, { ...place, id: 7, moves: ['x'] }, place.moves, { game: 'go' }];
  await same('POST', '/best-move/batch', `${lines.map((line) => JSON.stringify(line)).join('\n\n')}\n`);
}

const { games } = JSON.parse(await get('/games'));
for (const { name, variants } of games) {
  await same('GET', `/games/${name}`);
  for (const [index, variant] of variants.entries()) {
    await post('/best-move', { game: name, variant: variant.name, depth: 3, include: ['board', 'legal_moves'] });
    // Of the many sizes of Connect Four, some.
    if (variants.length < 9 || index % 7 === 0) await play(name, variant.name, index);
  }
}
await post('/analyze', { game: 'tic-tac-toe', moves: '048', level: 'beginner', include: ['chances'] });
// Endings, by the tables; a solved position; what is wrong with a request.
for (const position of ['8/8/8/4k3/8/8/3PK3/8 w - - 0 1', '8/8/8/3k4/8/8/1R1K4/7n b - - 0 1', '7k/8/5KP1/6P1/8/8/8/8 w - - 0 1']) {
  await post('/analyze', { game: 'chess', position, nodes: 20000, include: ['reasons'] });
}
await post('/analyze', { game: 'checkers', position: 'W:WK1,K6,22:BK32,11', nodes: 20000 });
await post('/best-move', { game: 'connect-four', moves: '44' });
await post('/best-move', { game: 'chess', depth: 9 });
await post('/review', { game: 'chess', moves: '1. e4 e5 2. Qh5 Ke7 3. Qxe5#', include: ['reasons', 'exercises'] });
for (const [method, path, body] of [
  ['POST', '/best-move', '{'], ['POST', '/best-move', '[]'], ['POST', '/best-move', '{"game":"chess","moves":["e5"]}'],
  ['POST', '/best-move', '{"game":"ches"}'], ['POST', '/best-move', '{"game":"tic-tac-toe","moves":"04152"}'],
  ['POST', '/best-move', '{"game":"chess","fen":"x"}'], ['POST', '/best-move', '{"game":"chess","position":"x"}'],
  ['POST', '/best-move', '{"game":"chess","depth":0}'], ['POST', '/analyze', '{"game":"chess","depth":"3"}'],
  ['POST', '/review', '{"game":"chess"}'], ['POST', '/tree', '{"game":"chess","depth":9,"max_nodes":50}'], ['POST', '/tree', '{}'],
  ['POST', '/position', '{"game":"chess","moves":7}'], ['POST', '/review/stream', '{"game":"chess","moves":[]}'],
  ['POST', '/best-move/stream', '{"game":"go"}'], ['GET', '/best-move/stream?game=go'], ['GET', '/board.svg?game=chess&arrows=zz'],
  ['GET', '/best-move?game=chess&game=othello'], ['GET', '/best-move/'], ['GET', '/games/go'], ['GET', '/games/Connect%204'],
  ['GET', '/nothing'], ['GET', '/analyze'], ['PUT', '/best-move', '{}'], ['DELETE', '/games'], ['POST', '/best-move.txt', '{}'],
  ['POST', '/best-move/batch', ''], ['GET', '/best-move.txt?game=chess&depth=2&moves='],
]) await same(method, path, body);
assert.ok(compared >= 300 && [200, 400, 404, 405, 422].every((status) => statuses.has(status)));
console.log(`${compared} of ${compared} answers are those of the service`);

// The class of the client, one option changed.
const local = new Bestmove({ engine: 'local' });
assert.deepEqual(await local.bestMove({ game: 'chess', depth: 5 }), await new Bestmove({ baseUrl: service }).bestMove({ game: 'chess', depth: 5 }));
assert.equal((await local.health()).status, 'ok');
const kinds = [];
for await (const { kind } of local.streamBestMove({ game: 'othello', depth: 4 })) kinds.push(kind);
assert.ok(kinds.length > 2 && kinds.at(-1) === 'result');
const answers = [];
for await (const answer of local.batch([{ game: 'tic-tac-toe' }, { game: 'go' }])) answers.push(answer);
assert.ok(answers[0].best_move && answers[1].status === 422);
await assert.rejects(local.bestMove({ game: 'chess', moves: ['e5'] }), ProblemError);
const game = await local.play('checkers', { level: 'beginner', seed: 1 });
await game.play(game.legalMoves[0].move);
assert.equal(game.moves.length, 2);
// A search ends with its time, with its signal, and with its reader; more requests than workers wait for each other.
let start = performance.now();
assert.equal((await local.bestMove({ game: 'chess', time_ms: 300 })).search.stopped_by, 'time');
assert.ok(performance.now() - start < 1500);
start = performance.now();
await assert.rejects(local.bestMove({ game: 'chess', time_ms: 9000 }, { signal: AbortSignal.timeout(200) }), { name: 'TimeoutError' });
for await (const { kind } of local.streamAnalysis({ game: 'chess', time_ms: 9000 })) if (kind) break;
const many = Array.from({ length: 9 }, (_, index) => local.bestMove({ game: 'chess', nodes: 1000 + index }));
assert.ok((await Promise.all(many)).every(({ best_move }) => best_move));
assert.ok(performance.now() - start < 5000, 'searches were stopped');
console.log('the class of the client is asked in the same way');

// The command prints what the program prints.
const run = (file, options) => execFileSync(file, options, { encoding: 'utf8' });
for (const options of [['chess', 'e4', 'e5', '--depth', '4'], ['connect-four', '--variant', '8x7', '4', '--nodes', '5000', '--json'],
  ['chess', '--position', '6k1/5ppp/8/8/8/8/8/R6K w - - 0 1', '--depth', '3', '--reasons']]) {
  assert.equal(run('npx', ['--offline', 'bestmove', 'best-move', ...options]), run(program, ['best-move', ...options]));
}
const times = [0, 1, 2].map(() => {
  const begin = performance.now();
  run('node_modules/.bin/bestmove', ['best-move', 'chess', 'e4', 'e5', '--depth', '4']);
  return performance.now() - begin;
});
console.log(`from the start of Node to the first answer: ${Math.min(...times).toFixed(0)} ms`);
assert.ok(Math.min(...times) <= 1000);

/** The milliseconds of a processor that the threads of the service have taken, or this program. */
const ofService = () => readdirSync(`/proc/${pid}/task`)
  .reduce((sum, thread) => sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]), 0) / 1e6;
const ofEngine = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };

/** The nodes a second of a search, in thousands. */
async function speed(asked, clock, searched, nodes) {
  const begin = clock();
  const answer = await asked.bestMove({ ...searched, nodes });
  return answer.search.nodes / (clock() - begin);
}
const server = new Bestmove({ baseUrl: service });
const shares = [];
for (const searched of [{ game: 'chess' }, { game: 'checkers' }, { game: 'othello' }, { game: 'connect-four', variant: '9x7', algorithm: 'selective' }]) {
  await speed(local, ofEngine, searched, 300_000);
  // Turn by turn, so that a busy machine slows both; the nodes differ, so that no answer is known.
  const found = [];
  for (let turn = 0; turn < 3; turn += 1) {
    found.push([await speed(local, ofEngine, searched, 1_000_000 + turn), await speed(server, ofService, searched, 1_000_000 + turn)]);
  }
  const [own, over] = [0, 1].map((side) => Math.max(...found.map((pair) => pair[side])));
  console.log(`${searched.game}: ${own.toFixed(0)} thousand nodes a second, ${over.toFixed(0)} in the service: ${(100 * own / over).toFixed(0)} %`);
  shares.push(own / over);
}
const mean = Math.exp(shares.reduce((sum, share) => sum + Math.log(share), 0) / shares.length);
console.log(`the mean is ${(100 * mean).toFixed(0)} %`);
// A service adds the rows of its networks by vectors of up to 512 bits, WebAssembly by those of 128: about 46 % on a
// processor that has the wide ones, more on others.
assert.ok(mean >= 0.4);

const folder = 'node_modules/bestmove/engine';
const wasm = readFileSync(`${folder}/bestmove.wasm`);
const tables = ['chess-4.tables', 'checkers-4.tables', 'checkers-5.outcomes'].map((name) => statSync(`${folder}/${name}`).size);
console.log(`the engine: ${wasm.length} bytes, gzip ${gzipSync(wasm, { level: 9 }).length}, brotli ${brotliCompressSync(wasm).length}; tables ${tables}`);
