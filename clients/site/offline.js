// Keeps the files of the playground, so that it opens offline. The build writes `MARK`, that of their contents, and `FILES`.

const kept = async (cache, request) => {
  const answer = await fetch(request);
  if (answer.ok) await (await caches.open(cache)).put(request, answer.clone());
  return answer;
};

async function picture(request) {
  const [page] = await clients.matchAll();
  if (!page) return fetch(request);
  const { port1, port2 } = new MessageChannel();
  const drawn = new Promise((resolve) => { port1.onmessage = ({ data }) => resolve(data); });
  page.postMessage(request.url, [port2]);
  return new Response(await drawn, { headers: { 'content-type': 'image/svg+xml' } });
}

addEventListener('install', (event) => event.waitUntil(caches.open(MARK).then((cache) => cache.addAll(FILES))));
addEventListener('activate', (event) => {
  const clear = async () => Promise.all((await caches.keys()).map((name) => name === MARK || caches.delete(name)));
  event.waitUntil(clear().then(() => clients.claim()));
});
addEventListener('fetch', (event) => {
  const { request } = event;
  const { pathname } = new URL(request.url);
  if (pathname.endsWith('/board.svg')) return event.respondWith(picture(request));
  const isTable = /\.(tables|outcomes)$/.test(pathname);
  event.respondWith(caches.match(request, { ignoreSearch: true }).then((known) => known ?? (isTable ? kept(MARK, request) : fetch(request))));
});
