import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { startReading } from '@cartulary/formats/internal/reading/reading-thread.js';

const options = {
  featureLimit: 1_000_000,
  srs: undefined,
  skipErrors: false,
  columns: [],
  languages: ['en'],
  language: 'en',
  propertyLimit: 100,
};

/** The files of a folder that this process has open. */
const openIn = (folder: string): string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(folder) ? [path] : [];
    } catch {
      return [];
    }
  });

test('readings that fail leave neither threads nor open files, and the next one is right', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'reading-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const shp = join(folder, 'cut.shp');
  writeFileSync(shp, Buffer.alloc(50));
  const encoding = { known: undefined, fallback: 'utf-8' } as never;
  const part = { kind: 'shp', shp, shx: undefined, dbf: undefined, encoding, srs: undefined } as const;
  const threads = new Set<number>();
  for (let i = 0; i < 20; i++) {
    const thread = startReading(options);
    await assert.rejects(thread.ask({ kind: 'begin', part }), /cut off or damaged/);
    await thread.stop();
    threads.add(readdirSync('/proc/self/task').length);
  }
  assert.equal(threads.size, 1, 'one thread reads all');
  assert.deepEqual(openIn(folder), []);

  const thread = startReading(options);
  await thread.ask({ kind: 'begin', part: { kind: 'geojson' } });
  const text =
    '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"a":1},"geometry":null}]}';
  await thread.ask({ kind: 'bytes', bytes: Buffer.from(text) });
  const stopped = thread.stop();
  const late = thread.ask({ kind: 'end' });
  await stopped;
  const settled = await Promise.race([late, new Promise((resolve) => setImmediate(resolve, 'never'))]);
  assert.equal(settled, 'never', 'who has stopped is told nothing more');
});

test('a signal ends what a thread still works on, and the thread reads the next file', async () => {
  const text = '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"a":1}}]}';
  const read = async (thread: ReturnType<typeof startReading>): Promise<void> => {
    await thread.ask({ kind: 'begin', part: { kind: 'geojson' } });
    await thread.ask({ kind: 'bytes', bytes: Buffer.from(text) });
    const rows = await thread.ask({ kind: 'end' });
    assert.equal(rows.kind === 'rows' && rows.read, 1);
  };
  const controller = new AbortController();
  const thread = startReading(options, controller.signal);
  const asked = thread.ask({ kind: 'begin', part: { kind: 'geojson' } });
  controller.abort(new Error('cancelled'));
  await assert.rejects(asked, /cancelled/);
  await thread.stop();
  const next = startReading(options);
  await read(next);
  await next.stop();
});
