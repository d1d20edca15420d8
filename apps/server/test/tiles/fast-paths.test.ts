import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import sharp from 'sharp';
import { startServer, type TestServer } from '../support/server.js';
import { served, watchDrawings } from './cache/kept-support.js';

const off = {
  CARTULARY_FAST_LABELS: '0',
  CARTULARY_FAST_VECTOR_TILES: '0',
};

/** A server with all fast paths, and one with none, with the same data. */
let fast: TestServer;
let general: TestServer;

before(async () => {
  [fast, general] = await Promise.all([startServer({}, 'here'), startServer(off, 'here')]);
  await Promise.all([fast, general].map(makeMap));
});
after(async () => {
  await fast?.stop();
  await general?.stop();
});

/** Areas with outlines over half of the world, and names. */
async function makeMap({ admin }: TestServer): Promise<void> {
  await admin('POST', '/', { code: 'm', css_style: 'Map { background-color: #cde; }' });
  for (const [code, css_style] of [
    ['areas', '#areas { polygon-fill: #7a5; line-color: #333; line-width: 1.5; }'],
    [
      'names',
      '#names { text-name: [name]; text-face-name: "DejaVu Sans Book"; text-fill: #000; text-size: 13; }',
    ],
  ] as const) {
    await admin('POST', '/m/layers/', { code });
    const features = Array.from({ length: 40 }, (_, i) => feature(code === 'areas', i));
    await admin('POST', `/m/layers/${code}/import/`, { type: 'FeatureCollection', features });
    await admin('PATCH', `/m/layers/${code}/`, { css_style });
  }
}

function feature(isArea: boolean, i: number): object {
  const [west, south] = [-170 + 17 * (i % 8), -60 + 24 * Math.floor(i / 8)];
  const ring = [
    [west, south],
    [west + 11 + (i % 3), south + 3],
    [west + 12, south + 18],
    [west, south],
  ];
  const geometry = isArea
    ? { type: 'Polygon', coordinates: [ring] }
    : { type: 'Point', coordinates: [west + 6, south + 5] };
  return { type: 'Feature', properties: { name: `Place ${i}` }, geometry };
}

/** RGBA. */
const pixelsOf = (png: Buffer): Promise<Buffer> => sharp(png).ensureAlpha().raw().toBuffer();

const idOf = async (server: TestServer, code: string): Promise<number> =>
  (await server.admin<{ id: number }>('GET', `/m/layers/${code}/`)).id;

const places = [2, 3].flatMap((z) =>
  Array.from({ length: 4 ** z }, (_, i) => [z, i % 2 ** z, Math.floor(i / 2 ** z)] as const),
);

test('labels look alike by the renderer and by Mapnik', async () => {
  const query = `layers=${await idOf(fast, 'names')}`;
  const [fastJobs, generalJobs] = [fast, general].map(watchDrawings);
  const ink = async (server: TestServer): Promise<number> => {
    let sum = 0;
    // At zoom level 3 no labels collide.
    for (const place of places.filter(([z, , y]) => z === 3 && y > 1 && y < 6)) {
      const pixels = await pixelsOf((await served(server, 'm', place, query)).bytes);
      for (let i = 0; i < pixels.length; i += 4) sum += 0xcc - Math.min(0xcc, pixels[i]!);
    }
    return sum / 0xcc;
  };
  const [one, other] = [await ink(fast), await ink(general)];
  assert.ok(other > 500 && Math.abs(one / other - 1) < 0.1, `ink ${one} and ${other}`);
  const kindsOf = (jobs: typeof fastJobs): Set<string> =>
    new Set(jobs!.flatMap(({ above }) => (above ?? []).map(({ kind }) => kind)));
  assert.deepEqual([...kindsOf(fastJobs)], ['labels']);
  assert.deepEqual([...kindsOf(generalJobs)], []);
});

/** The embedded database makes no vector tiles: there each path would be compared with itself. */
const inPostgres = { skip: !process.env.TEST_DATABASE_URL && 'needs TEST_DATABASE_URL' };

test('vector tiles that are made together have the same bytes as those made alone', inPostgres, async () => {
  const tiles = (server: TestServer): Promise<Buffer[]> =>
    Promise.all(
      places.map(async (place) => {
        const answer = await server.request('GET', `//mvt/demo/m/${place.join('/')}.pbf?fields=*`);
        assert.equal(answer.status, 200, answer.text);
        return answer.bytes;
      }),
    );
  const [one, other] = [await tiles(fast), await tiles(general)];
  assert.ok(one.some(({ length }) => length > 500));
  assert.deepEqual(one, other);
});

test('PostgreSQL and the service encode the same features', inPostgres, async () => {
  const other = await startServer({ CARTULARY_FAST_VECTOR_ENCODING: '0' }, 'here');
  try {
    await makeMap(other);
    const seen = await Promise.all(
      [fast, other].map((server) => Promise.all(places.map((place) => featuresOf(server, place)))),
    );
    assert.ok(seen[0]!.flat().length > 100, 'the tiles have features');
    assert.deepEqual(seen[0], seen[1]);
  } finally {
    await other.stop();
  }
});

/** All features of a vector tile: layer, id, kind, values, and coordinates in units of the tile. */
async function featuresOf({ request }: TestServer, place: readonly number[]): Promise<object[]> {
  const { bytes, status, text } = await request('GET', `//mvt/demo/m/${place.join('/')}.pbf?fields=*`);
  assert.equal(status, 200, text);
  return Object.entries(new VectorTile(new PbfReader(bytes)).layers).flatMap(([name, layer]) =>
    Array.from({ length: layer.length }, (_, i) => {
      const feature = layer.feature(i);
      const { id, type, properties } = feature;
      return {
        name,
        id,
        type,
        properties,
        shape: feature.loadGeometry().map((path) => path.map(({ x, y }) => [x, y])),
      };
    }),
  );
}
