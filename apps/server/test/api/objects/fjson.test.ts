import assert from 'node:assert/strict';
import test from 'node:test';
import { displayValue } from '@cartulary/columns';
import { freshCode, startServer, type TestServer } from '../../support/server.js';
import { outcome } from '../access/people.js';

let server: TestServer;
test.before(async () => {
  server = await startServer();
  await server.admin('POST', '/', { code: 'm' });
});
test.after(() => server.stop());

const columns = [
  {
    code: 'n',
    type: 'number',
    format: { decimals: 2, thousands: '.', decimal: ',', prefix: '€ ', suffix: ' !' },
  },
  { code: 'd', type: 'datetime', format: { pattern: 'EEEE d MMMM yyyy HH:mm XXX', zone: 'Europe/Berlin' } },
  { code: 'b', type: 'bool', format: { true: 'yes', false: 'no' } },
  { code: 's', type: 'string', format: { template: '<{value}|{value}>' } },
  { code: 't', type: 'text', format: { template: 'x {value}' } },
  { code: 'plain', type: 'number' },
  { code: 'j', type: 'json', format: { template: '{value}' } },
];
const fields = { n: 1234.5, d: '2024-03-31T01:30:00Z', b: false, s: '$&', t: '{value}', plain: 1.5, j: [1] };
const shown = {
  n: '€ 1.234,50 !',
  d: 'Sunday 31 March 2024 03:30 +02:00',
  b: 'no',
  s: '<$&|$&>',
  t: 'x {value}',
  plain: 1.5,
  j: [1],
};

async function newLayer(): Promise<string> {
  const code = freshCode('l');
  await server.admin('POST', '/m/layers/', { code });
  for (const column of columns) await server.admin('POST', `/m/layers/${code}/structure/`, column);
  return `/m/layers/${code}`;
}

test('every function that returns values shows them by their format with f=fjson', async () => {
  const layer = await newLayer();
  const other = await newLayer();
  const query = '?f=fjson&lng=en';
  const created = await server.admin('POST', `${layer}/objects/${query}`, { fields });
  const at = `${layer}/objects/${created.id}/`;
  const [, , , code] = other.split('/');
  const copy = { map_code: 'm', layer_code: code };
  const answers: Record<string, unknown> = {
    created: created.fields,
    single: (await server.admin('GET', `${at}${query}`)).fields,
    list: (await server.admin('GET', `${layer}/objects/${query}&fields=*`))[0].fields,
    filter: (await server.admin('POST', `${layer}/filter/${query}`, { fields: '*' }))[0].fields,
    'filter, all in the body': (
      await server.admin('POST', `${layer}/filter/`, { fields: ['*'], f: 'fjson', lng: 'en' })
    )[0].fields,
    updated: (await server.admin('PUT', `${at}${query}`, { fields: { plain: 1.5 } })).fields,
  };
  const copied = await server.admin('POST', `${at}copy/${query}`, copy).catch((error: Error) => error);
  assert.ok(!(copied instanceof Error), String(copied));
  for (const [name, answer] of Object.entries(answers)) assert.deepEqual(answer, shown, name);
  const stored = await server.admin('GET', `${at}?lng=en`);
  assert.deepEqual(stored.fields, { ...fields, d: '2024-03-31T01:30:00.000Z' }, 'what is kept is as it was');
  const russian = await server.admin('GET', `${at}?f=fjson&lng=ru`);
  assert.equal(russian.fields.d, 'воскресенье 31 марта 2024 03:30 +02:00');
});

test('a list and single objects have the same bytes, with shown values, geometries and extents or without', async () => {
  const layer = await newLayer();
  const geom = { type: 'Point', coordinates: [10.25, -0.00001] };
  await server.admin('POST', `${layer}/objects/`, { fields: { ...fields, s: '\u0001"\\ü😀' }, geom });
  await server.admin('POST', `${layer}/objects/`, { fields: {} });
  await server.admin('POST', `${layer}/objects/`, { fields: { plain: 0.00001, n: 1e15 } });
  const textOf = async (path: string): Promise<string> => {
    const answer = await server.request('GET', path, { token: server.adminToken });
    assert.equal(answer.status, 200, path);
    return answer.text;
  };
  for (const f of ['json', 'fjson'])
    for (const more of [
      '',
      '&returnGeom=1',
      '&returnBbox=1',
      '&returnGeom=1&returnBbox=1&geomSR=3857&bboxSR=3857',
    ]) {
      const query = `?f=${f}&lng=en${more}`;
      const list = await textOf(`${layer}/objects/${query}&fields=*`);
      const single = await Promise.all([1, 2, 3].map((id) => textOf(`${layer}/objects/${id}/${query}`)));
      assert.equal(list, `[${single.join(',')}]`, query);
    }
});

