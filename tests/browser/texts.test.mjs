// The catalogues of texts: complete, used, and of one form in all languages.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { SERVICE } from './page.mjs';

const WEB = new URL('web/', import.meta.url);
const read = (name) => readFileSync(new URL(name, WEB), 'utf8');
const tags = readdirSync(new URL('texts/', WEB)).map((name) => name.replace('.js', ''));
const catalogues = Object.fromEntries(await Promise.all(tags.map(async (tag) => [tag, await import(new URL(`texts/${tag}.js`, WEB))])));
const { en } = catalogues;
const modules = readdirSync(WEB).filter((name) => name.endsWith('.js')).map(read).join('\n');
const page = read('index.html');

const forms = (entry) => (typeof entry === 'string' ? [entry] : Object.values(entry));
const placeholders = (form) => [...new Set(form.match(/\{\w+\}/g))].sort();
/** The last form holds for any number. */
const all = (entry) => placeholders(forms(entry).at(-1));

test('the page offers the languages that have a catalogue', () => {
  const offered = [.../LANGUAGES = \{(.*)\}/.exec(read('language.js'))[1].matchAll(/(\w+):/g)].map(([, tag]) => tag);
  assert.deepEqual(offered.sort(), tags.sort());
});

for (const [tag, { texts, names }] of Object.entries(catalogues)) {
  test(`every text has its place in the catalogue, ${tag}`, () => {
    assert.deepEqual(Object.keys(texts), Object.keys(en.texts), 'the same keys in the same order');
    const categories = new Intl.PluralRules(tag).resolvedOptions().pluralCategories.sort();
    for (const [key, entry] of Object.entries(texts)) {
      assert.deepEqual(all(entry), all(en.texts[key]), `the placeholders of ${key}`);
      if (typeof entry !== 'string') assert.deepEqual(Object.keys(entry).sort(), categories, `the forms of ${key}`);
      for (const form of forms(entry)) {
        assert.ok(form.trim() && placeholders(form).every((one) => all(entry).includes(one)), `${key}: ${form}`);
        assert.doesNotMatch(form, /["']|\.\.\./, `the typography of ${key}`);
      }
    }
  });

  test(`every name is written once, in the typography of the language, ${tag}`, () => {
    const file = read(`texts/${tag}.js`);
    for (const [key, name] of Object.entries({ ...texts, ...names })) {
      assert.equal(file.split(`  '${key}':`).length, 2, key);
      assert.doesNotMatch(forms(name).join(), /["']/, key);
      if (tag === 'de') assert.match(forms(name).join(), /^([^„“”]|„[^„“”]+“)*$/, key);
    }
  });
}

test('every text is used, and every text that is used is there', () => {
  const quoted = [...modules.matchAll(/'([a-z]\w*\.\w+)'/gi), ...page.matchAll(/data-(?:text|label)="([^"]+)"/g)].map(([, key]) => key);
  const composed = [...modules.matchAll(/(?:text|parts)\(`(\w+\.)\$\{/g)].map(([, group]) => group);
  const titles = [.../NAMES = .*\[(.*)\]/.exec(read('app.js'))[1].matchAll(/\w+/g)].map(([view]) => `${view}.title`);
  const unused = Object.keys(en.texts).filter((key) => ![...quoted, ...titles].includes(key) && !composed.some((group) => key.startsWith(group)));
  assert.deepEqual(unused, []);
  const named = [...modules.matchAll(/\b(?:text|parts)\('([^']+)'/g), ...page.matchAll(/data-(?:text|label)="([^"]+)"/g)].map(([, key]) => key);
  assert.ok(named.length > 100);
  assert.deepEqual([...named, ...titles].filter((key) => !(key in en.texts)), []);
});

test('the page says the texts of the English catalogue until its own are there', () => {
  const written = [...page.matchAll(/data-text="([^"]+)"[^>]*>([^<]*)</g)].map(([, key, text]) => [key, text]);
  const labels = [...page.matchAll(/<[^>]*data-label="([^"]+)"[^>]*>/g)].flatMap(([tag, key]) =>
    [...tag.matchAll(/ (?:aria-label|title|placeholder|content)="([^"]*)"/g)].map(([, text]) => [key, text]));
  assert.ok(written.length && labels.length);
  for (const [key, text] of [...written, ...labels]) assert.equal(text, en.texts[key], key);
});

test('other languages have words for what the service names', async () => {
  const { games } = await (await fetch(`${SERVICE}/games`)).json();
  const contract = readFileSync(new URL('openapi.yaml', import.meta.url), 'utf8');
  const values = (name) => new RegExp(`\\n    ${name}:\\n(?:      .*\\n)*?      enum: \\[(.*)\\]`).exec(contract)[1].split(', ');
  const isWord = (name) => name.length > 1;
  const isOwn = ({ label }, { pieces }) => pieces.filter((one) => one.label === label).length === 1;
  for (const [tag, { names }] of Object.entries(catalogues).filter(([one]) => one !== 'en')) {
    const has = (group, name) => assert.ok(`${group}.${name}` in names, `${tag}: ${group}.${name}`);
    values('MoveLabel').forEach((label) => has('label', label));
    values('Claim').forEach((claim) => has('claim', claim));
    for (const game of games) {
      has('game', game.name);
      game.sides.filter(isWord).forEach((side) => has('side', side));
      game.algorithms.forEach((algorithm) => has('algorithm', algorithm));
      game.reasons.forEach(({ name: kind }) => { has('why', kind); has('idea', kind); });
      game.levels.filter(({ name }) => name).forEach(({ name }) => has('level', name));
      for (const piece of game.pieces.filter(({ label }) => isWord(label))) {
        const words = isOwn(piece, game) ? piece.label : `${piece.side} ${piece.label}`;
        assert.ok(`piece.${game.name}.${words}` in names || `piece.${words}` in names, `${tag}: ${game.name}, ${words}`);
      }
    }
  }
});
