// @ts-check
// Short sounds of moves, captures and the end of a game, made in the browser. They are off until a person asks for them.

import { isOver, state } from './store.js';

const TONES = { move: [440], capture: [330, 247], end: [392, 494, 587] };
const LENGTH = 0.09;
let context;

function play(frequencies) {
  context ??= new AudioContext();
  frequencies.forEach((frequency, index) => {
    const start = context.currentTime + index * LENGTH;
    const [tone, volume] = [context.createOscillator(), context.createGain()];
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.12, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + LENGTH);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + LENGTH);
  });
}

let heard = {};

/** Sounds a move that has just been added to the game. */
export function update() {
  const { info, moves, ply, turn, sound } = state;
  const isNew = sound && heard.info === info && moves.length === heard.length + 1 && ply === moves.length;
  heard = { info, length: moves.length };
  if (!isNew) return;
  const kind = turn.last_move?.captures?.length ? 'capture' : 'move';
  play(TONES[isOver() ? 'end' : kind]);
}
