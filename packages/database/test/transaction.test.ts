import assert from 'node:assert/strict';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import test, { after, before, type TestContext } from 'node:test';
import { type TestDatabase, testDatabase } from '@cartulary/server/support/database.js';
import { type Sql, sql } from '@cartulary/sql/internal/sql.js';
import { messageReader } from '../src/embedded/wire/messages.js';
import { type Database, openDatabase, sqlState, type Transaction } from '../src/pool.js';

let database: TestDatabase;
let db: Database;

before(async () => {
  database = await testDatabase({ migrated: false, maxConnections: 2 });
  db = database.db;
  await db.transaction(async (tx) => {
    await tx.query(sql`create table item (id int primary key, text text, count int check (count >= 0))`);
    await tx.query(sql`create sequence run`);
  });
});
after(() => database.drop());

const items = async (): Promise<unknown[]> =>
  (await db.query<{ id: number }>(sql`select id from item order by id`)).map(({ id }) => id);
const add = (id: number, count = 0, text = ''): Sql =>
  sql`insert into item values (${id}, ${text}, ${count})`;
const empty = (): Promise<unknown> => db.transaction((tx) => tx.query(sql`delete from item`));

/** Runs statements concurrently. */
const askAll = (tx: Transaction, statements: readonly Sql[]): Promise<PromiseSettledResult<unknown[]>[]> =>
  Promise.allSettled(statements.map((statement) => tx.query(statement)));

test('concurrent statements get their own answers, in their order', async () => {
  await empty();
  const texts = [
    '',
    "'; drop table item; --",
    '$1 \\ "x"',
    'line\nbreak — 東京 👩‍👩‍👧‍👦',
    'y'.repeat(100_000),
  ];
  const found = await db.transaction(async (tx) => {
    const added = texts.map((text, i) => tx.query(add(i, i, text)));
    const seen = tx.query<{ text: string }>(sql`select text from item order by id`);
    const changed = tx.query(sql`update item set count = count + 1 where id >= ${2} returning id, count`);
    const none = tx.query(sql`select 1 as one where false`);
    const later = tx.query(sql`select sum(count)::int as sum, array_agg(id order by id) as ids from item`);
    return Promise.all([...added, seen, changed, none, later]);
  });
  assert.deepEqual(found, [
    ...texts.map(() => []),
    texts.map((text) => ({ text })),
    [2, 3, 4].map((id) => ({ id, count: id + 1 })),
    [],
    [{ sum: 13, ids: [0, 1, 2, 3, 4] }],
  ]);
});

test('no statement runs after one that fails, and nothing is stored', async () => {
  await empty();
  const run = sql`select nextval('run')::int as run`;
  const [before] = await db.transaction((tx) => tx.query<{ run: number }>(run));
  let states: (string | undefined)[] = [];
  await assert.rejects(
    db.transaction(async (tx) => {
      const ended = await askAll(tx, [add(1), run, add(2, -1), run, add(3)]);
      states = ended.map((one) => (one.status === 'rejected' ? sqlState(one.reason) : undefined));
    }),
    /nothing was stored/,
  );
  assert.deepEqual(states, [undefined, undefined, '23514', '23514', '23514']);
  const [now] = await db.transaction((tx) => tx.query<{ run: number }>(run));
  assert.equal(now!.run, before!.run + 2, 'the one before the failure, and this one');
  assert.deepEqual(await items(), []);
});

test('the first statement may fail, and the connection stays usable', async () => {
  await empty();
  for (const statements of [[add(1, -1)], [add(1, -1), add(2)], [sql`select 1/0`, sql`select nonsense`]]) {
    await assert.rejects(
      db.transaction(async (tx) => Promise.all(statements.map((one) => tx.query(one)))),
      (error) => ['23514', '22012'].includes(sqlState(error) ?? ''),
    );
    assert.deepEqual(await items(), []);
    assert.deepEqual(await db.query(sql`select 1 as one`), [{ one: 1 }]);
  }
  assert.equal(await db.transaction(async () => 'nothing was asked'), 'nothing was asked');
});

