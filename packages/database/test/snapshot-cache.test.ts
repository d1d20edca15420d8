import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type TestDatabase, testDatabase } from '@cartulary/server/support/database.js';
import { sql } from '@cartulary/sql/internal/sql.js';
import { type Database, openDatabase } from '../src/pool.js';

let database: TestDatabase;
let db: Database;
/** Stands for another server on the same database. */
let other: Database;

before(async () => {
  database = await testDatabase({ migrated: false });
  db = database.db;
  other = openDatabase(db.connection, db.engine);
  await db.transaction((tx) => tx.query(sql`create table counter (id int primary key, value int not null)`));
  await db.transaction((tx) => tx.query(sql`insert into counter values (1, 0)`));
});
after(async () => {
  await other?.close();
  await database?.drop();
});

const counter = sql`select value from counter where id = 1`;
const set = (by: Database, value: number): Promise<unknown> =>
  by.transaction((tx) => tx.query(sql`update counter set value = ${value} where id = 1`));

/** Checks that the same rows are given twice. Other tests may commit in between: then it tries again. */
async function demandKept(): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const first = await db.cachedQuery(counter);
    if (first === (await db.cachedQuery(counter))) return;
  }
  assert.fail('it is read again each time');
}

test('rows stay cached until a commit: then they are read again', async () => {
  await demandKept();
  for (const [by, value] of [
    [db, 1],
    [other, 2],
    [db, 3],
  ] as const) {
    await set(by, value);
    assert.deepEqual(await db.cachedQuery(counter), [{ value }]);
    assert.deepEqual(await other.cachedQuery(counter), [{ value }]);
    await demandKept();
  }
});

test('values distinguish statements, and a failed one runs again', async () => {
  const by = (id: number) =>
    db.cachedQuery(sql`select ${id}::int / (select value - 3 from counter where id = 1) as part`);
  await set(db, 3);
  await assert.rejects(by(10), /division by zero/);
  await assert.rejects(by(10), /division by zero/);
  await set(db, 5);
  assert.deepEqual(await by(10), [{ part: 5 }]);
  assert.deepEqual(await by(20), [{ part: 10 }]);
});

test('rows are as old as a given snapshot, and current without one', async () => {
  await set(db, 7);
  const at = await db.snapshot();
  const known = await db.cachedQuery(counter, at);
  await set(other, 8);
  assert.deepEqual(await db.cachedQuery(counter, at), known);
  assert.deepEqual(await db.cachedQuery(counter), [{ value: 8 }]);
});

test('a transaction sees its own writes', async () => {
  await db.cachedQuery(counter);
  await db.transaction(async (tx) => {
    await tx.query(sql`update counter set value = 100 where id = 1`);
    assert.deepEqual(await tx.cachedQuery(counter), [{ value: 100 }]);
  });
  assert.deepEqual(await db.cachedQuery(counter), [{ value: 100 }]);
});

test('no concurrent reader misses an acknowledged write', async () => {
  const behind: string[] = [];
  let acknowledged = 0;
  let isOver = false;
  await set(db, 0);
  const reader = async (by: Database): Promise<void> => {
    while (!isOver) {
      const least = acknowledged;
      const [row] = await by.cachedQuery<{ value: number }>(counter);
      if (row!.value < least) behind.push(`${row!.value} after ${least} was acknowledged`);
    }
  };
  const readers = [db, db, db, db, other, other, other].map(reader);
  for (let value = 1; value <= 100; value++) {
    await set(value % 2 ? db : other, value);
    acknowledged = value;
    if (value % 5 === 0) await db.cachedQuery(counter);
  }
  isOver = true;
  await Promise.all(readers);
  assert.deepEqual(behind, []);
});

test('closing the database waits for a snapshot that is being read', async () => {
  for (const isConnected of [true, false]) {
    const closing = openDatabase(db.connection, db.engine);
    if (isConnected) await closing.snapshot();
    const reading = closing.snapshot();
    // It begins in the next round of the event loop.
    for (let rounds = 0; rounds < 2; rounds++) await setImmediate();
    const [at] = await Promise.all([reading, closing.close()]);
    assert.match(at, /^\d+ \d+:\d+:/);
  }
});
