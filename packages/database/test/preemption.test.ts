/** Heavy statements of the embedded database, which runs one at a time, give way to those of others. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EmbeddedDatabase, startEmbedded } from '../../src/db/embedded.js';
import { type Database, openDatabase } from '../../src/db/pool.js';
import { sql } from '../../src/db/sql.js';

const dataFolder = mkdtempSync(join(tmpdir(), 'cartulary-preemption-'));
let embedded: EmbeddedDatabase;

before(async () => {
  embedded = await startEmbedded({ dataFolder, log: { info() {}, warn() {}, error() {} } });
  const db = open();
  await db.transaction((tx) => tx.query(sql`create table note (text text)`));
  await db.close();
});
after(async () => {
  await embedded.stop();
  rmSync(dataFolder, { recursive: true });
});

const open = (statementTimeoutMs = 60_000, heavyWaitMs = 0): Database =>
  openDatabase(embedded.target, 'embedded', { maxConnections: 6, statementTimeoutMs, heavyWaitMs });

/** Takes seconds, or minutes. */
const count = (rows: number) =>
  sql`select count(*)::int as n from generate_series(1, ${rows}::integer) a where a % 2 = 0`;
const [seconds, minutes] = [8_000_000, 800_000_000];

/** Asks for this and that until it is told to stop: how often it was answered. */
function keepAsking(db: Database): { times(): number; stop(): Promise<void> } {
  let [times, isOver] = [0, false];
  const work = (async () => {
    while (!isOver) {
      await db.query(sql`select 1`);
      times += 1;
      await sleep(5);
    }
  })();
  return {
    times: () => times,
    stop: () => {
      isOver = true;
      return work;
    },
  };
}

/** What is true at last. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(20);
}

test('a statement that nobody waits for any more is cancelled', async () => {
  const db = open(0, 600_000);
  const gone = new AbortController();
  const asked = [db.long.query(count(minutes), gone.signal), db.query(count(minutes), gone.signal)];
  const written = db.transaction((tx) => tx.query(count(minutes)), gone.signal);
  const ends = [...asked, written].map((one) => assert.rejects(one, /gone/));
  await sleep(200);
  gone.abort(new Error('gone'));
  await Promise.all(ends);
  assert.deepEqual(await db.query(sql`select 1 as one`), [{ one: 1 }]);
  await db.close();
});

test('a long read gives way to others, and is answered when they have gone', async () => {
  const db = open();
  const others = keepAsking(db);
  await until(() => others.times() > 5);
  const read = db.heavy.query<{ n: number }>(count(seconds));
  let isAnswered = false;
  const answered = read.finally(() => (isAnswered = true));
  const before = others.times();
  await until(() => isAnswered || others.times() > before + 100);
  assert.ok(!isAnswered);
  await others.stop();
  assert.deepEqual(await answered, [{ n: seconds / 2 }]);
  await db.close();
});

test('a transaction with a query of a user gives way, and is done once', async () => {
  const db = open();
  const others = keepAsking(db);
  let begun = 0;
  let isDone = false;
  const done = db
    .transaction(async (tx) => {
      begun += 1;
      await tx.query(sql`insert into note values ('once')`);
      await tx.query(sql`set local statement_timeout = '1h'`);
      return tx.query<{ n: number }>(count(seconds));
    })
    .finally(() => (isDone = true));
  await until(() => isDone || (begun > 0 && others.times() > 100));
  assert.ok(!isDone);
  await others.stop();
  assert.deepEqual(await done, [{ n: seconds / 2 }]);
  assert.ok(begun > 1, 'it was begun again');
  assert.deepEqual(await db.query(sql`select count(*)::int as n from note`), [{ n: 1 }]);
  await db.close();
});

test('where there is no room within the limit for statements, it is told so', async () => {
  const db = open(2_000);
  const others = keepAsking(db);
  await until(() => others.times() > 5);
  await assert.rejects(db.long.query(count(seconds)), { code: 'busy' });
  await others.stop();
  await db.close();
});
