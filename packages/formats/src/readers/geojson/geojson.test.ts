import assert from 'node:assert/strict';
import test from 'node:test';
import { ServiceError } from '@cartulary/errors/internal/errors.js';
import type { RawFeature } from '../../raw-feature.js';
import { createFeatureReader, type ReaderOptions } from './geojson.js';

const point = (x: number, y: number): string => `{"type":"Point","coordinates":[${x},${y}]}`;
const feature = (properties: string, geometry = point(1, 2)): string =>
  `{"type":"Feature","properties":${properties},"geometry":${geometry}}`;
const collection = (...features: string[]): string =>
  `{"type":"FeatureCollection","features":[${features.join(',')}]}`;

interface Read {
  features: RawFeature[];
  srs: string;
}

function read(file: string | Buffer, chunk = 1 << 20, options: Partial<ReaderOptions> = {}): Read {
  const bytes = Buffer.from(file as string);
  const reader = createFeatureReader({ featureLimit: 10_000, srs: undefined, ...options });
  const features: RawFeature[] = [];
  const take = (more: RawFeature[]): void => {
    for (const one of more) if (one.error) throw one.error;
    features.push(...more);
  };
  for (let i = 0; i < bytes.length; i += chunk) take(reader.push(bytes.subarray(i, i + chunk)));
  take(reader.end());
  return { features, srs: reader.srs() };
}

test('the features of a file do not depend on the chunks', () => {
  const files = [
    collection(
      feature('{"a":1,"б":"\\"}]{\\\\"}'),
      feature('{"b":{"c":[{"d":":"}],"e":[1,{"f":[{}]}]}}'),
      feature('null'),
    ),
    `{"features":[${feature('{"a":"ё😀"}')}],"name":"x","bbox":[1,2,3,4],"type":"FeatureCollection","n":1e3}`,
    `\ufeff \n${collection()}\n\n`,
    `${feature('{"a":1}')}\n${feature('{"a":2}')}\r\n`,
    `\u001e${feature('{"a":1}')}\n\u001e${feature('{"a":2}')}\n`,
    point(3, 4),
    `{"type":"GeometryCollection","geometries":[${point(3, 4)}]}`,
    `{"type":"Feature","id":7,"features":[1],"properties":{},"geometry":null}`,
    ` { "type" : "FeatureCollection" , "features" : [ ${feature('{}')} , ${feature('{}')} ] } `,
  ];
  for (const file of files) {
    const whole = read(file);
    for (const chunk of [1, 2, 7, 64]) assert.deepEqual(read(file, chunk), whole, `${chunk}: ${file}`);
  }
  const [first, second, third] = read(files[0]!).features;
  assert.deepEqual(first, {
    number: 1,
    id: undefined,
    geometry: { type: 'Point', coordinates: [1, 2] },
    properties: { a: 1, б: '"}]{\\' },
  });
  assert.deepEqual(second?.properties, { b: { c: [{ d: ':' }], e: [1, { f: [{}] }] } });
  assert.deepEqual(third?.properties, {});
  assert.equal(read(files[1]!).features[0]?.properties.a, 'ё😀');
  assert.deepEqual(
    files.map((file) => read(file).features.length),
    [3, 1, 0, 2, 2, 1, 1, 1, 2],
  );
  assert.equal(read(files[7]!).features[0]?.id, 7);
});

test('integers beyond 2^53 keep their digits', () => {
  const values =
    '{"a":12345678901234567890,"b":"1234567890123456789 \\" 1234567890123456789","c":0.12345678901234567890,"d":9007199254740991,"e":1e300}';
  const { properties } = read(collection(feature(values))).features[0]!;
  assert.deepEqual(properties, {
    a: '12345678901234567890',
    b: '1234567890123456789 " 1234567890123456789',
    c: 0.12345678901234568,
    d: 9007199254740991,
    e: 1e300,
  });
});

test('of values under the same key the last one is kept, which is remarked', () => {
  const remarks: string[] = [];
  const twice = ['{"a":1,"a":2}', '{"a":1}', '{"a":{"__proto__":1,"__proto__":2}}'].map((values) =>
    feature(values),
  );
  const remark = (what: string, becomes: string, number?: number): void => {
    remarks.push(`${number}: ${what}, ${becomes}`);
  };
  const { features } = read(collection(...twice), 7, { remark });
  assert.deepEqual(
    features.map(({ properties }) => JSON.stringify(properties)),
    ['{"a":2}', '{"a":1}', '{"a":{"__proto__":2}}'],
  );
  const kept = 'value under a name that another has, the last one is kept';
  assert.deepEqual(remarks, [`1: ${kept}`, `3: ${kept}`]);
});

