#!/usr/bin/env node
/** `npx bestmove best-move chess e4 e5`: the answer that the program prints, by the engine of the package. */

import { parseArgs } from 'node:util';
import { ask } from './engine.js';

const TEXTS = ['variant', 'position', 'depth', 'time-ms', 'nodes', 'algorithm', 'evaluator', 'search-moves', 'level', 'seed'];
const FLAGS = ['reasons', 'json'];
const USAGE = `Usage: bestmove best-move [--json] [--reasons] [OPTIONS] GAME [MOVES]...
Options, each with a value: ${TEXTS.map((name) => `--${name}`).join(' ')}`;

const option = (type: 'string' | 'boolean') => (name: string) => [name, { type }];
try {
  const options = Object.fromEntries([...TEXTS.map(option('string')), ...FLAGS.map(option('boolean'))]);
  const { values, positionals: [command, game, ...moves] } = parseArgs({ allowPositionals: true, options });
  const { json, reasons, ...fields } = values as Record<string, string | boolean | undefined>;
  if (command !== 'best-move' || !game) throw new Error(USAGE);
  const query = new URLSearchParams({ game, moves: moves.join(' '), ...reasons && { include: 'reasons,threat' } });
  for (const [name, value] of Object.entries(fields)) query.set(name.replace('-', '_'), String(value));
  const answer = await ask(`${json ? '' : '/terminal'}/best-move?${query}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(JSON.parse(text).detail);
  process.stdout.write(json ? `${text}\n` : text);
} catch (error) {
  console.error(`bestmove: ${(error as Error).message}`);
  process.exitCode = 1;
}
