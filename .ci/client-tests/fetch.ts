// A turn, a review, a stream and an error through openapi-fetch with generated types.
import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { paths } from './schema';

const client = createClient<paths>({ baseUrl: process.env['BESTMOVE'] ?? '' });

const turn = await client.POST('/best-move', {
  body: { game: 'chess', moves: ['e4', 'e5'], depth: 4, include: ['board', 'legal_moves'] },
});
assert(turn.data?.after.board && turn.data.after.legal_moves);
const row: string[] | undefined = turn.data.after.board[0];
const side: 'X' | 'O' | 'red' | 'yellow' | 'black' | 'white' = turn.data.after.side_to_move;
assert(row?.length === 8 && side === 'black');
assert(turn.data.after.last_move?.move === turn.data.best_move);
assert(turn.data.after.legal_moves.every((move) => move.path.length === 2));

const review = await client.POST('/review', { body: { game: 'chess', moves: '1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7#' } });
assert(review.data?.winner === 'white' && review.data.moves[5]?.label === 'blunder');

const query = await client.GET('/best-move', { params: { query: { game: 'checkers', moves: ['11-15'], depth: 3 } } });
assert(query.data?.evaluation.outcome === 'unknown');

const stream = await client.POST('/best-move/stream', { body: { game: 'checkers', depth: 3 }, parseAs: 'stream' });
assert((await new Response(stream.data as BodyInit).text()).includes('event: result'));

const wrong = await client.POST('/best-move', { body: { game: 'chess', moves: ['e4', 'e4'] } });
assert(wrong.error?.type === '/problems/illegal-move' && wrong.error.field === '/moves/1' && wrong.error.allowed);