test('numbers without a value are null, as Python writes them', () => {
  const { properties } = read(
    collection(feature('{"a":NaN,"b":[NaN,"NaN \\" NaN"],"c":12345678901234567890}')),
  ).features[0]!;
  assert.deepEqual(properties, { a: null, b: [null, 'NaN " NaN'], c: '12345678901234567890' });
  assert.throws(() => read(collection(feature('{"a":NaNa}'))), /not valid JSON/);
  assert.throws(() => read(collection(feature('{"a":Infinity}'))), /not valid JSON/);
});

test('a file of a feature a line may hold nothing', () => {
  for (const nothing of ['', '\n', '\ufeff\r\n'])
    assert.deepEqual(read(nothing, 1, { mayBeEmpty: true }).features, []);
  assert.throws(() => read(feature('{}').slice(0, -1), 7, { mayBeEmpty: true }), /too early/);
});

test('a property named __proto__ is an ordinary property', () => {
  const { properties } = read(collection(feature('{"__proto__":{"x":1},"constructor":2}'))).features[0]!;
  assert.deepEqual(Object.keys(properties), ['__proto__', 'constructor']);
  assert.equal(Object.getPrototypeOf(properties), Object.prototype);
});

const good = collection(feature('{"a":1}'), feature('{"a":2}'));
const badUtf8 = Buffer.from(collection(feature('{"a":1}'), feature('{"a":"\ufffd?"}')));
const badByte = badUtf8.indexOf('?');
badUtf8[badByte] = 0xff;

/** Invalid files, the message, and the position in the error. */
const invalidFiles: [file: string | Buffer, message: RegExp, data?: object][] = [
  ['', /empty/, { offset: 0 }],
  ['  \n', /too early/, { offset: 3 }],
  [good.slice(0, -1), /too early/, { offset: good.length - 1 }],
  [good.slice(0, 70), /too early/, { offset: 70 }],
  [`${good}x`, /end of the file expected at byte \d+, found 'x'/, { offset: good.length }],
  [good + good, /end of the file expected/],
  [Buffer.from(`\ufeff${good}`, 'utf16le'), /UTF-16/, { offset: 0 }],
  [Buffer.from(good, 'utf16le'), /Not GeoJSON/, { offset: 1 }],
  [badUtf8, /Feature 2: not valid UTF-8 at byte/, { feature: 2, offset: badByte }],
  ['[1]', /an object expected at byte 0/],
  ['PK\u0003\u0004', /an object expected at byte 0, found 'P'/],
  ['{"type":"FeatureCollection"}', /no array features/],
  ['{"type":"FeatureCollection","features":{}}', /no array features/],
  ['{"type":"Topology","objects":{}}', /TopoJSON/],
  ['{"a":1}', /no type/],
  ['{"features":[],"type":"Circle"}', /'Circle'/],
  [
    collection(feature('{"a":1}'), '{"type":"Feature","properties":{"a":1,,}}'),
    /Feature 2: not valid JSON at byte 166/,
  ],
  [collection(feature('{"a":01}')), /Feature 1: not valid JSON/],
  [collection(feature('{"a":1]')), /Feature 1: not valid JSON/],
  [collection(feature('{"a":"\n"}')), /Feature 1: not valid JSON/],
  [collection('null'), /a feature or \] expected/],
  [collection('{}', ''), /a feature expected|not 'Feature'/],
  [collection(point(1, 2)), /Feature 1: the type is not 'Feature'/],
  [collection(feature('[1]')), /Feature 1: properties is not an object/],
  ['{"type":"FeatureCollection","features":[],"features":[]}', /'features' occurs twice/],
  ['{"type":"FeatureCollection","x":1,"\\u0078":2,"features":[]}', /'x' occurs twice/],
  ['{"type":"FeatureCollection","x":[1,],"features":[]}', /not valid JSON/],
  ['{"type":"FeatureCollection","features":[],}', /a key expected/],
  [`${feature('{}')}${point(1, 2)}`, /Only features/],
  [collection(feature(`{"a":${'['.repeat(300)}${']'.repeat(300)}}`)), /Nested more than 200/],
  [
    collection(feature('{}')).replace(
      '"features"',
      '"crs":{"type":"name","properties":{"name":"x"}},"features"',
    ),
    /crs/,
  ],
  [
    `{"features":[],"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"EPSG:3857"}}}`,
    /after the features/,
  ],
];

