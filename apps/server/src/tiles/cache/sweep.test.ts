import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { sweepFolder } from './sweep.js';

const kib = 1024;

/** A folder with files of 8 KiB, each a minute older than the one before. */
function makeFolder(count: number): { folder: string; files: string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'cartulary-sweep-'));
  const files = Array.from({ length: count }, (_, i) => {
    const own = join(folder, 'scope', String(i % 3));
    mkdirSync(own, { recursive: true });
    const file = join(own, i.toString(16).padStart(64, '0'));
    writeFileSync(file, Buffer.alloc(8 * kib));
    const used = new Date(Date.now() - i * 60_000);
    utimesSync(file, used, used);
    return file;
  });
  return { folder, files };
}

test('below the limit all files stay, above it the oldest leave', async (t) => {
  const { folder, files } = makeFolder(20);
  t.after(() => rmSync(folder, { recursive: true }));
  await sweepFolder(folder, 20 * 8 * kib);
  assert.ok(files.every(existsSync));
  await sweepFolder(folder, 10 * 8 * kib);
  assert.deepEqual(
    files.map((file) => existsSync(file)),
    files.map((_, i) => i < 9),
    'nine tenths of the limit are left',
  );
});

test('of files of one age only as many leave as necessary', async (t) => {
  const { folder, files } = makeFolder(20);
  t.after(() => rmSync(folder, { recursive: true }));
  const used = new Date(Date.now() - 3_600_000);
  for (const file of files) utimesSync(file, used, used);
  await sweepFolder(folder, 10 * 8 * kib);
  assert.equal(files.filter((file) => existsSync(file)).length, 9);
});

test('an index leaves with its file', async (t) => {
  const { folder, files } = makeFolder(4);
  t.after(() => rmSync(folder, { recursive: true }));
  for (const file of files) writeFileSync(`${file}.index`, 'x');
  await sweepFolder(folder, 2 * 12 * kib);
  assert.deepEqual(
    files.map((file) => [existsSync(file), existsSync(`${file}.index`)]),
    [true, false, false, false].map((isThere) => [isThere, isThere]),
    'each takes 12 KiB with its index, and nine tenths of the limit are left',
  );
});

test('other files stay, and a missing folder counts as empty', async (t) => {
  const { folder } = makeFolder(1);
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'timeline.json'), 'x');
  await sweepFolder(folder, 0);
  assert.deepEqual(readdirSync(folder, { recursive: true }).sort(), ['scope', 'scope/0', 'timeline.json']);
  await sweepFolder(join(folder, 'nowhere'), 0);
});
