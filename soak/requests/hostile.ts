import type { Random } from '../random.js';
import { type Draft, files } from './valid.js';

const texts: readonly string[] = [
  "'; drop table project; --",
  '" or 1=1 --',
  '$1',
  '%s%n',
  '<script>alert(1)</script>',
  '../../../../etc/passwd',
  'file:///etc/passwd',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff\ud800',
  '\u202e\u200b',
  '\uffff',
  'e\u0301\u0327',
  '🗺️',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'then',
  '',
  ' ',
  '*',
  '.',
  '..',
  'svc_id',
  'geom',
  'id',
  'xmin',
  'ctid',
  'tableoid',
  'c1',
  'name,name',
  'name|name,d|pop,a',
  'name,x',
  '1-9007199254740993',
  '9-1',
  '1;2;x',
  '1,,2',
  'NaN',
  'Infinity',
  '-Infinity',
  '1e400',
  '1e308',
  '-1e308',
  '-1',
  '-0',
  '0x10',
  '2147483648',
  '9223372036854775808',
  '48.8,2.2,48.9,2.4',
  'NaN,NaN,NaN,NaN',
  '1e308,1e308,-1e308,-1e308',
  '90,180,-90,-180',
  'BOX(1 1,1 1)',
  'BOX(NaN NaN,1e400 0)',
  '+proj=merc +nadgrids=/etc/passwd',
  '+proj=pipeline +step +proj=noop',
  'PROJCS["x",GEOGCS["y"',
  'EPSG:0',
  '999999',
  '4326',
  '{}',
  '[]',
  'null',
  'true',
  '{"op":"not","args":[]}',
  '#places { marker-file: url(/etc/passwd); }',
  '#places { marker-width: [pop] * 1e308; }',
  '#places { [name =~ "(a+)+$"] { marker-width: 1; } }',
  '#places::a { line-dasharray: 0,0; text-name: [name]; text-face-name: "x"; }',
  '#places { ',
  'select pg_sleep(10)',
  'select 1 as svc_id',
  'select svc_id, geom from soak0.towns union all select svc_id, geom from soak0.towns',
  '2024-13-45',
  '0001-01-01T00:00:00Z BC',
  '294277-01-01',
  '2024-02-30T25:61:61+99:99',
  'utf-7',
  'ibm037',
  'zz-ZZ',
  'en-US-US',
  'async',
  'x'.repeat(5_000),
  'я'.repeat(3_000),
  '('.repeat(4_000),
  '1'.repeat(2_000),
];

const numbers: readonly number[] = [
  0,
  -0,
  1,
  -1,
  0.5,
  -0.5,
  1e308,
  -1e308,
  5e-324,
  1e21,
  2 ** 15,
  2 ** 31,
  2 ** 31 - 1,
  -(2 ** 31) - 1,
  2 ** 32,
  2 ** 53,
  2 ** 53 + 2,
  2 ** 63,
  -(2 ** 63),
];

const point = (...coordinates: unknown[]) => ({ type: 'Point', coordinates });
const geometries: readonly unknown[] = [
  point(),
  point(1e308, -1e308),
  point('1', '2'),
  point(0, 0, 0, 0, 0),
  point(null, null),
  point(181, 91),
  { ...point(2.3, 48.8), crs: { type: 'name', properties: { name: "';--" } } },
  { type: 'LineString', coordinates: [[0, 0]] },
  { type: 'LineString', coordinates: [[0, 0], [0, 0]] }, // biome-ignore format: one line
  { type: 'Polygon', coordinates: [[[0, 0]]] },
  { type: 'Polygon', coordinates: [[[0, 0], [1, 1], [0, 1], [1, 0], [0, 0]]] }, // biome-ignore format: one line
  { type: 'Polygon', coordinates: [[[0, 0], [0, 0], [0, 0], [0, 0]]] }, // biome-ignore format: one line
  { type: 'MultiPolygon', coordinates: [] },
  { type: 'GeometryCollection', geometries: [{ type: 'GeometryCollection', geometries: [] }] },
  { type: 'CircularString', coordinates: [[0, 0], [1, 1], [2, 0]] }, // biome-ignore format: one line
  { type: '__proto__' },
];

