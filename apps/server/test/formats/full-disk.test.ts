import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { collection, refused } from './refused.js';
import { type Formats, fixture, startFormats } from './support.js';

let formats: Formats;
test.before(async () => {
  formats = await startFormats();
});
test.after(() => formats.server.stop());

const tmp = (): string => join(formats.server.server.services.config.dataFolder, 'tmp');

/** A tmpfs in the place of the temporary folder; undefined where this user may not mount one. */
function smallDisk(t: TestContext, size: string): boolean {
  mkdirSync(tmp(), { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', tmp()], { stdio: 'ignore' });
  } catch {
    t.skip('mounting a small disk takes root');
    return false;
  }
  t.after(() => execFileSync('umount', [tmp()]));
  return true;
}

test('a full disk: uploads and jobs are answered busy, and nothing is left', async (t) => {
  const layer = await formats.newLayer();
  await formats.load(layer, collection(3_000, 'x'.repeat(300)), 'x.geojson');
  const target = await formats.newLayer();
  if (!smallDisk(t, '1m')) return;
  const { server } = formats;
  const busy = [503, 'busy'] as const;
  const gpkg = Buffer.concat([fixture('places.gpkg'), Buffer.alloc(2 * 1024 * 1024)]);
  await refused('an upload', await formats.send(target, gpkg, 'x.gpkg'), busy, /disk/);
  const later = await formats.send(target, gpkg, 'x.gpkg', 'async=1');
  await refused('the upload of a job', later, busy, /disk/);
  const { id } = (await server.request('GET', `/m/layers/${layer}/export/?format=geojson&async=1`)).json;
  for (;;) {
    const job = (await server.request('GET', `/jobs/${id}/`)).json;
    if (job.state === 'failed') assert.equal(job.error.code, 'busy');
    assert.notEqual(job.state, 'done');
    if (job.state === 'failed') break;
    await sleep(50);
  }
  await formats.assertClean();
  assert.deepEqual(await formats.objects(target), []);
});

test("a disk that only GDAL's output fills: its input had enough space", async (t) => {
  const layer = await formats.newLayer();
  await formats.load(layer, collection(3_000, 'x'.repeat(200)), 'x.geojson');
  if (!smallDisk(t, '1300k')) return;
  for (const format of ['gpkg', 'fgb', 'shp', 'mif', 'tab']) {
    const answer = await formats.server.request('GET', `/m/layers/${layer}/export/?format=${format}`);
    await refused(format, answer, [503, 'busy'], /disk/);
    await formats.assertClean();
  }
});