test('a format that is wrong is refused when a column is made and when it is changed', async () => {
  const layer = await newLayer();
  const path = `${layer}/structure/`;
  const wrong: [type: string, format: unknown][] = [
    ['number', { decimals: -1 }],
    ['number', { decimals: 1.5 }],
    ['number', { decimals: '2' }],
    ['number', { decimals: 21 }],
    ['number', { thousands: 1 }],
    ['number', { prefix: 'x'.repeat(201) }],
    ['datetime', { zone: 'Mars/Olympus' }],
    ['datetime', { zone: 3 }],
    ['datetime', { pattern: {} }],
    ['bool', { true: true }],
    ['string', { template: ['{value}'] }],
    ['text', { template: 0 }],
    ['number', 'x'],
    ['number', []],
    ['number', 5],
  ];
  const code = { number: 'n', datetime: 'd', bool: 'b', string: 's', text: 't' } as Record<string, string>;
  for (const [type, format] of wrong) {
    const as = { token: server.adminToken, body: { code: freshCode(), type, format } };
    assert.deepEqual(await outcome(server, 'POST', path, as), [400, 'bad_request'], JSON.stringify(format));
    const change = { token: server.adminToken, body: { type, format } };
    const at = `${path}${code[type]}/`;
    assert.deepEqual(await outcome(server, 'PUT', at, change), [400, 'bad_request'], JSON.stringify(format));
  }
  const before = columns.map(({ code: name }) => name);
  const after = await server.admin('GET', path);
  assert.deepEqual(
    after.slice(2).map(({ code: name }: { code: string }) => name),
    before,
    'nothing was made',
  );
});

const display = (type: 'number' | 'datetime', value: unknown, format: object, lng = 'en'): unknown =>
  displayValue({ type, format: format as Record<string, unknown> }, value, lng);

test('numbers: large, small, negative zero, rounding', () => {
  const cases: [value: number, format: object, shown: string][] = [
    [9_007_199_254_740_991, { thousands: ' ' }, '9 007 199 254 740 991'],
    [-1_234_567.891, { decimals: 2, thousands: "'", decimal: ',' }, "-1'234'567,89"],
    [1e-7, {}, '0.0000001'],
    [5e-324, { decimals: 3 }, '0.000'],
    [-0, {}, '0'],
    [-0.004, { decimals: 2 }, '0.00'],
    [-0.4, { decimals: 0, suffix: ' m' }, '0 m'],
    [0.5, { decimals: 0 }, '1'],
    [1.005, { decimals: 2 }, '1.01'],
    [2.5, { decimals: 0 }, '3'],
    [-2.5, { decimals: 0 }, '-3'],
    [999.999, { decimals: 2, thousands: ',' }, '1,000.00'],
    [1.1, { decimals: 20 }, '1.10000000000000000000'],
    [1000, {}, '1000'],
  ];
  for (const [value, format, expected] of cases)
    assert.equal(display('number', value, format), expected, `${value} ${JSON.stringify(format)}`);
  for (const lng of ['de', 'ru', 'ar', 'fa', 'hi', 'pl', 'pt', 'es'])
    assert.equal(
      String(display('number', 1234.5, { thousands: ' ', decimal: ',' }, lng)).replace('\u200e', ''),
      '1 234,5',
      lng,
    );
});

