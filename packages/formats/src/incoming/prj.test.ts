import assert from 'node:assert/strict';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { prjText } from './prj.js';

test('of a .prj of any size only the beginning is read', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'cartulary-prj-'));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, 'a.prj');
  await writeFile(path, 'GEOGCS["WGS 84"]');
  assert.equal(await prjText(path), 'GEOGCS["WGS 84"]');
  // More than a string may hold; the rest of the file takes no room on the disk.
  await truncate(path, 600 * 1024 * 1024);
  assert.match((await prjText(path))!, /^GEOGCS\["WGS 84"\]/);
});
