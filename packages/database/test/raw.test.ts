import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { type TestDatabase, testDatabase } from '@cartulary/server/support/database.js';
import { ident, sql } from '@cartulary/sql/internal/sql.js';
import { type BinaryRow, type Database, openDatabase, sqlState } from '../src/pool.js';

let database: TestDatabase;
let db: Database;
/** With a single connection, so that each statement meets the state that the last one left. */
let one: Database;
const onPostgres = Boolean(process.env.TEST_DATABASE_URL);

before(async () => {
  database = await testDatabase({ migrated: false, maxConnections: 4 });
  db = database.db;
  one = openDatabase(database.target, db.engine, { maxConnections: 1 });
});
after(async () => {
  await one.close();
  await database.drop();
});

const texts = (rows: readonly BinaryRow[]): (string | null)[][] =>
  rows.map((row) => row.map((value) => value?.toString() ?? null));

test('values come as bytes: text in UTF-8, bytea unchanged, null as null', async () => {
  const hostile = `'; drop table x; -- Привет 東京 👩‍👩‍👧‍👦 ${'\ud83d\ude00'.repeat(50_000)}`;
  const [row] = await db.long.raw(
    sql`select ${hostile}::text, decode('00ff44005a', 'hex'), null, ''::text, 7::integer`,
    {},
  );
  assert.equal(row![0]!.toString(), hostile);
  assert.deepEqual(row![1], Buffer.from('00ff44005a', 'hex'));
  assert.equal(row![2], null);
  assert.equal(row![3]!.length, 0);
  assert.equal(row![4]!.readInt32BE(), 7);
});

test('many rows, no rows, and rows of all sizes', async () => {
  const rows = await db.long.raw(sql`select repeat('D', n)::text from generate_series(0, 3000) n`, {});
  assert.deepEqual(
    rows.map(([value]) => value!.length),
    Array.from({ length: 3_001 }, (_, n) => n),
  );
  assert.deepEqual(await db.long.raw(sql`select 1 where false`, {}), []);
});

test('rows of more than 128 MiB, alone or together, are not read; the connection goes on', async () => {
  const tooLarge = { code: 'query_invalid', data: { limit: 2 ** 27, unit: 'bytes' } };
  for (const statement of [
    sql`select repeat('x', 129 * 1024 * 1024) as x, 1 as y`,
    sql`select repeat('x', 1024 * 1024) as x, n as y from generate_series(1, 130) n`,
  ]) {
    await assert.rejects(one.long.raw(statement, {}), tooLarge);
    await assert.rejects(one.query(statement), tooLarge);
    assert.deepEqual(texts(await one.long.raw(sql`select 'next'::text`, {})), [['next']]);
  }
});

test('concurrent callers get their own rows', async () => {
  const asked = Array.from({ length: 60 }, (_, i) =>
    i % 2
      ? db.long
          .raw(sql`select ${`text ${i}`}::text`, { isPrepared: i % 3 === 0 })
          .then((rows) => texts(rows)[0]![0])
      : db.query<{ text: string }>(sql`select ${`text ${i}`}::text as text`).then(([row]) => row!.text),
  );
  assert.deepEqual(
    await Promise.all(asked),
    asked.map((_, i) => `text ${i}`),
  );
});

test('an error has its code, also after rows, and the connection stays usable', async () => {
  const late = sql`select repeat('x', 10000), 1 / (500 - n) from generate_series(1, 500) n`;
  for (const isPrepared of [false, true, true]) {
    await assert.rejects(one.long.raw(late, { isPrepared }), (error) => sqlState(error) === '22012');
    await assert.rejects(
      one.long.raw(sql`select nonsense`, { isPrepared }),
      (error) => sqlState(error) === '42703',
    );
    assert.deepEqual(await one.query(sql`select 1 as n`), [{ n: 1 }]);
    assert.deepEqual(texts(await one.long.raw(sql`select 'a'::text`, { isPrepared })), [['a']]);
  }
});

test('an aborted signal stops it', { skip: !onPostgres }, async () => {
  const gone = new Error('the client has gone');
  for (const isPrepared of [false, true]) {
    const controller = new AbortController();
    setTimeout(() => controller.abort(gone), 100);
    const asked = one.long.raw(sql`select pg_sleep(60)::text`, { signal: controller.signal, isPrepared });
    await assert.rejects(asked, gone);
    assert.deepEqual(texts(await one.long.raw(sql`select 'a'::text`, {})), [['a']]);
  }
});

test('a read whose connection is lost runs again', { skip: !onPostgres }, async () => {
  const pid = async (): Promise<number> =>
    (await one.query<{ pid: number }>(sql`select pg_backend_pid() as pid`))[0]!.pid;
  for (const isPrepared of [false, true]) {
    const before = await pid();
    const asked = one.long.raw(sql`select pg_sleep(1)::text || pg_backend_pid()`, { isPrepared });
    const running = sql`select from pg_stat_activity
      where pid = ${before}::integer and state = 'active' and query like '%pg_sleep(1)%'`;
    while (!(await db.query(running)).length);
    await db.query(sql`select pg_terminate_backend(${before}::integer)`);
    assert.deepEqual(texts(await asked), [[String(await pid())]]);
    assert.notEqual(await pid(), before);
  }
});

const prepared = async (): Promise<number> => {
  const [row] = await one.query<{ count: number }>(
    sql`select count(*) as count from pg_prepared_statements where name like 'statement_%'`,
  );
  return row!.count;
};

test('a connection keeps some statements that come again, and none that come once', {
  skip: !onPostgres,
}, async () => {
  const ask = async (i: number, value: string): Promise<void> => {
    const rows = await one.long.raw(sql`select ${value}::text as ${ident(`c${i}`)}`, { isPrepared: true });
    assert.deepEqual(texts(rows), [[value]]);
  };
  for (let i = 0; i < 100; i++) await ask(i, 'once');
  assert.equal(await prepared(), 0);
  for (let i = 0; i < 50; i++) for (const value of ['first', 'second', 'third']) await ask(i, value);
  assert.equal(await prepared(), 32);
});

test('a prepared statement outlives changes of its table', { skip: !onPostgres }, async () => {
  const all = sql`select * from shape`;
  const ask = async (): Promise<(string | null)[][]> => texts(await one.long.raw(all, { isPrepared: true }));
  const change = (text: ReturnType<typeof sql>): Promise<unknown> => db.transaction((tx) => tx.query(text));
  await change(sql`create table shape (a text)`);
  await change(sql`insert into shape values ('x')`);
  for (let i = 0; i < 8; i++) assert.deepEqual(await ask(), [['x']]);
  await change(sql`alter table shape add column b text default 'y'`);
  for (let i = 0; i < 8; i++) assert.deepEqual(await ask(), [['x', 'y']]);
  await change(sql`alter table shape rename to old_shape`);
  await assert.rejects(ask(), (error) => sqlState(error) === '42P01');
  await change(sql`create table shape (a text)`);
  await change(sql`insert into shape values ('new')`);
  assert.deepEqual(await ask(), [['new']]);
  await one.query(sql`deallocate all`);
  assert.deepEqual(await ask(), [['new']]);
});
