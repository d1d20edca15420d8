/** Functions whose time is the product of two sizes, and which no time limit ends. */

import assert from 'node:assert/strict';
import test from 'node:test';
import { testDatabase } from '@cartulary/server/support/database.js';
import { Sql, sql } from '@cartulary/sql/internal/sql.js';
import { sqlState } from '../../src/pool.js';
import { becomeQueryRole, prepareQueryRole } from '../../src/query-role.js';

const { db, drop } = await testDatabase();
test.before(() => prepareQueryRole(db));
test.after(drop);

/** The value of an expression of a query. */
const resultOf = (expression: string): Promise<unknown> =>
  db.transaction(async (tx) => {
    await tx.query(sql`set local statement_timeout = '20s'`);
    await becomeQueryRole(tx);
    const [row] = await tx.query<{ it: unknown }>(new Sql([`select ${expression} as it`], []));
    return row!.it;
  });

const long = "repeat('a', 300000)";
const numbers = (sign: string): string => `(select array_agg(${sign}k) from generate_series(1, 60000) k)`;
const texts = "(select array_agg('x' || k) from generate_series(1, 60000) k)";
const json = (sign: string): string => `(select jsonb_agg(${sign}k) from generate_series(1, 60000) k)`;

test('what would run on for minutes is refused', async () => {
  for (const expression of [
    `translate(${long}, repeat('b', 300000), '')`,
    ...['btrim', 'ltrim', 'rtrim'].map((name) => `${name}(${long}, repeat('b', 300000) || 'a')`),
    `strpos(${long}, 'b' || ${long})`,
    `replace(${long}, 'b' || ${long}, '')`,
    `split_part(${long}, 'b' || ${long}, 2)`,
    `string_to_array(${long}, 'b' || ${long})`,
    `string_to_array(${long}, 'b' || ${long}, 'x')`,
    `to_date(repeat('1', 300000), repeat('Y', 300000))`,
    `to_timestamp(repeat('1', 300000), repeat('Y', 300000))`,
    `to_number(repeat('1', 300000), repeat('9', 300000))`,
    ...['like', 'not like', 'ilike', 'not ilike'].map(
      (operator) => `${long} ${operator} '%' || ${long} || 'b%'`,
    ),
    `${long}::bpchar like '%' || ${long} || 'b%'`,
    ...['@>', '<@', '&&'].map((operator) => `${numbers('')} ${operator} ${numbers('-')}`),
    ...['@>', '<@'].map((operator) => `${json('')} ${operator} ${json('-')}`),
    ...['?|', '?&', '-'].map((operator) => `${json('')} ${operator} ${texts}`),
  ])
    await assert.rejects(resultOf(expression), (error) => sqlState(error) === 'CA003', expression);
});

/** A line that leads to and fro, from `south` on. */
const zigzag = (count: number, south = 0): string =>
  `(select st_makeline(st_makepoint(k * 0.0001, ${south} + (k % 2) * 40.0) order by k) from generate_series(1, ${count}) k)`;

test('distances between lines of too many positions beside each other are refused, and others are measured', async () => {
  const [one, other] = [zigzag(30_000), zigzag(30_000, 10.5)];
  for (const expression of [
    ...['st_distance', 'st_closestpoint', 'st_shortestline', 'st_3ddistance', 'st_3dintersects'].map(
      (name) => `${name}(${one}, ${other})`,
    ),
    `st_dwithin(${one}, ${other}, 1e-9)`,
    `st_3ddwithin(${one}, ${other}, 1e-9)`,
    `st_simplifypreservetopology(${zigzag(60_000)}, 1)`,
    `st_wrapx(${zigzag(110_000)}, 1, 360)`,
    `st_minimumboundingcircle(${zigzag(110_000)})`,
  ])
    await assert.rejects(resultOf(expression), (error) => sqlState(error) === 'CA002', expression);
  const far =
    '(select st_makeline(st_makepoint(k * 1e-6, 50 + sin(k * 1e-3))) from generate_series(1, 30000) k)';
  assert.equal(await resultOf(`round(st_distance(${one}, ${far})::numeric, 3)`), '9.000');
  assert.equal(await resultOf(`st_dwithin(${one}, ${far}, 9.1)`), true);
});

test('lines that lead to and fro are simplified as far as time allows', async () => {
  assert.equal(await resultOf(`st_npoints(st_simplify(${zigzag(300_000)}, 1))`), 300_000);
  assert.equal(await resultOf(`st_npoints(cartulary_queries.simplified(${zigzag(10_000)}, 50))`), 2);
  const wave = `(select st_makeline(st_makepoint(k * 1e-6, sin(k * 1e-4)) order by k) from generate_series(1, 300000) k)`;
  const count = Number(await resultOf(`st_npoints(cartulary_queries.simplified(${wave}, 0.001))`));
  assert.ok(count > 10 && count < 3_000, String(count));
  const collection = `st_collect(${zigzag(30_000)}, st_makepoint(1, 2))`;
  assert.equal(await resultOf(`st_npoints(cartulary_queries.simplified(${collection}, 1))`), 30_001);
});

test('all else has the results of PostgreSQL', async () => {
  for (const [expression, expected] of [
    ["translate('abc', 'ab', 'x')", 'xc'],
    ["btrim('xxabxx', 'x') || ltrim('xxa', 'x') || rtrim('axx', 'x') || btrim(' a ')", 'abaaa'],
    ["strpos('abc', 'c') + position('b' in 'abc')", 5],
    ["replace('abab', 'a', 'c') || split_part('a,b', ',', 2)", 'cbcbb'],
    ["string_to_array('a,b', ',') || string_to_array('c,x', ',', 'x')", ['a', 'b', 'c', null]],
    ["to_date('2020-02-03', 'YYYY-MM-DD')::text || to_number('12', '99')", '2020-02-0312'],
    ["extract(year from to_timestamp('2020', 'YYYY')) + extract(year from to_timestamp(0))", '3990'],
    [
      "array['abc' like 'a%', 'abc' not like 'a%', 'abc' ilike 'A%', 'abc' not ilike 'A%']",
      [true, false, true, false],
    ],
    ["array['ab'::char(3) like 'ab_', 'ab' like any (array['x', 'a%'])]", [true, true]],
    ['array[array[1, 2] @> array[1], array[1] <@ array[2], array[1, 2] && array[2]]', [true, false, true]],
    [
      `array['{"a": 1}'::jsonb @> '{}', '[1]'::jsonb <@ '[1, 2]', '["a"]'::jsonb ?| array['a'], '["a"]'::jsonb ?& array['b']]`,
      [true, true, true, false],
    ],
    [`('["a", "b"]'::jsonb - array['a'])::text`, '["b"]'],
    [`('["a", "b"]'::jsonb - 'a')::text || ('[1, 2]'::jsonb - 0)::text || (3 - 1)`, '["b"][2]2'],
    ["translate(null, 'a', 'b') is null and (null like 'a') is null and (null::jsonb @> '{}') is null", true],
    ['st_makepoint(1, 2) && st_makeenvelope(0, 0, 3, 3)', true],
  ] as const)
    assert.deepEqual(await resultOf(expression), expected, expression);
});