const operators = [
  '=',
  '<>',
  '<',
  'in',
  'between',
  'like',
  'isNull',
  'and',
  'or',
  'not',
  's_intersects',
  's_dwithin',
  'casei',
  '+',
  'evil',
];

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { op: 'not', args: [value] };
  return value;
}

const bytes = (random: Random, length: number): string =>
  Array.from({ length }, () => String.fromCharCode(random.below(random.chance(0.5) ? 128 : 65_536))).join('');

const text = (random: Random): string =>
  random.chance(0.1) ? bytes(random, 1 + random.below(30)) : random.pick(texts);

/** Any value that JSON has. */
function anything(random: Random): unknown {
  const choice = random.below(12);
  if (choice < 4) return text(random);
  if (choice < 6) return random.pick(numbers);
  if (choice === 6) return random.pick([null, true, false]);
  if (choice === 7) return random.pick(geometries);
  if (choice === 8) return [text(random), random.pick(numbers)];
  if (choice === 9)
    return JSON.parse(`{${JSON.stringify(text(random))}:${JSON.stringify(random.pick(numbers))}}`);
  if (choice === 10) return nested(1 + random.below(300));
  return {
    op: random.pick(operators),
    args: [{ property: text(random) }, random.pick([...numbers, ...texts])],
  };
}

type Change = (draft: Draft, random: Random) => void;

/** Percent-encoded as the rest of the address, or broken on purpose. */
const inAddress = (random: Random): string =>
  random.chance(0.15)
    ? random.pick(['%', '%zz', '%ff%fe', '%00', '%ED%A0%80', '%c0%af', '%25%30%30'])
    : encode(text(random));

/** Lone surrogates, which have no UTF-8, become their bytes. */
export const encode = (value: string): string =>
  [...value]
    .map((letter) => (/^[\ud800-\udfff]$/.test(letter) ? '%ED%A0%80' : encodeURIComponent(letter)))
    .join('');

