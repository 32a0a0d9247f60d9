// A turn, a review, a stream and an error through the client of @hey-api/openapi-ts.
import assert from 'node:assert/strict';
import { bestMove, review, streamBestMove } from './hey/sdk.gen';
import { client } from './hey/client.gen';

client.setConfig({ baseUrl: process.env['BESTMOVE'] ?? '' });

const turn = await bestMove({ body: { game: 'connect-four', moves: '4453', depth: 4, include: ['board', 'legal_moves'] } });
assert(turn.data?.after.board?.length === 6);
assert(turn.data.after.legal_moves?.every((move) => move.path.length === 1));

const reviewed = await review({ body: { game: 'tic-tac-toe', moves: ['0', '1'] } });
assert(reviewed.data?.moves[1]?.label === 'blunder' && reviewed.data.sides[0]?.side === 'X');

const { stream } = await streamBestMove({ body: { game: 'checkers', depth: 3 } });
let events = 0;
for await (const event of stream) events += event ? 1 : 0;
assert(events >= 2);

const wrong = await bestMove({ body: { game: 'chess', moves: ['e4', 'e4'] } });
assert(wrong.error && wrong.error.type === '/problems/illegal-move' && wrong.error.allowed);
