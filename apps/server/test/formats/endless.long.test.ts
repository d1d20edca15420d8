import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readUsage } from '@cartulary/formats/internal/engine/usage.js';
import { arrayDrawing, geopackageWithView, nestedDrawing, views } from './endless-files.js';
import { collection, refused } from './refused.js';
import { converters, type Formats, fixture, startFormats } from './support.js';

let formats: Formats;
test.before(async () => {
  const settings = { CARTULARY_CONVERTER_STALL: '2000', CARTULARY_CONVERTERS: '2' };
  formats = await startFormats(settings, 'here');
});
test.after(() => formats?.server.stop());

const onLinux = { skip: process.platform !== 'linux' };

/** An import of a file ends with this limit named, while another goes through, and leaves nothing. */
async function ends(what: string, file: Buffer | string, name: string, limit: string): Promise<void> {
  const [layer, other] = [await formats.newLayer(), await formats.newLayer()];
  await formats.load(layer, collection(3, 'x'), 'x.geojson');
  const before = JSON.stringify(await formats.objects(layer));
  const hostile = formats.send(layer, file, name);
  const honest = await formats.load(other, fixture('places.gpkg'), 'x.gpkg');
  assert.ok(honest.stored > 0);
  const answer = await hostile;
  await refused(what, answer, [500, 'import_failed'], /conversion was ended/);
  assert.equal(answer.json.data.limit, limit);
  assert.equal(JSON.stringify(await formats.objects(layer)), before);
  await formats.assertClean();
  // A process that was killed is there until the system has cleared it away; one that waits for a job does nothing.
  for (let i = 0; i < 50; i++) {
    const [before, after] = [await spent(), await sleep(100).then(spent)];
    if (JSON.stringify(before) === JSON.stringify(after)) return;
  }
  assert.fail('a conversion goes on');
}

/** The processor time of each conversion's process, ms. */
const spent = (): Promise<(number | undefined)[]> =>
  Promise.all(converters().map(async (pid) => (await readUsage(pid))?.cpuMs));

test('a GeoPackage whose view never ends', onLinux, async () => {
  for (const view of ['endless', 'silent'] as const) {
    const file = await geopackageWithView(views[view]);
    await ends(view, file, 'x.gpkg', 'CARTULARY_CONVERTER_STALL');
  }
});

test('drawings that make 10^9 lines out of one', onLinux, async () => {
  await ends('array', arrayDrawing(30_000, 30_000), 'x.dxf', 'CARTULARY_CONVERTER_STALL');
  await ends('nested', nestedDrawing(9), 'x.dxf', 'CARTULARY_CONVERTER_STALL');
});

test('a GeoPackage whose view makes much out of nothing', async () => {
  const file = await geopackageWithView(views.repeated);
  await ends('repeated', file, 'x.gpkg', 'CARTULARY_CONVERTER_RATIO');
});

test('drawings of honest arrays and nested blocks come in', async () => {
  const layer = await formats.newLayer();
  const array = await formats.load(layer, arrayDrawing(40, 50), 'x.dxf', 'srs=3857');
  const nested = await formats.load(layer, nestedDrawing(2), 'x.dxf', 'srs=3857');
  assert.deepEqual([array.stored, nested.stored], [2_000, 1]);
});
