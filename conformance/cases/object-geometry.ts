import { equal, rule } from '../rules.js';
import { layerWith, near, point, square } from './support.js';

const zigzag = Array.from({ length: 101 }, (_, i) => [i / 100, (i % 2) / 1000]);
const kinds: [kind: string, geometry: object, centroid: [number, number]][] = [
  ['Point', point(20, 10), [20, 10]],
  [
    'MultiPoint',
    {
      type: 'MultiPoint',
      coordinates: [
        [0, 0],
        [20, 10],
      ],
    },
    [10, 5],
  ],
  [
    'LineString',
    {
      type: 'LineString',
      coordinates: [
        [0, 0],
        [20, 10],
      ],
    },
    [10, 5],
  ],
  [
    'MultiLineString',
    {
      type: 'MultiLineString',
      coordinates: [
        [
          [0, 0],
          [20, 10],
        ],
      ],
    },
    [10, 5],
  ],
  ['Polygon', square(0, 0, 2), [1, 1]],
  [
    'MultiPolygon',
    { type: 'MultiPolygon', coordinates: [(square(0, 0, 2) as { coordinates: unknown }).coordinates] },
    [1, 1],
  ],
];
for (const [kind, geom, [x, y]] of kinds)
  rule('Objects', `list / returnCentroid of a ${kind} is a point`, async (c) => {
    const objects = `${await layerWith(c, {})}objects/`;
    await c.make(objects, { fields: {}, geom });
    const { json } = await c.send('GET', `${objects}?fields=svc_id&returnGeom=1&returnCentroid=1`);
    equal(json?.[0]?.geom?.type, 'Point', 'type');
    near(json[0].geom.coordinates[0], x, 'x');
    near(json[0].geom.coordinates[1], y, 'y');
  });
rule('Objects', 'list / geomZoom simplifies for that zoom, without it as stored', async (c) => {
  const objects = `${await layerWith(c, {})}objects/`;
  await c.make(objects, { fields: {}, geom: { type: 'LineString', coordinates: zigzag } });
  const vertices = async (query: string) =>
    (await c.send('GET', `${objects}?fields=svc_id&returnGeom=1${query}`)).json?.[0]?.geom?.coordinates
      ?.length;
  equal(await vertices(''), 101, 'vertices as stored');
  equal(await vertices('&geomZoom=20'), 101, 'vertices at zoom 20');
  equal(await vertices('&geomZoom=2'), 2, 'vertices at zoom 2');
});
rule('Objects', 'list / decided: a polygon never disappears by geomZoom', async (c) => {
  const objects = `${await layerWith(c, {})}objects/`;
  await c.make(objects, { fields: {}, geom: square(0, 0, 0.0001) });
  const { json } = await c.send('GET', `${objects}?fields=svc_id&returnGeom=1&geomZoom=0`);
  equal(json?.[0]?.geom?.type, 'Polygon', 'type');
  equal(json[0].geom.coordinates[0].length >= 4, true, 'a ring of a triangle at least');
});
