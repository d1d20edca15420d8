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

test('a process goes on to the next job only after one that came to its end, and has nothing of it', {
  skip: process.platform !== 'linux',
}, async (t) => {
  const folders = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'cartulary-engine-'))));
  t.after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));
  const gpx = fixture('track.gpx');
  await writeFile(join(folders[0]!, 'x.gpx'), gpx);
  await writeFile(join(folders[1]!, 'y.gpx'), gpx);
  const engine = createEngine({ processes: 1, time: 60_000, memory: 512, stall: 30_000, ratio: 200 });
  const { signal } = new AbortController();
  const inspect = (file: string) => ({ kind: 'inspect', data: { file, driver: 'GPX' } }) as const;
  const others = converters();
  const own = (): number[] => converters().filter((pid) => !others.includes(pid));

  const first = await engine.start(folders[0]!, signal);
  assert.equal((await first.ask(inspect('x.gpx'))).layers?.length, 5);
  const [pid] = own();
  first.end();
  const second = await engine.start(folders[1]!, signal);
  assert.equal((await second.ask(inspect('x.gpx'))).failed, true, 'the folder of the first job');
  assert.equal((await second.ask(inspect('y.gpx'))).layers?.length, 5);
  assert.deepEqual(own(), [pid]);
  // It is ended in the middle.
  const dump = second.dump({ kind: 'dump', data: inspect('y.gpx').data, layer: 'tracks', heights: 'none' });
  await dump.next();
  second.end();
  const third = await engine.start(folders[1]!, signal);
  const rows: Buffer[] = [];
  for await (const chunk of third.dump({
    kind: 'dump',
    data: inspect('y.gpx').data,
    layer: 'tracks',
    heights: 'none',
  }))
    rows.push(chunk);
  assert.match(Buffer.concat(rows).toString(), /^COPY/m);
  assert.ok(!own().includes(pid!));
  third.end();
});

test('a conversion whose process is killed', { skip: process.platform !== 'linux' }, async () => {
  const layer = await formats.newLayer();
  await formats.load(layer, collection(10, 'x'), 'x.geojson');
  const before = JSON.stringify(await formats.objects(layer));
  // A process that waits for its next job is killed as well: its job gets another one, which is killed too.
  const killedWhile = async <T>(request: Promise<T>): Promise<T> => {
    let isRunning = true;
    const ended = request.finally(() => {
      isRunning = false;
    });
    while (isRunning) {
      for (const pid of converters()) process.kill(pid, 'SIGKILL');
      await Promise.race([ended, sleep(5)]);
    }
    return await ended;
  };
  const imported = await killedWhile(formats.send(layer, fixture('places.gpkg'), 'x.gpkg'));
  await refused('import', imported, [500, 'import_failed'], /broke down/);
  assert.equal(JSON.stringify(await formats.objects(layer)), before);
  const exporting = formats.server.request('GET', `/m/layers/${layer}/export/?format=gpkg`);
  await refused('export', await killedWhile(exporting), [500, 'export_failed'], /broke down/);
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
