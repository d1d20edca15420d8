/** Which files of the embedded database the last checkpoint has written to the disk. */

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { quiet } from '@cartulary/server/support/database.js';
import { sql } from '@cartulary/sql/internal/sql.js';
import { type EmbeddedDatabase, startEmbedded } from '../src/embedded/embedded.js';
import { lastCheckpoint, syncedByCheckpoint } from '../src/embedded/synced-files.js';
import { openDatabase } from '../src/pool.js';

const dataFolder = mkdtempSync(join(tmpdir(), 'cartulary-synced-'));
const folder = join(dataFolder, 'db');
let embedded: EmbeddedDatabase;
test.before(async () => {
  embedded = await startEmbedded({ dataFolder, log: quiet });
});
test.after(async () => {
  await embedded.stop();
  rmSync(dataFolder, { recursive: true });
});

test('the time of the last checkpoint equals that of the database', async () => {
  const db = openDatabase(embedded.target, 'embedded');
  const told = async (): Promise<number> => {
    const [row] = await db.query<{ ms: number }>(
      sql`select extract(epoch from checkpoint_time)::float8 * 1000 as ms from pg_control_checkpoint()`,
    );
    return row!.ms;
  };
  assert.equal(lastCheckpoint(folder), await told());
  await db.transaction((tx) => tx.query(sql`create table note (n int)`));
  const ended = new Promise((resolve) => embedded.onExit(resolve));
  process.kill(embedded.pid()!, 'SIGKILL');
  await ended;
  // The start after a crash ends with one.
  await db.query(sql`select from note`);
  assert.equal(lastCheckpoint(folder), await told());
  assert.ok(Math.abs(Date.now() - lastCheckpoint(folder)!) < 600_000);
  await db.close();
});

/** A folder with the control file of the database, changed, and with a file of this moment. */
function otherFolder(change: (control: Buffer) => void): string {
  const other = mkdtempSync(join(tmpdir(), 'cartulary-synced-'));
  const control = readFileSync(join(folder, 'global/pg_control'));
  change(control);
  mkdirSync(join(other, 'global'));
  writeFileSync(join(other, 'global/pg_control'), control);
  return other;
}

test('what was changed after the last checkpoint began, or shortly before, has yet to be written', () => {
  for (const [secondsAgo, expected] of [
    [3_600, false],
    [0, false],
    [-3, false],
    [-60, true],
  ] as const) {
    const time = BigInt(Math.floor(Date.now() / 1_000) - secondsAgo);
    const other = otherFolder((control) => control.writeBigInt64LE(time, 104));
    const isSynced = syncedByCheckpoint(other);
    const found = [isSynced(other), isSynced(join(other, 'global/pg_control'))];
    assert.deepEqual(found, [expected, expected], `${secondsAgo} s`);
    rmSync(other, { recursive: true });
  }
});

test('of a PostgreSQL whose control file is another nothing is said', () => {
  const other = otherFolder((control) => control.writeUInt32LE(1_700, 8));
  assert.equal(lastCheckpoint(other), undefined);
  assert.equal(syncedByCheckpoint(other)(other), false);
  rmSync(other, { recursive: true });
});
