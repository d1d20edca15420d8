import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { rounds } from '@cartulary/server/support/rounds.js';
import { ident, prepared, Sql, sql } from '@cartulary/sql/internal/sql.js';
import pg from 'pg';
import { makeEmbeddedArchive } from '../src/embedded/archive.js';
import {
  type EmbeddedDatabase,
  findRunningEmbedded,
  prepareEmbedded,
  startEmbedded,
} from '../src/embedded/embedded.js';
import { type Database, openDatabase, sqlState } from '../src/pool.js';

const dataFolder = mkdtempSync(join(tmpdir(), 'cartulary-embedded-'));
const warnings: string[] = [];
const log = { info() {}, warn: (text: string) => void warnings.push(text), error() {} };
let embedded: EmbeddedDatabase;
let db: Database;

before(async () => {
  embedded = await startEmbedded({ dataFolder, log, statementLimitMs: 1_000 });
  db = openDatabase(embedded.target, 'embedded', { maxConnections: 4, statementTimeoutMs: 20_000 });
  await db.transaction((tx) => tx.query(sql`create table note (id int primary key, text text)`));
});
after(async () => {
  await db.close();
  await embedded.stop();
  rmSync(dataFolder, { recursive: true });
});

async function withClient<T>(
  work: (client: pg.Client) => Promise<T>,
  more: pg.ClientConfig = {},
): Promise<T> {
  const client = new pg.Client({ ...embedded.target, ssl: false, ...more });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

test('heavy statements run after light ones that wait, but after a few of them at most', async () => {
  const heavy = { application_name: 'cartulary heavy' };
  await withClient(async (holder) =>
    withClient(async (light) =>
      withClient(async (long) => {
        await holder.query('create table went (at serial, kind text)');
        const insert = (client: pg.Client, kind: string): Promise<unknown> =>
          client.query('insert into went (kind) values ($1)', [kind]);
        await holder.query('begin');
        const asked = [insert(long, 'heavy')];
        // A client sends the next statement when the last is answered: these come from many.
        await withClients(20, async (others) => {
          asked.push(...others.map((client) => insert(client, 'light')), insert(light, 'light'));
          // Their messages have come when a later one of another connection is answered.
          await holder.query('select 1');
          await holder.query('commit');
          await Promise.all(asked);
        });
        const { rows } = await holder.query('select kind from went order by at');
        const place = rows.findIndex(({ kind }) => kind === 'heavy');
        // On a busy machine only some light ones have come by then.
        assert.ok(place >= 1 && place <= 10, `the heavy one was number ${place} of ${rows.length}`);
      }, heavy),
    ),
  );
});

const withClients = <T>(
  count: number,
  work: (clients: pg.Client[]) => Promise<T>,
  clients: pg.Client[] = [],
): Promise<T> =>
  clients.length === count
    ? work(clients)
    : withClient((client) => withClients(count, work, [...clients, client]));

const slow = 'select count(*) from generate_series(1, 100000) a, generate_series(1, 100000) b';

test('it is found by others, and only its owner may come in', async () => {
  assert.deepEqual(await findRunningEmbedded(dataFolder), embedded.target);
  assert.equal(await findRunningEmbedded(join(dataFolder, 'not-there')), undefined);
  for (const folder of ['run', 'db'])
    assert.equal(statSync(join(dataFolder, folder)).mode & 0o077, 0, folder);
});

test('what is committed is synced to the disk', async () => {
  const [row] = await db.query(
    sql`select current_setting('fsync') as fsync, current_setting('wal_sync_method') as method`,
  );
  assert.deepEqual(row, { fsync: 'on', method: 'fsync' });
});

test('statements of several connections never mix inside a transaction or between Parse and Execute', async () => {
  await Promise.all(
    Array.from({ length: 8 }, (_, writer) =>
      withClient(async (client) => {
        for (let i = 0; i < 15; i++) {
          const id = writer * 1_000 + i;
          if (writer % 2) {
            await client.query('insert into note values ($1, $2)', [id, 'alone']);
            const { rows } = await client.query('select text, $1::int as id from note where id = $1', [id]);
            assert.deepEqual(rows, [{ text: 'alone', id }]);
          } else {
            await client.query('begin');
            await client.query('insert into note values ($1, $2)', [id, 'kept']);
            await client.query('insert into note values ($1, $2)', [id + 100, 'kept']);
            await client.query(i % 3 ? 'commit' : 'rollback');
          }
        }
      }),
    ),
  );
  const rows = await db.query(sql`select text, count(*) as count from note group by 1 order by 1`);
  assert.deepEqual(rows, [
    { text: 'alone', count: 60 },
    { text: 'kept', count: 80 },
  ]);
});

const shared = async (): Promise<number> =>
  (await db.query(sql`select from pg_prepared_statements where name like 'text\\_%'`)).length;

test('what is asked often is read once for all connections, and outlives changes of its table', async () => {
  const change = (statement: Sql): Promise<unknown> => db.transaction((tx) => tx.query(statement));
  const ask = (length = 8): Promise<unknown[][]> =>
    Promise.all(
      Array.from({ length }, (_, i) => db.query(prepared(sql`select *, ${i}::integer as i from shape`))),
    );
  const rows = (row: object, length = 8) => Array.from({ length }, (_, i) => [{ ...row, i }]);
  await change(sql`create table shape (a text)`);
  await change(sql`insert into shape values ('x')`);
  for (let round = 0; round < 3; round++) assert.deepEqual(await ask(), rows({ a: 'x' }));
  assert.equal(await shared(), 1);
  await change(sql`alter table shape add column b text default 'y'`);
  for (let round = 0; round < 3; round++) assert.deepEqual(await ask(), rows({ a: 'x', b: 'y' }));
  await change(sql`alter table shape rename to old_shape`);
  for (let round = 0; round < 3; round++)
    await assert.rejects(ask(1), (error) => sqlState(error) === '42P01');
  await change(sql`create table shape (a text)`);
  await change(sql`insert into shape values ('new')`);
  for (let round = 0; round < 3; round++) assert.deepEqual(await ask(), rows({ a: 'new' }));
  await db.query(sql`deallocate all`);
  for (let round = 0; round < 3; round++) assert.deepEqual(await ask(), rows({ a: 'new' }));
  assert.equal(await shared(), 1);

  const wrong = (value: string): Promise<unknown> =>
    db.query(prepared(sql`select ${value}::integer as number`));
  await assert.rejects(wrong('x'), (error) => sqlState(error) === '22P02');
  assert.deepEqual(await wrong('7'), [{ number: 7 }]);
  for (let i = 0; i < 100; i++) await db.query(prepared(sql`select 1 as ${ident(`c${i}`)}`));
  assert.equal(await shared(), 64);
});

test('a connection that leaves in the middle of a transaction leaves nothing', async () => {
  for (const end of ['destroy', 'end'] as const) {
    const client = new pg.Client({ ...embedded.target, ssl: false });
    client.on('error', () => {});
    await client.connect();
    await client.query('begin');
    await client.query('insert into note values (50000, $1)', ['x']);
    const waiting = db.query(sql`select from note where id = 50000`);
    if (end === 'end') await client.end();
    else (client as any).connection.stream.destroy();
    assert.deepEqual(await waiting, []);
  }
});

test('another program cannot make everyone read-only, nor stop everyone by COPY FROM STDIN', async () => {
  await withClient(async (client) => {
    for (const name of ['DEFAULT_TRANSACTION_READ_ONLY', 'SESSION default_transaction_read_only']) {
      assert.equal((await client.query(`SET ${name} = TRUE`)).command, 'SET');
    }
    await client.query('SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY');
    await client.query('insert into note values (60000, null)');
    const isRefused = (error: unknown): boolean => sqlState(error) === '0A000';
    await assert.rejects(client.query('copy note from stdin'), isRefused);
    await assert.rejects(client.query({ text: 'copy note (id)\nfrom STDIN', values: [] }), isRefused);
    await assert.rejects(
      client.query({ text: 'copy note from stdin', queryMode: 'extended' } as pg.QueryConfig),
      isRefused,
    );
    await client.query('begin');
    await assert.rejects(client.query('copy note from stdin'), isRefused);
    await assert.rejects(client.query('select 1'), (error) => sqlState(error) === '25P02');
    await client.query('rollback');
  });
  assert.deepEqual(await db.query(sql`select text from note where id = 60000`), [{ text: null }]);
});

test('bytes that are no protocol end their connection alone', async () => {
  const path = join(embedded.target.host, '.s.PGSQL.5432');
  for (const bytes of ['GET / HTTP/1.1\r\n\r\n', Buffer.alloc(100), Buffer.from('000000080002ffff', 'hex')]) {
    const socket = connect(path);
    socket.on('error', () => {});
    socket.write(bytes);
    socket.resume();
    await once(socket, 'close');
  }
  assert.deepEqual(await db.query(sql`select 1 as one`), [{ one: 1 }]);
});

test('large values go in and out', async () => {
  const text = 'Щ'.repeat(10_000_000);
  const [row] = await db.query<any>(sql`select ${text}::text as text, length(${text}) as length`);
  assert.equal(row.length, 10_000_000);
  assert.ok(row.text === text);
});

test('neither thousands of errors nor deep expressions wear the engine out', async () => {
  const pid = embedded.pid();
  await withClient(async (client) => {
    for (let i = 0; i < 3_000; i++) {
      await assert.rejects(client.query(i % 2 ? 'select 1/0' : 'selec'), /division by zero|syntax error/);
    }
  });
  const sum = (terms: number): Promise<{ sum: number }[]> =>
    db.query(new Sql([`select ${Array(terms).fill('1').join('+')} as sum`], []));
  assert.deepEqual(await sum(4_000), [{ sum: 4_000 }]);
  await assert.rejects(sum(50_000), (error) => sqlState(error) === '54001');
  assert.deepEqual(await sum(4_000), [{ sum: 4_000 }]);
  assert.equal(embedded.pid(), pid);
});

/** A ring whose edges all cross each other; `count` is odd. */
const star = (count: number): string => `(
  select st_makepolygon(st_makeline(array_agg(st_makepoint(cos(angle), sin(angle)) order by k)))
  from (select k, 2 * pi() * (k * ${count >> 1}::bigint % ${count}) / ${count} as angle from generate_series(0, ${count}) k) p)`;

test('a statement over its time is cancelled, and other statements are not', async () => {
  const exits: string[] = [];
  embedded.onExit((reason) => exits.push(reason));
  const canceled = { code: '57014' };
  // A connection that says nothing has the limit of the start, one that says something its own.
  await withClient(async (client) => assert.rejects(client.query(slow), canceled));
  await withClient(async (client) => {
    for (const growing of [
      'select sum(length(a::text)) from (select array_agg(k) over () as a from generate_series(1, 20000) k) x',
      'with recursive r (n) as (select 1 union all select n + 1 from r) select count(*) from r',
      'select st_npoints(st_union(st_buffer(st_makepoint(random() * 10, k), 9))) from generate_series(1, 100000) k',
      // GEOS does not look for a request to stop here.
      `select st_npoints(st_clipbybox2d(${star(60_001)}, st_makebox2d(st_makepoint(-0.1, -0.1), st_makepoint(0.5, 0.5))))`,
    ])
      await assert.rejects(client.query(growing), canceled, growing);
    // A fast machine comes to the largest size of a text before.
    const text = "select length(replace(repeat('a', 100000), 'a', repeat('b', 10000)))";
    await assert.rejects(client.query(text), (error) => ['57014', '53200'].includes(sqlState(error)!));
    assert.deepEqual((await client.query('select 1 as one')).rows, [{ one: 1 }]);
  });
  const hasty = openDatabase(embedded.target, 'embedded', { statementTimeoutMs: 500 });
  await assert.rejects(hasty.query(new Sql([slow], [])), { code: 'timeout' });
  await hasty.transaction(async (tx) => {
    await tx.query(sql`set local statement_timeout = '5s'`);
    await tx.query(sql`select pg_sleep(1)`);
  });
  await assert.rejects(
    hasty.transaction((tx) => tx.query(sql`select pg_sleep(1)`)),
    { code: 'timeout' },
  );
  for (let i = 0; i < 20; i++) await hasty.query(sql`select pg_sleep(0.03)`);
  await hasty.close();
  assert.deepEqual(exits, []);
});

test('a statement that cannot be cancelled is ended with the process, which is back with everything', async () => {
  const exits: string[] = [];
  embedded.onExit((reason) => exits.push(reason));
  const id = (await db.query<{ id: number }>(sql`select max(id) as id from note`))[0]!.id;
  // It waits for its own clock, and looks at nothing else.
  const stubborn = (seconds: number) => new Sql([`select pg_sleep(${seconds}) as stubborn`], []);
  const hasty = openDatabase(embedded.target, 'embedded', { statementTimeoutMs: 500 });
  await assert.rejects(hasty.query(stubborn(30)), { code: 'timeout' });
  assert.deepEqual(await db.query(sql`select max(id) as id from note`), [{ id }]);
  assert.deepEqual(exits, ['SIGKILL'], 'it is not repeated');
  await assert.rejects(
    hasty.transaction((tx) => tx.query(stubborn(31))),
    { code: 'timeout' },
  );
  assert.deepEqual(await db.query(sql`select max(id) as id from note`), [{ id }]);
  assert.deepEqual(exits, ['SIGKILL', 'SIGKILL']);
  // Twice was too often: it is refused, whatever its values are, alone and in a transaction.
  await assert.rejects(hasty.query(stubborn(32)), { code: 'timeout' });
  await assert.rejects(
    hasty.transaction(async (tx) => {
      await tx.query(sql`insert into note values (75000, 'x')`);
      await tx.query(stubborn(0)).catch(() => {});
    }),
    /nothing was stored/,
  );
  assert.deepEqual(await db.query(sql`select from note where id = 75000`), []);
  assert.deepEqual(exits, ['SIGKILL', 'SIGKILL']);
  await hasty.close();
});

test('what the libraries of PostGIS throw is an ordinary error', async () => {
  const pid = embedded.pid();
  await withClient(async (client) => {
    await client.query("set statement_timeout = '20s'");
    const broken = `select st_union('POLYGON((0 0,2 2,2 0,0 2,0 0))'::geometry, 'POLYGON((0 1,3 1,3 3,0 3,0 1))'::geometry)`;
    for (let i = 0; i < rounds(200); i++)
      await assert.rejects(client.query(broken), { code: 'XX000', message: /TopologyException/ });
    await client.query('begin');
    await client.query("insert into note values (80000, 'kept')");
    await client.query('savepoint s');
    await assert.rejects(client.query(broken), { code: 'XX000' });
    await client.query('rollback to s');
    await client.query('commit');
  });
  assert.deepEqual(await db.query(sql`select text from note where id = 80000`), [{ text: 'kept' }]);
  assert.deepEqual(warnings, []);
  assert.equal(embedded.pid(), pid);
});

test('a statement whose caller has gone runs on, and the next waits for it', async () => {
  const controller = new AbortController();
  const gone = new Error('gone');
  const aborted = db.transaction(async (tx) => {
    await tx.query(sql`insert into note values (70000, 'x')`);
    setTimeout(() => controller.abort(gone), 50);
    await tx.query(sql`select pg_sleep(0.3)`);
  }, controller.signal);
  await assert.rejects(aborted, gone);
  assert.deepEqual(await db.query(sql`select from note where id = 70000`), []);
});

test('one that does not stop when its caller has gone is ended with the process, long before its limit', async () => {
  const exits: string[] = [];
  embedded.onExit((reason) => exits.push(reason));
  const controller = new AbortController();
  const patient = openDatabase(embedded.target, 'embedded', { statementTimeoutMs: 60_000 });
  const deaf = patient.query(sql`select pg_sleep(40) as deaf`, controller.signal);
  setTimeout(() => controller.abort(new Error('gone')), 100);
  await assert.rejects(deaf, /gone/);
  assert.deepEqual(await db.query(sql`select 1 as one`), [{ one: 1 }]);
  assert.deepEqual(exits, ['SIGKILL']);
  await patient.close();
});

test('what is asked while the process starts again waits for it, also snapshots', async () => {
  await db.snapshot();
  process.kill(embedded.pid()!, 'SIGKILL');
  const asked = [db.snapshot(), db.query(sql`select 1 as one`), db.cachedQuery(sql`select 1 as one`)];
  const [, ...rows] = await Promise.all(asked);
  assert.deepEqual(rows, [[{ one: 1 }], [{ one: 1 }]]);
});

test('the process checkpoints, vacuums and analyzes by itself', async () => {
  await db.transaction(async (tx) => {
    await tx.query(sql`create table many (id int primary key, text text)`);
    await tx.query(sql`insert into many select i, repeat('x', 500) from generate_series(1, 50000) i`);
  });
  const seen: unknown[] = [];
  const isTidy = async (): Promise<boolean> => {
    const [row] = await db.query<{ rows: number; walBytes: number }>(sql`
      select (select reltuples from pg_class where relname = 'many') as rows,
        (pg_current_wal_insert_lsn() - redo_lsn)::int8 as "walBytes" from pg_control_checkpoint()`);
    seen.push(row);
    // VACUUM writes to the log, too: the next checkpoint follows it.
    return row!.rows === 50_000 && row!.walBytes < 16 * 1024 * 1024;
  };
  // The queries are rare, since upkeep runs when the database is idle.
  for (let i = 0; i < 40 && !(await isTidy()); i++)
    await new Promise((resolve) => setTimeout(resolve, 3_500));
  assert.ok(await isTidy(), JSON.stringify(seen));
});

test('it starts again after an orderly stop; a folder of another version is refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cartulary-embedded-'));
  const first = await startEmbedded({ dataFolder: folder, log });
  const own = openDatabase(first.target, 'embedded');
  await own.transaction((tx) => tx.query(sql`create table kept as select 1 as a`));
  await own.close();
  await first.stop();
  assert.equal(await findRunningEmbedded(folder), undefined);
  const second = await startEmbedded({ dataFolder: folder, log });
  const again = openDatabase(second.target, 'embedded');
  assert.deepEqual(await again.query(sql`select * from kept`), [{ a: 1 }]);
  await again.close();
  await second.stop();
  writeFileSync(join(folder, 'db', 'PG_VERSION'), '12\n');
  await assert.rejects(startEmbedded({ dataFolder: folder, log }), /was made by PostgreSQL 12/);
  rmSync(folder, { recursive: true });
});

