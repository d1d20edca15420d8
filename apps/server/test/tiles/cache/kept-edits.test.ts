import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Geometry } from 'geojson';
import { startServer, type TestServer } from '../../support/server.js';
import { box } from '../colors.js';
import { freshDrawer, lastingPlace, type Place, served } from './kept-support.js';

/** A reproducible sequence of numbers from 0 to below 1 (mulberry32, T. Ettinger). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Layer → the styles that it gets one after the other. Each map draws all of its layers. */
const maps: Record<string, Record<string, string[]>> = {
  plain: {
    areas: [
      '#areas { polygon-fill: #c96; }',
      '#areas { polygon-fill: #69c; line-width: 25; line-color: #333; }',
    ],
    roads: [
      '#roads { line-width: 18; line-color: #a33; }',
      '#roads { line-width: 9; line-join: round; line-cap: square; line-dasharray: 20, 10; }',
    ],
    spots: [
      '#spots { marker-width: 30; marker-allow-overlap: true; marker-ignore-placement: true; [n > 50] { marker-fill: #3a3; marker-line-width: 8; } }',
    ],
  },
  labelled: {
    areas: ['#areas { polygon-fill: #eec; }'],
    spots: [
      '#spots { marker-width: 24; marker-fill: #c33; }',
      '#spots { marker-width: [n] / 2; marker-fill: #c33; marker-allow-overlap: true; }',
    ],
    roads: [
      '#roads { line-width: 3; line-offset: 20; text-name: [name]; text-face-name: "DejaVu Sans Book"; text-placement: line; text-size: 14; }',
      '#roads { line-width: 12; image-filters: agg-stack-blur(4, 4); }',
    ],
  },
  thematic: { areas: ['#areas { polygon-fill: #eee; }'], spots: ['#spots { marker-width: 9; }'] },
};

const thematic = {
  type: 1,
  columnCode: 'n',
  classesSettings: { limits: [0, 25, 50, 75, 100] },
  showText: true,
  textSettings: { column: 'name' },
};

type Layer = { map: string; code: string; ids: number[] };

async function makeMaps({ admin }: TestServer): Promise<Layer[]> {
  const layers: Layer[] = [];
  for (const [map, codes] of Object.entries(maps)) {
    await admin('POST', '/', { code: map, css_style: 'Map { background-color: #def; }' });
    for (const [code, [css_style]] of Object.entries(codes)) {
      await admin('POST', `/${map}/layers/`, { code });
      await admin('POST', `/${map}/layers/${code}/structure/`, { code: 'n', type: 'number' });
      await admin('POST', `/${map}/layers/${code}/structure/`, { code: 'name', type: 'string' });
      await admin(
        'PATCH',
        `/${map}/layers/${code}/`,
        map === 'thematic' ? { visualSettings: thematic } : { css_style },
      );
      layers.push({ map, code, ids: [] });
    }
  }
  return layers;
}

/** A tile drawn in a block may differ in single pixels. */
const alone = { CARTULARY_TILES_TOGETHER: '1' };

