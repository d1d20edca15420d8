import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { tileExtent } from '../../src/geo/tile.js';
import { createPlanner } from '../../src/tiles/plan.js';
import { assertPicture, beside } from '../pictures/compare.js';
import { startServer, type TestServer } from '../support/server.js';
import { makeScene, tile } from './scene.js';
import { demoCaller } from './support.js';

let server: TestServer;
before(async () => {
  server = await startServer({}, 'here');
  await makeScene(server);
});
after(() => server?.stop());

/** Two neighbours that lie in different blocks, of 4 × 4 and of 2 × 2; a label and a road lie across both. */
const [z, x, north] = [5, 19, 12];

/** Both drawn at once. */
async function atOnce(scale: number): Promise<PNG> {
  const { db, storage, icons, renderers } = server.server.services;
  const caller = await demoCaller(db, { isInstaller: true });
  const request = {
    z,
    x,
    y: north,
    base: true,
    layers: undefined,
    scale,
    palette: false,
    lng: 'en',
    main: 'en',
  };
  const { xml, xmlKey, bufferSize } = await createPlanner({ db, storage, icons })(caller, 'scene', request);
  const form = { columns: 2, rows: 1, size: 256 * scale, scale, format: 'png' };
  const extent = tileExtent(z, x, north, 2, 1);
  const pictures = await renderers.render({ xml, xmlKey, extent, bufferSize: bufferSize * scale, ...form });
  return beside(pictures.map((picture) => Buffer.from(picture)));
}

for (const scale of [1, 2]) {
  test(`what lies across two blocks looks as if it were drawn at once, retina=${scale}`, async () => {
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
