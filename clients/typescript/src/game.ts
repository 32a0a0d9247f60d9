import type { After, BestMove, BestMoveRequest, Board, GameName, LegalMove, Position, SideName } from './contract.js';
import type { Bestmove } from './index.js';

/** How the service plays, and against whom. */
export interface Opponent extends Pick<BestMoveRequest, 'level' | 'seed' | 'depth' | 'nodes' | 'time_ms'> {
  /** The side of the person; the one that moves first where absent. */
  person?: SideName;
  /** The variant of the game; the standard one where absent. */
  variant?: string;
}

/** The side with a name, in any case; the mark of its only piece will do too. */
async function sideOf(service: Bestmove, game: GameName, name: string): Promise<SideName> {
  const { sides, pieces } = await service.game(game);
  const mark = pieces.length === 2 ? pieces.find((piece) => piece.name.toLowerCase() === name.toLowerCase()) : undefined;
  const side = sides.find((known) => known.toLowerCase() === name.toLowerCase()) ?? mark?.side;
  if (!side) throw new RangeError(`${game} has no side '${name}', but ${sides.join(' and ')}`);
  return side;
}

/** Where a game stands. */
export type Turn = Board | After;

/** A game of a person against the service. The moves are kept here; the service keeps nothing. */
export class Game {
  /** The moves played, in the notation of the game. */
  readonly moves: string[] = [];

  private constructor(
    private readonly service: Bestmove,
    readonly name: GameName,
    /** The variant of the game, where it is not the standard one. */
    readonly variant: string | undefined,
    private readonly opponent: Omit<Opponent, 'person' | 'variant'>,
    readonly start: Position | undefined,
    /** The side of the person. */
    readonly person: SideName,
    /** Where the game stands: board, state, check, claim. */
    public turn: Turn,
  ) {}

  /** Starts a game. */
  static async start(service: Bestmove, name: GameName, opponent: Opponent, start?: Position): Promise<Game> {
    const { person, variant, ...play } = opponent;
    const side = person === undefined ? undefined : await sideOf(service, name, person);
    const turn = await service.position({
      game: name, ...(variant !== undefined && { variant }), ...(start !== undefined && { position: start }),
    });
    const game = new Game(service, name, variant, play, start, side ?? turn.side_to_move, turn);
    if (turn.state === 'ongoing' && turn.side_to_move !== game.person) await game.#reply();
    return game;
  }

  /** Rows of cells: the name of a piece, or an empty text. */
  get board(): string[][] {
    return this.turn.board ?? [];
  }

  /** What the person may play; nothing once the game is over. */
  get legalMoves(): LegalMove[] {
    return this.turn.legal_moves ?? [];
  }

  get isOver(): boolean {
    return this.turn.state !== 'ongoing';
  }

  /** Plays a move of the person. Returns the answer of the service, or nothing where the move ended the game. */
  async play(move: string): Promise<BestMove | undefined> {
    this.moves.push(move);
    try {
      const legal = this.legalMoves.find((known) => known.move === move || known.san === move);
      if (!legal || legal.state === 'ongoing') return await this.#reply();
      this.turn = await this.service.position(this.#record());
      return undefined;
    } catch (error) {
      this.moves.pop();
      throw error;
    }
  }

  /** Takes back the last move of the person, and the reply. */
  async undo(): Promise<void> {
    for (let kept = this.moves.length - 1; kept >= 0; kept -= 1) {
      const turn = await this.service.position({ ...this.#record(), moves: this.moves.slice(0, kept) });
      if (turn.side_to_move === this.person) {
        this.moves.length = kept;
        this.turn = turn;
        return;
      }
    }
  }

  #record() {
    return {
      game: this.name,
      moves: this.moves,
      ...(this.variant !== undefined && { variant: this.variant }),
      ...(this.start !== undefined && { position: this.start }),
    };
  }

  async #reply(): Promise<BestMove> {
    const reply = await this.service.bestMove({ ...this.#record(), ...this.opponent, include: ['board', 'legal_moves'] });
    this.moves.push(reply.best_move);
    this.turn = reply.after;
    return reply;
  }
}
