// @ts-check
// Steps that follow each other by themselves, at a chosen speed.

import { h, icon, select } from './dom.js';
import { text } from './texts.js';

const SPEEDS = [{ value: 1500, label: text('speed.slow') }, { value: 600, label: text('speed.normal') }, { value: 150, label: text('speed.fast') }];

/** A button that plays and pauses, and a choice of speeds. */
export class Playback {
  #step;
  #timer;
  #pause = 600;

  /** `titles`: of the button while paused, and while it plays. `step` makes a step and tells whether one follows; `rewind` is called at the end. */
  constructor({ titles, step, rewind }) {
    this.titles = titles;
    this.#step = step;
    this.rewind = rewind;
    this.button = h('button', { type: 'button', class: 'button quiet', onclick: () => (this.#timer ? this.stop() : this.start()) });
    this.speed = select(text('speed.title'), SPEEDS, this.#pause, (value) => { this.#pause = Number(value); if (this.#timer) this.start(); });
    this.#mark();
  }

  start() {
    clearTimeout(this.#timer);
    this.rewind();
    this.#next();
    this.#mark();
  }

  stop() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#mark();
  }

  #next() {
    this.#timer = setTimeout(() => { if (this.#step()) this.#next(); else this.stop(); }, this.#pause);
  }

  #mark() {
    const [verb, symbol] = this.#timer ? [text('word.pause'), 'pause'] : [text('word.play'), 'play'];
    this.button.title = this.titles[this.#timer ? 1 : 0];
    this.button.replaceChildren(icon(symbol), h('span', {}, verb));
  }
}
