import { equal, rule } from '../../rules.js';
import { layerWith, near, point, square } from '../support.js';

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
  // The centroid of the parts with the highest dimension (OGC Simple Features): of the polygon.
  [
    'GeometryCollection',
    { type: 'GeometryCollection', geometries: [point(50, 50), square(0, 0, 2)] },
    [1, 1],
  ],
  [
    'GeometryCollection of points',
    { type: 'GeometryCollection', geometries: [point(0, 0), point(20, 10)] },
    [10, 5],
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
rule('Objects', 'list / returnCentroid with geomSR=3857', async (c) => {
  const objects = `${await layerWith(c, {})}objects/`;
  await c.make(objects, { fields: {}, geom: square(19, 9, 2) });
  const query = 'fields=svc_id&returnGeom=1&returnCentroid=1&geomSR=3857';
  const [x, y] = (await c.send('GET', `${objects}?${query}`)).json[0].geom.coordinates;
  near(x, 2226389.8158654715, 'x', 1);
  equal(Math.abs(y - 1118889.97) < 500, true, `y ${y}, near the middle of the square`);
});
rule('Objects', 'list / returnCentroid without returnGeom gives no geometry', async (c) => {
  const objects = `${await layerWith(c, {})}objects/`;
  await c.make(objects, { fields: {}, geom: square(0, 0, 2) });
  equal(
    (await c.send('GET', `${objects}?fields=svc_id&returnCentroid=1`)).json[0].geom ?? null,
    null,
    'geom',
  );
});
rule('Objects', 'list / returnCentroid gives null for an object without geometry', async (c) => {
  const objects = `${await layerWith(c, {})}objects/`;
  await c.make(objects, { fields: {} });
  const { json } = await c.send('GET', `${objects}?fields=svc_id&returnGeom=1&returnCentroid=1`);
  equal([json.length, json[0].geom ?? null], [1, null], 'objects, geom');
});
rule('Objects', 'POST filter/ / returnCentroid, geomZoom', async (c) => {
  const layer = await layerWith(c, {});
  await c.make(`${layer}objects/`, { fields: {}, geom: { type: 'LineString', coordinates: zigzag } });
  const geom = async (body: object) =>
    (await c.send('POST', `${layer}filter/`, { fields: 'svc_id', returnGeom: 1, ...body })).json[0].geom;
  equal((await geom({ returnCentroid: 1 })).type, 'Point', 'type of the centroid');
  equal((await geom({ geomZoom: 2 })).coordinates.length, 2, 'vertices at zoom 2');
});

type Position = readonly number[];
/** Distance of a position from a segment; near the equator degrees of longitude and latitude are equally long. */
function distance([x, y]: Position, [a, b]: Position, [c, d]: Position): number {
  const [dx, dy] = [c! - a!, d! - b!];
  const along = ((x! - a!) * dx + (y! - b!) * dy) / (dx * dx + dy * dy);
  const at = Math.min(1, Math.max(0, along));
  return Math.hypot(x! - a! - at * dx, y! - b! - at * dy);
}
for (const zoom of [4, 8, 9, 10, 12])
  rule('Objects', `list / decided: geomZoom=${zoom} keeps within half a pixel of that zoom`, async (c) => {
    const objects = `${await layerWith(c, {})}objects/`;
    await c.make(objects, { fields: {}, geom: { type: 'LineString', coordinates: zigzag } });
    const { json } = await c.send('GET', `${objects}?fields=svc_id&returnGeom=1&geomZoom=${zoom}`);
    const line: Position[] = json[0].geom.coordinates;
    const off = zigzag.map((position) =>
      Math.min(...line.slice(1).map((end, index) => distance(position, line[index]!, end))),
    );
    const halfPixel = 360 / 256 / 2 ** zoom / 2;
    equal(Math.max(...off) <= halfPixel * 1.01, true, `${Math.max(...off)} degrees off, of ${halfPixel}`);
  });
