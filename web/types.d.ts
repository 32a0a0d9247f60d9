// Types of the page. Those of the service come from its contract: `openapi-typescript openapi.yaml`.

import type { components } from 'bestmove-api';

type Schemas = components['schemas'];

export type Game = Schemas['Game'];

/** The description of a game in a variant; the standard one has no name. */
export type Variant = Game & { variant?: string; description: string };
export type Piece = Schemas['Piece'];
export type Square = number[];
export type LegalMove = Schemas['LegalMove'];
export type Evaluation = Schemas['Evaluation'];

/** What the service says of a position, or what a legal move promises until the service has answered (`pending`). */
export type Turn = Omit<Schemas['Board'], 'game' | 'text'> & { pending?: boolean };

/** A move of the line. */
export type PlayedMove = { move: string; san?: string; side: Schemas['SideName'] };

/** The number or name of a level, or null for a person. */
export type Player = number | string | null;

/** What a record says beside its moves. */
export type GameRecord = {
  tags: Record<string, string>;
  notes: Note[];
  /** The moves that the service has read from the record. */
  line: string[];
};

/** Why a move in a position is good or bad, and the path of the reply that its line shows. */
export type Explanation = {
  base: { moves: string[] };
  move: string;
  reasons: Schemas['Reason'][];
  reply?: Square[];
};

/** What a record says of a ply. */
export type Note = { words: string; clock?: string; variations: string[][] };

/** An arrow on the board; without `from` a ring. */
export type Shape = { from?: Square; to: Square; kind?: string };

/** How a record says that a game ended: of White, else of the first side. */
export type Result = 'won' | 'lost' | 'drawn';

export type State = {
  /** Descriptions of all games, by name. */
  games: Map<string, Game>;
  /** The description of the present game in its variant. */
  info: Variant;
  /** Where the game starts; undefined for the start of the game. */
  start?: string;
  /** All moves of the line. */
  moves: PlayedMove[];
  /** How many of them are on the board. */
  ply: number;
  /** What the service says of that position. */
  turn: Turn;
  /** For each side who plays it. */
  players: Player[];
  seed: number;
  /** The name of the view beside the board. */
  view: string;
  /** Whether the board is turned. */
  flip: boolean;
  /** The side that has resigned. */
  resigned?: string;
  /** The draw that has been claimed. */
  claimed?: string;
  /** How the game ended by its record. */
  result?: Result;
  /** What the record of the game says beside its moves. */
  record?: GameRecord;
  /** The moves that were taken back, of which redo makes the first again. */
  undone: PlayedMove[];
  /** The moves of a game that a link could not open in full: while they stand, the address is left. */
  stopped?: PlayedMove[];
  /** Whether engine against engine, or an engine that has failed, is halted. */
  paused: boolean;
  /** The side whose move the engine looks for. */
  thinking?: string;
  /** Whether moves are heard. */
  sound: boolean;
  /** The arrows and marks that a person has drawn, and the position in which. */
  drawn: { turn?: Turn; shapes: Shape[] };
  /** How many reviews have been made. */
  reviews: number;
};

/** What an address asks for. */
export type Wanted = {
  game: string;
  variant?: string;
  position?: string;
  moves?: string[] | string;
  ply?: number;
  players?: Player[];
  seed?: number;
  view?: string;
  flip?: boolean;
  resigned?: string;
  claimed?: string;
  result?: Result;
  /** Whether the record of the game may have been kept in the browser. */
  hasRecord?: boolean;
  /** Whether the game comes from a link, and whether only a part of it could be opened. */
  isLink?: boolean;
  isCut?: boolean;
  /** What is known of the position on the board already. */
  turn?: Promise<Turn>;
  record?: Omit<GameRecord, 'line'> & { count: number; result?: Result };
};
