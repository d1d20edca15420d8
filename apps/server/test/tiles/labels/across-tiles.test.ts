import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { fromMercator } from '@cartulary/geo/internal/bbox.js';
import { tileExtent } from '@cartulary/geo/internal/tile.js';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { numbers } from '../../support/hexagons.js';
import { startServer, type TestServer } from '../../support/server.js';
import { tile } from '../scene.js';
import { planTile } from '../support.js';

let server: TestServer;
before(async () => {
  server = await startServer({ CARTULARY_TILE_CACHE: '0', CARTULARY_TILE_CACHE_DISK: '0' }, 'here');
  await server.admin('POST', '/', { code: 'walk', css_style: 'Map { background-color: #fff; }' });
});
after(() => server?.stop());

/** The walked screens: their north-western tile lies in the middle of the map, by zoom level. */
const [columns, rows] = [3, 3];
const zooms = [6, 7] as const;
const originOf = (z: number): [number, number] => [2 ** (z - 1), 2 ** (z - 1) - rows];

/** A position in the area of the screens, from 0 to 1 each way, with a margin on all sides. */
function place(next: () => number): [number, number] {
  const [x, y] = originOf(6);
  const [west, south, east, north] = tileExtent(6, x - 1, y - 1, columns + 2, rows + 2);
  return fromMercator(west + next() * (east - west), south + next() * (north - south));
}

/** Up to 128 pixels wide: one and a half of them lie within the margin of a picture, so that its labels see what blocks them. */
const names = ['Au', 'Brig', 'Ljubljana', 'San Pietro', 'Kirchdorf', 'Villefranche', 'Ostrava', 'Nové Mesto'];

interface Kind {
  shape: (at: readonly [number, number], next: () => number) => object;
  count: number;
  style: string;
}

const point = ([x, y]: readonly [number, number]) => ({ type: 'Point', coordinates: [x, y] });
const line = ([x, y]: readonly [number, number], next: () => number) => {
  const coordinates = [[x, y]];
  let direction = 6.28 * next();
  for (let i = 0; i < 12; i++) {
    direction += next() - 0.5;
    const [a, b] = coordinates.at(-1)!;
    coordinates.push([a! + 0.5 * Math.cos(direction), b! + 0.4 * Math.sin(direction)]);
  }
  return { type: 'LineString', coordinates };
};
const area = ([x, y]: readonly [number, number], next: () => number) => {
  const corners = Array.from({ length: 9 }, (_, i) => {
    const far = 0.5 + next();
    return [x + far * Math.cos((i * 6.2832) / 9), y + 0.8 * far * Math.sin((i * 6.2832) / 9)];
  });
  return { type: 'Polygon', coordinates: [[...corners, corners[0]]] };
};

const text =
  'text-name: [name]; text-face-name: "DejaVu Sans Book"; text-size: 12; text-halo-fill: #fff; text-halo-radius: 1.3;';
const dot = 'marker-width: 6; marker-fill: #b33; marker-allow-overlap: true;';
const kinds: Record<string, Kind> = {
  'at points': { shape: point, count: 500, style: text },
  // Labels with several places depend on neighbours of neighbours: these have room, as those of towns do.
  'beside markers': {
    shape: point,
    count: 100,
    style: `::dot { ${dot} } ::label { ${text} text-placement-type: simple; text-placements: "E,W,N,S"; text-dx: 6; text-dy: 6; text-margin: 2; }`,
  },
  wrapped: { shape: point, count: 500, style: `${text} text-wrap-width: 50;` },
  inside: { shape: area, count: 120, style: `line-color: #999; ${text} text-placement: interior;` },
  'along lines': {
    shape: line,
    count: 100,
    style: `line-color: #999; ::label { ${text} text-placement: line; }`,
  },
  shields: {
    shape: point,
    count: 500,
    style: `shield-file: url(square); shield-name: [name]; shield-face-name: "DejaVu Sans Book"; shield-size: 10; shield-fill: #222;`,
  },
  'with icons': {
    shape: point,
    count: 500,
    style: `marker-file: url(star); marker-width: 14; ::label { ${text} text-dy: 12; }`,
  },
};

let made = 0;
async function layerOf({ shape, count, style }: Kind): Promise<number> {
  const next = numbers(4_711);
  for (let i = 0; i < 5; i++) next();
  made += 1;
  const code = `labels_${made}`;
  const features = Array.from({ length: count }, (_, i) => ({
    type: 'Feature',
    properties: { name: `${names[i % names.length]} ${i}` },
    geometry: shape(place(next), next),
  }));
  await server.admin('POST', '/walk/layers/', { code });
  await server.admin('POST', `/walk/layers/${code}/import/`, { type: 'FeatureCollection', features });
  await server.admin('PATCH', `/walk/layers/${code}/`, { css_style: `#${code} { ${style} }` });
  return (await server.admin('GET', `/walk/layers/${code}/`)).id;
}

/** The screen in one picture, as tiles row by row. */
async function whole(id: number, z: number): Promise<PNG[]> {
  const [x, y] = originOf(z);
  const { xml, xmlKey, above, bufferSize } = await planTile(server, 'walk', { z, x, y, layers: [id] });
  const extent = tileExtent(z, x, y, columns, rows);
  const form = { columns, rows, size: 256, scale: 1, format: 'png' };
  const tiles = await server.server.services.renderers.render({
    xml,
    xmlKey,
    above,
    extent,
    bufferSize,
    ...form,
  });
  return tiles.map((bytes) => PNG.sync.read(Buffer.from(bytes)));
}

/** Indexes of tiles that are asked for at once, one group after the other. Tiles of a group may be drawn together. */
const all = Array.from({ length: columns * rows }, (_, i) => i);
const orders: Record<string, number[][]> = {
  'one by one': all.toReversed().map((i) => [i]),
  'by columns': Array.from({ length: columns }, (_, i) => all.filter((one) => one % columns === i)),
};

async function asked(id: number, z: number, groups: readonly number[][]): Promise<PNG[]> {
  const [x, y] = originOf(z);
  const found: PNG[] = [];
  for (const group of groups)
    await Promise.all(
      group.map(async (i) => {
        const at = [z, x + (i % columns), 2 ** z - 1 - (y + Math.floor(i / columns))] as const;
        const answer = await tile(server, 'walk', at, `layers=${id}`);
        assert.equal(answer.status, 200, answer.text);
        found[i] = PNG.sync.read(answer.bytes);
      }),
    );
  return found;
}

const unlike = (a: PNG, b: PNG): number =>
  pixelmatch(a.data, b.data, undefined, 256, 256, { threshold: 0.2 });

for (const [name, kind] of Object.entries(kinds))
  test(`labels ${name} are the same however tiles are asked for`, async () => {
    const id = await layerOf(kind);
    const wrong: string[] = [];
    for (const z of zooms) {
      const expected = await whole(id, z);
      for (const [order, groups] of Object.entries(orders)) {
        const drawn = await asked(id, z, groups);
        for (const [i, one] of drawn.entries()) {
          const pixels = unlike(one, expected[i]!);
          if (pixels > 8) wrong.push(`zoom ${z}, ${order}, tile ${i}: ${pixels} pixels`);
        }
      }
    }
    assert.deepEqual(wrong, []);
  });
