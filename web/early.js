// What the page needs first, asked for before anything is drawn.

import { ask, text } from './api.js';
import { fromUrl } from './store.js';

/** What the URL asks for. */
export const wanted = fromUrl();

/** The descriptions of all games. */
export const games = ask('games');

/** What the service says of the position, if the URL has no moves. */
export const turn = wanted.moves.length ? undefined : ask('position', { game: wanted.game, position: wanted.position });

/** The drawings of the pieces. */
export const pieces = text('web/pieces.svg');

// Whether these succeed is found out where they are used.
[games, turn, pieces].forEach((answer) => answer?.catch(() => undefined));
