import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError } from '@cartulary/errors/internal/errors.js';
import { createSemaphore } from '@cartulary/runtime/internal/semaphore.js';
import { type TestDatabase, testDatabase } from '@cartulary/server/support/database.js';
import { ident, Sql, sql } from '@cartulary/sql/internal/sql.js';
import { deletedMeanwhile } from '../src/failure.js';
import { type Database, openDatabase, sqlState, type Transaction } from '../src/pool.js';
import { describeUnreachable } from '../src/reach.js';

let database: TestDatabase;
let db: Database;
const onPostgres = Boolean(process.env.TEST_DATABASE_URL);

before(async () => {
  database = await testDatabase({ migrated: false, maxConnections: 6 });
  db = database.db;
  await db.transaction(async (tx) => {
    await tx.query(sql`create extension if not exists postgis`);
    await tx.query(sql`create table note (id int primary key, text text)`);
    await tx.query(sql`create table account (id int primary key, balance int not null check (balance >= 0))`);
  });
});
after(() => database.drop());

const hostile = [
  '',
  "'; drop table note; --",
  "\\'; drop table note; --",
  '$1 $2 %s :name ?',
  '"quoted" `ticks` \\N \\. \\x00',
  'line\nbreak\r\n\ttab\u0001\u007f\u0085\u2028',
  'Привет, мир — 東京 — 👩‍👩‍👧‍👦 — עברית',
  '\ud83d\ude00'.repeat(10_000),
  'null',
  '{a,b}',
];

test('a statement uses one processor', async () => {
  const [row] = await db.query(sql`select current_setting('max_parallel_workers_per_gather') as workers`);
  assert.deepEqual(row, { workers: '0' });
});

/** How many statements wait for a lock. */
const waiting = sql`select count(*)::integer as count from pg_locks where not granted`;

test('a statement that opens a table while it is replaced runs again', { skip: !onPostgres }, async () => {
  const make = sql`create table place as select 1 as id, st_setsrid(st_makepoint(3, 4), 4326) as geom`;
  const index = sql`create index on place using gist (geom)`;
  await db.transaction(async (tx) => {
    await tx.query(make);
    await tx.query(index);
  });
  const { reading } = await db.transaction(async (tx) => {
    await tx.query(sql`drop table place`);
    const reading = db.query<{ box: string }>(sql`
      select st_estimatedextent('public', relname, 'geom')::text as box from pg_class where relname = 'place'`);
    while ((await db.query<{ count: number }>(waiting))[0]!.count === 0) await pause(10);
    await tx.query(make);
    await tx.query(index);
    return { reading };
  });
  assert.deepEqual(await reading, [{ box: 'BOX(3 4,3 4)' }]);
  await db.transaction((tx) => tx.query(sql`drop table place`));
});

test('a statement that finds a table by its name runs again when it is deleted meanwhile', {
  skip: !onPostgres,
}, async () => {
  await db.transaction((tx) => tx.query(sql`create table place (geom geometry)`));
  // The lock is waited for between the reading of the catalogue and that of the table.
  const { reading } = await db.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(27)`);
    const reading = db.query(sql`
      select st_estimatedextent('public', found.relname, 'geom') from (
        select relname, pg_advisory_xact_lock(27) from pg_class where relname = 'place' offset 0) found`);
    while ((await db.query<{ count: number }>(waiting))[0]!.count === 0) await pause(10);
    await tx.query(sql`drop table place`);
    return { reading };
  });
  assert.deepEqual(await reading, []);
});

test('what another client has deleted meanwhile is told, other errors are not', async () => {
  const codeOf = async (statement: Sql): Promise<string | undefined> =>
    db.query(statement).then(
      () => 'none',
      (error) => deletedMeanwhile(error)?.code,
    );
  assert.equal(await codeOf(sql`select from cartulary_data.layer_27`), 'layer_not_found');
  assert.equal(await codeOf(sql`select from cartulary.nothing`), undefined);
  assert.equal(await codeOf(sql`select 1 / 0`), undefined);
});

test('values come back unchanged', async () => {
  for (const text of hostile) {
    const rows = await db.query(sql`select ${text}::text as text, length(${text}) as length`);
    assert.deepEqual(rows, [{ text, length: [...text].length }]);
  }
  assert.deepEqual(await db.query(sql`select ${hostile}::text[] as texts`), [{ texts: hostile }]);
  await db.transaction(async (tx) => {
    for (const [id, text] of hostile.entries()) {
      await tx.query(sql`insert into note values (${id}, ${text})`);
    }
  });
  for (const [id, text] of hostile.entries()) {
    assert.deepEqual(await db.query(sql`select id from note where text = ${text}`), [{ id }]);
  }
});

test('names are quoted', async () => {
  const name = `a"b'; drop table note; --`;
  await db.transaction(async (tx) => {
    await tx.query(sql`create table ${ident(name)} (${ident(name)} int)`);
    await tx.query(sql`insert into ${ident(name)} (${ident(name)}) values (${7})`);
  });
  assert.deepEqual(await db.query(sql`select * from ${ident(name)}`), [{ [name]: 7 }]);
});

