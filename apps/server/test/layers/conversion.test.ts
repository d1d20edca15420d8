import assert from 'node:assert/strict';
import test from 'node:test';
import {
  acceptScalar,
  type ColumnType,
  columnConversion,
  conversion,
  isoText,
  mergeLocalized,
  sqlType,
  valueSql,
} from '@cartulary/columns';
import { type Sql, sql } from '@cartulary/sql/internal/sql.js';

import { type TestDatabase, testDatabase } from '../support/database.js';

let database: TestDatabase;
test.before(async () => {
  database = await testDatabase();
});
test.after(() => database.drop());

const plain = (type: ColumnType) => ({ type, localized_value: false });

/** The values of a column of type `from` (given as text) after `convert`, as JSON. */
async function converted(
  values: readonly unknown[],
  from: ColumnType,
  to: ColumnType,
  convert: (source: Sql) => Sql = (source) => conversion(source, from, to),
): Promise<unknown[]> {
  const source = sql`(v::${sqlType(plain(from))})`;
  const value = sql`(${convert(source)})`;
  const shown = to === 'datetime' ? isoText(value) : to === 'json' ? sql`${value}::text` : value;
  const rows = await database.db.query<{ v: unknown }>(
    sql`select ${shown} as v from unnest(${[...values]}::text[]) with ordinality t(v, n) order by n`,
  );
  return rows.map(({ v }) => v);
}

/** Texts of every kind. */
const texts = [
  ...[
    '',
    ' ',
    '1',
    ' 12.5 ',
    '-3',
    '+.5',
    '5.',
    '.',
    '-',
    '1e3',
    '1e400',
    '1e-400',
    '1e999',
    '1e-999',
    '1e9999999',
  ],
  ...[
    '9007199254740991',
    '9007199254740992',
    '9007199254740993',
    '-9007199254740993',
    '0x10',
    '1_000',
    '1,5',
  ],
  ...[
    'NaN',
    'Infinity',
    '-inf',
    '١٢',
    '１２',
    '1\u00a0',
    '\u00a01',
    '1\n',
    '\t1\r\n',
    '9'.repeat(200),
    '9'.repeat(300),
  ],
  ...[`0.${'0'.repeat(190)}1`, `${'9'.repeat(200)}e999`, `.${'9'.repeat(200)}e-999`],
  ...[
    '2024-05-01',
    '2024-02-29',
    '2023-02-29',
    '2024-02-31',
    '2024-13-01',
    '2024-00-10',
    '2024-04-31',
    '0000-01-01',
  ],
  ...['1900-02-29', '2000-02-29', '0001-01-01', '9999-12-31', '0001-01-01T00:00+01', '9999-12-31T23:59-01'],
  ...[
    '2024-05-01T12:30:15.123456789Z',
    '2024-05-01T12:30:15,5+03:00',
    '2024-05-01 12:30 -1130',
    '2024-05-01t12:30z',
  ],
  ...[
    '2024-05-01T24:00',
    '2024-05-01T12:60',
    '2024-05-01T12:30:60',
    '2024-05-01T12:30+15:00',
    '2024-05-01T',
    '2024-5-1',
  ],
  ...[
    '2024-05-01 BC',
    'infinity',
    '-infinity',
    'now',
    'today',
    'epoch',
    '20240501',
    '2024-05-01 UTC',
    '12:30',
  ],
  ...['2024-05-01T12:30 Europe/Moscow', 'J2451187', '01/02/2024', '2024-05-01T12:30:15 +03:00:30'],
  ...[
    'true',
    'TRUE',
    ' false ',
    't',
    'yes',
    'on',
    '0',
    '2',
    'null',
    '{"a":1}',
    '"x"',
    '\\',
    "'",
    '%',
    '$1',
    '💡',
    'x'.repeat(4001),
  ],
];

