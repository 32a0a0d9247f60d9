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

/** A worker, and what listens to it. */
interface Engine {
  worker: Worker | Thread;
  told?: (part: Part | null) => void;
  failed?: (error: Error) => void;
}

let compiled: Promise<WebAssembly.Module> | undefined;
let workers = 0;
const idle: Engine[] = [];
const waiting: Array<() => void> = [];

async function compile(): Promise<WebAssembly.Module> {
  if (!isNode) return WebAssembly.compileStreaming(fetch(ENGINE));
  const { readFile } = await import('node:fs/promises');
  return WebAssembly.compile(await readFile(ENGINE));
}

async function start(): Promise<Engine> {
  const engine = await (compiled ??= compile());
  const worker = isNode
    ? new (await import('node:worker_threads')).Worker(new URL('./worker.js', import.meta.url))
    : new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  const started: Engine = { worker };
  const told = (part: Part | null) => started.told?.(part);
  const failed = ({ message }: { message: string }) => started.failed?.(new TypeError(`the engine has stopped: ${message}`));
  if ('on' in worker) {
    worker.on('message', told).on('error', failed);
  } else {
    worker.onmessage = ({ data }) => told(data);
    worker.onerror = failed;
  }
  worker.postMessage({ engine, files: FILES } satisfies Setup);
  return started;
}

/** A worker that has nothing to do. */
async function free(signal?: AbortSignal | null): Promise<Engine> {
  while (!idle.length && workers >= MOST_WORKERS) await new Promise<void>((resolve) => { waiting.push(resolve); });
  if (signal?.aborted) {
    waiting.shift()?.();
    throw signal.reason;
  }
  const engine = idle.pop();
  if (engine) return engine;
  workers += 1;
  return start().catch((error: unknown) => {
    workers -= 1;
    waiting.shift()?.();
    throw error;
  });
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
    const end = () => {
      signal?.removeEventListener('abort', stop);
      delete engine.told;
      delete engine.failed;
      waiting.shift()?.();
    };
    const fail = (error: unknown) => {
      if (!engine.told) return;
      void worker.terminate();
      workers -= 1;
      end();
      if (answer) answer.error(error);
      else reject(error);
    };
    const stop = () => fail(signal?.reason);
    engine.failed = fail;
    engine.told = (part) => {
      if (part && !answer) {
        const stream = new ReadableStream<Uint8Array>({ start(controller) { answer = controller; }, cancel: fail });
        resolve(new Response(stream, { status: part.status, headers: { 'content-type': part.kind } }));
      }
      if (part?.bytes.length) answer?.enqueue(part.bytes);
      if (part) return;
      if ('unref' in worker) worker.unref();
      idle.push(engine);
      end();
      answer?.close();
    };
    if (signal?.aborted) return stop();
    signal?.addEventListener('abort', stop, { once: true });
    if ('ref' in worker) worker.ref();
    worker.postMessage(request);
  });
}
