import assert from 'node:assert/strict';
import test from 'node:test';
import { evaluateExpression, type FeatureValue } from './evaluate-expression.js';
import { parseExpression } from './expression-parse.js';

const values = new Map<string, FeatureValue>([
  ['none', null],
  ['a', 5],
  ['t', 'xy'],
  ['b', true],
]);

test('arithmetic has the results of Mapnik: without a value the other one, with a text the text', () => {
  const rows: [text: string, value: FeatureValue][] = [
    ['[none] * 2', 2],
    ['2 - [none]', 2],
    ['[none] / 2', 2],
    ['[none] + [none]', null],
    ['[none] % 2', null],
    ['5 % [none]', 5],
    ['[t] + [none]', 'xy'],
    ['[none] + [t]', 'xy'],
    ['[t] + [a]', 'xy5'],
    ['[b] + [t]', 'truexy'],
    ['[t] * 2', 'xy'],
    ['2 - [t]', 'xy'],
    ['[t] * [t]', null],
    ['[b] + [a]', 6],
    ['[a] / 2', 2.5],
    ['[none] * 2 > 1', true],
  ];
  for (const [text, value] of rows) {
    const parsed = parseExpression(text);
    assert.ok('expression' in parsed, text);
    assert.equal(evaluateExpression(parsed.expression, values), value, text);
  }
});
