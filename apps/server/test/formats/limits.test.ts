import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { createEngine } from '@cartulary/formats/internal/engine/engine.js';
import { zipOf } from './archives.js';
import { collection, refused } from './refused.js';
import { converters, type Formats, fixture, startFormats } from './support.js';

let formats: Formats;
test.before(async () => {
  formats = await startFormats({}, 'here');
});
test.after(() => formats.server.stop());

test('a conversion that takes too long is ended', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'cartulary-engine-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'x.gpx'), fixture('track.gpx'));
  // GDAL is not even ready by then.
  const engine = createEngine({ processes: 1, time: 20, memory: 512, stall: 30_000, ratio: 200 });
  const inspect = { kind: 'inspect', data: { file: 'x.gpx', driver: 'GPX' } } as const;
  const { signal } = new AbortController();
  const late = await engine.start(folder, signal);
  await assert.rejects(late.ask(inspect), { code: 'timeout' });
  // Its slot goes to the next one.
  const next = await engine.start(folder, signal);
  await assert.rejects(next.ask(inspect), { code: 'timeout' });
});

test('a conversion whose process is killed', { skip: process.platform !== 'linux' }, async () => {
  const layer = await formats.newLayer();
  await formats.load(layer, collection(10, 'x'), 'x.geojson');
  const before = JSON.stringify(await formats.objects(layer));
  const killOne = async (): Promise<void> => {
    for (;;) {
      const [pid] = converters();
      if (pid) return void process.kill(pid, 'SIGKILL');
      await sleep(5);
    }
  };
  const [imported] = await Promise.all([formats.send(layer, fixture('places.gpkg'), 'x.gpkg'), killOne()]);
  await refused('import', imported, [500, 'import_failed'], /broke down/);
  assert.equal(JSON.stringify(await formats.objects(layer)), before);
  const exporting = formats.server.request('GET', `/m/layers/${layer}/export/?format=gpkg`);
  const [exported] = await Promise.all([exporting, killOne()]);
  await refused('export', exported, [500, 'export_failed'], /broke down/);
  await formats.assertClean();
});

test('an export that grows beyond the limit while it is converted', async (t) => {
  const small = await startFormats({ CARTULARY_TEMPORARY_LIMIT: String(2 * 1024 * 1024) });
  t.after(() => small.server.stop());
  // In a shapefile every text takes as much as the longest.
  const layer = await small.newLayer();
  await small.load(layer, collection(20_000, 'short'), 'x.geojson');
  await small.load(layer, collection(1, 'x'.repeat(254)), 'x.geojson');
  const answer = await small.server.request('GET', `/m/layers/${layer}/export/?format=shp`);
  await refused('growth', answer, [413, 'too_large'], /larger/);
  await small.assertClean();
});

test('gzip that unpacks to far more than it is', async () => {
  const layer = await formats.newLayer();
  // Far less than an import may have, and packed a thousandfold.
  const blanks = gzipSync(Buffer.alloc(80 * 1024 * 1024, ' '));
  for (const name of ['x.geojson.gz', 'x.csv.gz', 'x.kml.gz'])
    await refused(name, await formats.send(layer, blanks, name), [413, 'too_large'], /unpacks to more/);
  await formats.assertClean();
});

test('an archive is refused by its declared sizes, and by its real ones where it declares too little', async () => {
  const layer = await formats.newLayer();
  const archive = await zipOf({ 'x.geojson': collection(1_000, 'x') });
  const saying = (size: number): Buffer => {
    const changed = Buffer.from(archive);
    // The uncompressed size in the central directory (APPNOTE.TXT 4.3.12).
    changed.writeUInt32LE(size, changed.lastIndexOf('PK\x01\x02', undefined, 'latin1') + 24);
    return changed;
  };
  const send = (file: Buffer) => formats.send(layer, file, 'x.zip');
  await refused('more', await send(saying(3e9)), [413, 'too_large'], /unpacks to more than is allowed/);
  await refused('less', await send(saying(10)), [500, 'import_failed'], /is not what was packed/);
  assert.equal((await send(saying(collection(1_000, 'x').length))).status, 200);
  await formats.assertClean();
});