/** Random changes of layers. */
function editor(random: () => number) {
  const below = (most: number): number => Math.floor(random() * most);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
  const fields = () => ({ n: below(100), name: pick(['a', 'a long name', 'Mitte', '']) });
  const shape = (code: string): Geometry => {
    const [x, y] = [random() * 300 - 150, random() * 140 - 70];
    const [w, h] = [random() ** 3 * 20, random() ** 3 * 10];
    if (code === 'spots') return { type: 'Point', coordinates: [x, y] };
    if (code === 'roads')
      return {
        type: 'LineString',
        coordinates: [
          [x, y],
          [x + w, y + h],
          [x + 2 * w, y],
        ],
      };
    return box(x, y, x + w, y + h);
  };
  const object = (code: string): object => ({ fields: fields(), geom: random() < 0.1 ? null : shape(code) });

  const change = async ({ admin }: TestServer, layer: Layer): Promise<void> => {
    const { map, code, ids } = layer;
    const path = `/${map}/layers/${code}`;
    const id = pick(ids);
    const kind = random();
    if (!ids.length || kind < 0.3) ids.push((await admin('POST', `${path}/objects/`, object(code))).id);
    else if (kind < 0.5) await admin('PUT', `${path}/objects/${id}/`, { geom: shape(code) });
    else if (kind < 0.65) await admin('PUT', `${path}/objects/${id}/`, { fields: fields() });
    else if (kind < 0.75) {
      await admin('DELETE', `${path}/objects/`, { delete_params: String(id) });
      ids.splice(ids.indexOf(id), 1);
    } else if (kind < 0.9) {
      const create = Array.from({ length: pick([3, 90]) }, () => object(code));
      const { created } = await admin('POST', `${path}/objects/batch/`, { create, delete: [id] });
      ids.splice(ids.indexOf(id), 1, ...created);
    } else if (kind < 0.96 && map !== 'thematic') {
      await admin('PATCH', `${path}/`, { css_style: pick(maps[map]![code]!) });
    } else {
      const features = [{ type: 'Feature', properties: fields(), geometry: shape(code) }];
      await admin('POST', `${path}/import/`, { type: 'FeatureCollection', features });
    }
  };
  return { change, pick, below };
}

/** Makes random changes through one server, while readers request tiles of all of them. After each change every tile shows it. */
async function liveThrough(servers: TestServer[], seed: number, steps: number): Promise<void> {
  const random = numbers(seed);
  const first = servers[0]!;
  const layers = await makeMaps(first);
  const drawFresh = await freshDrawer(first);
  const { change, pick, below } = editor(random);
  const place = (): Place => {
    const z = below(5);
    return [z, below(2 ** z), below(2 ** z)];
  };
  let isOver = false;
  const reader = async (server: TestServer): Promise<void> => {
    const own = numbers(seed + servers.indexOf(server));
    while (!isOver) {
      const z = Math.floor(own() * 5);
      const any: Place = [z, Math.floor(own() * 2 ** z), Math.floor(own() * 2 ** z)];
      await served(server, Object.keys(maps)[Math.floor(own() * 3)]!, any);
      await sleep(20);
    }
  };
  const readers = servers.map(reader);
  try {
    for (let step = 0; step < steps; step++) {
      const layer = pick(layers);
      await change(pick(servers), layer);
      const fresh = drawFresh();
      for (const wanted of [
        ...Array.from({ length: 6 }, place),
        [0, 0, 0],
        [1, 0, 0],
        [1, 1, 1],
      ] as Place[]) {
        const server = pick(servers);
        const { bytes } = await served(server, layer.map, wanted);
        const is = bytes.equals(await fresh(layer.map, wanted));
        assert.ok(
          is,
          `seed ${seed}, step ${step}: ${layer.map}.${layer.code} ${wanted.join('/')} of server ${servers.indexOf(server)}`,
        );
      }
    }
  } finally {
    isOver = true;
    await Promise.all(readers);
  }
}

test('changes during reads: every tile shows the last change', async (t) => {
  const server = await startServer(alone, 'here');
  t.after(() => server.stop());
  await liveThrough([server], 1, 40);
});

test("two servers on one database, each with its own cache, see each other's writes at once", async (t) => {
  if (!process.env.TEST_DATABASE_URL) return t.skip('the embedded database has one server');
  const place = await lastingPlace();
  const servers: TestServer[] = [];
  // A server that still draws would write into the folder while it is removed.
  t.after(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await place.remove();
  });
  const { CARTULARY_DATA: _, ...settings } = place.settings;
  servers.push(await place.start(alone));
  servers.push(await startServer({ ...settings, ...alone, CARTULARY_TILE_CACHE_DISK: '0' }, 'here'));
  servers.push(await place.start({ ...alone, CARTULARY_TILE_CACHE: '0' }));
  await liveThrough(servers, 2, 40);
});
