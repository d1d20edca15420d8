import assert from 'node:assert/strict';
import fs, { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
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
