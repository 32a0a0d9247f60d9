// @ts-check
// The start of the page: what it needs first is asked for before anything is drawn.

import { ask, fileText } from './api.js';
import { fromAddress } from './store.js';
import { ready } from './texts.js';

/** What the URL asks for. */
export const wanted = fromAddress(location.search);

// The frame of the page follows from these two; it is laid out before anything else is known.
document.body.dataset.view = wanted.view ?? 'play';
document.body.dataset.game = wanted.game;

/** The descriptions of all games. */
export const games = ask('games');

const { game, variant, position, moves, ply } = wanted;
const isList = Array.isArray(moves);

/** What the service says of the position on the board; nothing where a record has to be read before that. */
export const turn = isList || ply === undefined ? ask('position', { game, variant, position, moves: isList ? moves.slice(0, ply) : moves }) : undefined;

/** The drawings of the pieces. */
export const pieces = fileText('web/pieces.svg');

// Whether these succeed is found out where they are used.
[games, turn, pieces].forEach((answer) => answer?.catch(() => undefined));

// The modules of the page write texts as soon as they run.
ready.then(() => import('./app.js'));
