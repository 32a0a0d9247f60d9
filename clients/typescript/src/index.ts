/** A client of a bestmove service, or of the engine in this package. The types come from the contract. */

import type {
  Analysis, AnalysisRequest, BestMove, BestMoveRequest, Board, Game as GameDescription, GameName, Games, Health,
  Position, PositionRequest, Problem, Review, ReviewRequest, Tree, TreeRequest,
} from './contract.js';
import { ProblemError, UnreachableError } from './problem.js';
import { Game, type Opponent } from './game.js';
import { type Progress, events } from './events.js';
import { lines, reached } from './lines.js';

export type * from './contract.js';
export type { Game as GameDescription } from './contract.js';
export { Game, type Opponent } from './game.js';
export { ProblemError, UnreachableError } from './problem.js';
export type { Progress } from './events.js';

const JSON_TYPE = 'application/json';
/** How many requests of a batch are sent at a time. */
const BATCH_SIZE = 100;
/** The milliseconds before a request is sent again where the answer names no time. */
const FIRST_PAUSE = 200;

/** How the service is asked. */
export interface Options {
  /** `local`: the engine of this package answers, in workers of this page or program, and no service is asked. */
  engine?: 'local';
  /** The address of the service, or a path of the page's own origin: `http://127.0.0.1:8080` where absent. */
  baseUrl?: string;
  /** Headers of every request, such as `authorization`. */
  headers?: Record<string, string>;
  /** How often a request is sent at most while the service is busy or refuses connections: 5 where absent. */
  attempts?: number;
  /** The milliseconds of silence after which a request ends: 60000 where absent. */
  timeout?: number;
  /** What sends a request; the global `fetch` where absent. */
  fetch?: typeof fetch;
}

/** What holds for one request. */
export interface Call {
  /** Ends the request, and with it the search. */
  signal?: AbortSignal;
}

/** Sends a request to the engine of this package, which is loaded first. */
const askEngine: typeof fetch = async (path, init) => (await import('./engine.js')).ask(String(path), init?.body ?? undefined, init);

/** A bestmove service, or the engine of this package. */
export class Bestmove {
  readonly #options: Required<Omit<Options, 'engine'>>;

  constructor(options: Options = {}) {
    const isLocal = options.engine === 'local';
    const { baseUrl = isLocal ? '' : 'http://127.0.0.1:8080', headers = {}, attempts = 5, timeout = isLocal ? Infinity : 60_000 } = options;
    const send = options.fetch ?? (isLocal ? askEngine : (...request) => fetch(...request));
    const address = /^([a-z]+:\/\/|\/|$)/i.test(baseUrl) ? baseUrl : `http://${baseUrl}`;
    this.#options = { baseUrl: address.replace(/\/+$/, ''), headers, attempts, timeout, fetch: send };
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

  /** The answer to each of many requests, in order: a best move or a problem. A hundred requests are sent at a time. */
  async* batch(
    requests: Iterable<BestMoveRequest> | AsyncIterable<BestMoveRequest>, call?: Call,
  ): AsyncGenerator<BestMove | Problem> {
    let part: BestMoveRequest[] = [];
    for await (const request of requests) {
      if (part.push(request) < BATCH_SIZE) continue;
      yield* this.#part(part, call);
      part = [];
    }
    if (part.length) yield* this.#part(part, call);
  }

  /** A game of a person against the service. Where the person is not the first side, the service has moved. */
  async play(game: GameName, opponent: Opponent = {}, position?: Position): Promise<Game> {
    return Game.start(this, game, opponent, position);
  }

  async #ask<Answer>(path: string, request: unknown, call?: Call): Promise<Answer> {
    return JSON.parse(await this.#text(await this.#send(path, JSON.stringify(request), JSON_TYPE, call), call));
  }

  async* #stream<Answer>(path: string, request: unknown, call?: Call): AsyncGenerator<Progress<Answer>> {
    yield* events(this.#lines(await this.#send(path, JSON.stringify(request), JSON_TYPE, call), call));
  }

  /** Some requests of a batch. Sends again what finds the service busy, and what is left where the answer breaks off. */
  async* #part(requests: BestMoveRequest[], call?: Call): AsyncGenerator<BestMove | Problem> {
    const body = requests.map((request) => `${JSON.stringify(request)}\n`).join('');
    let answered = 0;
    try {
      const response = await this.#send('/best-move/batch', body, 'application/x-ndjson', call);
      for await (const line of this.#lines(response, call)) {
        const answer = JSON.parse(line);
        yield answer.status === 503 ? await this.#again(requests[answered]!, call) : answer;
        answered += 1;
      }
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error;
    }
    for (const request of requests.slice(answered)) yield await this.#again(request, call);
  }

  async #again(line: BestMoveRequest & { id?: string | number }, call?: Call): Promise<BestMove | Problem> {
    const { id, ...request } = line;
    const own = id === undefined ? {} : { id };
    try {
      return { ...await this.bestMove(request, call), ...own };
    } catch (error) {
      if (error instanceof ProblemError) return { ...error.problem, ...own };
      throw error;
    }
  }

  #lines(response: Response, call: Call = {}): AsyncGenerator<string> {
    return lines(response, { ...this.#options, signal: call.signal });
  }

  async #text(response: Response, call?: Call): Promise<string> {
    let text = '';
    for await (const line of this.#lines(response, call)) text += line;
    return text;
  }

  /** The answer. Sends a request again, and later each time, where the service is busy or no connection is made. */
  async #send(path: string, body: string | undefined, contentType: string, call: Call = {}): Promise<Response> {
    const { baseUrl, headers, attempts, timeout, fetch: send } = this.#options;
    const init: RequestInit = { headers };
    if (body !== undefined) {
      Object.assign(init, { method: 'POST', headers: { ...headers, 'content-type': contentType }, body });
    }
    for (let attempt = 1; ; attempt += 1) {
      const silence = new AbortController();
      init.signal = call.signal ? AbortSignal.any([call.signal, silence.signal]) : silence.signal;
      let wait = FIRST_PAUSE;
      try {
        const response = await reached(send(baseUrl + path, init), { timeout, signal: call.signal });
        if (response.ok) return response;
        const problem = ProblemError.of(response, await this.#text(response, call));
        if (![429, 503].includes(response.status) || attempt >= attempts) throw problem;
        wait = 1000 * (Number(response.headers.get('retry-after')) || 0) || wait;
      } catch (error) {
        silence.abort();
        const isSilent = error instanceof UnreachableError && (error.cause as Error).name === 'TimeoutError';
        if (!(error instanceof UnreachableError) || isSilent || attempt >= attempts) throw error;
      }
      await pause(wait * attempt * (1 + Math.random() / 2), call.signal);
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
