import type { Random } from '../random.js';

export const texts: readonly string[] = [
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

export const numbers: readonly number[] = [
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

export const point = (...coordinates: unknown[]) => ({ type: 'Point', coordinates });
export const geometries: readonly unknown[] = [
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

export const operators = [
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

export function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { op: 'not', args: [value] };
  return value;
}

export const bytes = (random: Random, length: number): string =>
  Array.from({ length }, () => String.fromCharCode(random.below(random.chance(0.5) ? 128 : 65_536))).join('');

export const text = (random: Random): string =>
  random.chance(0.1) ? bytes(random, 1 + random.below(30)) : random.pick(texts);

/** A random JSON value. */
export function anything(random: Random): unknown {
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

/** Invalid percent-encodings, invalid UTF-8 (overlong, surrogates, beyond Unicode), line ends, double encodings. */
export const brokenEncodings: readonly string[] = [
  ...['%', '%zz', '%u0041', '%ff%fe', '%00', 'a%00b', '%ED%A0%80', '%c0%af', '%C0%80', '%F0%80%80%80'],
  ...['%F4%90%80%80', '%EF%BF%BF', '%0d%0aX-Evil:%201', '%25%30%30', '..%2f..%2f', '%2e%2e', '%E2%80%AE'],
];

/** A hostile text, percent-encoded or with a broken encoding. */
export const inAddress = (random: Random): string =>
  random.chance(0.15) ? random.pick(brokenEncodings) : encode(text(random));

/** Percent-encodes a text. Lone surrogates, which UTF-8 excludes, are encoded as bytes. */
export const encode = (value: string): string =>
  [...value]
    .map((letter) => (/^[\ud800-\udfff]$/.test(letter) ? '%ED%A0%80' : encodeURIComponent(letter)))
    .join('');
