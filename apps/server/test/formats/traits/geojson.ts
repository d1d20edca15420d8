import type { TraitCase } from './case.js';

/* Traits of GeoJSON that are met in the world. */

const feature = (geometry: unknown, properties: object = {}, rest: object = {}): object => ({
  type: 'Feature',
  properties,
  geometry,
  ...rest,
});
const collection = (...features: object[]): object => ({ type: 'FeatureCollection', features });
const of = (type: string, coordinates: unknown, rest: object = {}): object => ({
  type,
  coordinates,
  ...rest,
});
const point = of('Point', [1, 2]);
const crs = { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::3857' } };
const metres = [4_000_000, 7_000_000];
const ring = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 0],
];

const named = (what: string, content: unknown, rest: Partial<TraitCase> = {}): TraitCase => ({
  what,
  files: { 'a.geojson': typeof content === 'string' ? content : JSON.stringify(content) },
  ...rest,
});

const empty: Record<string, object> = {
  Point: of('Point', []),
  MultiPoint: of('MultiPoint', []),
  LineString: of('LineString', []),
  MultiLineString: of('MultiLineString', [[]]),
  Polygon: of('Polygon', []),
  'Polygon of an empty ring': of('Polygon', [[]]),
  MultiPolygon: of('MultiPolygon', []),
  GeometryCollection: { type: 'GeometryCollection', geometries: [] },
};

export const geojsonCases: readonly TraitCase[] = [
  ...Object.entries(empty).map(([what, geometry]) =>
    named(`empty coordinates: ${what}`, collection(feature(geometry, { n: 1 }), feature(point, { n: 2 })), {
      nativeDiffers: true,
      expected: 2,
      values: [{ n: 1 }, { n: 2 }],
    }),
  ),
  named(
    'empty parts',
    collection(feature(of('MultiPolygon', [[], [ring]])), feature(of('MultiLineString', [[], ring]))),
    {
      nativeDiffers: true,
      expected: 2,
    },
  ),
  named(
    'lines of one position',
    collection(feature(of('LineString', [[1, 2]])), feature(of('MultiLineString', [[[1, 2]], ring]))),
    {
      nativeDiffers: true,
      expected: 2,
      notes: /2 × line of one position \(feature 1, 2\)/,
    },
  ),
  named('a bare geometry with crs', of('Point', metres, { crs })),
  named('a bare feature with crs', feature(of('Point', metres), { n: 1 }, { crs })),
  named('a collection with crs before its features', {
    type: 'FeatureCollection',
    crs,
    features: [feature(of('Point', metres))],
  }),
  named(
    'empty coordinates in another projection',
    { type: 'FeatureCollection', crs, features: [feature(empty.Point), feature(of('Point', metres))] },
    {
      nativeDiffers: true,
      expected: 2,
    },
  ),
  named('members beside the properties', collection(feature(point, { n: 1 }, { title: 'x' })), {
    notes: /1 × member 'title' of a feature \(feature 1\)/,
  }),
  named('no geometry', collection(feature(null, { n: 1 }), feature(point, { n: 2 }))),
  named(
    'features without properties',
    '{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]}},{"type":"Feature","properties":null,"geometry":null}]}',
  ),
];
