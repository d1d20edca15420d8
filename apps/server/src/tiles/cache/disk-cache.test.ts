import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { DiskTileCache } from './disk-cache.js';
import { tagOf } from './memory-cache.js';
import { decodeTileFile, encodeTileFile } from './tile-file.js';

const at = (name: string): string => createHash('sha256').update(name).digest('binary');

/** A tile file whose picture is a text. */
function fileOf(text: string): Buffer {
  const bytes = Buffer.from(text);
  const drawn = { x: 1, y: 2, columns: 3, rows: 4 };
  return encodeTileFile({ bytes, tag: tagOf(bytes), versions: [5, 6], drawn });
}

function makeDisk(t: TestContext, limit: number) {
  const root = mkdtempSync(join(tmpdir(), 'cartulary-disk-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const warnings: string[] = [];
  const warn = (_: unknown, text: string): void => void warnings.push(text);
  const log = { debug: warn, info: warn, warn, error: warn } as never;
  const open = () => new DiskTileCache({ root, scope: 'scope', limitBytes: limit }, log);
  /** Files of segments, or of their indexes. */
  const files = (end: RegExp): string[] =>
    readdirSync(join(root, 'scope'))
      .filter((name) => end.test(name))
      .map((name) => join(root, 'scope', name));
  return {
    root,
    warnings,
    segments: () => files(/[0-9a-f]$/),
    indexes: () => files(/index$/),
    open,
    disk: open(),
  };
}

/** The picture of a valid tile; undefined: there is none. */
async function textAt(disk: DiskTileCache, name: string): Promise<string | undefined> {
  const file = await disk.read(at(name));
  const tile = file && decodeTileFile(file);
  return tile && String(Buffer.from(tile.bytes));
}

async function write(disk: DiskTileCache, tiles: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(tiles)) disk.write(at(name), () => fileOf(text));
  await disk.settled();
}

const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

/** Longer than the interval of looks for other processes' files, ms. */
const unseen = 1_100;

test('a written tile can be read until its file is deleted', async (t) => {
  const { disk, open, segments } = makeDisk(t, 1e9);
  assert.equal(await textAt(disk, '1'), undefined);
  disk.write(at('2'), () => fileOf('two'));
  await write(disk, { 1: 'one', 2: 'two again', 3: 'x'.repeat(100_000) });
  assert.equal(await textAt(disk, '1'), 'one');
  assert.equal(await textAt(disk, '2'), 'two again');
  assert.equal((await textAt(disk, '3'))?.length, 100_000);
  assert.equal(await textAt(disk, '4'), undefined);
  await write(disk, { 1: 'anew' });
  assert.equal(segments().length, 1, 'one file');
  assert.equal(await textAt(disk, '1'), 'anew', 'the last counts');
  assert.equal(await textAt(open(), '1'), 'anew', 'also for a process that has not read the index');
  assert.equal(await textAt(open(), '2'), 'two again');
  assert.deepEqual(decodeTileFile((await disk.read(at('1')))!)!.drawn, { x: 1, y: 2, columns: 3, rows: 4 });
  rmSync(segments()[0]!);
  assert.equal(await textAt(disk, '1'), undefined);
  await write(disk, { 2: 'after all' });
  assert.deepEqual([await textAt(disk, '1'), await textAt(disk, '2')], [undefined, 'after all']);
  assert.equal(await textAt(open(), '2'), 'after all');
});

test('several processes write at once and find the tiles of the others', async (t) => {
  const { disk, open, segments } = makeDisk(t, 1e9);
  const others = [disk, open(), open()];
  const names = Array.from({ length: 60 }, (_, i) => `tile ${i}`);
  for (const one of others) assert.equal(await textAt(one, 'none'), undefined);
  for (const [i, name] of names.entries()) others[i % 3]!.write(at(name), () => fileOf(name.repeat(99)));
  await Promise.all(others.map((one) => one.settled()));
  await sleep(unseen);
  for (const one of others)
    assert.deepEqual(
      await Promise.all(names.map((name) => textAt(one, name))),
      names.map((name) => name.repeat(99)),
    );
  assert.equal(segments().length, 3, 'a file for each');
});

test('more tiles than the table of places begins with', async (t) => {
  const { disk, open } = makeDisk(t, 1e9);
  const names = Array.from({ length: 5_000 }, (_, i) => String(i));
  for (let i = 0; i < names.length; i += 1_000) {
    for (const name of names.slice(i, i + 1_000)) disk.write(at(name), () => fileOf(name));
    await disk.settled();
  }
  for (const one of [disk, open()]) for (const name of names) assert.equal(await textAt(one, name), name);
});

test('truncated, damaged and missing files give no wrong tile, and new tiles replace them', async (t) => {
  const spoil: ((file: string) => void)[] = [
    (file) => truncateSync(file, statSync(file).size - 1),
    (file) => truncateSync(file, 40),
    (file) => truncateSync(file, 5),
    (file) => writeFileSync(file, ''),
    (file) => writeFileSync(file, 'x'.repeat(500)),
    (file) => writeFileSync(file, Buffer.alloc(500, 255)),
    (file) => writeFileSync(file, Buffer.concat([readFileSync(file).subarray(0, 50), readFileSync(file)])),
    (file) => appendFileSync(file, 'more'),
    (file) => appendFileSync(file, 'more'.repeat(50)),
    ...[0, 31, 33, 35, 37, 39, 41, 60, -1].map((place) => (file: string) => {
      const bytes = readFileSync(file);
      bytes[place < 0 ? bytes.length + place : place]! ^= 1;
      writeFileSync(file, bytes);
    }),
    (file) => rmSync(file),
    (file) => {
      rmSync(file);
      mkdirSync(file);
    },
  ];
  for (const kind of ['segments', 'indexes'] as const) {
    for (const [i, change] of spoil.entries()) {
      const { open, ...made } = makeDisk(t, 1e9);
      const [first, second] = [made.disk, open()];
      await write(first, { one: 'one', two: 'two' });
      assert.equal(await textAt(second, 'one'), 'one');
      change(made[kind]()[0]!);
      for (const disk of [first, second, open()]) {
        assert.ok([undefined, 'one'].includes(await textAt(disk, 'one')), `spoilt ${kind} ${i}`);
        assert.ok([undefined, 'two'].includes(await textAt(disk, 'two')), `spoilt ${kind} ${i}`);
      }
      await write(first, { one: 'anew' });
      assert.equal(await textAt(first, 'one'), 'anew', `spoilt ${kind} ${i}`);
    }
  }
});

test('the folder stays below its limit, and used tiles can be kept', async (t) => {
  const limit = 400 * 1024;
  const { root, disk } = makeDisk(t, limit);
  const text = 'x'.repeat(4_000);
  for (let i = 0; i < 300; i++) {
    await write(disk, { [i]: text });
    assert.ok(disk.stays(at(String(i))), 'what has just been written');
    // A tile in occasional use.
    if (!disk.stays(at('0'))) await write(disk, { 0: text });
  }
  assert.ok(sizeOf(root) <= limit, `${sizeOf(root)} bytes`);
  assert.ok(sizeOf(root) > limit / 2);
  const left = await Promise.all(['0', '10', '299'].map(async (name) => (await textAt(disk, name)) === text));
  assert.deepEqual(left, [true, false, true], 'what was used, written early and written late');
});

test('without write access nothing fails, and the log has one warning', async (t) => {
  const { root, disk, warnings } = makeDisk(t, 1e9);
  writeFileSync(join(root, 'scope'), 'a file in its place');
  for (let i = 0; i < 5; i++) await write(disk, { [i]: 'x' });
  assert.equal(disk.stays(at('1')), false);
  assert.equal(await disk.read(at('1')), undefined);
  assert.deepEqual(warnings, ['tiles cannot be kept on the disk']);
});
