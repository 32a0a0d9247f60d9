// @ts-check
// Sharing: the address of the game, and the present request as a program and as JSON.

import { exchanges, Lane, settle, text } from './api.js';
import { button, h, keepingFocus, select } from './dom.js';
import { levelName } from './play.js';
import { extension, nameOf, writeRecord } from './record.js';
import { currentReview } from './review.js';
import { lastTurn, standingText } from './session.js';
import { place, state, url } from './store.js';
import { note } from './status.js';

const LONGEST = 60_000;
const lane = new Lane();
let chosen = 'position';
let language = 'curl';
let answer;
let refusal = '';

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

function python(value) {
  if (value === null) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`;
  if (typeof value === 'object') return `{${Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${python(one)}`).join(', ')}}`;
  return JSON.stringify(value);
}

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

body = ${python(body)}
request = urllib.request.Request(
    ${JSON.stringify(address)},
    data=json.dumps(body).encode(),
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

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    note('Copied.');
  } catch {
    note('The browser did not allow it: select the text and copy it by hand.');
  }
}

/** Hands a file to the person. */
function save(name, blob) {
  const address = URL.createObjectURL(blob);
  h('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

async function send() {
  const { path, body } = present();
  refusal = '';
  const json = await settle(lane.ask(path, body), (error) => { refusal = JSON.stringify(error.problem ?? error.message, null, 2); });
  answer = json ?? answer;
  keepingFocus(output, renderAnswer);
}

const output = h('div', {});

function renderAnswer() {
  const last = exchanges.get(chosen.replace(/^last (.*) request$/, '$1'))?.answer;
  const json = refusal || (answer ?? last ? JSON.stringify(answer ?? last, null, 2) : '');
  if (!json) { output.replaceChildren(h('p', { class: 'empty' }, 'Send the request to see the answer.')); return; }
  const text = json.length > LONGEST ? `${json.slice(0, LONGEST)}\n… (${json.length} characters in all)` : json;
  output.replaceChildren(h('div', { class: 'code' },
    h('pre', { tabindex: 0, 'aria-label': 'Answer' }, text),
    button({ label: 'Copy the answer', symbol: 'copy', kind: 'quiet copy', click: () => copy(json) })));
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
    note('Copied.');
  } catch {
    note('The browser did not allow it: save the picture instead.');
  }
}

/** The game as a record, with what a review has found. */
function record() {
  const { info, players } = state;
  const review = currentReview();
  const names = info.sides.map((side, index) => nameOf(side) ?? (players[index] === null ? '?' : `bestmove, ${levelName(info, players[index])}`));
  const written = writeRecord({ last: lastTurn(), review, names });
  const kind = extension(info);
  return [
    h('div', { class: 'code' }, h('pre', { tabindex: 0, 'aria-label': 'Game record' }, written)),
    h('div', { class: 'row' },
      button({ label: 'Copy the record', text: 'Copy', symbol: 'copy', kind: 'small', click: () => copy(written) }),
      button({ label: 'Save the record', text: `Save .${kind}`, kind: 'small', click: () => save(`${info.name}.${kind}`, new Blob([written], { type: 'text/plain' })) }),
      h('span', { class: 'quiet small' }, review ? 'With the values of the review.' : 'A review of the game adds values and better moves.')),
  ];
}

function picture() {
  const isDark = getComputedStyle(document.documentElement).colorScheme === 'dark'
    || (document.documentElement.dataset.theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  const address = pictureAddress(isDark ? 'dark' : undefined);
  return h('div', { class: 'picture' },
    h('img', { src: address, alt: `The position: ${standingText()}`, width: 120, loading: 'lazy' }),
    h('div', { class: 'row' },
      h('a', { class: 'button small', href: address, target: '_blank', rel: 'noopener' }, 'Open'),
      button({ label: 'Copy the picture as SVG', text: 'Copy SVG', kind: 'small', click: async () => copy(await text(address)) }),
      button({ label: 'Copy the picture as PNG', text: 'Copy PNG', kind: 'small', click: () => copyPicture(address) }),
      button({ label: 'Save the picture as PNG', text: 'Save PNG', kind: 'small', click: async () => save(`${state.info.name}.png`, await drawn(address)) }),
      button({ label: 'Copy the address of the picture', text: 'Copy address', symbol: 'copy', kind: 'small', click: () => copy(address) })));
}

const body = h('div', {});

function draw() {
  const address = new URL(url(), document.baseURI).href;
  const link = h('input', { type: 'text', readonly: true, value: address, 'aria-label': 'Link to this game', onfocus: () => link.select() });
  const options = Object.keys(requests()).map((name) => ({ value: name, label: name.startsWith('last ') ? `The ${name}` : `POST /${name}` }));
  const { path, body: request } = present();
  const code = LANGUAGES[language](new URL(path, document.baseURI).href, clean(request));
  body.replaceChildren(
    h('h2', {}, 'Link to this game'),
    h('div', { class: 'row nowrap' }, link, button({ label: 'Copy the link', symbol: 'copy', text: 'Copy', click: () => copy(address) })),
    ...(state.moves.length ? [h('h2', {}, 'Game record'), ...record()] : []),
    h('h2', {}, 'Position'),
    h('div', { class: 'code' }, h('pre', { tabindex: 0, 'aria-label': 'Position' }, state.turn.position),
      button({ label: 'Copy the position', symbol: 'copy', kind: 'quiet copy', click: () => copy(state.turn.position) })),
    h('h2', {}, 'Picture'), picture(),
    h('h2', {}, 'As a request'),
    h('div', { class: 'row wrap' },
      h('label', { class: 'field' }, h('span', {}, 'Request'), select('Request', options, chosen, (value) => { chosen = value; answer = undefined; refusal = ''; render(); })),
      h('div', { class: 'segments', role: 'group', 'aria-label': 'Language' }, Object.keys(LANGUAGES).map((name) => h('button', {
        type: 'button', class: 'segment', 'aria-pressed': String(name === language), onclick: () => { language = name; render(); },
      }, name)))),
    h('div', { class: 'code' }, h('pre', { tabindex: 0, 'aria-label': `The request in ${language}` }, code),
      button({ label: 'Copy the request', symbol: 'copy', kind: 'quiet copy', click: () => copy(code) })),
    h('div', { class: 'row' }, button({ label: 'Send', text: 'Send', symbol: 'play', kind: 'primary', click: send })),
    h('h2', {}, 'Answer'), output);
  renderAnswer();
}

const render = () => keepingFocus(body, draw);

export const panel = {
  id: 'share', title: 'Share', symbol: 'share', element: body, hasMoves: false,
  start() {},
  update(changed) {
    if (changed.has('turn')) { answer = undefined; refusal = ''; }
    if (state.view === 'share') render();
  },
  overlay: () => ({}),
};
