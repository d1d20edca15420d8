import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { ServiceError } from '../../src/errors.js';
import {
  checkLayerStyle,
  compileLayerStyle,
  compileMapStyle,
  renameLayerInStyle,
} from '../../src/styles/compile.js';
import { corpus } from './corpus.js';
import { startDrawer } from './draw.js';
import { extentAt } from './features.js';
import { pick, type Random, randomNumbers } from './random-styles.js';
import { layer, options, ourXml } from './support.js';

const drawer = startDrawer();
after(() => drawer.close());

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

function mutate(random: Random, text: string): string {
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

/** A part that matches, chosen by chance, changed. */
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

/** Changes after which a style is often still one. */
function tame(random: Random, text: string): string {
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

test('garbage is compiled or refused, never anything else', async () => {
  const random = randomNumbers(17);
  const names = Object.getOwnPropertyNames(Object.prototype);
  const compiled: string[] = [];
  for (let i = 0; i < 5000; i++) {
    const start = pick(random, corpus).style;
    const style = i % 2 === 0 ? mutate(random, start) : tame(random, tame(random, start));
    let problems = 0;
    try {
      compileLayerStyle(style, layer, options);
      compiled.push(style);
    } catch (error) {
      assert.ok(error instanceof ServiceError && error.code === 'style_invalid', `${error}\n${style}`);
      problems = (error.data.problems as unknown[]).length;
    }
    const found = checkLayerStyle(style, layer, options);
    assert.equal(found.length, problems, style);
    const lines = style.split(/\r\n|\r|\n/);
    for (const { line, column, message } of found) {
      const length = lines[line - 1]?.length ?? -1;
      assert.ok(column >= 1 && column <= length + 1, `${line}:${column} ${message}\n${style}`);
      assert.ok(message.length > 0 && message.length < 300, message);
    }
    assert.equal(renameLayerInStyle(renameLayerInStyle(style, 'x', 'q-q'), 'q-q', 'x'), style);
    try {
      compileMapStyle(style);
    } catch (error) {
      assert.ok(error instanceof ServiceError);
    }
  }
  assert.ok(compiled.length > 500 && compiled.length < 4500, String(compiled.length));
  assert.deepEqual(Object.getOwnPropertyNames(Object.prototype), names);
  // What is compiled is what Mapnik takes.
  for (const style of compiled.slice(0, 400)) {
    const request = { extent: extentAt(8), size: 64, scale: 1, strict: true, xml: ourXml(style, 8) };
    await assert.doesNotReject(drawer.draw(request), style);
  }
});
