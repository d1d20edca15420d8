import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type Database, openDatabase } from '../../src/db/pool.js';
import { sql } from '../../src/db/sql.js';
import { type TestDatabase, testDatabase } from '../support/database.js';

let database: TestDatabase;
let db: Database;
/** As another server on the same database. */
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

/** The same rows are given again. Others may commit in between, in whatever database of the server: then it is tried again. */
async function demandKept(): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const first = await db.recall(counter);
    if (first === (await db.recall(counter))) return;
  }
  assert.fail('it is read again each time');
}

test('what was read stays known until somebody commits: then it is read again', async () => {
  await demandKept();
  for (const [by, value] of [
    [db, 1],
    [other, 2],
    [db, 3],
  ] as const) {
    await set(by, value);
    assert.deepEqual(await db.recall(counter), [{ value }]);
    assert.deepEqual(await other.recall(counter), [{ value }]);
    await demandKept();
  }
});

test('values tell statements apart, and what failed is asked again', async () => {
  const by = (id: number) =>
    db.recall(sql`select ${id}::int / (select value - 3 from counter where id = 1) as part`);
  await set(db, 3);
  await assert.rejects(by(10), /division by zero/);
  await assert.rejects(by(10), /division by zero/);
  await set(db, 5);
  assert.deepEqual(await by(10), [{ part: 5 }]);
  assert.deepEqual(await by(20), [{ part: 10 }]);
});

test('with the snapshot of before a commit it may be as old, without one never', async () => {
  await set(db, 7);
  const at = await db.snapshot();
  const known = await db.recall(counter, at);
  await set(other, 8);
  assert.deepEqual(await db.recall(counter, at), known);
  assert.deepEqual(await db.recall(counter), [{ value: 8 }]);
});

test('in a transaction its own writes are seen', async () => {
  await db.recall(counter);
  await db.transaction(async (tx) => {
    await tx.query(sql`update counter set value = 100 where id = 1`);
    assert.deepEqual(await tx.recall(counter), [{ value: 100 }]);
  });
  assert.deepEqual(await db.recall(counter), [{ value: 100 }]);
});

test('no reader is ever behind an acknowledged write, however many read and write at once', async () => {
  const behind: string[] = [];
  let acknowledged = 0;
  let isOver = false;
  await set(db, 0);
  const reader = async (by: Database): Promise<void> => {
    while (!isOver) {
      const least = acknowledged;
      const [row] = await by.recall<{ value: number }>(counter);
      if (row!.value < least) behind.push(`${row!.value} after ${least} was acknowledged`);
    }
  };
  const readers = [db, db, db, db, other, other, other].map(reader);
  for (let value = 1; value <= 100; value++) {
    await set(value % 2 ? db : other, value);
    acknowledged = value;
    if (value % 5 === 0) await db.recall(counter);
  }
  isOver = true;
  await Promise.all(readers);
  assert.deepEqual(behind, []);
});

test('a snapshot that is being read when the database is closed is read, and the closing ends', async () => {
  for (const isConnected of [true, false]) {
    const closing = openDatabase(db.connection, db.engine);
    if (isConnected) await closing.snapshot();
    const reading = closing.snapshot();
    // It begins with the next turn.
    for (let turns = 0; turns < 2; turns++) await setImmediate();
    const [at] = await Promise.all([reading, closing.close()]);
    assert.match(at, /^\d+ \d+:\d+:/);
  }
});
