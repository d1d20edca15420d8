/** The MapLibre style of a map, drawn by MapLibre beside the tile of the same place. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join, resolve } from 'node:path';
import test, { type TestContext } from 'node:test';
import { PNG } from 'pngjs';
import { pixel } from '../pictures/compare.js';
import { startServer, type TestServer } from '../support/server.js';
import { makeScene, tile } from '../tiles/scene.js';
import { startBrowser, withoutBrowser } from './browser.js';

const library = resolve('node_modules/maplibre-gl/dist');

/** The tile 3/4/3 in a window of its size: MapLibre's level 2. */
const page = (style: string): string => `<!doctype html><meta charset="utf-8">
<style>body { margin: 0 } #map { width: 256px; height: 256px }</style><div id="map"></div>
<script type="module">
const { Map } = await import(new URL('maplibre-gl.mjs', location.href));
window.problems = [];
const map = new Map({ container: 'map', style: ${JSON.stringify(style)}, center: [22.5, 21.943], zoom: 2,
  attributionControl: false, fadeDuration: 0 });
map.on('error', ({ error }) => window.problems.push(error.message));
map.on('idle', () => { window.isDrawn = true; });
</script>`;

/** A site of another origin than the service, which has the page and MapLibre. */
async function startSite(t: TestContext, style: string): Promise<string> {
  const site = createServer(async ({ url }, response) => {
    const { pathname } = new URL(url!, 'http://localhost');
    const type = pathname.endsWith('.mjs') ? 'text/javascript' : 'text/html';
    const body =
      pathname === '/' ? page(style) : await readFile(join(library, basename(pathname))).catch(() => '');
    response.setHeader('content-type', type).end(body);
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  t.after(() => site.close());
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
}

/** Layers whose styles MapLibre can and cannot say, icons and a visualization. */
async function addLayers({ admin }: TestServer): Promise<void> {
  await admin('POST', '/scene/layers/', {
    code: 'hatch',
    sort: 9,
    css_style: '#hatch { building-fill: #c0c; building-height: 4; }',
  });
  await admin('POST', '/scene/layers/hatch/objects/', { fields: {}, geom: square(1, 1, 4) });
  await admin('POST', '/scene/layers/', {
    code: 'stars',
    sort: -1,
    css_style:
      '#stars { marker-file: url(star); marker-width: 24; marker-fill: #c0392b; marker-allow-overlap: true; }',
  });
  await admin('POST', '/scene/layers/stars/objects/', {
    fields: {},
    geom: { type: 'Point', coordinates: [33, 12] },
  });
  await admin('POST', '/scene/layers/', { code: 'classes', sort: 0 });
  await admin('POST', '/scene/layers/classes/structure/', { code: 'n', type: 'number' });
  for (const [i, n] of [1, 15, 30, null].entries())
    await admin('POST', '/scene/layers/classes/objects/', { fields: { n }, geom: square(28 + 4 * i, 36, 3) });
  await admin('PATCH', '/scene/layers/classes/', {
    visualSettings: {
      type: 1,
      columnCode: 'n',
      showBorder: false,
      classesSettings: {
        limits: [0, 10, 20, 40],
        minColor: '#ff0000',
        midColor: '#00ff00',
        maxColor: '#0000ff',
        noDataColor: '#111111',
        opacity: 1,
      },
    },
  });
}

function square(west: number, south: number, side: number): object {
  const [east, north] = [west + side, south + side];
  return {
    type: 'Polygon',
    coordinates: [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ],
  };
}

test('MapLibre draws the style of a map as the service draws its tiles', {
  skip: withoutBrowser,
}, async (t) => {
  const server = await startServer();
  t.after(() => server.stop());
  await makeScene(server);
  await addLayers(server);
  const address = `${server.url}/tiles/demo/scene/style.json`;
  const { json: style } = await server.request('GET', '//tiles/demo/scene/style.json');
  assert.deepEqual(style.metadata['cartulary:layers'], [
    { layer: 'hatch', drawnAs: 'raster', reason: 'building symbols' },
    { layer: 'land', drawnAs: 'vector' },
    { layer: 'roads', drawnAs: 'vector' },
    { layer: 'places', drawnAs: 'vector', leftOut: ['marker-ignore-placement'] },
    { layer: 'stars', drawnAs: 'vector' },
    { layer: 'classes', drawnAs: 'vector' },
  ]);
  const browser = await startBrowser(t);
  const opened = await browser.newPage({ viewport: { width: 256, height: 256 } });
  const site = await startSite(t, address);
  const asked: URL[] = [];
  opened.on('request', (request) => asked.push(new URL(request.url())));
  await opened.goto(site);
  await opened.waitForFunction('window.isDrawn', undefined, { timeout: 120_000 });
  assert.deepEqual(await opened.evaluate('window.problems'), []);
  const foreign = asked.filter(
    ({ protocol, origin }) => protocol === 'http:' && origin !== server.url && `${origin}/` !== site,
  );
  assert.deepEqual(foreign, []);
  const paths = new Set(asked.map(({ pathname }) => decodeURI(pathname)));
  for (const path of ['sprite.json', 'sprite.png', 'glyphs/DejaVu Sans Book/0-255.pbf'])
    assert.ok(paths.has(`/tiles/demo/scene/${path}`), path);
  const drawn = await opened.screenshot();
  const own = (await tile(server, 'scene', [3, 4, 4])).bytes;
  const [a, b] = [PNG.sync.read(drawn).data, PNG.sync.read(own).data];
  const error = a.reduce((sum, value, i) => sum + Math.abs(value - b[i]!), 0) / a.length;
  assert.ok(error < 8, `mean difference ${error}`);
  // The letters of a label.
  const letters = Array.from({ length: 50 * 12 }, (_, i) =>
    pixel(drawn, 37 + (i % 50), 121 + Math.floor(i / 50)),
  );
  assert.ok(letters.filter(([red]) => red! < 120).length > 20, 'no letters');
  // The inside of each class, of an icon, of the sea, of an area with a category, and of the raster layer.
  for (const [x, y] of [
    [168, 29],
    [190, 29],
    [213, 29],
    [236, 29],
    [10, 60],
    [75, 160],
    [12, 238],
    [187, 188],
  ] as const)
    assert.deepEqual(pixel(drawn, x, y).slice(0, 3), pixel(own, x, y).slice(0, 3), `${x} ${y}`);
});
