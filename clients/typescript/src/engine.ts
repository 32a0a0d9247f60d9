/** The engine in this page or program: it answers as a service does, byte for byte, in workers. */

import type { Worker as Thread } from 'node:worker_threads';
import type { Part, Setup } from './worker.js';

/** The requests that are answered at once; further ones wait. */
const MOST_WORKERS = 4;

const ENGINE = new URL('../engine/bestmove.wasm', import.meta.url);
/** The endgame tables, which are read when they are first needed. */
const FILES = {
  'chess-4.tables': new URL('../engine/chess-4.tables', import.meta.url).href,
  'checkers-4.tables': new URL('../engine/checkers-4.tables', import.meta.url).href,
  'checkers-5.outcomes': new URL('../engine/checkers-5.outcomes', import.meta.url).href,
};

const isNode = typeof process === 'object' && Boolean(process.versions?.node);

/** A worker, and what hears the parts of its answer, their end, or why there is none. */
type Engine = { worker: Worker | Thread; heard?: (told: Part | Error | null) => void };

let compiled: Promise<WebAssembly.Module> | undefined;
let workers = 0;
const idle: Engine[] = [];
const waiting: Array<() => void> = [];

async function compile(): Promise<WebAssembly.Module> {
  if (!isNode) return WebAssembly.compileStreaming(fetch(ENGINE));
  const { readFile } = await import('node:fs/promises');
  return WebAssembly.compile(await readFile(ENGINE));
}

async function start(engine: WebAssembly.Module): Promise<Engine> {
  workers += 1;
  const worker = isNode
    ? new (await import('node:worker_threads')).Worker(new URL('./worker.js', import.meta.url))
    : new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  const started: Engine = { worker };
  const told = (part: Part | null) => started.heard?.(part);
  const failed = ({ message }: { message: string }) => started.heard?.(new TypeError(`the engine has stopped: ${message}`));
  if ('on' in worker) worker.on('message', told).on('error', failed);
  else Object.assign(worker, { onmessage: ({ data }: MessageEvent) => told(data), onerror: failed });
  worker.postMessage({ engine, files: FILES } satisfies Setup);
  return started;
}

/** A worker that has nothing to do. */
async function free(signal?: AbortSignal | null): Promise<Engine> {
  const engine = await (compiled ??= compile().catch((error) => { compiled = undefined; throw error; }));
  while (!idle.length && workers >= MOST_WORKERS) await new Promise<void>((resolve) => { waiting.push(resolve); });
  if (!signal?.aborted) return idle.pop() ?? start(engine);
  waiting.shift()?.();
  throw signal.reason;
}

/**
 * The answer to a request of a route of the contract, such as `/best-move`: a POST where there is a body, an object or its JSON.
 * The signal ends the worker that answers; so does leaving the body of the answer.
 */
export async function ask(path: string, body?: unknown, { method, signal }: Pick<RequestInit, 'method' | 'signal'> = {}): Promise<Response> {
  const { pathname, search } = new URL(path, 'http://engine');
  const text = typeof body === 'string' ? body : JSON.stringify(body) ?? '';
  const request = [method ?? (text ? 'POST' : 'GET'), decodeURIComponent(pathname), search.slice(1), text].join('\n');
  const engine = await free(signal);
  const { worker } = engine;
  return new Promise((resolve, reject) => {
    let answer: ReadableStreamDefaultController<Uint8Array> | undefined;
    const end = (error?: Error) => {
      if (!engine.heard) return;
      delete engine.heard;
      signal?.removeEventListener('abort', stop);
      if ('unref' in worker) worker.unref();
      if (error) workers -= 1; else idle.push(engine);
      waiting.shift()?.();
      if (!error) return answer?.close();
      void worker.terminate();
      return answer ? answer.error(error) : reject(error);
    };
    const stop = () => end(signal?.reason);
    engine.heard = (told) => {
      if (!told || told instanceof Error) return end(told ?? undefined);
      if (!answer) {
        const left = () => end(new DOMException('the answer is not read', 'AbortError'));
        const stream = new ReadableStream<Uint8Array>({ start(controller) { answer = controller; }, cancel: left });
        resolve(new Response(stream, { status: told.status, headers: { 'content-type': told.kind } }));
      }
      if (told.bytes.length) answer?.enqueue(told.bytes);
    };
    if (signal?.aborted) return stop();
    signal?.addEventListener('abort', stop, { once: true });
    if ('ref' in worker) worker.ref();
    worker.postMessage(request);
  });
}
