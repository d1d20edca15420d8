import assert from 'node:assert/strict';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { type NoteKey, notePlaceholder, noteTemplates } from '@cartulary/errors/notes';
import { runnerImport } from 'vite';
import { settings } from '../../../src/config.js';

const pages = fileURLToPath(new URL('../../../../../web/src/console/', import.meta.url));

/** A module of the pages, which are built for browsers only. */
async function imported<T>(path: string): Promise<T> {
  const { module } = await runnerImport<T>(pages + path, { configFile: false, logLevel: 'error' });
  return module;
}

const { translatedNote } = await imported<{ translatedNote: (text: string) => string | undefined }>(
  'notes/russianNote.ts',
);

/** Texts of the catalogue for placeholders that must be one. */
const inner: Readonly<Record<string, NoteKey>> = {
  certainty: 'likely',
  kind: 'tabView',
  points: 'trackPoints',
  what: 'theCoordinates',
  becomes: 'notRead',
  reason: 'shapeCutOff',
};

/** A text of a template, and the values in it that every language shows. */
function sample(key: NoteKey): { text: string; values: string[] } {
  const values: string[] = [];
  const text = noteTemplates[key].replace(notePlaceholder, (_, kind: string, name: string) => {
    if (kind === '=' || kind === '?') return noteTemplates[inner[name]!];
    const value = kind === '#' ? String(21 + values.length) : `Ab ${name}`;
    values.push(value);
    return value;
  });
  return { text, values };
}

test('each note of an import is recognized and has Russian words with all its values', () => {
  const seen = new Map<string, NoteKey>();
  for (const key of Object.keys(noteTemplates) as NoteKey[]) {
    const { text, values } = sample(key);
    const russian = translatedNote(text);
    assert.ok(russian !== undefined, `${key}: ${text}`);
    assert.match(russian, /\p{Script=Cyrillic}|×|=/u, key);
    for (const value of values) assert.ok(russian.includes(value), `${key}: ${value} in ${russian}`);
    // The same Russian for two templates would mean that one was taken for the other.
    assert.equal(seen.get(russian), undefined, `${key}: ${russian}`);
    seen.set(russian, key);
    assert.doesNotMatch(russian, /\{[#=?]?\w+\}|undefined/, key);
  }
});

for (const [text, russian] of [
  [
    "Feature 3 (line 4): The column 'pop' takes a number below 2^53, not 'many: two'",
    'объект 3 (строка 4): столбец «pop» принимает числа меньше 2^53; в файле: «many: two»',
  ],
  [
    'Feature 2: geom: a ring has fewer than four positions',
    'объект 2: геометрия: в кольце меньше четырёх вершин',
  ],
  [
    '12 × Style (feature 1, 2, 3, 4, 5 …): how it is shown, left out',
    '12 × Style (объекты: 1, 2, 3, 4, 5 …): оформление, пропущено',
  ],
  [
    "2 × member 'a' of a feature (feature 1, 2): not read, left out",
    '2 × элемент «a» объекта (объекты: 1, 2): не читается, пропущено',
  ],
  [
    'The file does not say the encoding of its texts: by their letters windows-1251 was taken (likely, else cp866). If that is wrong, give encoding',
    'Кодировка текстов в файле не указана: судя по буквам, это windows-1251 (вероятно, иначе cp866). Если это неверно, укажите кодировку',
  ],
  ['1 lines above the names of the columns were left out', 'Пропущено над названиями столбцов: 1 строка'],
  [
    "The archive has 'a.dbf' but not the .shp or .tab beside it",
    'В архиве есть «a.dbf», но рядом нет .shp или .tab',
  ],
  ['5 lines above the names of the columns were left out', 'Пропущено над названиями столбцов: 5 строк'],
] as const)
  test(`in Russian: ${text}`, () => assert.equal(translatedNote(text), russian));

test('what other programs say stays as it is', () => {
  for (const text of ["'roads.gpkg': Warning of GDAL", 'Feature 2: geom: self-intersection', ''])
    assert.equal(translatedNote(text), undefined, text);
});

test('each setting has a Russian meaning, and each unit Russian words', async () => {
  const { settingMeanings, settingUnits, settingUnit } = await imported<{
    settingMeanings: Record<string, string>;
    settingUnits: Record<string, unknown>;
    settingUnit: (value: number, unit: string) => string;
  }>('administration/texts/settings.ru.ts');
  const all = Object.values(settings);
  assert.deepEqual(Object.keys(settingMeanings).sort(), all.map(({ env }) => env).sort());
  const units = all.filter((one) => typeof one.default === 'number' && one.unit !== 'port');
  assert.deepEqual(Object.keys(settingUnits).sort(), [...new Set(units.map(({ unit }) => unit))].sort());
  for (const { env, meaning } of all) {
    const russian = settingMeanings[env]!;
    assert.match(russian, /^\p{Script=Cyrillic}/u, env);
    const numbers = (text: string): string[] => text.replaceAll(',', '.').match(/\d+(?:\.\d+)?/g) ?? [];
    assert.deepEqual(numbers(russian).sort(), numbers(meaning).sort(), `${env}: the numbers of its meaning`);
  }
  assert.equal(settingUnit(22, 'connections'), 'соединения');
  assert.equal(settingUnit(1, 'ms'), 'мс');
});

test('names that look like notes do not hold up the page', () => {
  for (const one of ['Feature 1: ', 'x: ', '2 × ', "'a' = ", "The column 'x' "])
    assert.equal(translatedNote(one.repeat(90)), undefined, one);
});

test('in English the console names what is chosen in it, not parameters of the interface', async () => {
  const { translatedNote: english } = await imported<{
    translatedNote: (text: string) => string | undefined;
  }>('notes/englishNote.ts');
  for (const key of Object.keys(noteTemplates) as NoteKey[]) {
    const { text, values } = sample(key);
    const worded = english(text)!;
    assert.doesNotMatch(worded, /give (?:srs|encoding)|\{[#=?]?\w+\}|undefined/, key);
    for (const value of values) assert.ok(worded.includes(value), `${key}: ${value} in ${worded}`);
  }
});
