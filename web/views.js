// @ts-check
// The views beside the board. That of play is there from the start; the others come when the board takes moves.

import { panel as play } from './play.js';
import { state } from './store.js';

/** The names of all views, in the order of their tabs. */
export const NAMES = /** @type {const} */ (['play', 'analysis', 'review', 'tree', 'setup', 'share']);

/** The views that are there, by name. @type {Map<string, any>} */
export const views = new Map([['play', play]]);

/** The view that is shown. */
export const active = () => views.get(state.view) ?? play;

/** Loads the other views. */
export async function loadOthers() {
  const [, ...names] = NAMES;
  const modules = await Promise.all(names.map((name) => import(`./${name}.js`)));
  return modules.map(({ panel }, index) => { views.set(names[index], panel); return panel; });
}
