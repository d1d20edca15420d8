import { corpus } from './corpus.js';
import { pick, type Random } from './random-styles.js';

const scraps = [
  '{',
  '}',
  '[',
  ']',
  '(',
  ')',
  ';',
  ':',
  '::',
  ',',
  '.',
  '#',
  '@',
  '"',
  "'",
  '\\',
  '/',
  '/*',
  '*/',
  '//',
  '\n',
  ' ',
  '%',
  '*',
  '+',
  '-',
  '=',
  '!=',
  '>=',
  '=~',
  '<',
  '>',
  '&',
  '\u0000',
  '\ud800',
  '\ufeff',
  '😀',
  'ж',
  '__proto__',
  'constructor',
  'Map',
  '#x',
  '#layer',
  'url(',
  'zoom',
  'null',
  'true',
  '1e400',
  '-0',
  '.5',
  '1px',
  '5%',
  '@a',
  '@a:',
  'rgba(',
  'mix(',
  'none',
  'auto',
  'mapnik::',
  '[zoom>3]',
  '::p',
  '<![CDATA[',
  ']]>',
  '&amp;',
];

/** Changes a style so that it is rarely still valid. */
export function mutate(random: Random, text: string): string {
  let result = text;
  const count = 1 + Math.floor(random() * 4);
  for (let i = 0; i < count; i++) {
    const at = Math.floor(random() * result.length);
    const end = at + Math.floor(random() * 12);
    const other = pick(random, corpus).style;
    const from = Math.floor(random() * other.length);
    result = pick(random, [
      () => result.slice(0, at) + result.slice(end),
      () => result.slice(0, at) + pick(random, scraps) + result.slice(at),
      () => result.slice(0, at) + pick(random, scraps) + result.slice(end),
      () => result.slice(0, at) + result.slice(at, end).repeat(3) + result.slice(end),
      () => result.slice(0, at) + other.slice(from, from + 30) + result.slice(at),
      () => result.slice(0, at) + other.slice(from),
      () => result.slice(at) + result.slice(0, at),
    ])();
  }
  return result;
}

/** Changes a random match of a pattern. */
function replaceOne(
  random: Random,
  text: string,
  pattern: RegExp,
  change: (found: string) => string,
): string {
  const found = [...text.matchAll(pattern)];
  const chosen = found.length === 0 ? undefined : pick(random, found);
  if (chosen === undefined) return text;
  return text.slice(0, chosen.index) + change(chosen[0]) + text.slice(chosen.index + chosen[0].length);
}

/** Changes after which a style is often still valid. */
export function tame(random: Random, text: string): string {
  const statement = /[a-z/-]+:[^;{}]*;/g;
  const other = (): string => pick(random, pick(random, corpus).style.match(statement) ?? ['line-width: 1;']);
  return pick(random, [
    () => replaceOne(random, text, /\d+/g, () => pick(random, ['0', '1', '.5', '7', '99', '-3', '5%'])),
    () => replaceOne(random, text, statement, () => ''),
    () => replaceOne(random, text, statement, other),
    () => replaceOne(random, text, statement, (found) => found + other()),
    () => replaceOne(random, text, /\[[^[\]]*\]/g, () => ''),
    () =>
      replaceOne(random, text, /\]\s*\{/g, () =>
        pick(random, ['][zoom>5] {', "][type='town'] {", '][pop>50] {']),
      ),
    () => replaceOne(random, text, /[<>]=?/g, () => pick(random, ['<', '>', '=', '!='])),
    () => replaceOne(random, text, / /g, () => '\n'),
  ])();
}
