// A first program: a game to its end, many positions in one batch, and a mistake. `BESTMOVE` is the address of the service.
import { Bestmove, ProblemError, UnreachableError, type BestMoveRequest } from 'bestmove';

/** A game of Connect Four. The person always plays the first legal move. */
async function play(service: Bestmove): Promise<void> {
  const game = await service.play('connect-four', { level: 'beginner' });
  while (!game.isOver) {
    const { move } = game.legalMoves[0]!;
    const reply = await game.play(move);
    console.log('you play', move, 'and the service', reply?.best_move ?? 'nothing');
  }
  console.log('the winner is', game.turn.winner ?? 'nobody', 'after', game.moves.length, 'moves');
}

/** What the other side answers to each first move of chess, in one batch. */
async function compare(service: Bestmove, openings: string[]): Promise<void> {
  const requests = openings.map((move): BestMoveRequest => ({ game: 'chess', moves: [move], depth: 4 }));
  let index = 0;
  for await (const answer of service.batch(requests)) {
    // A line that is refused is a problem among the answers.
    console.log('after', openings[index], 'best_move' in answer ? answer.best_move : answer.detail);
    index += 1;
  }
}

/** A move that is not legal. */
async function makeMistake(service: Bestmove): Promise<void> {
  try {
    await service.bestMove({ game: 'chess', moves: ['e5'] });
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    console.log('refused:', error.problem.detail);
    console.log('legal are', error.problem.allowed?.join(', '));
  }
}

const service = new Bestmove({ baseUrl: process.env['BESTMOVE'] ?? 'http://127.0.0.1:8080' });
try {
  await play(service);
  await compare(service, ['e4', 'd4', 'e5']);
  await makeMistake(service);
} catch (error) {
  if (!(error instanceof UnreachableError)) throw error;
  console.error('Is the service running?', error.message);
  process.exitCode = 1;
}
