import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { createTileDisk } from './disk.js';

const nameOf = (i: number): string => createHash('sha256').update(String(i)).digest('hex');

function makeDisk(t: TestContext, limit: number) {
  const root = mkdtempSync(join(tmpdir(), 'cartulary-disk-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const warnings: string[] = [];
  const warn = (_: unknown, text: string): void => void warnings.push(text);
  const log = { debug: warn, info: warn, warn, error: warn } as never;
  return { root, warnings, disk: createTileDisk({ root, scope: 'scope', limit }, log) };
}

const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

test('what is written is there, and is gone when the folder is', async (t) => {
  const { root, disk } = makeDisk(t, 1e9);
  disk.write(nameOf(1), () => Buffer.from('one'));
  disk.write(nameOf(2), () => Buffer.from('two'));
  disk.write(nameOf(2), () => Buffer.from('two again'));
  await disk.settled();
  assert.equal(String(await disk.read(nameOf(1))), 'one');
  assert.equal(String(await disk.read(nameOf(2))), 'two again');
  assert.equal(await disk.read(nameOf(3)), undefined);
  rmSync(root, { recursive: true });
  assert.equal(await disk.read(nameOf(1)), undefined);
  disk.write(nameOf(1), () => Buffer.from('anew'));
  await disk.settled();
  assert.equal(String(await disk.read(nameOf(1))), 'anew');
});

test('the folder stays below its limit; what is in use stays', async (t) => {
  const limit = 400 * 1024;
  const { root, disk } = makeDisk(t, limit);
  const pathOf = (name: string): string => join(root, 'scope', name.slice(0, 3), name);
  for (let i = 0; i < 300; i++) {
    disk.write(nameOf(i), () => Buffer.alloc(4_000));
    await disk.settled();
    if (i === 0) utimesSync(pathOf(nameOf(0)), 0, 0);
    if (i === 20) disk.touch(nameOf(0));
    else if (i > 0 && i < 240) utimesSync(pathOf(nameOf(i)), i, i);
  }
  assert.ok(sizeOf(root) <= limit, `${sizeOf(root)} bytes`);
  assert.ok(sizeOf(root) > limit / 2);
  assert.ok(existsSync(pathOf(nameOf(0))), 'it was used');
  assert.ok(!existsSync(pathOf(nameOf(10))));
  assert.ok(existsSync(pathOf(nameOf(299))));
});

test('where nothing can be written nothing fails, and the operator is told once', async (t) => {
  const { root, disk, warnings } = makeDisk(t, 1e9);
  writeFileSync(join(root, 'scope'), 'a file in its place');
  for (let i = 0; i < 5; i++) disk.write(nameOf(i), () => Buffer.from('x'));
  disk.touch(nameOf(1));
  await disk.settled();
  assert.equal(await disk.read(nameOf(1)), undefined);
  assert.deepEqual(warnings, ['tiles cannot be kept on the disk']);
});
