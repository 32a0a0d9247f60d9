// @ts-check
// The views beside the board.

import { panel as analysis } from './analysis.js';
import { panel as play } from './play.js';
import { panel as review } from './review.js';
import { panel as setup } from './setup.js';
import { panel as share } from './share.js';
import { state } from './store.js';
import { panel as tree } from './tree.js';

export const VIEWS = [play, analysis, review, tree, setup, share];

/** The view that is shown. */
export const active = () => VIEWS.find(({ id }) => id === state.view) ?? play;
