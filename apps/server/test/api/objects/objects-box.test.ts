import assert from 'node:assert/strict';
import test from 'node:test';
import { numbers } from '../../support/hexagons.js';
import { startServer, type TestServer } from '../../support/server.js';

/** Points of a town, more than the dense-box threshold, and points around it. */
const [inTown, around] = [5_200, 300];
const layer = '/m/layers/l';
const next = numbers(77);
const places = Array.from({ length: inTown + around }, (_, i) =>
  (i < inTown ? [10 + next(), 50 + next()] : [20 * next(), 40 + 20 * next()]).map((value) =>
    Number(value.toFixed(6)),
  ),
) as [number, number][];

let server: TestServer;
test.before(async () => {
  server = await startServer();
  await server.admin('POST', '/', { code: 'm' });
  await server.admin('POST', '/m/layers/', { code: 'l' });
  const features = places.map(([x, y]) => ({
    type: 'Feature',
    properties: {},
    geometry: { type: 'Point', coordinates: [x, y] },
  }));
  await server.admin('POST', `${layer}/import/?action=1`, { type: 'FeatureCollection', features });
});
test.after(() => server.stop());

type Box = readonly [west: number, south: number, east: number, north: number];
const town: Box = [10, 50, 11, 51];
const all: Box = [-180, -85, 180, 85];
const small: Box = [10.4, 50.4, 10.5, 50.5];
const empty: Box = [-100, -50, -90, -40];

/** Positions in a box with their ids, in the order of ids. */
let stored: { id: number; x: number; y: number }[];
const within = ([west, south, east, north]: Box): number[] =>
  stored.filter(({ x, y }) => x >= west && x <= east && y >= south && y <= north).map(({ id }) => id);

const listed = async (box: Box, more = ''): Promise<number[]> => {
  const [west, south, east, north] = box;
  const url = `${layer}/objects/?fbbox=${[south, west, north, east].join(',')}${more}`;
  return (await server.admin('GET', url)).map(({ id }: { id: number }) => id);
};

test('a list with a box contains the objects in it, whatever boxes were requested before', async () => {
  const objects: { id: number; geom: { coordinates: [number, number] } }[] = await server.admin(
    'GET',
    `${layer}/objects/?returnGeom=1&limit=10000`,
  );
  stored = objects.map(({ id, geom }) => ({ id, x: geom.coordinates[0], y: geom.coordinates[1] }));
  assert.equal(stored.length, inTown + around);
  assert.ok(within(town).length >= inTown && within(small).length > 10);
  // PostgreSQL keeps a generic plan from the sixth execution on, for each connection.
  for (let round = 0; round < 8; round++)
    for (const box of [small, empty, town, small, all, [9, 49, 12, 52] as const]) {
      const ids = within(box);
      const lists = await Promise.all([
        listed(box, '&limit=1000'),
        listed(box, '&limit=7'),
        listed(box, '&limit=20&offset=15'),
        listed(box, '&limit=1000&offset=4500'),
      ]);
      assert.deepEqual(lists, [
        ids.slice(0, 1000),
        ids.slice(0, 7),
        ids.slice(15, 35),
        ids.slice(4500, 5500),
      ]);
    }
});

test('it continues by links to the end, in a box with few objects and in one with many', async () => {
  for (const box of [small, town]) {
    const [west, south, east, north] = box;
    const found: number[] = [];
    let url = `${layer}/objects/?fbbox=${[south, west, north, east].join(',')}&limit=${box === town ? 900 : 9}`;
    for (let pages = 0; url && pages < 50; pages++) {
      const { json, headers } = await server.request('GET', url);
      found.push(...json.map(({ id }: { id: number }) => id));
      const link = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
      url = link ? link.slice(link.indexOf(layer)) : '';
    }
    assert.deepEqual(found, within(box));
  }
});

test('objects changed, created and deleted in a box are in the next list, and a new column too', async () => {
  const [id] = within(small);
  await server.admin('DELETE', `${layer}/objects/${id}/`);
  const geom = { type: 'Point', coordinates: [10.45, 50.45] };
  const made = await server.admin('POST', `${layer}/objects/`, { fields: {}, geom });
  const expected = [...within(small).slice(1), made.id];
  assert.deepEqual(await listed(small, '&limit=1000'), expected);
  await server.admin('POST', `${layer}/structure/`, { code: 'name', type: 'string' });
  await server.admin('PUT', `${layer}/objects/${made.id}/`, { fields: { name: 'new' } });
  const [west, south, east, north] = small;
  const list = await server.admin(
    'GET',
    `${layer}/objects/?fields=name&fbbox=${[south, west, north, east].join(',')}&limit=1000`,
  );
  assert.deepEqual(list.at(-1), { id: made.id, fields: { name: 'new' } });
  assert.equal(list.length, expected.length);
});