const roundTrips: [type: string, value: unknown, expected?: unknown][] = [
  ['int2', -32_768],
  ['int4', 2_147_483_647],
  ['int8', 9_007_199_254_740_991],
  ['int8', -9_007_199_254_740_991],
  ['int8', '9223372036854775807'],
  ['int8[]', [1, null, '9223372036854775807']],
  ['float8', 0.1 + 0.2],
  ['float8', Number.NaN],
  ['float8', Number.NEGATIVE_INFINITY],
  ['float4', 1.5],
  ['numeric', '123456789012345678901234567890.000000000000001'],
  ['bool', true],
  ['bool', false],
  ['text', null],
  ['varchar(5)', 'Юникс'],
  ['date', '2024-02-29'],
  ['timestamp', '2024-02-29 23:59:59.123456'],
  ['timestamptz', new Date('2024-02-29T23:59:59.123Z')],
  ['interval', '1 day 02:00:00'],
  ['bytea', Buffer.from([0, 1, 92, 39, 255])],
  ['json', { a: [1, null, "x'y"] }],
  ['jsonb', { ключ: '\\u0000 is not \\ a zero', n: 1e20 }],
  ['uuid', '7f9c24e8-3b12-4c53-8d3f-0b6d0e1f2a3b'],
  ['text[]', ['a,b', '"', '\\', '{}', null, '']],
  ['int4[]', [1, 2, 3]],
  ['geometry', '0101000020E6100000000000000000F03F0000000000000040'],
];

test('each type comes back', async () => {
  for (const [type, value, expected = value] of roundTrips) {
    const rows = await db.query<{ value: unknown }>(sql`select ${value}::${new Sql([type], [])} as value`);
    assert.deepEqual(rows[0]!.value, expected, type);
  }
  const [row] = await db.query(
    sql`select count(*) as count, now()::text ~ '\\+00$' as utc from generate_series(1, 3)`,
  );
  assert.deepEqual(row, { count: 3, utc: true });
});

test('one text is one statement', async () => {
  const several = new Sql(['select 1; drop table note'], []);
  await assert.rejects(db.query(several), (error) => sqlState(error) === '42601');
  await assert.rejects(
    db.transaction((tx) => tx.query(several)),
    (error) => sqlState(error) === '42601',
  );
  await db.query(sql`select from note`);
});

test('an error of the database has its code, and the connection stays usable', async () => {
  const insert = (): Promise<unknown> =>
    db.transaction((tx) => tx.query(sql`insert into account values (1000, 0), (1000, 0)`));
  await assert.rejects(insert, (error) => sqlState(error) === '23505' && !(error instanceof ServiceError));
  await assert.rejects(db.query(sql`select 1/0`), (error) => sqlState(error) === '22012');
  assert.equal(sqlState(new Error('EPIPE')), undefined);
  assert.deepEqual(await db.query(sql`select from account where id = 1000`), []);
});

test('a transaction is stored whole or not at all', async () => {
  const add = async (tx: Transaction, id: number): Promise<void> => {
    await tx.query(sql`insert into account values (${id}, 1)`);
  };
  const reason = new Error('changed my mind');
  await assert.rejects(
    db.transaction(async (tx) => {
      await add(tx, 1);
      throw reason;
    }),
    reason,
  );
  await assert.rejects(
    db.transaction(async (tx) => {
      await add(tx, 2);
      await tx.query(sql`insert into account values (3, -1)`);
    }),
    (error) => sqlState(error) === '23514',
  );
  // An error that was swallowed must not look like success.
  await assert.rejects(
    db.transaction(async (tx) => {
      await add(tx, 4);
      await tx.query(sql`select 1/0`).catch(() => {});
    }),
    /nothing was stored/,
  );
  let leaked: Transaction | undefined;
  const result = await db.transaction(async (tx) => {
    leaked = tx;
    await Promise.all([add(tx, 5), add(tx, 6), add(tx, 7)]);
    return 'done';
  });
  assert.equal(result, 'done');
  await assert.rejects(leaked!.query(sql`select 1`), /has ended/);
  assert.deepEqual(await db.query(sql`select id from account order by id`), [
    { id: 5 },
    { id: 6 },
    { id: 7 },
  ]);
});

