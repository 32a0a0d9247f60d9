// @ts-check
// Sharing: the address of the game, and the present request as a program and as JSON.

import { exchanges, fileText } from './api.js';
import { button, capital, h, keepingFocus, segments, select } from './dom.js';
import { levelName } from './play.js';
import { extension, nameOf, writeRecord } from './record.js';
import { sentence } from './reasons.js';
import { currentReview } from './review.js';
import { firstTurn, lastTurn, standingText } from './session.js';
import { place, state, url } from './store.js';
import { note } from './status.js';
import { text } from './texts.js';

let board;
let chosen = 'position';
let language = 'curl';

const quoted = (words) => `'${words.replaceAll("'", "'\\''")}'`;

const LANGUAGES = {
  curl: (address, body) => `curl -sS ${address} \\\n  -H 'content-type: application/json' \\\n  -d ${quoted(JSON.stringify(body))}`,
  JavaScript: (address, body) => `const response = await fetch(${JSON.stringify(address)}, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')}),
});
const answer = await response.json();
console.log(answer);`,
  Python: (address, body) => `import json
import urllib.request

request = urllib.request.Request(
    ${JSON.stringify(address)},
    data=r'''${JSON.stringify(body, null, 2)}'''.encode(),
    headers={"content-type": "application/json"},
)
with urllib.request.urlopen(request) as response:
    print(json.dumps(json.load(response), indent=2))`,
};

/** The requests to choose from: those that the page makes, about the position on the board. */
function requests() {
  const here = place();
  const all = {
    position: { path: 'position', body: here },
    'best-move': { path: 'best-move', body: here },
    analyze: { path: 'analyze', body: { ...here, nodes: 20000, top: 3 } },
    tree: { path: 'tree', body: { ...here, depth: 1 } },
  };
  if (state.moves.length) all.review = { path: 'review', body: place(state.moves.length) };
  for (const [name, { path, body }] of exchanges) all[`last ${name} request`] = { path, body };
  return all;
}

const present = () => requests()[chosen] ?? requests().position;

const clean = (body) => JSON.parse(JSON.stringify(body));

async function copy(words) {
  try {
    await navigator.clipboard.writeText(words);
    note(text('share.copied'));
  } catch {
    note(text('share.notCopied'));
  }
}

/** Hands a file to the person. */
function save(name, blob) {
  const address = URL.createObjectURL(blob);
  h('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** The address of the picture of this position. */
function pictureAddress(theme) {
  const { game, variant, position, moves } = place();
  const query = new URLSearchParams({ game });
  if (variant) query.set('variant', variant);
  if (position) query.set('position', position);
  if (moves.length) query.set('moves', moves.join(','));
  if (state.flip) query.set('flip', 'true');
  if (theme) query.set('theme', theme);
  return new URL(`board.svg?${query}`, document.baseURI).href;
}

const PNG_WIDTH = 800;

/** The picture at an address, drawn as PNG. */
async function drawn(address) {
  const image = new Image();
  image.src = address;
  await image.decode();
  const height = Math.round((PNG_WIDTH * image.naturalHeight) / image.naturalWidth);
  const canvas = h('canvas', { width: PNG_WIDTH, height });
  canvas.getContext('2d').drawImage(image, 0, 0, PNG_WIDTH, height);
  return new Promise((resolve) => { canvas.toBlob(resolve, 'image/png'); });
}

async function copyPicture(address) {
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': drawn(address) })]);
    note(text('share.copied'));
  } catch {
    note(text('share.notCopied'));
  }
}

/** The game as a record, with what a review has found. */
function record() {
  const { info, players } = state;
  const review = currentReview();
  const names = info.sides.map((side, index) => nameOf(side) ?? (players[index] === null ? '?' : `bestmove, ${capital(levelName(info, players[index]))}`));
  const written = writeRecord({ first: firstTurn(), last: lastTurn(), review, names, sentence: (reason) => sentence(reason, board) });
  const kind = extension(info);
  return [
    h('div', { class: 'code' }, h('pre', { tabindex: 0, 'aria-label': text('word.record') }, written)),
    h('div', { class: 'row' },
      button({ label: text('share.copyRecord'), text: text('word.copy'), symbol: 'copy', kind: 'small', click: () => copy(written) }),
      button({ text: text('share.save', { format: `.${kind}` }), kind: 'small', click: () => save(`${info.name}.${kind}`, new Blob([written], { type: 'text/plain' })) }),
      h('span', { class: 'quiet small' }, review ? '' : text('share.withoutReview'))),
  ];
}

function picture() {
  const isDark = getComputedStyle(document.documentElement).colorScheme === 'dark'
    || (document.documentElement.dataset.theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  const address = pictureAddress(isDark ? 'dark' : undefined);
  return h('div', { class: 'picture' },
    h('img', { src: address, alt: text('share.pictureOf', { standing: standingText() }), width: 120, loading: 'lazy' }),
    h('div', { class: 'row' },
      h('a', { class: 'button small', href: address, target: '_blank', rel: 'noopener' }, text('word.open')),
      button({ text: text('share.copy', { format: 'SVG' }), kind: 'small', click: async () => copy(await fileText(address)) }),
      button({ text: text('share.copy', { format: 'PNG' }), kind: 'small', click: () => copyPicture(address) }),
      button({ text: text('share.save', { format: 'PNG' }), kind: 'small', click: async () => save(`${state.info.name}.png`, await drawn(address)) }),
      button({ text: text('share.copyAddress'), symbol: 'copy', kind: 'small', click: () => copy(address) })));
}

const body = h('div', {});

function draw() {
  const address = new URL(url(), document.baseURI).href;
  const link = h('input', { type: 'text', readonly: true, value: address, 'aria-label': text('share.link'), onfocus: () => link.select() });
  const options = Object.keys(requests()).map((name) => ({ value: name, label: name.startsWith('last ') ? text('share.last', { request: name.replace(/^last (.*) request$/, '$1') }) : `POST /${name}` }));
  const { path, body: request } = present();
  const code = LANGUAGES[language](new URL(path, document.baseURI).href, clean(request));
  body.replaceChildren(
    h('h2', {}, text('share.link')),
    h('div', { class: 'row nowrap' }, link, button({ label: text('share.copyLink'), symbol: 'copy', text: text('word.copy'), click: () => copy(address) })),
    ...(state.moves.length ? [h('h2', {}, text('word.record')), ...record()] : []),
    h('h2', {}, text('word.position')),
    h('div', { class: 'code' }, h('pre', { tabindex: 0, 'aria-label': text('word.position') }, state.turn.position),
      button({ label: text('share.copyPosition'), symbol: 'copy', kind: 'quiet copy', click: () => copy(state.turn.position) })),
    h('h2', {}, text('share.picture')), picture(),
    h('h2', {}, text('share.asRequest')),
    h('div', { class: 'row wrap' },
      select(text('share.asRequest'), options, chosen, (value) => { chosen = value; render(); }),
      segments(text('settings.language'), Object.keys(LANGUAGES).map((name) => ({ text: name, pressed: name === language, click: () => { language = name; render(); } })))),
    h('div', { class: 'code' }, h('pre', { tabindex: 0, 'aria-label': text('share.requestIn', { language }) }, code),
      button({ label: text('share.copyRequest'), symbol: 'copy', kind: 'quiet copy', click: () => copy(code) })));
}

const render = () => keepingFocus(body, draw);

export const panel = {
  element: body,
  start(_, onBoard) { board = onBoard; },
  update() { if (state.view === 'share') render(); },
};
