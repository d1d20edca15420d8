/** Heavy statements of the embedded database, which runs one statement at a time, are preempted by those of others. */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '@cartulary/sql/internal/sql.js';
import { type EmbeddedDatabase, startEmbedded } from '../src/embedded/embedded.js';
import { type Database, openDatabase } from '../src/pool.js';

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

/** Runs short statements until it is stopped, and counts those that are answered: a busy machine may refuse some. */
function keepAsking(db: Database): { times(): number; stop(): Promise<void> } {
  let [times, isOver] = [0, false];
  const work = (async () => {
    while (!isOver) {
      await db.query(sql`select 1`).then(
        () => times++,
        () => {},
      );
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

/** Waits for a condition. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(20);
}

test('a statement is cancelled when its signal is aborted', async () => {
  const db = open(120_000, 600_000);
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

test('a long read is preempted by others, and is answered after them', async () => {
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

test('a transaction with a query of a user is preempted, and takes effect once', async () => {
  const db = open();
  const others = keepAsking(db);
  let attempts = 0;
  let isDone = false;
  const done = db
    .transaction(async (tx) => {
      attempts += 1;
      await tx.query(sql`insert into note values ('once')`);
      await tx.query(sql`set local statement_timeout = '1h'`);
      return tx.query<{ n: number }>(count(seconds));
    })
    .finally(() => (isDone = true));
  await until(() => isDone || (attempts > 0 && others.times() > 100));
  assert.ok(!isDone);
  await others.stop();
  assert.deepEqual(await done, [{ n: seconds / 2 }]);
  assert.ok(attempts > 1, 'it ran again');
  assert.deepEqual(await db.query(sql`select count(*)::int as n from note`), [{ n: 1 }]);
  await db.close();
});

test('a statement that cannot run within its limit is refused with busy', async () => {
  const db = open(2_000);
  const others = keepAsking(db);
  await until(() => others.times() > 5);
  await assert.rejects(db.long.query(count(seconds)), { code: 'busy' });
  await others.stop();
  await db.close();
});
