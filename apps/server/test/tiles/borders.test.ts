import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { tileExtent } from '@cartulary/geo/internal/tile.js';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { assertPicture, beside } from '../pictures/compare.js';
import { startServer, type TestServer } from '../support/server.js';
import { makeScene, tile } from './scene.js';
import { planTile } from './support.js';

let server: TestServer;
before(async () => {
  server = await startServer({}, 'here');
  await makeScene(server);
});
after(() => server?.stop());

/** Neighbours in different blocks, of 4 × 4 and of 2 × 2 tiles; a label and a road cross their border. */
const [z, x, north] = [5, 19, 12];

/** Draws both in one picture. */
async function atOnce(scale: number): Promise<PNG> {
  const { xml, xmlKey, bufferSize } = await planTile(server, 'scene', { z, x, y: north, scale });
  const form = { columns: 2, rows: 1, size: 256 * scale, scale, format: 'png' };
  const extent = tileExtent(z, x, north, 2, 1);
  const pictures = await server.server.services.renderers.render({
    xml,
    xmlKey,
    extent,
    bufferSize: bufferSize * scale,
    ...form,
  });
  return beside(pictures.map((picture) => Buffer.from(picture)));
}

for (const scale of [1, 2]) {
  test(`the border of two blocks looks as in one picture, retina=${scale}`, async () => {
    const ask = async (column: number): Promise<Buffer> => {
      const answer = await tile(server, 'scene', [z, column, 2 ** z - 1 - north], `retina=${scale}`);
      assert.equal(answer.status, 200, answer.text);
      return answer.bytes;
    };
    const apart = beside([await ask(x), await ask(x + 1)]);
    const whole = await atOnce(scale);
    const wrong = pixelmatch(apart.data, whole.data, undefined, whole.width, whole.height, {
      threshold: 0.1,
    });
    assert.ok(wrong <= 4, `${wrong} pixels differ`);
    assertPicture(`border-${scale}`, PNG.sync.write(apart));
  });
}
