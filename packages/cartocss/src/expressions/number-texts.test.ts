import assert from 'node:assert/strict';
import test from 'node:test';
import type { ColumnKind } from '../values/convert.js';
import { writeExpression } from './expression.js';
import { parseExpression } from './expression-parse.js';
import { numbersOfTexts, withTexts } from './number-texts.js';

const kinds = new Map<string, ColumnKind>([
  ['n', 'number'],
  ['m', 'number'],
  ['svc_id', 'number'],
  ['name', 'text'],
]);

test('numbers that a label shows as they are become texts, those that it calculates with do not', () => {
  const written = (text: string): string => {
    const parsed = parseExpression(text);
    assert.ok('expression' in parsed, text);
    return writeExpression(withTexts(parsed.expression, kinds));
  };
  for (const [label, expected] of [
    ['[n]', '[n::text]'],
    ['[name]', '[name]'],
    ["[name] + ' ' + [n]", "[name]+' '+[n::text]"],
    ['[n] + [m]', '[n]+[m]'],
    ["[n] + [m] + ' m'", "[n]+[m]+' m'"],
    ["[n] / 1000 + ' km'", "[n]/1000+' km'"],
    ["[n].replace('0', 'O')", "[n::text].replace('0','O')"],
    ['[svc_id]', '[svc_id]'],
    ['[unknown]', '[unknown]'],
  ] as const)
    assert.equal(written(label).replaceAll('1000.0', '1000'), expected);
  assert.deepEqual(['n::text', 'n'].map(numbersOfTexts), ['n', undefined]);
});