test('months and weekdays have the names of the language', () => {
  const languages = [
    'en',
    'ru',
    'de',
    'fr',
    'es',
    'it',
    'pl',
    'tr',
    'ar',
    'he',
    'zh',
    'ja',
    'ko',
    'el',
    'uk',
    'kk',
  ];
  for (const lng of languages) {
    const options = { timeZone: 'UTC', calendar: 'gregory', numberingSystem: 'latn' } as const;
    const alone = new Intl.DateTimeFormat(lng, { ...options, month: 'long' });
    const beside = new Intl.DateTimeFormat(lng, { ...options, month: 'long', day: 'numeric' });
    const weekday = new Intl.DateTimeFormat(lng, { ...options, weekday: 'long' });
    const part = (format: Intl.DateTimeFormat, date: Date, type: string): string | undefined =>
      format.formatToParts(date).find((one) => one.type === type)?.value;
    for (let i = 0; i < 12; i++) {
      const date = new Date(Date.UTC(2024, i, 10 + i));
      const expected = [
        part(alone, date, 'month'),
        part(beside, date, 'month'),
        part(weekday, date, 'weekday'),
      ];
      const pattern = { pattern: "LLLL'|'MMMM'|'EEEE" };
      assert.equal(display('datetime', date.toISOString(), pattern, lng), expected.join('|'), `${lng} ${i}`);
    }
  }
  const may = '2024-05-01T00:00:00Z';
  assert.equal(display('datetime', may, { pattern: 'LLLL, d MMMM' }, 'ru'), 'май, 1 мая');
  assert.equal(display('datetime', may, { pattern: 'EEE d MMM' }, 'en'), 'Wed 1 May');
});

test('times are those of the zone, over the changes of its clock', () => {
  const pattern = 'yyyy-MM-dd HH:mm:ss XXX';
  const cases: [iso: string, zone: string, shown: string][] = [
    ['2024-03-31T00:59:59Z', 'Europe/Berlin', '2024-03-31 01:59:59 +01:00'],
    ['2024-03-31T01:00:00Z', 'Europe/Berlin', '2024-03-31 03:00:00 +02:00'],
    ['2024-10-27T00:30:00Z', 'Europe/Berlin', '2024-10-27 02:30:00 +02:00'],
    ['2024-10-27T01:30:00Z', 'Europe/Berlin', '2024-10-27 02:30:00 +01:00'],
    ['2024-11-03T05:30:00Z', 'America/New_York', '2024-11-03 01:30:00 -04:00'],
    ['2024-11-03T06:30:00Z', 'America/New_York', '2024-11-03 01:30:00 -05:00'],
    ['2024-01-01T00:00:00Z', 'Asia/Kathmandu', '2024-01-01 05:45:00 +05:45'],
    ['2024-01-01T00:00:00Z', 'America/St_Johns', '2023-12-31 20:30:00 -03:30'],
    ['2024-01-01T11:00:00Z', 'Pacific/Kiritimati', '2024-01-02 01:00:00 +14:00'],
    ['2011-06-01T00:00:00Z', 'Europe/Moscow', '2011-06-01 04:00:00 +04:00'],
    ['2024-06-01T00:00:00Z', 'Europe/Moscow', '2024-06-01 03:00:00 +03:00'],
    ['2024-02-29T23:59:59Z', 'UTC', '2024-02-29 23:59:59 Z'],
    ['1189-05-07T00:00:00Z', 'UTC', '1189-05-07 00:00:00 Z'],
    ['1582-10-14T00:00:00Z', 'UTC', '1582-10-14 00:00:00 Z'],
    ['0001-01-01T00:00:00Z', 'UTC', '0001-01-01 00:00:00 Z'],
    ['0001-01-01T00:00:00Z', 'Etc/GMT+5', '0000-12-31 19:00:00 -05:00'],
    ['9999-12-31T23:59:59Z', 'UTC', '9999-12-31 23:59:59 Z'],
  ];
  for (const [iso, zone, expected] of cases)
    assert.equal(display('datetime', iso, { pattern, zone }), expected, `${iso} ${zone}`);
  assert.equal(display('datetime', '2024-01-01T12:05:00Z', { pattern: 'h:mm a' }), '12:05 PM');
  assert.equal(display('datetime', '2024-01-01T00:05:00Z', { pattern: 'h:mm a' }), '12:05 AM');
  assert.equal(
    display('datetime', '2024-01-01T00:00:00.075Z', { pattern: "S SS SSS SSSS 'o''clock' ''" }),
    "0 07 075 0750 o'clock '",
  );
});
