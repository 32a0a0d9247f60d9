/** A worker that answers one request after the other by the engine. It runs in pages and in Node. */

/** A part of an answer. */
export type Part = { status: number; kind: string; bytes: Uint8Array<ArrayBuffer> };
/** The first message to a worker: the engine, and where its files are. Every further one is a request. */
export type Setup = { engine: WebAssembly.Module; files: Record<string, string> };
type Exports = { memory: WebAssembly.Memory; buffer(length: number): number; answer(): void };

let port: { onmessage: unknown; postMessage(message: unknown, transferred?: ArrayBuffer[]): void } = globalThis as never;

/** The content of a file. */
let read = (address: string): Uint8Array => {
  const request = new XMLHttpRequest();
  request.open('GET', address, false);
  request.responseType = 'arraybuffer';
  request.send();
  if (request.status !== 200) throw new Error(`${address}: status ${request.status}`);
  return new Uint8Array(request.response);
};

if (typeof process === 'object' && process.versions?.node) {
  const [{ parentPort }, { readFileSync }] = await Promise.all([import('node:worker_threads'), import('node:fs')]);
  port = parentPort as never;
  read = (address) => readFileSync(new URL(address));
}

let exports: Exports;
const bytes = (at: number, length: number) => new Uint8Array(exports.memory.buffer, at, length);
const text = (at: number, length: number) => new TextDecoder().decode(bytes(at, length));

const write = (content: Uint8Array) => bytes(exports.buffer(content.length), content.length).set(content);

function start({ engine, files }: Setup): void {
  const host = {
    time: () => performance.now(),
    tell(status: number, kind: number, kindLength: number, at: number, length: number) {
      const part = bytes(at, length).slice();
      port.postMessage({ status, kind: text(kind, kindLength), bytes: part } satisfies Part, [part.buffer as ArrayBuffer]);
    },
    file: (name: number, length: number) => write(read(files[text(name, length)]!)),
  };
  exports = new WebAssembly.Instance(engine, { host }).exports as unknown as Exports;
}

port.onmessage = ({ data }: { data: Setup | string }) => {
  if (typeof data === 'object') return start(data);
  write(new TextEncoder().encode(data));
  exports.answer();
  port.postMessage(null);
};