test('invalid GeoJSON is refused with the position of the error', () => {
  for (const [file, message, data] of invalidFiles) {
    for (const chunk of [1, 1 << 20]) {
      assert.throws(
        () => read(file, chunk),
        (error: ServiceError) => {
          assert.ok(error instanceof ServiceError, `${file}: ${error.stack}`);
          assert.equal(error.code, 'import_failed', error.message);
          assert.match(error.message, message, String(file));
          if (data) assert.deepEqual(error.data, data, String(file));
          return true;
        },
        String(file),
      );
    }
  }
});

test('a feature over the limit is refused before it is complete', () => {
  const reader = createFeatureReader({ featureLimit: 1000, srs: undefined });
  reader.push(Buffer.from('{"type":"FeatureCollection","features":['));
  assert.throws(
    () => reader.push(Buffer.from(`{"type":"Feature","properties":{"a":"${'x'.repeat(1000)}`)),
    (error: ServiceError) => error.code === 'too_large' && error.data.offset === 40,
  );
});

test('the projection is the given one, else the member crs, else WGS 84', () => {
  const file = collection(feature('{}')).replace(
    '"features"',
    '"crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::3857"}},"features"',
  );
  assert.equal(read(file).srs, 'EPSG:3857');
  assert.equal(read(file, 1, { srs: 'EPSG:28407' }).srs, 'EPSG:28407');
  assert.equal(read(collection(feature('{}'))).srs, 'EPSG:4326');
  const late = `{"features":[],"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}}}`;
  assert.equal(read(late).srs, 'EPSG:4326');
});

/** Hexadecimal EWKB of a point, or of an arc through three points. */
function ewkb(srid: number, ...numbers: number[]): string {
  const isArc = numbers.length > 2;
  const bytes = Buffer.alloc(9 + (isArc ? 4 : 0) + 8 * numbers.length);
  bytes[0] = 1;
  bytes.writeUInt32LE(0x20000000 + (isArc ? 8 : 1), 1);
  bytes.writeUInt32LE(srid, 5);
  if (isArc) bytes.writeUInt32LE(numbers.length / 2, 9);
  const from = bytes.length - 8 * numbers.length;
  for (const [i, number] of numbers.entries()) bytes.writeDoubleLE(number, from + 8 * i);
  return bytes.toString('hex');
}

test('geometries that a database wrote as WKB, in a feature or among its properties', () => {
  const remarks: string[] = [];
  const remark = (...parts: unknown[]): void => void remarks.push(parts.join(' '));
  const inFeature = collection(
    feature('{"a":1}', `"${ewkb(3857, 100, 200)}"`),
    feature('{"a":2}', `"${ewkb(3857, 0, 0, 1, 1, 2, 0).toUpperCase()}"`),
  );
  const { features, srs } = read(inFeature, 1 << 20, { remark });
  assert.equal(srs, 'EPSG:3857');
  assert.deepEqual(features[0]!.geometry, { type: 'Point', coordinates: [100, 200] });
  const arc = features[1]!.geometry as { type: string; coordinates: number[][] };
  assert.deepEqual([arc.type, arc.coordinates[0], arc.coordinates.at(-1)], ['LineString', [0, 0], [2, 0]]);
  assert.ok(arc.coordinates.length > 40);
  const among = collection(
    feature(`{"a":1,"the_geom":"${ewkb(4326, 5, 6)}"}`, 'null'),
    feature(`{"a":2,"the_geom":"${ewkb(4326, 5, 6)}"}`),
    feature('{"a":3,"the_geom":"0101"}', 'null'),
  );
  const [first, second, third] = read(among, 1 << 20, { remark }).features;
  assert.deepEqual(
    [first!.geometry, { ...first!.properties }],
    [{ type: 'Point', coordinates: [5, 6] }, { a: 1 }],
  );
  assert.deepEqual(second!.geometry, { type: 'Point', coordinates: [1, 2] });
  assert.equal(typeof second!.properties.the_geom, 'string');
  assert.deepEqual([third!.geometry, third!.properties.the_geom], [null, '0101']);
  assert.deepEqual(remarks, [
    'arc of a circle stored as a line 2',
    "geometry in the property 'the_geom' stored as the geometry 1",
  ]);
});

test('WKB in several projections, or none, is refused', () => {
  const mixed = collection(feature('{}'), feature('{}', `"${ewkb(3857, 1, 2)}"`));
  assert.throws(() => read(mixed), /EPSG:3857 is not that of the rows before, EPSG:4326: give srs/);
  assert.throws(() => read(collection(feature('{}', '"01"'))), /geom/);
  assert.throws(() => read(collection(feature('{}', '"somewhere"'))), /geom/);
});
