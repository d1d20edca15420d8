import assert from 'node:assert/strict';
import test from 'node:test';
import { freshCode, startServer, type TestServer } from '../../support/server.js';

let server: TestServer;
test.before(async () => {
  server = await startServer();
  await server.admin('POST', '/', { code: 'm' });
});
test.after(() => server.stop());

const point = (x: number, y: number) => ({ type: 'Point', coordinates: [x, y] });
const polygon = (...ring: number[][]) => ({ type: 'Polygon', coordinates: [ring] });

/** Two triangles that meet in a point, drawn as one ring that crosses itself. */
const bow = polygon([0, 0], [1, 1], [1, 0], [0, 1], [0, 0]);

/** Creates a layer with an object for each geometry; returns its code. */
async function layerOf(...geometries: (object | null)[]): Promise<string> {
  const code = freshCode('l');
  await server.admin('POST', '/m/layers/', { code });
  const features = geometries.map((geometry) => ({ type: 'Feature', properties: {}, geometry }));
  await server.admin('POST', `/m/layers/${code}/import/`, { type: 'FeatureCollection', features });
  return code;
}

const exported = async (layer: string): Promise<string> =>
  (await server.request('GET', `/m/layers/${layer}/export/?format=geojson`)).text;

const geometriesOf = async (layer: string): Promise<any[]> =>
  JSON.parse(await exported(layer)).features.map(({ geometry }: { geometry: object }) => geometry);

test('geometries are made valid, and the answer is the layer without its style', async () => {
  const layer = await layerOf(bow, point(1, 2), null);
  assert.equal((await server.request('POST', `/m/layers/${layer}/makevalid/`)).status, 401);
  const view = await server.admin('POST', `/m/layers/${layer}/makevalid/`);
  const { css_style, ...expected } = await server.admin('GET', `/m/layers/${layer}/`);
  assert.deepEqual(view, expected);
  const [first, second, third] = await geometriesOf(layer);
  assert.equal(first.type, 'MultiPolygon');
  assert.equal(first.coordinates.length, 2);
  assert.deepEqual(second, point(1, 2));
  assert.equal(third, null);
  const text = await exported(layer);
  await server.admin('POST', `/m/layers/${layer}/makevalid/`);
  assert.equal(await exported(layer), text);
});

test('a collection stays one without collections in it', async () => {
  // The second geometry becomes a triangle and a line beyond it.
  const spiked = polygon([0, 0], [1, 0], [1, 1], [0, 0], [2, 0], [0, 0]);
  const layer = await layerOf(
    { type: 'GeometryCollection', geometries: [point(5, 5), bow, spiked] },
    { type: 'GeometryCollection', geometries: [{ type: 'GeometryCollection', geometries: [bow] }] },
  );
  await server.admin('POST', `/m/layers/${layer}/makevalid/`);
  const [first, second] = await geometriesOf(layer);
  const typesOf = ({ geometries }: any) => geometries.map(({ type }: { type: string }) => type);
  assert.deepEqual([first.type, second.type], ['GeometryCollection', 'GeometryCollection']);
  assert.deepEqual(typesOf(first).sort(), ['LineString', 'Point', 'Polygon', 'Polygon', 'Polygon']);
  assert.deepEqual(typesOf(second), ['Polygon', 'Polygon']);
});

test('the members of a collection within a collection become its own', async () => {
  const line = {
    type: 'LineString',
    coordinates: [
      [0, 0],
      [1, 1],
    ],
  };
  const nested = {
    type: 'GeometryCollection',
    geometries: [{ type: 'GeometryCollection', geometries: [line] }],
  };
  const layer = await layerOf({ type: 'GeometryCollection', geometries: [point(1, 2), nested] });
  const [stored] = await geometriesOf(layer);
  assert.deepEqual(stored, { type: 'GeometryCollection', geometries: [point(1, 2), line] });
});
