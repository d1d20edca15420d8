import assert from 'node:assert/strict';
import test from 'node:test';
import type { Column } from '@cartulary/columns';
import { ServiceError } from '@cartulary/errors';
import { sql, statement } from '@cartulary/sql';
import { parseFilter } from '../filter.js';
import { parseCql2Text } from './cql2-text.js';

const p = (property: string) => ({ property });

/** CQL2 texts and the JSON that they mean. */
const pairs: [string, unknown][] = [
  ["name = 'Paris'", { op: '=', args: [p('name'), 'Paris'] }],
  ["\"name\" <> 'it''s' ", { op: '<>', args: [p('name'), "it's"] }],
  ["name = 'it\\'s'", { op: '=', args: [p('name'), "it's"] }],
  [
    'a < 1 and B >= -2.5e3 or not c = TRUE',
    {
      op: 'or',
      args: [
        {
          op: 'and',
          args: [
            { op: '<', args: [p('a'), 1] },
            { op: '>=', args: [p('B'), -2500] },
          ],
        },
        { op: 'not', args: [{ op: '=', args: [p('c'), true] }] },
      ],
    },
  ],
  [
    'a = 1 AND (b = 2 OR c = 3) AND d IS NOT NULL',
    {
      op: 'and',
      args: [
        { op: '=', args: [p('a'), 1] },
        {
          op: 'or',
          args: [
            { op: '=', args: [p('b'), 2] },
            { op: '=', args: [p('c'), 3] },
          ],
        },
        { op: 'not', args: [{ op: 'isNull', args: [p('d')] }] },
      ],
    },
  ],
  ["name NOT LIKE 'a%'", { op: 'not', args: [{ op: 'like', args: [p('name'), 'a%'] }] }],
  [
    'n BETWEEN 1 AND 2 AND m IN (1, 2)',
    {
      op: 'and',
      args: [
        { op: 'between', args: [p('n'), 1, 2] },
        { op: 'in', args: [p('m'), [1, 2]] },
      ],
    },
  ],
  [
    "CASEI(name) IN (casei('Ä'), 'b')",
    { op: 'in', args: [{ op: 'casei', args: [p('name')] }, [{ op: 'casei', args: ['Ä'] }, 'b']] },
  ],
  [
    '1 + n * 2 ^ 3 - m DIV 4 % 5 > -n',
    {
      op: '>',
      args: [
        {
          op: '-',
          args: [
            { op: '+', args: [1, { op: '*', args: [p('n'), { op: '^', args: [2, 3] }] }] },
            { op: '%', args: [{ op: 'div', args: [p('m'), 4] }, 5] },
          ],
        },
        { op: '*', args: [-1, p('n')] },
      ],
    },
  ],
  [
    "d > TIMESTAMP('2024-01-01T00:00:00Z')",
    { op: '>', args: [p('d'), { timestamp: '2024-01-01T00:00:00Z' }] },
  ],
  [
    "T_DURING(d, INTERVAL('2024-01-01', '..'))",
    { op: 't_during', args: [p('d'), { interval: ['2024-01-01', '..'] }] },
  ],
  ["A_CONTAINS(tags, ('a'))", { op: 'a_contains', args: [p('tags'), ['a']] }],
  [
    'S_INTERSECTS(geom, POLYGON((0 0, 1 0, 1 1, 0 0)))',
    {
      op: 's_intersects',
      args: [
        p('geom'),
        {
          type: 'Polygon',
          coordinates: [
            [
              [0, 0],
              [1, 0],
              [1, 1],
              [0, 0],
            ],
          ],
        },
      ],
    },
  ],
  ['s_within(geom, BBOX(-1,-2,3,4))', { op: 's_within', args: [p('geom'), { bbox: [-1, -2, 3, 4] }] }],
  [
    'S_EQUALS(geom, GEOMETRYCOLLECTION(POINT Z (1 2 3), MULTIPOINT((1 2), 3 4)))',
    {
      op: 's_equals',
      args: [
        p('geom'),
        {
          type: 'GeometryCollection',
          geometries: [
            { type: 'Point', coordinates: [1, 2, 3] },
            {
              type: 'MultiPoint',
              coordinates: [
                [1, 2],
                [3, 4],
              ],
            },
          ],
        },
      ],
    },
  ],
  // Names of functions and types are names of columns, too.
  [
    'date = 1 and point = 2',
    {
      op: 'and',
      args: [
        { op: '=', args: [p('date'), 1] },
        { op: '=', args: [p('point'), 2] },
      ],
    },
  ],
];

test('texts mean the same as their JSON', () => {
  for (const [text, json] of pairs) assert.deepEqual(parseCql2Text(text).json, json, text);
});

const columns = (
  [
    ['svc_id', 'number'],
    ['n', 'number'],
    ['name', 'string'],
    ['d', 'datetime'],
    ['b', 'bool'],
    ['tags', 'json'],
    ['geom', 'geom'],
  ] as const
).map(([code, type], id) => ({ id, code, type, localized_value: false }) as Column);

