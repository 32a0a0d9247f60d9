/** A client of a bestmove service. The types come from its contract. */

import type {
  Analysis, AnalysisRequest, BestMove, BestMoveRequest, Board, Game as GameDescription, GameName, Games, Health,
  Position, PositionRequest, Problem, Review, ReviewRequest, Tree, TreeRequest,
} from './contract.js';
import { ProblemError } from './problem.js';
import { Game, type Opponent } from './game.js';
import { type Progress, events } from './events.js';
import { lines } from './lines.js';

export type * from './contract.js';
export type { Game as GameDescription } from './contract.js';
export { Game, type Opponent } from './game.js';
export { ProblemError } from './problem.js';
export type { Progress } from './events.js';

/** How the service is asked. */
export interface Options {
  /** The address of the service: `http://127.0.0.1:8080` where absent. */
  baseUrl?: string;
  /** Headers of every request, such as `authorization`. */
  headers?: Record<string, string>;
  /** How often a request is sent at most while the service is busy: 5 where absent. */
  attempts?: number;
  /** What sends a request; the global `fetch` where absent. */
  fetch?: typeof fetch;
}

/** What holds for one request. */
export interface Call {
  /** Ends the request, and with it the search. */
  signal?: AbortSignal;
}

/** A bestmove service. */
export class Bestmove {
  readonly #options: Required<Options>;

  constructor(options: Options = {}) {
    const { baseUrl = 'http://127.0.0.1:8080', headers = {}, attempts = 5 } = options;
    const send = options.fetch ?? ((...request) => fetch(...request));
    this.#options = { baseUrl: baseUrl.replace(/\/+$/, ''), headers, attempts, fetch: send };
  }

  /** The best move of a position. */
  bestMove(request: BestMoveRequest, call?: Call): Promise<BestMove> {
    return this.#ask('/best-move', request, call);
  }

  /** The value of every legal move. */
  analyze(request: AnalysisRequest, call?: Call): Promise<Analysis> {
    return this.#ask('/analyze', request, call);
  }

  /** What each move of a game was worth. */
  review(request: ReviewRequest, call?: Call): Promise<Review> {
    return this.#ask('/review', request, call);
  }

  /** The tree of a textbook search. */
  tree(request: TreeRequest, call?: Call): Promise<Tree> {
    return this.#ask('/tree', request, call);
  }

  /** The board, the state and the legal moves of a position. */
  position(request: PositionRequest, call?: Call): Promise<Board> {
    return this.#ask('/position', request, call);
  }

  /** The games. */
  games(call?: Call): Promise<Games> {
    return this.#ask('/games', undefined, call);
  }

  /** A game: its notations, pieces and levels. */
  game(name: GameName, call?: Call): Promise<GameDescription> {
    return this.#ask(`/games/${name}`, undefined, call);
  }

  /** The version of the service. */
  health(call?: Call): Promise<Health> {
    return this.#ask('/health', undefined, call);
  }

  /** The best move after every completed depth, then the result. */
  streamBestMove(request: BestMoveRequest, call?: Call): AsyncGenerator<Progress<BestMove>> {
    return this.#stream('/best-move/stream', request, call);
  }

  /** The values of all moves after every completed depth, then the result. */
  streamAnalysis(request: AnalysisRequest, call?: Call): AsyncGenerator<Progress<Analysis>> {
    return this.#stream('/analyze/stream', request, call);
  }

  /** The answer to each of many requests, in order: a best move or a problem. */
  async* batch(requests: Iterable<BestMoveRequest>, call?: Call): AsyncGenerator<BestMove | Problem> {
    const body = Array.from(requests, (request) => `${JSON.stringify(request)}\n`).join('');
    const response = await this.#send('/best-move/batch', body, 'application/x-ndjson', call);
    for await (const line of lines(response)) {
      if (line) yield JSON.parse(line);
    }
  }

  /** A game of a person against the service. Where the person is not the first side, the service has moved. */
  async play(game: GameName, opponent: Opponent = {}, position?: Position): Promise<Game> {
    return Game.start(this, game, opponent, position);
  }

  async #ask<Answer>(path: string, request: unknown, call?: Call): Promise<Answer> {
    const body = request === undefined ? undefined : JSON.stringify(request);
    const response = await this.#send(path, body, 'application/json', call);
    return await response.json() as Answer;
  }

  async* #stream<Answer>(path: string, request: unknown, call?: Call): AsyncGenerator<Progress<Answer>> {
    yield* events(await this.#send(path, JSON.stringify(request), 'application/json', call));
  }

  /** The answer. A busy service is asked again after the time that it names. */
  async #send(path: string, body: string | undefined, contentType: string, call: Call = {}): Promise<Response> {
    const { baseUrl, headers, attempts, fetch: send } = this.#options;
    const init: RequestInit = { ...call, headers };
    if (body !== undefined) {
      Object.assign(init, { method: 'POST', headers: { ...headers, 'content-type': contentType }, body });
    }
    for (let attempt = 1; ; attempt += 1) {
      const response = await send(baseUrl + path, init);
      if (response.ok) return response;
      const isBusy = response.status === 503 || response.status === 429;
      if (!isBusy || attempt >= attempts) throw await ProblemError.of(response);
      await response.body?.cancel();
      await pause(1000 * (Number(response.headers.get('retry-after')) || 1), call.signal);
    }
  }
}

/** Waits, unless the signal ends it. */
function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
