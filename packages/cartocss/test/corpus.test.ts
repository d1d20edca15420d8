import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { corpus } from './corpus.js';
import { startDrawer } from './draw.js';
import { extentAt, size } from './features.js';
import { difference, ourXml, theirXml } from './support.js';

const drawer = startDrawer();
after(() => drawer.close());

const zooms = [3, 8, 13];

for (const sample of corpus) {
  test(`draws as carto does: ${sample.name}`, async () => {
    let differing = 0;
    for (const zoom of zooms) {
      const request = { extent: extentAt(zoom), size, scale: 1 };
      const ours = await drawer.draw({ ...request, xml: ourXml(sample.style, zoom), strict: true });
      const theirs = await drawer.draw({ ...request, xml: theirXml(sample, zoom), strict: false });
      const { pixels, most } = difference(ours.pixels, theirs.pixels);
      differing += pixels;
      if (sample.cartoFault === undefined)
        assert.ok(most <= (sample.tolerance ?? 0), `zoom ${zoom}: ${pixels} pixels differ, by up to ${most}`);
    }
    if (sample.cartoFault !== undefined)
      assert.ok(differing > 0, `carto has lost its fault: ${sample.cartoFault}`);
  });
}

test('every sample draws something', async () => {
  const empty = new Uint8Array(size * size * 4);
  for (const sample of corpus) {
    const pictures = await Promise.all(
      zooms.map((zoom) =>
        drawer.draw({
          extent: extentAt(zoom),
          size,
          scale: 1,
          xml: ourXml(sample.style, zoom),
          strict: true,
        }),
      ),
    );
    assert.ok(
      pictures.some(({ pixels }) => difference(pixels, empty).pixels > 20),
      sample.name,
    );
  }
});
