import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { readTar, writeTar } from './tar.js';

const files = [
  { name: 'empty', data: Buffer.alloc(0) },
  { name: 'a/b/one.sql', data: Buffer.from('select 1;\n') },
  { name: 'a/block', data: Buffer.alloc(512, 7) },
  { name: 'a/large.so', data: Buffer.alloc(100_000, 'Щ') },
];

test('what is written is read again, and by tar', () => {
  const archive = writeTar(files);
  assert.deepEqual([...readTar(archive)], files);
  const folder = mkdtempSync(join(tmpdir(), 'cartulary-tar-'));
  execFileSync('tar', ['xf', '-', '-C', folder], { input: archive });
  for (const { name, data } of files) assert.deepEqual(readFileSync(join(folder, name)), data);
  rmSync(folder, { recursive: true });
});

test("tar's own archives are read; folders and links are left out", () => {
  const folder = mkdtempSync(join(tmpdir(), 'cartulary-tar-'));
  const deep = `${'d'.repeat(60)}/${'e'.repeat(60)}`;
  mkdirSync(join(folder, deep), { recursive: true });
  writeFileSync(join(folder, deep, 'file.txt'), 'deep');
  execFileSync('ln', ['-s', 'file.txt', join(folder, deep, 'link')]);
  const archive = execFileSync('tar', ['cf', '-', '--format=ustar', '-C', folder, 'd'.repeat(60)]);
  assert.deepEqual([...readTar(archive)], [{ name: `${deep}/file.txt`, data: Buffer.from('deep') }]);
  rmSync(folder, { recursive: true });
});

test('a name that does not fit is refused', () => {
  assert.throws(() => writeTar([{ name: 'x'.repeat(101), data: Buffer.alloc(0) }]), RangeError);
});
