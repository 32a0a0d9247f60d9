// The playground without a service: the engine of the package answers where no service does, or with `?engine=local`.

import { ask } from './dist/engine.js';

const ROUTE = /^(analyze|best-move|board\.svg|games|health|position|review|tree)\b/;
const base = new URL('.', document.baseURI).pathname;
const send = globalThis.fetch;

async function isServed() {
  if (new URLSearchParams(location.search).get('engine') === 'local') return false;
  const health = await send('health').then((answer) => answer.json()).catch(() => undefined);
  return health?.status === 'ok';
}
const served = isServed();

globalThis.fetch = async (address, init) => {
  const { pathname, search } = new URL(address, document.baseURI);
  const path = pathname.slice(base.length);
  if (!ROUTE.test(path) || await served) return send(address, init);
  return ask(`/${path}${search}`, init?.body, init);
};

// The worker that keeps the files has pages draw the pictures that stand in pages.
navigator.serviceWorker?.register('offline.js').catch(() => undefined);
navigator.serviceWorker?.addEventListener('message', async ({ data, ports: [port] }) => port.postMessage(await (await fetch(data)).text()));
