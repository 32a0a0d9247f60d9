// @ts-check
// Steps that follow each other by themselves, at a chosen speed.

import { h, icon, select } from './dom.js';

const SPEEDS = [{ value: 1500, label: 'Slow' }, { value: 600, label: 'Normal' }, { value: 150, label: 'Fast' }];

/** A button that plays and pauses, and a choice of speeds. */
export class Playback {
  #step;
  #timer;
  #pause = 600;

  /** `step` makes the next step and tells whether another one follows; `rewind` is called where the end has been reached. */
  constructor({ label, step, rewind }) {
    this.label = label;
    this.#step = step;
    this.rewind = rewind;
    this.button = h('button', { type: 'button', class: 'button quiet', onclick: () => (this.#timer ? this.stop() : this.start()) });
    this.speed = select('Speed', SPEEDS, this.#pause, (value) => { this.#pause = Number(value); if (this.#timer) this.start(); });
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
    const [verb, symbol] = this.#timer ? ['Pause', 'pause'] : ['Play', 'play'];
    this.button.title = `${verb} ${this.label}`;
    this.button.replaceChildren(icon(symbol), h('span', {}, verb));
  }
}