for (const to of ['number', 'datetime', 'bool', 'string', 'text'] as const) {
  test(`text becomes ${to} exactly where the interface would take it`, async () => {
    const expected = texts.map((value) => {
      try {
        return acceptScalar(to, value);
      } catch {
        return null;
      }
    });
    const found = await converted(texts, 'text', to);
    for (const [i, value] of texts.entries())
      assert.deepEqual(found[i], expected[i], JSON.stringify(value).slice(0, 60));
  });
}

test('text becomes a JSON string', async () => {
  assert.deepEqual(
    await converted(texts, 'text', 'json'),
    texts.map((value) => JSON.stringify(value).replaceAll('\\u00a0', '\u00a0')),
  );
});

/** From, to, values and their conversions. */
const others: [ColumnType, ColumnType, [unknown, unknown][]][] = [
  [
    'number',
    'string',
    [
      ['1.5', '1.5'],
      ['100', '100'],
      ['-0.1', '-0.1'],
      ['1e-7', '1e-07'],
    ],
  ],
  ['number', 'text', [['1.5', '1.5']]],
  [
    'number',
    'bool',
    [
      ['1', true],
      ['0', false],
      ['2', null],
      ['-0', false],
    ],
  ],
  [
    'number',
    'datetime',
    [
      ['0', '1970-01-01T00:00:00.000Z'],
      ['1714597509250', '2024-05-01T21:05:09.250Z'],
      ['9e15', null],
      ['-9e15', null],
    ],
  ],
  ['number', 'json', [['1.5', '1.5']]],
  ['number', 'file', [['1', null]]],
  ['datetime', 'string', [['2024-05-01T12:00:00+03', '2024-05-01T09:00:00.000Z']]],
  ['datetime', 'number', [['2024-05-01T21:05:09.250Z', 1714597509250]]],
  ['datetime', 'json', [['2024-05-01', '"2024-05-01T00:00:00.000Z"']]],
  ['datetime', 'bool', [['2024-05-01', null]]],
  [
    'bool',
    'number',
    [
      ['true', 1],
      ['false', 0],
    ],
  ],
  ['bool', 'string', [['true', 'true']]],
  ['bool', 'text', [['false', 'false']]],
  ['bool', 'json', [['true', 'true']]],
  ['bool', 'datetime', [['true', null]]],
  [
    'json',
    'number',
    [
      ['1.5', 1.5],
      ['"7"', 7],
      ['true', 1],
      ['false', 0],
      ['null', null],
      ['[1]', null],
      ['{}', null],
      ['1e300', null],
      ['1e-320', 0],
      ['"x"', null],
    ],
  ],
  [
    'json',
    'string',
    [
      ['"a"', 'a'],
      ['1', '1'],
      ['{"a": 1}', '{"a": 1}'],
      ['null', null],
      [`"${'x'.repeat(4001)}"`, null],
    ],
  ],
  [
    'json',
    'text',
    [
      ['"a"', 'a'],
      ['[1, 2]', '[1, 2]'],
    ],
  ],
  [
    'json',
    'datetime',
    [
      ['"2024-05-01"', '2024-05-01T00:00:00.000Z'],
      ['0', '1970-01-01T00:00:00.000Z'],
      ['true', null],
      ['{}', null],
      ['1e18', null],
    ],
  ],
  [
    'json',
    'bool',
    [
      ['true', true],
      ['"false"', false],
      ['1', true],
      ['2', null],
      ['[]', null],
    ],
  ],
  ['file', 'string', [['1,2', '1,2']]],
  ['file', 'number', [['1', null]]],
  ['string', 'file', [['1,2', null]]],
  ['title', 'number', [['x', null]]],
];

for (const [from, to, pairs] of others) {
  test(`${from} becomes ${to}`, async () => {
    const values = [...pairs.map(([value]) => value), null];
    const expected = [...pairs.map(([, value]) => value), null];
    assert.deepEqual(await converted(values, from, to), expected);
  });
}

test('the numbers of a table cannot stop a conversion', async () => {
  const found = await converted(['NaN', 'Infinity', '-Infinity', '1e308', '5e-324'], 'number', 'datetime');
  assert.deepEqual(found, [null, null, null, null, '1970-01-01T00:00:00.000Z']);
});