const textOf = (filter: string): unknown =>
  statement(parseFilter(filter, columns)({ alias: sql`t`, main: 'en' }));

test('functions are found in any case, also those with a capital letter in JSON', () => {
  for (const name of ['T_METBY', 't_metby', 'T_OVERLAPPEDBY']) textOf(`${name}(d, DATE('2024-01-01'))`);
  textOf("a_containedby(tags, ('a', 1))");
});

test('mistakes are told with their position', () => {
  for (const [text, message] of [
    ['', /character 1: the filter is empty/],
    ['n >', /character 4: a value or a condition is expected, but the text ends/],
    ['n = 1 n', /character 7: the end of the text is expected, but 'n' was found/],
    ['n = 1 AND none = 2', /character 11: the layer has no column 'none'/],
    ["b = TRUE OR (n = 'x')", /character 18: is no value for the column 'n' of type number/],
    ["name = 'x", /character 8: the ' has no end/],
    ['n = 1 ; drop', /character 7: the character ';' means nothing here/],
    ['n AND b', /character 1: is a value, where a condition is expected/],
    ['n = 1 AND BBOX(geom, 0, 0, 1, 1)', /character 11: is a value, where a condition is expected/],
    ['BBOX(0, 0, 1, 1)', /character 1: is a value, where a condition is expected/],
    ['POINT(1 2) OR n = 1', /character 1: is a value, where a condition is expected/],
    ["NOT DATE('2024-01-01')", /character 5: is a value, where a condition is expected/],
    ['INTERSECTS(geom, POINT(1 2))', /operator 'intersects' is not known; in CQL2 it is 's_intersects'/],
    ['S_INTERSECTS(geom, POINT(1))', /character 27: a number is expected, but '\)'/],
    ['S_INTERSECTS(geom, POINT EMPTY)', /an empty geometry/],
    ['T_AFTER(n, d)', /character 9: the column 'n' of type number holds no time/],
    ['NOT NOT LIKE', /character 9: a value is expected, but 'LIKE'/],
    ['foo(n)', /character 1: the operator 'foo' is not known/],
    ['n = foo(1)', /character 5: the function 'foo' is not known/],
    ['DATE(1) = d', /character 1: DATE takes one text/],
    [`${'('.repeat(60)}n = 1${')'.repeat(60)}`, /nested more than 45 deep/],
    [`n = ${'n + '.repeat(200)} 1`, /nested more than 100 deep/],
    [`n IN (${'1,'.repeat(10_001)}1)`, /more than 10000 terms/],
    [`name = '${'x'.repeat(1_000_001)}'`, /more than 1000000 characters/],
  ] as const)
    assert.throws(
      () => textOf(text),
      (error: ServiceError) => error.status === 400 && message.test(error.message),
      text.slice(0, 80),
    );
});

/** Numbers from 0 to 1 that are the same in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 0) / 4_294_967_296;
  };
}

const parts = (
  "n name d b tags geom none ( ) ( ) , , = <> < <= > >= + - * / % ^ AND OR NOT LIKE IN BETWEEN IS NULL TRUE FALSE 1 -2.5 1e308 'x' '' \"n\" " +
  "casei( accenti( S_INTERSECTS( S_DISJOINT( T_METBY( s_dwithin( T_AFTER( A_CONTAINS( POINT(1 2) BBOX(0,0,1,1) DATE('2024-01-01') INTERVAL( DIV ' \" \\ ; é 😀"
).split(' ');

test('100,000 random texts end in a filter or in an error, and fast', () => {
  const random = randomFrom(5);
  const whole = (below: number): number => Math.floor(random() * below);
  const good = pairs.map(([text]) => text);
  let accepted = 0;
  for (let i = 0; i < 100_000; i++) {
    let text = Array.from({ length: 1 + whole(12) }, () => parts[whole(parts.length)]!).join(' ');
    // Every second one is a right text with something put into it or cut out of it.
    if (i % 2) {
      const right = good[whole(good.length)]!;
      const at = whole(right.length);
      text = right.slice(0, at) + (i % 3 ? parts[whole(parts.length)]! : '') + right.slice(at + whole(3));
    }
    try {
      textOf(text);
      accepted++;
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 400) assert.fail(`${text}: ${String(error)}`);
    }
  }
  assert.ok(accepted > 500, String(accepted));
});

test('long texts take time in proportion', () => {
  for (const text of [
    `name = '${"''".repeat(400_000)}`,
    `name = '${"\\'".repeat(400_000)}`,
    `name = '${"\\''".repeat(300_000)}x`,
    `n = ${'9'.repeat(900_000)}`,
    `${'x'.repeat(900_000)} = 1`,
    ' '.repeat(900_000),
    `n = ${'-'.repeat(900_000)}1`,
    '('.repeat(900_000),
    `n = 1${' AND n = 1'.repeat(90_000)}`,
  ]) {
    assert.throws(
      () => textOf(text),
      (error) => error instanceof ServiceError,
      text.slice(0, 20),
    );
  }
});
