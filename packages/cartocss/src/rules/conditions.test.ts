import assert from 'node:assert/strict';
import test from 'node:test';
import type { Expression } from '../expressions/expression.js';
import type { Comparison } from '../syntax/tree.js';
import { type Condition, conjoin, makeCondition, relate } from './conditions.js';

type Scalar = string | number | boolean | null;
const values: Scalar[] = [null, true, false, -1, 0, 0.5, 1, 2, 3, '', '1', 'a', 'b', 'true'];

function constant(value: Scalar): Expression {
  if (typeof value === 'number') return { kind: 'number', value, decimal: false };
  if (typeof value === 'string') return { kind: 'text', value };
  return { kind: 'constant', name: value === null ? 'null' : value ? 'true' : 'false' };
}

/** Mapnik 4.2: true is 1, numbers and texts are never equal nor ordered, null is neither less nor more, and does not differ from the empty text. */
function holds(value: Scalar, { op, constant: other }: Condition): boolean {
  const number = (v: unknown): unknown => (typeof v === 'boolean' ? Number(v) : v);
  const a = number(value);
  const b = number(other);
  if (op === '=') return a === b;
  if (op === '!=') return a !== b && !(a === null && b === '');
  if (a === null || b === null || typeof a !== typeof b) return false;
  const [x, y] = [a as number, b as number];
  return op === '<' ? x < y : op === '<=' ? x <= y : op === '>' ? x > y : x >= y;
}

const column: Expression = { kind: 'column', name: 'v' };
const conditions = (['=', '!=', '<', '<=', '>', '>='] as Comparison[]).flatMap((op) =>
  values
    .filter((value) => op === '=' || op === '!=' || typeof value === 'number' || typeof value === 'string')
    .map((value) => makeCondition(column, op, constant(value))),
);

test('a relation between conditions holds for every value', () => {
  let decided = 0;
  for (const known of conditions) {
    for (const other of conditions) {
      const relation = relate(known, other);
      if (relation === 'open') continue;
      decided++;
      for (const value of values.filter((v) => holds(v, known))) {
        assert.equal(
          holds(value, other),
          relation === 'implied',
          `${known.text} → ${other.text} for ${value}`,
        );
      }
    }
  }
  assert.ok(decided > 1500, String(decided));
});

test('other columns and patterns say nothing', () => {
  const a = makeCondition(column, '=', constant(1));
  const b = makeCondition({ kind: 'column', name: 'w' }, '=', constant(2));
  const pattern = makeCondition(column, '=~', constant('x'));
  assert.equal(relate(a, b), 'open');
  assert.equal(relate(a, pattern), 'open');
  assert.equal(relate(pattern, pattern), 'implied');
  assert.equal(relate(makeCondition(column, '!=', constant(1)), a), 'contradicted');
});

test('conditions together keep what is needed', () => {
  const make = (op: Comparison, value: Scalar): Condition => makeCondition(column, op, constant(value));
  const texts = (list: readonly Condition[] | undefined): string[] | undefined =>
    list?.map((condition) => condition.text);
  assert.deepEqual(texts(conjoin([make('>', 1)], [make('>', 2), make('<', 5)])), ['[v] > 2', '[v] < 5']);
  assert.deepEqual(texts(conjoin([make('>', 1)], [make('=', 2)])), ['[v] = 2']);
  assert.deepEqual(texts(conjoin([make('=', 2)], [make('!=', 3)])), ['[v] = 2']);
  assert.equal(conjoin([make('>', 1)], [make('<', 1)]), undefined);
  assert.equal(conjoin([make('=', null)], [make('>', 1)]), undefined);
});
