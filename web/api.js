// @ts-check
// Requests to the service. A lane numbers its requests: a new one aborts the one before, and an answer
// that comes too late is never handed on.

import * as status from './status.js';
import { ready, text } from './texts.js';

/** A problem that asking again does not mend. */
export class Refused extends Error {
  constructor(problem) {
    super(problem.detail ?? problem.title ?? text('status.refused'));
    this.name = 'Refused';
    this.problem = problem;
  }
}

/** The server is busy; `seconds` tells when to ask again. */
class Busy extends Error {
  constructor(seconds) {
    super('busy');
    this.seconds = seconds;
  }
}

const stale = () => new DOMException('a newer request has taken its place', 'AbortError');
const LONGEST_WAIT = 8;

async function send(path, body, signal) {
  const asked = body === undefined ? {} : {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
  };
  const response = await fetch(path, { ...asked, signal });
  if (response.ok) return response;
  await ready;
  // A proxy that limits requests answers with 429.
  if ([429, 503].includes(response.status)) throw new Busy(Number(response.headers.get('retry-after')) || 1);
  const problem = await response.json().catch(() => ({ detail: text('status.code', { status: String(response.status) }) }));
  throw new Refused(problem);
}

/** Repeats an attempt while the server is busy or cannot be reached, and says so meanwhile. */
async function patiently(attempt, signal) {
  for (let failures = 0; ; failures += 1) {
    try {
      const result = await attempt();
      status.connected();
      return result;
    } catch (error) {
      // The first requests are sent before there are texts to say anything.
      await ready;
      if (signal.aborted) throw stale();
      if (error instanceof Refused) status.connected();
      if (error instanceof Busy) await status.waitBusy(error.seconds, signal);
      else if (error instanceof TypeError) await status.waitOffline(Math.min(2 ** failures, LONGEST_WAIT), signal);
      else throw error;
    }
  }
}

/** The text of a file. */
export function fileText(path, signal = new AbortController().signal) {
  return patiently(async () => (await send(path, undefined, signal)).text(), signal);
}

/** The JSON answer to a GET request, or to a POST where there is a body. */
export function ask(path, body, signal = new AbortController().signal) {
  return patiently(async () => (await send(path, body, signal)).json(), signal);
}

function parse(block) {
  const field = (name) => block.split('\n').filter((line) => line.startsWith(`${name}:`))
    .map((line) => line.slice(name.length + 1).trimStart()).join('\n');
  const data = field('data');
  return data && { kind: field('event'), data: JSON.parse(data) };
}

/** Reads server-sent events until the last one, which it returns. */
async function read(path, body, signal, progress) {
  const response = await send(`${path}/stream`, body, signal);
  status.connected();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ''; ;) {
    const { value, done } = await reader.read();
    if (done) throw new TypeError('the stream ended early');
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop();
    for (const event of blocks.map(parse).filter(Boolean)) {
      if (event.kind === 'result') return event.data;
      if (event.kind === 'problem' && event.data.status === 503) throw new Busy(1);
      if (event.kind === 'problem') throw new Refused(event.data);
      progress(event.data);
    }
  }
}

/** The last request and answer of each lane that is worth showing. */
export const exchanges = new Map();

/** Requests of which only the newest counts. */
export class Lane {
  #controller;
  #name;

  constructor(name) {
    this.#name = name;
  }

  get busy() {
    return this.#controller !== undefined;
  }

  cancel() {
    this.#controller?.abort();
    this.#controller = undefined;
  }

  /** The answer to this request, unless a newer one takes its place: then an AbortError. */
  ask(path, body) {
    return this.#run((signal) => ask(path, body, signal), path, body);
  }

  /** The same with progress, which `show` gets while the search goes on. */
  watch(path, body, show) {
    return this.#run((signal) => {
      const fresh = (progress) => { if (!signal.aborted) show(progress); };
      return patiently(() => read(path, body, signal, fresh), signal);
    }, path, body);
  }

  async #run(request, path, body) {
    this.cancel();
    const controller = new AbortController();
    this.#controller = controller;
    try {
      const answer = await request(controller.signal);
      if (controller.signal.aborted) throw stale();
      if (this.#name) exchanges.set(this.#name, { path, body, answer });
      return answer;
    } finally {
      if (this.#controller === controller) this.#controller = undefined;
    }
  }
}

/** Waits for a promise and drops the error of an aborted request; `report` gets any other. */
export async function settle(promise, report) {
  try {
    return await promise;
  } catch (error) {
    if (error.name === 'AbortError') return undefined;
    (report ?? status.fail)(error);
    return undefined;
  }
}
