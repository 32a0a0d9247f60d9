// @ts-check
// The texts of the page in its language.

import { catalogue, language } from './language.js';

/**
 * The name of a text.
 * @typedef {keyof typeof import('./texts/en.js').texts} Key
 */

/** @type {Record<string, string | Record<string, string>>} */
let texts = {};
/** @type {Record<string, string>} */
let names = {};

/** Settles when there are texts. */
export const ready = catalogue.then((loaded) => {
  ({ texts, names } = loaded);
  // The page itself is written in English.
  if (language !== 'en') fill();
});

const plurals = new Intl.PluralRules(language);
const formats = new Map();

/** A number as the language writes it, with so many decimals. Four digits are not grouped. */
export function number(value, decimals = 0) {
  if (!formats.has(decimals)) {
    const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    formats.set(decimals, new Intl.NumberFormat(language, { ...digits, useGrouping: 'min2' }));
  }
  return formats.get(decimals).format(value).replace('-', '−');
}

/**
 * The parts of a text: its words, and the values of its placeholders, which may be elements. Of a text in several forms
 * `count` chooses the one that the rules of the language name.
 * @param {Key} key
 * @param {Record<string, any>} values
 * @returns {any[]}
 */
export function parts(key, values = {}) {
  const entry = texts[key];
  const form = typeof entry === 'string' ? entry : entry[plurals.select(values.count)] ?? entry.other;
  return form.split(/\{(\w+)\}/).map((part, index) => {
    const value = index % 2 ? values[part] : part;
    return typeof value === 'number' ? number(value) : value;
  });
}

/**
 * A text with its values.
 * @param {Key} key
 * @param {Record<string, string | number>} [values]
 */
export const text = (key, values) => parts(key, values).join('');

/** What the language calls a thing for which the service has a name; without a word of its own the service's words. */
export const named = (group, name, otherwise = name) => names[`${group}.${name}`] ?? otherwise;

/** The attributes that `data-label` stands for. */
const LABELS = ['aria-label', 'title', 'placeholder', 'content'];

/** Puts texts where the page names them: into elements by `data-text`, into the attributes that they have by `data-label`. */
function fill() {
  const keyOf = (name) => /** @type {Key} */ (name);
  document.querySelectorAll('[data-text]').forEach((element) => {
    element.textContent = text(keyOf(element.getAttribute('data-text')));
  });
  document.querySelectorAll('[data-label]').forEach((element) => {
    LABELS.filter((name) => element.hasAttribute(name)).forEach((name) => element.setAttribute(name, text(keyOf(element.getAttribute('data-label')))));
  });
}
