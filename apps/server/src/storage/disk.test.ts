import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { DiskStorage } from './disk.js';
import type { FileStorage } from './storage.js';

function newStorage(t: TestContext): { storage: FileStorage; folder: string } {
  const parent = mkdtempSync(join(tmpdir(), 'cartulary-test-'));
  t.after(() => rmSync(parent, { recursive: true }));
  const folder = join(parent, 'files', 'own');
  return { storage: new DiskStorage(folder), folder };
}

async function* bytes(...parts: string[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield Buffer.from(part);
}

async function textOf(storage: FileStorage, key: string, first?: number, last?: number): Promise<string> {
  const stream = await storage.get(key, first === undefined ? undefined : { first, last: last! });
  return Buffer.concat(await stream!.toArray()).toString();
}

async function keysOf(storage: FileStorage): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.list()) keys.push(key);
  return keys;
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

test('a content is read as a whole and in parts, and is gone when it is deleted', async (t) => {
  const { storage, folder } = newStorage(t);
  const key = randomUUID();
  assert.equal(await storage.get(key), undefined);
  assert.equal(await storage.size(key), undefined);
  await storage.put(key, bytes('0123', '456789'));
  assert.equal(await textOf(storage, key), '0123456789');
  assert.equal(await textOf(storage, key, 2, 4), '234');
  assert.equal(await textOf(storage, key, 9, 9), '9');
  assert.equal(await storage.size(key), 10);
  await storage.settle(key);
  assert.deepEqual(filesIn(folder), [key]);

  const empty = randomUUID();
  await storage.put(empty, bytes());
  assert.equal(await textOf(storage, empty), '');
  await storage.settle(empty);
  await storage.delete(key);
  await storage.delete(key);
  assert.equal(await storage.size(key), undefined);
  assert.deepEqual(filesIn(folder), [empty]);
});

test('a write that fails leaves nothing', async (t) => {
  const { storage, folder } = newStorage(t);
  async function* broken(): AsyncGenerator<Buffer> {
    yield Buffer.from('a');
    throw new Error('cut off');
  }
  const key = randomUUID();
  await assert.rejects(storage.put(key, broken()), /cut off/);
  assert.deepEqual(filesIn(folder), []);
  assert.equal(await storage.get(key), undefined);
});

test('only keys of our own reach the disk', async (t) => {
  const { storage } = newStorage(t);
  for (const key of ['../../x', '', 'a', `${randomUUID()}/..`, randomUUID().toUpperCase()]) {
    await assert.rejects(async () => storage.put(key, bytes('x')), RangeError, key);
    await assert.rejects(async () => storage.get(key), RangeError, key);
    await assert.rejects(async () => storage.delete(key), RangeError, key);
  }
});

test('the list names exactly the stored contents with their times; old incomplete writes are removed', async (t) => {
  const { storage, folder } = newStorage(t);
  const listed = (): Promise<string[]> => keysOf(storage);
  assert.deepEqual(await listed(), []);
  const start = Date.now() - 1_000;
  const keys = Array.from({ length: 5 }, () => randomUUID());
  for (const key of keys) await storage.put(key, bytes(key));
  writeFileSync(join(folder, 'readme'), 'not ours');
  writeFileSync(join(folder, keys[0]!.slice(0, 2), 'note'), 'not ours');
  assert.deepEqual((await listed()).toSorted(), keys.toSorted());
  for await (const { since } of storage.list()) assert.ok(since > start && since < Date.now() + 1_000);

  for (const key of keys) await storage.settle(key);
  const old = join(folder, 'unfinished', randomUUID());
  writeFileSync(old, 'half');
  utimesSync(old, 1_000, 1_000);
  writeFileSync(join(folder, 'unfinished', 'young'), 'half');
  await storage.removeUnfinished(Date.now() - 60_000);
  assert.deepEqual(readdirSync(join(folder, 'unfinished')), ['young']);
  await storage.removeUnfinished(Date.now() + 60_000);
  assert.deepEqual(readdirSync(join(folder, 'unfinished')), []);
  assert.equal((await listed()).length, 5);
});

test('unsettled contents of an ended process are reported, settled and deleted ones are not', async (t) => {
  const { storage, folder } = newStorage(t);
  const [settled, deleted, open] = [randomUUID(), randomUUID(), randomUUID()];
  for (const key of [settled, deleted, open]) await storage.put(key, bytes('x'));
  await storage.settle(settled);
  await storage.delete(deleted);
  const abandoned = async (): Promise<string[]> => {
    const keys: string[] = [];
    for await (const key of storage.abandoned()) keys.push(key);
    return keys;
  };
  assert.deepEqual(await abandoned(), [], 'this process lives');
  const notes = readdirSync(join(folder, 'unfinished'));
  assert.equal(notes.length, 1);
  const { pid } = spawnSync('true');
  const dead = notes[0]!.replace(/(_[0-9a-f]{8})[0-9a-f]{8}/, `$1${pid.toString(16).padStart(8, '0')}`);
  renameSync(join(folder, 'unfinished', notes[0]!), join(folder, 'unfinished', dead));
  assert.deepEqual(await abandoned(), [open]);
  await storage.removeUnfinished(0);
  assert.deepEqual(await abandoned(), []);
  assert.deepEqual((await keysOf(storage)).toSorted(), [settled, open].toSorted());
});