test('localized values: into the main language, out of it, and language by language', async () => {
  const run = async (
    type: ColumnType,
    was: boolean,
    to: ColumnType,
    is: boolean,
    value: string,
  ): Promise<unknown> => {
    const before = { type, localized_value: was };
    const after = { type: to, localized_value: is };
    const source = sql`(v::${sqlType(before)})`;
    const [row] = await database.db.query<{ v: unknown }>(
      sql`select ${columnConversion(source, before, after, 'en')} as v from unnest(${[value]}::text[]) t(v)`,
    );
    return row!.v;
  };
  assert.deepEqual(await run('string', false, 'string', true, 'a'), { en: 'a' });
  assert.deepEqual(await run('string', false, 'number', true, '7'), { en: 7 });
  assert.deepEqual(await run('string', false, 'number', true, 'x'), null);
  assert.deepEqual(await run('string', true, 'string', false, '{"ru":"б","en":"a"}'), 'a');
  assert.deepEqual(await run('string', true, 'string', false, '{"ru":"б"}'), 'б');
  assert.deepEqual(await run('string', true, 'number', true, '{"ru":"1","en":"x"}'), { ru: 1 });
  assert.deepEqual(await run('string', true, 'number', true, '{"en":"x"}'), null);
  assert.deepEqual(await run('datetime', true, 'string', true, '{"en":"2024-05-01T00:00:00Z"}'), {
    en: '2024-05-01T00:00:00.000Z',
  });
  assert.deepEqual(await run('string', true, 'datetime', true, '{"en":"2024-05-01"}'), {
    en: '2024-05-01T00:00:00.000Z',
  });
  assert.deepEqual(await run('json', true, 'text', true, '{"en":{"a":1}}'), { en: '{"a": 1}' });
  assert.deepEqual(await run('text', true, 'text', true, '{"en":"a"}'), { en: 'a' });
  assert.deepEqual(await run('number', true, 'bool', false, '{"ru":1}'), true);
});

test('localized values are merged, read by language, and leave nothing behind', async () => {
  const merge = async (before: string | null, change: string): Promise<unknown> => {
    const [row] = await database.db.query<{ v: unknown }>(
      sql`select ${mergeLocalized(sql`${before}::jsonb`, sql`${change}`)} as v`,
    );
    return row!.v;
  };
  assert.deepEqual(await merge(null, '{"en":"a"}'), { en: 'a' });
  assert.deepEqual(await merge('{"en":"a","ru":"б"}', '{"ru":"в"}'), { en: 'a', ru: 'в' });
  assert.deepEqual(await merge('{"en":"a","ru":"б"}', '{"ru":null}'), { en: 'a' });
  assert.equal(await merge('{"en":"a"}', '{"en":null}'), null);
  assert.deepEqual(await merge(null, '{"en":{"a":null}}'), { en: { a: null } });

  const read = async (type: ColumnType, stored: string | null, lng?: string): Promise<unknown> => {
    const value = valueSql(
      { id: 1, code: 'x', type, localized_value: true },
      { alias: sql`t`, lng, main: 'en' },
    );
    const [row] = await database.db.query<{ v: unknown }>(
      sql`select ${value} as v from (select ${stored}::jsonb as c1) t`,
    );
    return row!.v;
  };
  assert.equal(await read('string', '{"en":"a","ru":"б"}', 'ru'), 'б');
  assert.equal(await read('string', '{"en":"a","ru":"б"}', 'de'), 'a');
  assert.equal(await read('string', '{"fr":"c"}', 'de'), 'c');
  assert.equal(await read('string', '{}', 'de'), null);
  assert.equal(await read('string', null), null);
  assert.equal(await read('number', '{"en":0}'), 0);
  assert.equal(await read('bool', '{"ru":false}'), false);
  assert.deepEqual(await read('json', '{"ru":[1]}'), [1]);
});
