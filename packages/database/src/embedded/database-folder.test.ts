import assert from 'node:assert/strict';
import fs, { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { makeDatabaseFolder } from './database-folder.js';

test('a full disk is told in one sentence, and the next attempt finds its space free', async (t) => {
  const parent = mkdtempSync(join(tmpdir(), 'cartulary-folder-'));
  t.after(() => rmSync(parent, { recursive: true }));
  const [dataFolder, prepared] = ['data', 'prepared'].map((name) => join(parent, name)) as [string, string];
  for (const folder of [dataFolder, prepared]) mkdirSync(folder);
  writeFileSync(join(prepared, 'PG_VERSION'), '17\n');
  const full = t.mock.method(fs.promises, 'cp', async (_from: string, to: string) => {
    mkdirSync(to);
    writeFileSync(join(to, 'part'), '');
    throw Object.assign(new Error('ENOSPC: no space left on device, copyfile'), { code: 'ENOSPC' });
  });
  syncBuiltinESMExports();
  await assert.rejects(
    makeDatabaseFolder(dataFolder, prepared),
    /^Error: There is no space left .* CARTULARY_DATA/,
  );
  assert.deepEqual(readdirSync(dataFolder), []);
  full.mock.restore();
  syncBuiltinESMExports();
  assert.equal(await makeDatabaseFolder(dataFolder, prepared), join(dataFolder, 'db'));
});

test('the database can write its files, although the installation is read-only', async (t) => {
  const parent = mkdtempSync(join(tmpdir(), 'cartulary-folder-'));
  t.after(() => rmSync(parent, { recursive: true }));
  const prepared = join(parent, 'prepared');
  mkdirSync(join(prepared, 'base'), { recursive: true });
  for (const name of ['PG_VERSION', 'base/1']) writeFileSync(join(prepared, name), '17\n', { mode: 0o444 });
  chmodSync(join(prepared, 'base'), 0o555);
  const folder = await makeDatabaseFolder(parent, prepared);
  chmodSync(join(prepared, 'base'), 0o755);
  const modes = ['.', 'base', 'PG_VERSION', 'base/1'].map(
    (name) => statSync(join(folder, name)).mode & 0o777,
  );
  assert.deepEqual(modes, [0o700, 0o700, 0o600, 0o600]);
});
