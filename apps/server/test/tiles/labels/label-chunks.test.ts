import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import type { LabelPass, RenderJob } from '@cartulary/renderer/internal/messages.js';
import { PNG } from 'pngjs';
import type { SmallFeatureLayers } from '../../../src/tiles/small-features/layers.js';
import { numbers } from '../../support/hexagons.js';
import { startServer, type TestServer } from '../../support/server.js';
import { freshDrawer, type Place, served, watchDrawings } from '../cache/kept-support.js';

let server: TestServer;
let drawings: RenderJob[];
before(async () => {
  server = await startServer({ CARTULARY_SMALL_FEATURES_FROM: '0', CARTULARY_TILES_TOGETHER: '1' }, 'here');
  drawings = watchDrawings(server);
});
after(() => server?.stop());

const places: readonly Place[] = [
  [3, 4, 3],
  [3, 3, 3],
];

/** Far more names than have room, at single points, several points, along lines and in polygons. */
function crowded(count: number): object[] {
  const next = numbers(9);
  const geometryAt = (i: number, x: number, y: number): object => {
    const ring = [[x, y], [x + 0.2, y], [x, y + 0.2], [x, y]]; // biome-ignore format: a ring
    if (i % 9 === 0) return { type: 'MultiPoint', coordinates: [[x, y], [x + 3, y - 2]] }; // biome-ignore format: two points
    if (i % 9 === 1) return { type: 'Polygon', coordinates: [ring] };
    if (i % 9 === 2) return { type: 'LineString', coordinates: ring };
    return { type: 'Point', coordinates: [x, y] };
  };
  return Array.from({ length: count }, (_, i) => ({
    type: 'Feature',
    properties: { name: i % 7 === 0 ? null : `Ö ${i % 50} ${'ab'.repeat(i % 4)}`, kind: i % 3 },
    geometry: geometryAt(i, -40 + 80 * next(), -5 + 50 * next()),
  }));
}

async function makeMap(map: string, style: string, count: number): Promise<void> {
  await server.admin('POST', '/', { code: map, css_style: 'Map { background-color: #fff; }' });
  await server.admin('POST', `/${map}/layers/`, { code: 'objects' });
  const features = crowded(count);
  await server.admin('POST', `/${map}/layers/objects/import/`, { type: 'FeatureCollection', features });
  await server.admin('PATCH', `/${map}/layers/objects/`, { css_style: style });
}

const labelPasses = (): LabelPass[] =>
  (drawings.at(-1)?.above ?? []).flatMap((pass) => (pass.kind === 'labels' ? pass : []));
const chunked = (): number =>
  labelPasses().filter(({ rows }) => 'chunks' in rows && rows.chunks.length).length;

const chunksOf = (depth: number): Pick<SmallFeatureLayers, 'worthAt'> => ({
  worthAt: async (level, layers) =>
    new Map(layers.map(({ id }) => [id, { level, depth, hasSprites: true, hasLarger: true }])),
});

const text = 'text-name: [name]; text-face-name: "DejaVu Sans Book"; text-size: 10; text-dy: -5;';
// Markers that nobody sees claim their place, too.
const dot = 'marker-width: 3; marker-fill-opacity: 0; marker-line-opacity: 0; marker-allow-overlap: true;';
const styles: Record<string, [style: string, passes: number, objects: number]> = {
  names: [`#objects { ${text} }`, 1, 3000],
  dotted: [`#objects { ${dot} ${text} }`, 1, 3000],
  divided: [
    `#objects::dot { ${dot} } #objects::name { [kind > 0] { ${text} } [kind = 0] { ${text} text-size: 14; } }`,
    2,
    300,
  ],
};

for (const [map, [style, passes, objects]] of Object.entries(styles))
  test(`labels in chunks are those of one query: ${map}`, async () => {
    await makeMap(map, style, objects);
    const usual = (await freshDrawer(server))();
    for (const [place, scale] of [
      [places[0]!, 1],
      [places[0]!, 2],
      [places[1]!, 1],
    ] as const) {
      const expected = await usual(map, place, scale);
      assert.deepEqual([labelPasses().length, chunked()], [passes, 0]);
      for (const depth of [1, 3]) {
        const draw = (await freshDrawer(server, { smallFeatures: chunksOf(depth) }))();
        const found = await draw(map, place, scale);
        assert.equal(chunked(), passes, `depth ${depth}`);
        const unlike = unlikePixels(found, expected);
        assert.equal(unlike, 0, `${map} ${place} scale ${scale} depth ${depth}: ${unlike} pixels differ`);
      }
      assert.ok(unlikePixels(expected, blank(256 * scale)) > 1000, 'something is drawn');
    }
  });

/** The number of pixels whose colours differ by more than `tolerance` in all. */
function unlikePixels(one: Buffer, other: Buffer, tolerance = 24): number {
  const [a, b] = [PNG.sync.read(one).data, PNG.sync.read(other).data];
  let unlike = 0;
  for (let i = 0; i < a.length; i += 4) {
    const far = [0, 1, 2].reduce((sum, k) => sum + Math.abs(a[i + k]! - b[i + k]!), 0);
    if (far > tolerance) unlike++;
  }
  return unlike;
}

function blank(side: number): Buffer {
  const png = new PNG({ width: side, height: side });
  png.data.fill(255);
  return PNG.sync.write(png);
}

test('thinned labels are nearly those of Mapnik, which tries all', async () => {
  await makeMap('mapniks', `#objects { ${text} text-avoid-edges: false; }`, 3000);
  const draw = (await freshDrawer(server))();
  const thinned = await draw('names', places[0]!);
  assert.equal(labelPasses().length, 1);
  const all = await draw('mapniks', places[0]!);
  assert.equal(labelPasses().length, 0);
  // Letters have other edges, and where many labels compete a hair decides: without thinning nearly as many pixels differ.
  const [own, ink] = [thinned, all].map((one) => unlikePixels(one, blank(256), 480)) as [number, number];
  const unlike = unlikePixels(thinned, all, 480);
  assert.ok(ink > 1000 && Math.abs(own / ink - 1) < 0.05, `${own} and ${ink} pixels`);
  assert.ok(unlike < 0.33 * ink, `${unlike} of ${ink} pixels differ`);
});

test('a write shows in the labels', async () => {
  const draw = async (): Promise<Buffer> => (await served(server, 'names', places[0]!)).bytes;
  const before = await draw();
  await server.admin('PUT', '/names/layers/objects/objects/4/', { fields: { name: 'ANOTHER NAME' } });
  const chunkDrawer = (await freshDrawer(server, { smallFeatures: chunksOf(1) }))();
  assert.equal(unlikePixels(await chunkDrawer('names', places[0]!), await draw()), 0);
  assert.ok(unlikePixels(before, await draw()) > 0);
});

test('a text is read as far as it is drawn', async () => {
  const draw = (await freshDrawer(server, { smallFeatures: chunksOf(1) }))();
  const bytes = (): number =>
    labelPasses()
      .flatMap(({ rows }) => ('chunks' in rows ? rows.chunks : []))
      .reduce((sum, chunk) => sum + chunk.length, 0);
  await draw('names', places[0]!);
  const before = bytes();
  const name = 'long '.repeat(800);
  await server.admin('POST', '/names/layers/objects/objects/', {
    fields: { name },
    geom: { type: 'Point', coordinates: [10, 20] },
  });
  await (await freshDrawer(server, { smallFeatures: chunksOf(1) }))()('names', places[0]!);
  assert.ok(bytes() < before + 1_100, `${before} and ${bytes()} bytes`);
});
