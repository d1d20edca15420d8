/** While a statement of the embedded database does not stop, the process that would take over is made ready. */

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { quiet } from '@cartulary/server/support/database.js';
import { Sql, sql } from '@cartulary/sql/internal/sql.js';
import { type EmbeddedDatabase, startEmbedded } from '../src/embedded/embedded.js';
import { type Database, openDatabase } from '../src/pool.js';

const dataFolder = mkdtempSync(join(tmpdir(), 'cartulary-standby-'));
let embedded: EmbeddedDatabase;
/** Its limit is exceeded by `stubborn`. */
let hasty: Database;
let patient: Database;
test.before(async () => {
  embedded = await startEmbedded({ dataFolder, log: quiet });
  hasty = openDatabase(embedded.target, 'embedded', { statementTimeoutMs: 300 });
  patient = openDatabase(embedded.target, 'embedded');
});
test.after(async () => {
  await hasty.close();
  await patient.close();
  await embedded.stop();
  rmSync(dataFolder, { recursive: true });
});

/** The processes that this one has started and that have not ended. */
const started = (): number[] =>
  readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number);

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(20);
}

/** It waits for its own clock, and does not hear that it is cancelled. */
const stubborn = (seconds: number) => new Sql([`select pg_sleep(${seconds}) as stubborn`], []);

test('one that does not stop: another process is ready when its own is ended, and has everything', async () => {
  const before = embedded.pid()!;
  await patient.transaction((tx) => tx.query(sql`create table note as select 7 as n`));
  const ended = assert.rejects(hasty.query(stubborn(60)), { code: 'timeout' });
  await until(() => started().length === 2);
  assert.equal(embedded.pid(), before, 'it has not been ended yet');
  const [standby] = started().filter((pid) => pid !== before);
  await ended;
  assert.deepEqual(await patient.query(sql`select n from note`), [{ n: 7 }]);
  assert.equal(embedded.pid(), standby);
});

test('one that stops after all: the other process is ended', async () => {
  const before = embedded.pid()!;
  const slow = hasty.query(stubborn(2)).catch((error) => error);
  await until(() => started().length === 2);
  await slow;
  await until(() => started().length === 1);
  assert.deepEqual(started(), [before]);
  assert.deepEqual(await patient.query(sql`select n from note`), [{ n: 7 }]);
});

test('the database is stopped while a process is made ready', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cartulary-standby-'));
  const other = await startEmbedded({ dataFolder: folder, log: quiet });
  const count = started().length;
  const db = openDatabase(other.target, 'embedded', { statementTimeoutMs: 300 });
  const slow = db.query(stubborn(3)).catch(() => {});
  await until(() => started().length === count + 1);
  await other.stop();
  await slow;
  await db.close();
  await until(() => started().length === count - 1);
  rmSync(folder, { recursive: true });
});

test('a process whose memory has grown is replaced when nobody uses it, by one that was made ready', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cartulary-standby-'));
  const said: string[] = [];
  const log = { ...quiet, error: (text: string) => void said.push(text) };
  const other = await startEmbedded({ dataFolder: folder, log, memoryLimitMiB: 512 });
  const db = openDatabase(other.target, 'embedded');
  await db.transaction((tx) => tx.query(sql`create table note as select 7 as n`));
  const before = other.pid()!;
  const [row] = await db.query(
    sql`select length(string_agg(repeat('x', 1000000), '')) as length from generate_series(1, 400)`,
  );
  assert.deepEqual(row, { length: 400_000_000 });
  assert.equal(other.pid(), before, 'it was used a moment ago');
  await until(() => other.pid() !== before);
  // What comes meanwhile waits.
  const asked = Array.from({ length: 5 }, () => db.query(sql`select n from note`));
  const written = db.transaction((tx) => tx.query(sql`insert into note values (8)`));
  for (const rows of await Promise.all(asked)) assert.equal(rows[0]!.n, 7);
  await written;
  assert.deepEqual(await db.query(sql`select n from note order by n`), [{ n: 7 }, { n: 8 }]);
  assert.deepEqual(said, []);
  await db.close();
  await other.stop();
  rmSync(folder, { recursive: true });
});

test('a process with more memory than ordinary work needs is replaced after a longer time', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cartulary-standby-'));
  const other = await startEmbedded({ dataFolder: folder, log: quiet });
  const db = openDatabase(other.target, 'embedded');
  const before = other.pid()!;
  await db.query(sql`select length(string_agg(repeat('x', 1000000), '')) from generate_series(1, 100)`);
  await sleep(8_000);
  assert.equal(other.pid(), before, 'it was used a short time ago');
  await until(() => other.pid() !== before);
  await db.close();
  await other.stop();
  rmSync(folder, { recursive: true });
});

test('a statement that takes the last of the memory is stopped, and its process is replaced while others ask', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cartulary-standby-'));
  const said: string[] = [];
  const log = { ...quiet, error: (text: string) => void said.push(text) };
  const other = await startEmbedded({ dataFolder: folder, log });
  const db = openDatabase(other.target, 'embedded');
  await db.transaction((tx) => tx.query(sql`create table note as select 7 as n`));
  const before = other.pid()!;
  const growing = sql`select array_length(array_agg(repeat('x', 1000000) || k), 1) from generate_series(1, 3000) k`;
  await assert.rejects(db.query(growing), { code: 'timeout' });
  assert.equal(other.pid(), before);
  while (other.pid() === before) assert.deepEqual(await db.query(sql`select n from note`), [{ n: 7 }]);
  assert.deepEqual(await db.query(sql`select n from note`), [{ n: 7 }]);
  assert.deepEqual(said, []);
  await db.close();
  await other.stop();
  rmSync(folder, { recursive: true });
});
