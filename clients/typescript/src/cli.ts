#!/usr/bin/env node
/** `npx bestmove best-move chess e4 e5`: the answer that the program prints, by the engine of the package. */

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ask } from './engine.js';

const TEXTS = ['variant', 'position', 'depth', 'time-ms', 'nodes', 'algorithm', 'evaluator', 'search-moves', 'level', 'seed'];
const FLAGS = ['reasons', 'json', 'help', 'version'];
const USAGE = `Usage: bestmove best-move [--json] [--reasons] [OPTIONS] GAME [MOVES]...
Options, each with a value: ${TEXTS.map((name) => `--${name}`).join(' ')}`;

const options = Object.fromEntries([
  ...TEXTS.map((name) => [name, { type: 'string' as const }]), ...FLAGS.map((name) => [name, { type: 'boolean' as const }]),
]);
try {
  const { values, positionals: [command, game, ...moves] } = parseArgs({ allowPositionals: true, options });
  const { json, reasons, help, version, ...fields } = values as Record<string, string | boolean | undefined>;
  if (version) {
    console.log(`bestmove ${JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version}`);
  } else if (help || command !== 'best-move' || !game) {
    console[help ? 'log' : 'error'](USAGE);
    process.exitCode = help ? 0 : 2;
  } else {
    const query = new URLSearchParams({ game, moves: moves.join(' '), ...reasons && { include: 'reasons,threat' } });
    for (const [name, value] of Object.entries(fields)) query.set(name.replace('-', '_'), String(value));
    const answer = await ask(`${json ? '' : '/terminal'}/best-move?${query}`);
    const text = await answer.text();
    if (!answer.ok) throw new Error(JSON.parse(text).detail);
    process.stdout.write(json ? `${text}\n` : text);
  }
} catch (error) {
  console.error(`bestmove: ${(error as Error).message}`);
  process.exitCode = 1;
}