test('another user than that of the build can read what a first start copies', async () => {
  const { preparedFolder } = await makeEmbeddedArchive();
  for (const name of readdirSync(preparedFolder, { recursive: true, encoding: 'utf8' }))
    assert.equal(statSync(join(preparedFolder, name)).mode & 0o004, 0o004, name);
});

test('a process that is prepared while another one uses the folder opens it afterwards', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cartulary-embedded-'));
  assert.equal(await prepareEmbedded({ dataFolder: folder, log }), startEmbedded);
  const first = await startEmbedded({ dataFolder: folder, log });
  const own = openDatabase(first.target, 'embedded');
  const startPrepared = await prepareEmbedded({ dataFolder: folder, log });
  await own.transaction((tx) => tx.query(sql`create table kept as select 1 as a`));
  await own.close();
  await first.stop();
  const second = await startPrepared({ dataFolder: folder, log });
  const again = openDatabase(second.target, 'embedded');
  assert.deepEqual(await again.query(sql`select * from kept`), [{ a: 1 }]);
  await again.close();
  await second.stop();
  writeFileSync(join(folder, 'db', 'PG_VERSION'), '12\n');
  const refused = await prepareEmbedded({ dataFolder: folder, log });
  await assert.rejects(refused({ dataFolder: folder, log }), /was made by PostgreSQL 12/);
  rmSync(folder, { recursive: true });
});
