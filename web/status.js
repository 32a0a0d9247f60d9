// @ts-check
// What the page says beside the board: the connection, errors, and announcements to screen readers.

import { h, button, keepingFocus } from './dom.js';
import { parts, text } from './texts.js';

const bar = document.getElementById('status');
const live = document.getElementById('live');
let hiding;

/** What had the focus before the bar took it. */
let before;
bar.addEventListener('focusin', ({ relatedTarget }) => { if (relatedTarget instanceof Node && !bar.contains(relatedTarget)) before = relatedTarget; });

function show(kind, words, action) {
  clearTimeout(hiding);
  keepingFocus(bar, () => {
    bar.className = `status ${kind}`;
    bar.replaceChildren(h('span', {}, words), action ?? '');
    bar.hidden = false;
  }, before);
}

const hide = () => keepingFocus(bar, () => { bar.hidden = true; }, before);

/** Says something to screen readers. */
export function announce(words) {
  // The same words once more are news too.
  live.textContent = live.textContent === words ? `${words}\u00a0` : words;
}

const remarkBox = document.getElementById('remark');
let fading;
let since = 0;

/** How long a remark can be read at least, in milliseconds, whatever follows it. */
const LEAST_MS = 1200;

/** Says something at the board and to screen readers, for so many milliseconds. */
export function remark(words, shownFor = 5000) {
  clearTimeout(fading);
  if (words) {
    remarkBox.textContent = words;
    remarkBox.hidden = false;
    since = performance.now();
    announce(words);
  }
  fading = setTimeout(() => { remarkBox.hidden = true; }, words ? shownFor : since + LEAST_MS - performance.now());
}

/** An answer has come: the connection stands. */
export function connected() {
  if (bar.hidden || !bar.classList.contains('waiting')) return;
  show('good', text('status.again'));
  hiding = setTimeout(hide, 1500);
}

/** An error that nobody nearer shows. */
export function fail(error) {
  show('error', error.message, button({ label: text('word.close'), symbol: 'close', kind: 'quiet', click: hide }));
  announce(error.message);
}

/** A short note; one that offers an action stays longer. */
export function note(words, action) {
  show(action ? 'good offer' : 'good', words, action);
  announce(words);
  hiding = setTimeout(hide, action ? 10_000 : 2000);
}

/** Waits, counting down in words; a button ends the wait. */
function wait(seconds, why, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => { clearInterval(ticks); signal.removeEventListener('abort', leave); };
    const leave = () => { stop(); hide(); reject(signal.reason); };
    const go = () => { stop(); resolve(); };
    const retry = button({ label: text('status.tryNow'), text: text('status.tryNow'), kind: 'small', click: go });
    // Seconds that pass are not worth an announcement each.
    const count = h('span', { 'aria-hidden': 'true' });
    const words = h('span', {}, parts('status.retrying', { why, time: count }));
    let left = Math.ceil(seconds);
    const tick = () => {
      count.textContent = text('status.seconds', { seconds: left });
      if (bar.hidden || !bar.classList.contains('waiting')) show('waiting', words, retry);
      if (left <= 0) go();
      left -= 1;
    };
    const ticks = setInterval(tick, 1000);
    signal.addEventListener('abort', leave);
    show('waiting', words, retry);
    tick();
    announce(why);
  });
}

/** Waits for a busy server. */
export const waitBusy = (seconds, signal) => wait(seconds, text('status.busy'), signal);

/** Waits for a server that cannot be reached. */
export const waitOffline = (seconds, signal) => wait(seconds, text('status.offline'), signal);
