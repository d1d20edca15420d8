import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { tileExtent } from '@cartulary/geo/internal/tile.js';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import sharp from 'sharp';
import { readRaster } from '../../src/rasters/store.js';
import { compose } from '../../src/tiles/plan/compose.js';
import { originsOf } from '../../src/tiles/plan/layer-origin.js';
import { image, rastersOn } from '../formats/raster-support.js';
import { assertPicture, beside } from '../pictures/compare.js';
import { startServer, type TestServer } from '../support/server.js';

let server: TestServer;
/** Layers by content. */
const layers: Record<string, { id: number; code: string; css_style: string }> = {};
before(async () => {
  server = await startServer({}, 'here');
  await server.admin('POST', '/', { code: 'm', css_style: 'Map { background-color: #dfe7ea; }' });
  const rasters = rastersOn(server);
  for (const [name, file, css, query] of [
    ['waves', await waves(), undefined, `raster_bbox=${encodeURIComponent('BOX(0 10,40 50)')}`],
    ['sharp', await waves(), 'raster-scaling: near;', `raster_bbox=${encodeURIComponent('BOX(0 10,40 50)')}`],
    ['values', image('values-float.tif'), undefined, ''],
    [
      'colored',
      image('values-float.tif'),
      'raster-opacity: 0.8; raster-scaling: near; raster-colorizer-default-mode: linear; raster-colorizer-stops: stop(100, #08306b) stop(150, #f7fbff) stop(200, #7f2704);',
      '',
    ],
    ['turned', image('rgba-28407.tif'), undefined, ''],
  ] as const) {
    const layer = await rasters.newLayer(css);
    await rasters.load(layer.code, file, query);
    layers[name] = layer;
  }
});
after(() => server?.stop());

/** Circles around the middle, finer than a pixel at low zoom levels. */
async function waves(): Promise<Buffer> {
  const side = 1_500;
  const pixels = Buffer.alloc(side * side * 3);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const wave = Math.sin(Math.hypot(x - side / 2, y - side / 2) / 6);
      pixels.set([128 + 100 * wave, (x * 255) / side, (y * 255) / side], 3 * (y * side + x));
    }
  }
  return sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer();
}

async function tile(
  ids: string,
  [z, x, y]: readonly [number, number, number],
  query = 'base=0',
): Promise<Buffer> {
  const answer = await server.request(
    'GET',
    `//tms/demo/m/?z=${z}&x=${x}&y=${2 ** z - 1 - y}&layers=${ids}&${query}`,
  );
  assert.equal(answer.status, 200, answer.text);
  return answer.bytes;
}

/** A tile at the western edge of the images from EPSG:32637. */
const place = [12, 2475, 1281] as const;

for (const [name, layer, at, query] of [
  ['raster-picture', 'waves', [4, 8, 6], 'base=1'],
  ['raster-retina', 'waves', [4, 9, 6], 'base=1&retina=2'],
  ['raster-palette', 'waves', [4, 9, 6], 'q=1'],
  ['raster-near', 'sharp', [9, 282, 200], 'base=0'],
  ['raster-values', 'values', place, 'base=1'],
  ['raster-colored', 'colored', place, 'base=1'],
  ['raster-turned', 'turned', place, 'base=0'],
] as const) {
  test(`the picture ${name}`, async () => {
    assertPicture(name, await tile(String(layers[layer]!.id), at, query));
  });
}

test('icons show the image', async () => {
  for (const [name, layer] of [
    ['raster-icon', 'turned'],
    ['raster-icon-values', 'colored'],
  ] as const) {
    const answer = await server.request('GET', `/m/layers/${layers[layer]!.code}/icon/?size=48`);
    assertPicture(name, answer.bytes);
  }
});

for (const [name, scale] of [
  ['waves', 1],
  ['waves', 2],
  ['sharp', 1],
  ['colored', 1],
] as const) {
  test(`there is no seam between tiles of ${name}, retina=${scale}`, async () => {
    const { db, storage, renderers } = server.server.services;
    const { id, code, css_style } = layers[name]!;
    const raster = (await readRaster(db, id))!;
    const layer = { id, type: 'raster' as const, code, css_style, render_settings: {}, columns: [], raster };
    const tree = { nodes: new Map(), children: new Map() };
    const content = {
      css_style: '',
      icons: new Map(),
      layers: new Map([[id, layer]]),
      whole: tree,
      published: tree,
    };
    // Columns 4 n - 1 and 4 n lie in different blocks.
    for (const [z, x, y] of name === 'colored'
      ? [[13, 4951, 2562]]
      : [
          [4, 7, 6],
          [6, 35, 25],
          [8, 139, 103],
        ]) {
      const { xml, xmlKey, bufferSize } = await compose(
        { z: z!, base: false, scale: 1, lng: 'en', main: 'en', fastLabels: true },
        [id],
        content,
        originsOf(db, storage),
      );
      const extent = tileExtent(z!, x!, y!, 2, 1);
      const form = { columns: 2, rows: 1, size: 256 * scale, scale, format: 'png' };
      const pictures = await renderers.render({
        xml,
        xmlKey,
        extent,
        bufferSize: bufferSize * scale,
        ...form,
      });
      const whole = beside(pictures.map((picture) => Buffer.from(picture)));
      const query = `base=0&retina=${scale}`;
      const apart = beside([
        await tile(String(id), [z!, x!, y!], query),
        await tile(String(id), [z!, x! + 1, y!], query),
      ]);
      const wrong = pixelmatch(apart.data, whole.data, undefined, whole.width, whole.height, {
        threshold: 0.1,
      });
      assert.ok(wrong <= 4, `${z}/${x}/${y}: ${wrong} pixels differ`);
      assert.ok(PNG.sync.write(apart).length > 1_000, 'something is drawn');
    }
  });
}
