import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEngine } from '../../src/transfer/engine/engine.js';
import { type Formats, fixture, startFormats } from './support.js';

let formats: Formats;
test.before(async () => {
  formats = await startFormats();
});
test.after(() => formats.server.stop());

const collection = (count: number, note: string): string =>
  `{"type":"FeatureCollection","features":[${Array.from(
    { length: count },
    (_, i) =>
      `{"type":"Feature","geometry":{"type":"Point","coordinates":[${i % 180},${i % 90}]},"properties":{"note":"${note}"}}`,
  ).join(',')}]}`;

async function refused(
  what: string,
  answer: { status: number; json: any; text: string },
  [status, code]: readonly [number, string],
  says: RegExp,
): Promise<void> {
  const message = answer.json?.message ?? answer.text;
  assert.equal(answer.status, status, `${what}: ${answer.text}`);
  if (answer.json) assert.equal(answer.json.code, code, what);
  else assert.ok(answer.text.includes(`<code>${code}</code>`), `${what}: ${answer.text}`);
  assert.match(message, says, what);
  assert.doesNotMatch(message, /\/tmp\/|\/job|select |at file:/, what);
}

test('a conversion that takes too long is ended', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'cartulary-engine-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'x.gpx'), fixture('track.gpx'));
  // GDAL is not even ready by then.
  const engine = createEngine({ processes: 1, time: 20, memory: 512 });
  const inspect = { kind: 'inspect', data: { file: 'x.gpx', driver: 'GPX' } } as const;
  const { signal } = new AbortController();
  const late = await engine.start(folder, signal);
  await assert.rejects(late.ask(inspect), { code: 'timeout' });
  // Its turn is given to the next.
  const next = await engine.start(folder, signal);
  await assert.rejects(next.ask(inspect), { code: 'timeout' });
});

/** Processes of GDAL that this process has started. */
function converters(): number[] {
  const children = readdirSync(`/proc/${process.pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${process.pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean),
  );
  return children.map(Number).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('engine-process');
    } catch {
      return false;
    }
  });
}

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