test('a serialization failure is tried again, three times', async () => {
  const fail = sql`do $$ begin raise exception using errcode = '40001'; end $$`;
  let attempts = 0;
  const work = (failures: number) => async (tx: Transaction) => {
    attempts++;
    await tx.query(sql`insert into note values (${2000 + failures}, 'x')`);
    if (attempts <= failures) await tx.query(fail);
  };
  await db.transaction(work(3));
  assert.equal(attempts, 4);
  attempts = 0;
  await assert.rejects(db.transaction(work(4)), (error) => sqlState(error) === '40001');
  assert.equal(attempts, 4);
  assert.deepEqual(await db.query(sql`select id from note where id >= 2000`), [{ id: 2003 }]);
});

test('two that lock each other out both get through', { skip: !onPostgres }, async () => {
  await db.transaction((tx) => tx.query(sql`insert into account values (11, 0), (12, 0)`));
  let both = 0;
  const transfer = (first: number, second: number): Promise<void> =>
    db.transaction(async (tx) => {
      await tx.query(sql`update account set balance = balance + 1 where id = ${first}`);
      both++;
      while (both < 2) await new Promise((resolve) => setTimeout(resolve, 5));
      await tx.query(sql`update account set balance = balance + 1 where id = ${second}`);
    });
  await Promise.all([transfer(11, 12), transfer(12, 11)]);
  const rows = await db.query(sql`select balance from account where id in (11, 12)`);
  assert.deepEqual(rows, [{ balance: 2 }, { balance: 2 }]);
});

const sleep = sql`select pg_sleep(60)`;
const gone = new Error('the client has gone');
const abortSoon = (ms = 100): AbortSignal => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(gone), ms);
  return controller.signal;
};

test('an aborted signal stops the statement', { skip: !onPostgres }, async () => {
  await assert.rejects(db.query(sleep, abortSoon()), gone);
  await assert.rejects(
    db.transaction((tx) => tx.query(sleep, abortSoon())),
    gone,
  );
  await assert.rejects(
    db.transaction(async (tx) => {
      await tx.query(sql`insert into note values (3000, 'x')`);
      await tx.query(sleep);
    }, abortSoon()),
    gone,
  );
  const running = await db.query(
    sql`select query from pg_stat_activity where datname = current_database() and state = 'active' and query ~ 'pg_sleep' and pid <> pg_backend_pid()`,
  );
  assert.deepEqual(running, []);
  assert.deepEqual(await db.query(sql`select from note where id = 3000`), []);
});

test('heavy reads that wait for a lock take no places of other long ones', {
  skip: !onPostgres,
}, async () => {
  const slots = {
    short: createSemaphore(3).for,
    writes: createSemaphore(1).for,
    cached: createSemaphore(1),
    long: createSemaphore(2).for,
    heavy: createSemaphore(1).for,
  };
  const small = openDatabase(database.target, 'postgres', { maxConnections: 3, slots });
  let heavy: Promise<unknown>[] = [];
  await db.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(7)`);
    heavy = [1, 2, 3].map((i) =>
      small.heavy.query(sql`select pg_advisory_xact_lock_shared(7), ${i}::integer as i`),
    );
    assert.deepEqual(await small.query(sql`select 1 as one`), [{ one: 1 }]);
    assert.deepEqual(await small.long.query(sql`select 2 as two`), [{ two: 2 }]);
    assert.equal(await small.transaction(async () => 3), 3);
  });
  assert.equal((await Promise.all(heavy)).length, 3);
  await small.close();
});

test('cached reads do not wait for other statements', { skip: !onPostgres }, async () => {
  const small = openDatabase(database.target, 'postgres', { maxConnections: 1 });
  let waiting: Promise<unknown> = Promise.resolve();
  await db.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(8)`);
    waiting = small.query(sql`select pg_advisory_xact_lock_shared(8)`);
    assert.deepEqual(await small.cachedQuery(sql`select 1 as one`), [{ one: 1 }]);
  });
  await waiting;
  await small.close();
});

