import assert from 'node:assert/strict';
import test from 'node:test';
import { ServiceError } from '@cartulary/errors/internal/errors.js';
import { sql, statement } from '@cartulary/sql/internal/sql.js';
import type { Column } from './column.js';
import type { ColumnType } from './types.js';
import {
  acceptColumn,
  acceptScalar,
  acceptValue,
  checkFormat,
  displayValue,
  sqlType,
  valueSql,
} from './values.js';

const column = (type: ColumnType, more: Partial<Column> = {}): Column => ({
  id: 7,
  parent_id: null,
  code: 'c',
  name: '',
  names: {},
  localized_name: false,
  localized_value: false,
  required: false,
  format: null,
  sort: 1,
  type,
  ...more,
});

const accepted: [ColumnType, unknown, unknown][] = [
  ['number', 1.5, 1.5],
  ['number', ' -1.5e3 ', -1500],
  ['number', '.5', 0.5],
  ['number', '1e-400', 0],
  ['number', 2 ** 53 - 1, 2 ** 53 - 1],
  ['number', null, null],
  ['string', '', ''],
  ['string', 'x'.repeat(4000), 'x'.repeat(4000)],
  ['string', '🗺'.repeat(4000), '🗺'.repeat(4000)],
  ['text', 'x'.repeat(100_000), 'x'.repeat(100_000)],
  ['datetime', '2024-05-01', '2024-05-01T00:00:00.000Z'],
  ['datetime', '2024-05-01T12:30', '2024-05-01T12:30:00.000Z'],
  ['datetime', '2024-05-01 12:30:15.25', '2024-05-01T12:30:15.250Z'],
  ['datetime', '2024-05-01T12:30:15,123456Z', '2024-05-01T12:30:15.123Z'],
  ['datetime', '2024-05-01T12:30+03:00', '2024-05-01T09:30:00.000Z'],
  ['datetime', '2024-05-01T12:30-0330', '2024-05-01T16:00:00.000Z'],
  ['datetime', '2024-05-01T12:30 +03', '2024-05-01T09:30:00.000Z'],
  ['datetime', '2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['datetime', '2000-02-29', '2000-02-29T00:00:00.000Z'],
  ['datetime', '0001-01-01', '0001-01-01T00:00:00.000Z'],
  ['datetime', '9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ['datetime', 0, '1970-01-01T00:00:00.000Z'],
  ['datetime', -1.5, '1969-12-31T23:59:59.999Z'],
  ['bool', true, true],
  ['bool', 0, false],
  ['bool', ' TRUE ', true],
  ['bool', '0', false],
  ['json', { a: [1, null, 'x'] }, { a: [1, null, 'x'] }],
  ['json', 'text', 'text'],
  ['json', false, false],
  ['json', '\\u0000', '\\u0000'],
  ['file', '', null],
  ['file', '1,2', '1,2'],
  ['file', ' 2 , 1 ', '2,1'],
];

const refused: [ColumnType, unknown][] = [
  ['number', 'large'],
  ['number', ''],
  ['number', '0x10'],
  ['number', '1,5'],
  ['number', 'NaN'],
  ['number', 'Infinity'],
  ['number', Number.NaN],
  ['number', Number.POSITIVE_INFINITY],
  ['number', 2 ** 53],
  ['number', '9007199254740993'],
  ['number', -(2 ** 60)],
  ['number', true],
  ['number', []],
  ['number', {}],
  ['number', '٣'],
  ['string', 5],
  ['string', 'x'.repeat(4001)],
  ['string', '🗺'.repeat(4001)],
  ['string', 'a\0b'],
  ['string', '\ud800'],
  ['text', 'a\0b'],
  ['text', ['a']],
  ['datetime', '2024-02-31'],
  ['datetime', '2023-02-29'],
  ['datetime', '1900-02-29'],
  ['datetime', '2024-13-01'],
  ['datetime', '2024-05-01T24:00'],
  ['datetime', '2024-05-01T12:60'],
  ['datetime', '2024-05-01T12:00+25:00'],
  ['datetime', '0000-01-01'],
  ['datetime', '0001-01-01T00:00+01:00'],
  ['datetime', '9999-12-31T23:59-01:00'],
  ['datetime', 'yesterday'],
  ['datetime', 'infinity'],
  ['datetime', 'now'],
  ['datetime', '2024'],
  ['datetime', ''],
  ['datetime', 8.64e15],
  ['datetime', Number.NaN],
  ['datetime', true],
  ['bool', 'yes'],
  ['bool', 2],
  ['bool', ''],
  ['bool', {}],
  ['json', 'a\0b'],
  ['json', { 'a\0': 1 }],
  ['json', { a: ['\udc00'] }],
  ['json', () => 1],
  ['file', 1],
  ['file', '1,,2'],
  ['file', '1,1'],
  ['file', '1;2'],
  ['file', '-1'],
  ['file', '99999999999'],
  ['file', [1]],
  ['title', 'x'],
  ['geom', { type: 'Point', coordinates: [0, 0] }],
];

const shown = (value: unknown): string => String(JSON.stringify(value) ?? value).slice(0, 40);

for (const [type, value, kept] of accepted) {
  test(`${type} takes ${shown(value)}`, () => assert.deepEqual(acceptScalar(type, value), kept));
}
for (const [type, value] of refused) {
  test(`${type} refuses ${shown(value)}`, () => {
    assert.throws(
      () => acceptValue(column(type), value),
      (error: ServiceError) =>
        error instanceof ServiceError &&
        error.code === 'value_invalid' &&
        error.status === 500 &&
        (error.data.columns as string[])[0] === 'c',
    );
  });
}

test('deep JSON is refused without recursion', () => {
  const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
  assert.doesNotThrow(() => acceptScalar('json', nested(190)));
  assert.throws(() => acceptScalar('json', nested(250)), ServiceError);
  assert.throws(() => acceptScalar('json', nested(1_000_000)), ServiceError);
});

test('a number beyond the range is refused in JSON, which would write it as null', () => {
  for (const text of ['1e400', '[-1e400]', '{"a":[{"b":1e400}]}'])
    assert.throws(() => acceptScalar('json', JSON.parse(text)), ServiceError, text);
  assert.equal(acceptValue(column('json'), JSON.parse('[1e308,-1e308]')), '[1e+308,-1e+308]');
});

test('long values take time in proportion', () => {
  const blanks = '\t'.repeat(400_000);
  const values: [ColumnType, string][] = [
    ['datetime', `9999-12-31${':'.repeat(400_000)}`],
    ['datetime', `2024-05-01${blanks}x`],
    ['number', `1${blanks}x`],
    ['bool', `true${blanks}x`],
    ['file', `7${blanks}x`],
  ];
  for (const [type, value] of values) assert.throws(() => acceptScalar(type, value), ServiceError);
  assert.equal(acceptScalar('file', `7,${blanks}8${blanks}`), '7,8');
});

test('JSON is bound as text', () => assert.equal(acceptValue(column('json'), { a: 1 }), '{"a":1}'));

const written = (language: string) => ({ language, languages: ['en', 'ru', 'pt-BR'] });

test('a localized column takes the value of the language, or an object language → value', () => {
  const localized = column('number', { localized_value: true });
  assert.equal(acceptColumn(localized, '5', written('en')), '{"en":5}');
  assert.equal(acceptColumn(localized, { en: 5, 'pt-BR': null }, written('ru')), '{"en":5,"pt-BR":null}');
  assert.equal(acceptColumn(localized, null, written('ru')), '{"ru":null}');
  assert.throws(() => acceptColumn(localized, { 'en-bad-bad': 5 }, written('en')), ServiceError);
  const inCapitals = acceptColumn(localized, { EN: 5, 'PT-br': 6, FR: 7 }, written('ru'));
  assert.equal(inCapitals, '{"en":5,"pt-BR":6,"FR":7}');
  assert.throws(() => acceptColumn(localized, { en: 'x' }, written('en')), ServiceError);
  assert.throws(() => acceptColumn(localized, { __proto_: 1 }, written('en')), ServiceError);
  assert.throws(() => acceptColumn(localized, [5], written('en')), ServiceError);
  const json = column('json', { localized_value: true });
  assert.equal(acceptColumn(json, { en: 1 }, written('ru')), '{"ru":{"en":1}}');
});

test('a value is read in the requested language, the main one, then any', () => {
  const localized = column('number', { localized_value: true });
  const read = statement(valueSql(localized, { alias: sql`t`, lng: 'ru', main: 'en' }));
  assert.equal(
    read.text,
    `coalesce(t."c7" ->> $1::text, t."c7" ->> $2::text, jsonb_path_query_first(t."c7", '$.*') #>> '{}')::double precision`,
  );
  assert.deepEqual(read.values, ['ru', 'en']);
  assert.equal(statement(valueSql(column('string'), { alias: sql`t`, main: 'en' })).text, 't."c7"');
  assert.equal(statement(sqlType(localized)).text, 'jsonb');
  assert.equal(statement(sqlType(column('datetime'))).text, 'timestamptz');
});

const number = { decimals: 2, thousands: ' ', decimal: ',', prefix: '≈ ', suffix: ' km²' };
const at = '2024-05-01T21:05:09.250Z';

/** Type, format, value, language, display value. */
const displays: [ColumnType, Record<string, unknown> | null, unknown, string, unknown][] = [
  ['number', number, 1234567.895, 'en', '≈ 1 234 567,90 km²'],
  ['number', number, -0.004, 'en', '≈ 0,00 km²'],
  ['number', { decimals: 0 }, 2024.5, 'en', '2025'],
  ['number', { decimals: 2 }, 1.005, 'en', '1.01'],
  ['number', {}, 1234.5, 'ru', '1234,5'],
  ['number', { thousands: ',' }, 1234567, 'ar-EG', '1,234,567'],
  ['number', { decimals: 99, thousands: 5 }, 12.5, 'en', '12.5'],
  ['number', null, 12.5, 'en', 12.5],
  ['number', number, null, 'en', null],
  ['datetime', { pattern: 'yyyy-MM-dd HH:mm:ss' }, at, 'en', '2024-05-01 21:05:09'],
  ['datetime', { pattern: "d MMMM yyyy 'г.'", zone: 'Europe/Moscow' }, at, 'ru', '2 мая 2024 г.'],
  ['datetime', { pattern: 'LLLL yy', zone: 'Europe/Moscow' }, at, 'ru', 'май 24'],
  ['datetime', { pattern: 'EEEE, MMM d, h:mm a' }, at, 'en', 'Wednesday, May 1, 9:05 PM'],
  ['datetime', { pattern: 'HH:mm:ss.SSS XXX', zone: 'Asia/Kolkata' }, at, 'en', '02:35:09.250 +05:30'],
  ['datetime', { pattern: 'HH XXX Z x', zone: 'UTC' }, at, 'en', '21 Z +0000 +00'],
  ['datetime', { pattern: "h 'o''clock' ''", zone: 'nowhere' }, at, 'en', "9 o'clock '"],
  ['datetime', { zone: 'Asia/Tokyo' }, at, 'en', '2024-05-02 06:05:09'],
  ['datetime', { pattern: 'yyyy' }, '0001-01-01T00:00:00.000Z', 'en', '0001'],
  ['bool', { true: 'yes', false: 'no' }, true, 'en', 'yes'],
  ['bool', { true: 'yes' }, false, 'en', false],
  ['string', { template: '<{value}> {value}' }, '$&', 'en', '<$&> $&'],
  ['text', { template: 5 }, 'x', 'en', 'x'],
  ['json', { template: '{value}' }, '{}', 'en', '{}'],
];

for (const [type, format, value, lng, expected] of displays) {
  test(`${type} ${JSON.stringify(format)} shows ${shown(value)} in ${lng} as ${shown(expected)}`, () => {
    assert.equal(displayValue(column(type, { format }), value, lng), expected);
  });
}

test('a format is checked', () => {
  assert.equal(checkFormat('number', null), null);
  assert.deepEqual(checkFormat('number', number), number);
  for (const [type, format] of [
    ['number', 'x'],
    ['number', []],
    ['number', { decimals: -1 }],
    ['number', { decimals: 21 }],
    ['number', { suffix: 5 }],
    ['datetime', { zone: 'nowhere' }],
    ['datetime', { pattern: {} }],
    ['bool', { true: 1 }],
    ['string', { template: 'x'.repeat(201) }],
  ] as const) {
    assert.throws(() => checkFormat(type, format), ServiceError, JSON.stringify(format));
  }
});