test('a value that cannot be sent fails its statement and those after it', async () => {
  await empty();
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  let ended: PromiseSettledResult<unknown>[] = [];
  const strange = sql`insert into item values (2, ${circle})`;
  await assert.rejects(
    db.transaction(async (tx) => {
      ended = await askAll(tx, [add(1), strange, add(3)]);
      for (const one of ended) if (one.status === 'rejected') throw one.reason;
    }),
    TypeError,
  );
  assert.deepEqual(
    ended.map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected'],
  );
  assert.deepEqual(await items(), []);
  await db.transaction((tx) => tx.query(add(4)));
  assert.deepEqual(await items(), [4]);
});

test('statements of beforeCommit run last, and are stored with the transaction or not at all', async () => {
  await empty();
  await db.transaction(async (tx) => {
    tx.beforeCommit(sql`insert into item select max(id) + 1, 'last', 0 from item`);
    tx.beforeCommit(sql`update item set count = 7 where text = 'last'`);
    await tx.query(add(1));
    assert.equal((await tx.query(sql`select from item`)).length, 1);
    await tx.query(add(5));
  });
  await db.transaction(async (tx) => tx.beforeCommit(add(20)));
  assert.deepEqual(await items(), [1, 5, 6, 20]);
  assert.deepEqual(await db.query(sql`select count from item where text = 'last'`), [{ count: 7 }]);
  await assert.rejects(
    db.transaction(async (tx) => {
      tx.beforeCommit(add(30));
      tx.beforeCommit(add(31, -1));
      await tx.query(add(32));
    }),
    (error) => sqlState(error) === '23514',
  );
  await assert.rejects(
    db.transaction(async (tx) => {
      tx.beforeCommit(add(33));
      throw new Error('changed my mind');
    }),
    /changed my mind/,
  );
  assert.deepEqual(await items(), [1, 5, 6, 20]);
});

/** A connection to the database on which messages of the client can be changed. */
async function overLine(t: TestContext, change: (type: string, bytes: Buffer) => Buffer): Promise<Database> {
  const { host, port } = database.target;
  const server = createServer((client) => {
    const line = host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host);
    const read = messageReader();
    client.on('data', (chunk) => {
      for (const { type, bytes } of read(chunk)) line.write(change(type, bytes));
    });
    line.pipe(client);
    for (const end of [client, line])
      end.on('error', () => {}).on('close', () => [client.destroy(), line.destroy()]);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const own = openDatabase(
    { ...database.target, host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    db.engine,
    { maxConnections: 1 },
  );
  t.after(async () => {
    await own.close();
    server.close();
  });
  return own;
}

test('no statement runs after a BEGIN that fails', async (t) => {
  await empty();
  let isSpoiled = true;
  const line = await overLine(t, (_, bytes) => {
    const text = bytes.toString('latin1');
    return Buffer.from(isSpoiled ? text.replace('begin read write', 'begin read wrote') : text, 'latin1');
  });
  await assert.rejects(
    line.transaction(async (tx) => {
      await askAll(tx, [add(1), add(2)]);
      await tx.query(add(3)).catch(() => {});
      tx.beforeCommit(add(4));
    }),
    (error) => sqlState(error) === '42601',
  );
  assert.deepEqual(await items(), []);
  isSpoiled = false;
  await line.transaction((tx) => tx.query(add(5)));
  assert.deepEqual(await items(), [5]);
});

test('concurrent statements share one pipeline, BEGIN goes with the first, beforeCommit with COMMIT', async (t) => {
  await empty();
  let waits = 0;
  const line = await overLine(t, (type, bytes) => {
    if ('SQ'.includes(type)) waits += 1;
    return bytes;
  });
  await line.query(sql`select 1`);
  waits = 0;
  await line.transaction(async (tx) => {
    await Promise.all([tx.query(add(1)), tx.query(add(2)), tx.query(sql`select 1 as one`)]);
    tx.beforeCommit(add(3));
  });
  assert.equal(waits, 2);
  await line.transaction(async (tx) => tx.beforeCommit(add(4)));
  assert.equal(waits, 3);
  assert.deepEqual(await items(), [1, 2, 3, 4]);
});
