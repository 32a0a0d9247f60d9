// The views beside the board. Each but the first is a module that is loaded when it is first opened, so that the
// board is there soon.

import { h } from './dom.js';
import { panel as play } from './play.js';
import { fail } from './status.js';
import { state } from './store.js';

/** What every module of a view gets: how to draw the board anew, and the board. */
let surroundings = [];
let opened = () => undefined;

/** A view whose module is still to come. */
function later(id, title, load, traits = {}) {
  const waiting = h('p', { class: 'loading' }, 'Loading …');
  let panel;
  let loading;
  async function open() {
    loading ??= load();
    try {
      ({ panel } = await loading);
    } catch (error) {
      loading = undefined;
      fail(error);
      return;
    }
    panel.start(...surroundings);
    panel.update(new Set(Object.keys(state)));
    opened();
  }
  return {
    id, title, ...traits,
    get element() { return panel?.element ?? waiting; },
    update(changed) {
      if (panel) panel.update(changed);
      else if (state.view === id && !loading) open();
    },
    overlay: (selected) => panel?.overlay(selected) ?? {},
    evaluation: () => panel?.evaluation?.(),
    drafted: () => panel?.drafted?.(),
    pick: (square) => panel?.pick(square),
    prefetch() { load().catch(() => undefined); },
  };
}

export const VIEWS = [
  play,
  later('analysis', 'Analysis', () => import('./analysis.js'), { hasMoves: true, hasBar: true }),
  later('review', 'Review', () => import('./review.js'), { hasMoves: true, hasBar: true }),
  later('tree', 'Tree', () => import('./tree.js')),
  later('setup', 'Set up', () => import('./setup.js')),
  later('share', 'Share', () => import('./share.js')),
];

/** The view that is shown. */
export const active = () => VIEWS.find(({ id }) => id === state.view) ?? play;

/** Before any view is shown: `arrived` is called when the module of the active one has come. */
export function begin(paint, board, arrived) {
  surroundings = [paint, board];
  opened = arrived;
  play.start(paint, board);
}

/** Fetches the modules before anybody asks for them. */
export const prefetch = () => VIEWS.forEach((view) => view.prefetch?.());
