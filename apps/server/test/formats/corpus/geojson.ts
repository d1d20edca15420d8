import { gzipSync } from 'node:zlib';
import { bad, type Case } from './case.js';

const feature = (geometry: string, properties = '{}'): string =>
  `{"type":"Feature","geometry":${geometry},"properties":${properties}}`;
const collection = (...features: string[]): string =>
  `{"type":"FeatureCollection","features":[${features.join(',')}]}`;
const point = feature('{"type":"Point","coordinates":[1,2]}');
const named = (what: string, content: Buffer | string, says: RegExp): Case =>
  bad(`GeoJSON: ${what}`, content, 'x.geojson', says);

const brokenTexts = (): Case[] => [
  named('nothing', '', /empty|no GeoJSON|Not GeoJSON/i),
  named('a byte order mark alone', '\ufeff', /ends too early/),
  named('cut off in a feature', collection(point, point).slice(0, -30), /Feature 2|cut off|ends/),
  named('cut off behind a feature', collection(point, point).slice(0, -2), /cut off|ends/),
  named('garbage behind the end', `${collection(point)}]]`, /byte/),
  named(
    'another encoding',
    Buffer.from(collection(feature('null', '{"имя":"Москва"}')).replace(/[а-я]/gi, '\xcc'), 'latin1'),
    /UTF-8/,
  ),
  named('arrays within arrays', `[${'['.repeat(200_000)}`, /GeoJSON|deep|byte/),
  named('objects within objects', `${'{"a":'.repeat(200_000)}1`, /deep|byte/),
  named('TopoJSON', '{"type":"Topology","objects":{},"arcs":[]}', /TopoJSON/),
  named('no GeoJSON at all', '{"a":1}', /no type|GeoJSON/),
];

const brokenFeatures = (): Case[] => [
  named(
    'a number that JSON does not know',
    collection(feature('{"type":"Point","coordinates":[NaN,2]}')),
    /Feature 1/,
  ),
  named(
    'a number without end',
    collection(feature('{"type":"Point","coordinates":[1e999,2]}')),
    /Feature 1.*finite/,
  ),
  named(
    'a place beyond the earth',
    collection(point, feature('{"type":"Point","coordinates":[6200000,7400000]}')),
    /Feature 2.*range/,
  ),
  named(
    'a kind of geometry that there is not',
    collection(feature('{"type":"Circle","coordinates":[1,2]}')),
    /Feature 1.*type/,
  ),
  named(
    'a ring that is open',
    collection(feature('{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1]]]}')),
    /Feature 1.*closed/,
  ),
  named(
    'positions of text',
    collection(feature('{"type":"Point","coordinates":["1","2"]}')),
    /Feature 1.*finite/,
  ),
  named('no coordinates', collection(feature('{"type":"Point"}')), /Feature 1/),
  named('a NUL in a text', collection(feature('null', '{"a":"\\u0000"}')), /Feature 1/),
  named('half of a character', collection(feature('null', '{"a":"\\ud800"}')), /Feature 1/),
  named(
    'collections within collections',
    collection(feature(`${'{"type":"GeometryCollection","geometries":['.repeat(20)}null${']}'.repeat(20)}`)),
    /Feature 1.*deep/,
  ),
  named(
    'a property too many',
    collection(
      feature(
        'null',
        JSON.stringify(Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`p${i}`, 1]))),
      ),
    ),
    /properties/,
  ),
  named(
    'a projection that there is not',
    `{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"EPSG:999999"}},"features":[${point}]}`,
    /srs|projection/,
  ),
  named(
    'the same object twice',
    collection(point.replace('{', '{"id":7,'), point.replace('{', '{"id":7,')),
    /Feature 2.*id 7/,
  ),
];

const brokenArchives = (): Case[] => [
  bad('gzip that is cut off', gzipSync(collection(point)).subarray(0, 40), 'x.geojson.gz', /gzip/),
  bad(
    'gzip that is damaged',
    Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
    'x.geojson.gz',
    /gzip/,
  ),
  bad(
    'a gzip bomb',
    gzipSync(Buffer.alloc(80 * 1024 * 1024, 0x20)),
    'x.geojson.gz',
    /larger|too large|more than/,
  ),
];

export const geojsonCases = (): Case[] => [...brokenTexts(), ...brokenFeatures(), ...brokenArchives()];
