import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { assertPicture } from '../pictures/compare.js';
import { startServer, type TestServer } from '../support/server.js';
import { makeScene, type SceneLayer, tile } from './scene.js';

let server: TestServer;
let ids: Record<SceneLayer, number>;
before(async () => {
  server = await startServer();
  ids = await makeScene(server);
});
after(() => server?.stop());

const place = [3, 4, 4] as const;

/** Requests a tile; asserts 200 and a PNG. */
async function picture(at: readonly [number, number, number], query = ''): Promise<Buffer> {
  const { status, headers, bytes, text } = await tile(server, 'scene', at, query);
  assert.equal(status, 200, text);
  assert.equal(headers.get('content-type'), 'image/png');
  return bytes;
}

const pictures: [name: string, query: () => string][] = [
  ['scene', () => ''],
  ['scene-without-base', () => 'base=0'],
  ['scene-retina', () => 'retina=2'],
  ['scene-palette', () => 'q=1'],
  ['scene-russian', () => 'lng=ru'],
  ['scene-land-over-roads', () => `layers=${ids.roads},${ids.land}`],
  ['scene-places', () => `layers=${ids.places}&base=0`],
];
for (const [name, query] of pictures) {
  test(`picture ${name}`, async () => assertPicture(name, await picture(place, query())));
}

test('each form has its size and its colours', async () => {
  const read = async (query: string): Promise<Buffer> => await picture(place, query);
  const form = (bytes: Buffer): number[] => [bytes.readUInt32BE(16), bytes.readUInt32BE(20), bytes[25]!];
  const [fullColor, palette] = [6, 3];
  assert.deepEqual(form(await read('')), [256, 256, fullColor]);
  assert.deepEqual(form(await read('retina=1&q=0')), [256, 256, fullColor]);
  assert.deepEqual(form(await read('base=0')), [256, 256, fullColor]);
  assert.deepEqual(form(await read('retina=2')), [512, 512, fullColor]);
  assert.deepEqual(form(await read('retina=2&q=1')), [512, 512, palette]);
  assert.deepEqual(form(await read('retina=4')), [1024, 1024, fullColor]);
});

for (const [layer, size] of [
  ['places', 64],
  ['roads', 64],
  ['land', 64],
  ['land', 8],
] as const) {
  test(`icon of ${layer}, ${size} pixels`, async () => {
    const { status, bytes, headers } = await server.request(
      'GET',
      `/scene/layers/${layer}/icon/?size=${size}`,
    );
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'image/png');
    assertPicture(`icon-${layer}-${size}`, bytes);
  });
}