const changes: readonly Change[] = [
  function pathValue(draft, random) {
    const names = Object.keys(draft.values);
    if (names.length) draft.values[random.pick(names)] = `%RAW%${inAddress(random)}`;
  },
  function queryValue(draft, random) {
    const names = Object.keys(draft.query);
    if (names.length) draft.query[random.pick(names)] = `%RAW%${inAddress(random)}`;
  },
  function moreQuery(draft, random) {
    const names = [
      'limit',
      'offset',
      'fields',
      'sort',
      'fbbox',
      'fcode',
      'fval',
      'cursor',
      'geomZoom',
      'lng',
      'f',
      'srs',
      'layers',
      'token',
    ];
    const more = [
      'filter',
      'raster_bbox',
      'encoding',
      'delimiter',
      'x',
      'wkt',
      'sheet',
      'async',
      'zip',
      '__proto__',
      'a[b]',
      'dry_run',
      'header',
      'decimal',
      'y',
      'geometry',
      'skip_errors',
      'action',
      'localized',
    ];
    draft.query[random.pick([...names, ...more, text(random).slice(0, 50)])] = `%RAW%${inAddress(random)}`;
  },
  function bodyValue(draft, random) {
    if (isJson(draft.body)) draft.body = changed(draft.body, random);
  },
  function bodyValues(draft, random) {
    for (let times = 1 + random.below(4); times > 0; times--)
      if (isJson(draft.body)) draft.body = changed(draft.body, random);
  },
  function otherBody(draft, random) {
    if (draft.method !== 'GET') draft.body = anything(random) ?? 'null';
  },
  function brokenBody(draft, random) {
    if (draft.body === undefined) return;
    const whole = isJson(draft.body)
      ? Buffer.from(JSON.stringify(draft.body))
      : Buffer.from(draft.body as Uint8Array);
    if (isJson(draft.body)) draft.headers['content-type'] ??= 'application/json';
    const broken = random.pick([
      () => whole.subarray(0, random.below(whole.length)),
      () => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(whole.toString('latin1'), 'utf16le')]),
      () => Buffer.concat([Buffer.from('\ufeff'), whole]),
      () => Buffer.concat([whole, whole]),
      () => flipped(whole, random),
      () => Buffer.from('[['.repeat(2_000)),
      () => Buffer.from('{"a":'.repeat(20_000)),
    ]);
    draft.body = broken();
  },
  function brokenFile(draft, random) {
    if (!/Import$|Files$|Icons?$/.test(draft.operationId) || draft.method === 'GET') return;
    const { name, bytes: content } = random.pick(files);
    draft.body = random.chance(0.3)
      ? content.subarray(0, random.below(content.length))
      : flipped(content, random);
    draft.headers = { 'x-filename': headerText(random.chance(0.8) ? name : text(random)) };
  },
  function contentType(draft, random) {
    draft.headers['content-type'] = random.pick([
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/form-data; boundary=----soak-7f3a; boundary=b',
      'application/json; charset=utf-16',
      'application/json;',
      'image/png',
      'application/__proto__',
      'x',
    ]);
  },
  function header(draft, random) {
    const value = random.pick([
      '*',
      'W/"x"',
      '"',
      'bytes=0-',
      'bytes=9-1,2-,-0',
      'gzip',
      'x'.repeat(3_000),
      'Sun, 06 Nov 1994',
      '__proto__',
      '-1',
      'a;q=9',
    ]);
    const names = [
      'if-none-match',
      'if-match',
      'range',
      'if-range',
      'accept',
      'accept-language',
      'accept-encoding',
      'content-encoding',
    ];
    const more = [
      'if-modified-since',
      'x-filename',
      'cookie',
      'origin',
      'x-forwarded-for',
      'x-http-method-override',
      'last-event-id',
      'authorization',
    ];
    draft.headers[random.pick([...names, ...more])] = value;
  },
  function method(draft, random) {
    draft.method = random.pick(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']);
  },
  function cutOff(draft) {
    draft.isCutOff = true;
  },
  function caller(draft, random) {
    draft.withToken = false;
    if (random.chance(0.5))
      draft.headers.authorization = random.pick([
        'Bearer x',
        'Bearer ',
        'Basic eDp5',
        `Bearer ${'x'.repeat(3_000)}`,
      ]);
  },
];

const isJson = (body: unknown): boolean =>
  body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array);

const headerText = (value: string): string => value.replace(/[^\x20-\x7e]/g, '_').slice(0, 2_000);

function flipped(content: Buffer, random: Random): Buffer {
  const copy = Buffer.from(content);
  for (let times = 1 + random.below(20); times > 0; times--)
    copy[random.below(copy.length)] = random.below(256);
  return copy;
}

/** A copy with one value, somewhere in it, changed, removed or added. */
function changed(value: unknown, random: Random): unknown {
  if (value === null || typeof value !== 'object' || random.chance(0.1)) return anything(random);
  const copy: any = Array.isArray(value) ? [...value] : { ...value };
  const keys = Object.keys(copy);
  if (!keys.length || random.chance(0.1)) {
    // An own key `__proto__`, as a parser of JSON makes it.
    const key = text(random);
    Object.defineProperty(copy, Array.isArray(copy) ? copy.length : key, {
      value: anything(random),
      enumerable: true,
      configurable: true,
      writable: true,
    });
    return copy;
  }
  const key = random.pick(keys);
  if (random.chance(0.1)) delete copy[key];
  else copy[key] = changed(copy[key], random);
  return copy;
}

/** Values are changed more often: they reach deeper than what is refused before the body is read. */
const weighted = changes.flatMap((change) =>
  /Values?$|moreQuery|File/.test(change.name) ? [change, change, change] : [change],
);

/** Makes a valid request hostile in one to three ways. */
export function makeHostile(draft: Draft, random: Random): void {
  for (let times = random.pick([1, 1, 1, 2, 3]); times > 0; times--) random.pick(weighted)(draft, random);
}