test('a cancel never hits the next statement of the connection', { skip: !onPostgres }, async () => {
  const one = openDatabase(database.target, 'postgres', { maxConnections: 1 });
  for (let i = 0; i < 150; i++) {
    const controller = new AbortController();
    const short = one.query(sql`select pg_sleep(0.004)`, controller.signal);
    const next = one.query(sql`select pg_sleep(0.004)`);
    // Around the time when the first ends by itself.
    await new Promise((resolve) => setTimeout(resolve, 3 + (i % 4)));
    controller.abort(gone);
    await Promise.allSettled([short]);
    await next;
  }
  await one.close();
});

test('an aborted signal rejects at once, before and while it waits', async () => {
  await assert.rejects(db.query(sql`select 1`, AbortSignal.abort(gone)), gone);
  const one = openDatabase(database.target, db.engine, { maxConnections: 1 });
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const holder = one.transaction(() => released);
  await assert.rejects(one.query(sql`select 1`, abortSoon(20)), gone);
  await assert.rejects(
    one.transaction((tx) => tx.query(sql`select 1`), abortSoon(20)),
    gone,
  );
  release();
  await holder;
  assert.deepEqual(await one.query(sql`select 1 as one`), [{ one: 1 }]);
  await one.close();
});

test('reads and writes over six connections do not mix', async () => {
  await db.transaction((tx) => tx.query(sql`create table line (writer int, part int, text text)`));
  const write = (writer: number): Promise<void> =>
    db.transaction(async (tx) => {
      for (const part of [1, 2, 3]) {
        await tx.query(
          sql`insert into line values (${writer}, ${part}, ${'x'.repeat((writer * 7_919) % 5_000)})`,
        );
      }
      if (writer % 5 === 0) throw gone;
    });
  const read = async (i: number): Promise<void> => {
    const text = `${'y'.repeat((i * 104_729) % 9_000)}${i}`;
    const [rows, halves] = await Promise.all([
      i % 2
        ? db.query(sql`select ${text}::text as text, ${i}::int as i`)
        : db.query(sql`select ${i}::int as i, ${text}::text as text`),
      db.query(sql`select writer from line group by writer having count(*) <> 3`),
    ]);
    assert.deepEqual([rows, halves], [[{ text, i }], []]);
  };
  const work = Array.from({ length: 300 }, (_, i) => (i % 3 ? read(i) : write(i / 3)));
  const failures = (await Promise.allSettled(work)).filter(({ status }) => status === 'rejected');
  assert.deepEqual(new Set(failures.map((failure: any) => failure.reason)), new Set([gone]));
  assert.equal(failures.length, 20);
  assert.deepEqual(await db.query(sql`select count(*) as count from line`), [{ count: 240 }]);
});

test('the pool keeps working when the server closes its connections', { skip: !onPostgres }, async () => {
  const end = sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  let attempts = 0;
  let proceed: (() => void) | undefined;
  const ended = new Promise<void>((resolve) => {
    proceed = resolve;
  });
  const inTransaction = db.transaction(async (tx) => {
    attempts++;
    await tx.query(sql`insert into note values (4000, 'x')`);
    await ended;
    await tx.query(sql`select 1`);
  });
  await Promise.all(Array.from({ length: 4 }, () => db.query(sql`select pg_sleep(0.05)`)));
  await db.query(end);
  proceed!();
  await inTransaction;
  assert.equal(attempts, 2);
  for (let i = 0; i < 12; i++) await db.query(sql`select 1`);
  assert.deepEqual(await db.query(sql`select text from note where id = 4000`), [{ text: 'x' }]);
});

test('a full disk is "busy", and the statement is not repeated', async () => {
  let attempts = 0;
  const full = db.transaction(async (tx) => {
    attempts += 1;
    await tx.query(
      sql`do $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`,
    );
  });
  await assert.rejects(full, (error: ServiceError) => {
    assert.match(describeUnreachable(error, db.connection), /cannot be used: its disk is full\. Free some/);
    return error.code === 'busy' && error.status === 503 && /disk .* no room/.test(error.message);
  });
  assert.equal(attempts, 1);
});

test('no server is "busy", a statement over its time is "timeout"', async () => {
  const nowhere = openDatabase({ ...database.target, host: '127.0.0.1', port: 1 }, 'postgres');
  await assert.rejects(nowhere.query(sql`select 1`), { code: 'busy', status: 503 });
  await nowhere.close();
  if (!onPostgres) return;
  const hasty = openDatabase(database.target, 'postgres', { statementTimeoutMs: 100 });
  await assert.rejects(hasty.query(sleep), { code: 'timeout', status: 503 });
  await assert.rejects(
    hasty.transaction((tx) => tx.query(sleep)),
    { code: 'timeout' },
  );
  await hasty.close();
});
