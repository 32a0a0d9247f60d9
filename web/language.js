// @ts-check
// The language of the page, and its catalogue of texts. This module comes first and imports none: the catalogue is asked for early.

/** The languages that have a catalogue, each with its own name for itself. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' };

function chosen() {
  try {
    return localStorage.getItem('bestmove-language');
  } catch {
    return undefined;
  }
}

/** The language that a person has chosen, else the first one of the browser that has a catalogue. */
export const language = [chosen(), ...navigator.languages].map((tag) => tag?.split('-')[0].toLowerCase())
  .find((tag) => tag && Object.hasOwn(LANGUAGES, tag)) ?? 'en';

document.documentElement.lang = language;

/** @type {Promise<{texts: Record<string, any>, names: Record<string, string>}>} */
export const catalogue = import(`./texts/${language}.js`);
