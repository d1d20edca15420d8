import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '@cartulary/errors/internal/errors.js';
import { ident, sql } from '@cartulary/sql/internal/sql.js';
import { insertPacked } from '../src/bulk.js';
import { silenceBeyondLimitMs } from '../src/connection.js';
import { type Database, openDatabase, sqlState } from '../src/pool.js';
import { describedAs, type FakeServer, fakeServer, message, rowOf, type Trouble } from './fake-server.js';

let server: FakeServer;
before(async () => {
  server = await fakeServer();
});
after(() => server.close());

const open = (database: string, statementTimeoutMs?: number): Database =>
  openDatabase(
    { host: '127.0.0.1', port: server.port, user: 'somebody', password: 'secret', database },
    'postgres',
    { maxConnections: 1, ...(statementTimeoutMs === undefined ? {} : { statementTimeoutMs }) },
  );

/** Requests, with checks of their answers. `n` is sent and comes back. */
const ways: Record<string, (db: Database, n: string) => Promise<void>> = {
  async query(db, n) {
    assert.deepEqual(await db.query(sql`select ${n}::text as n`), [{ n }]);
  },
  async raw(db, n) {
    const rows = await db.long.raw(sql`select ${n}::text as n`, { isPrepared: true });
    assert.deepEqual(
      rows.map((row) => row.map(String)),
      [[n]],
    );
  },
  async transaction(db, n) {
    const rows = await db.transaction(async (tx) => {
      const found = await Promise.all([
        tx.query(sql`select ${n}::text as n`),
        tx.query(sql`select ${n}::text`),
      ]);
      await tx.query(sql`insert into t values (${n})`);
      return found;
    });
    assert.deepEqual(rows, [[{ n }], [{ n }]]);
  },
  async failing(db) {
    const gone = new Error('changed my mind');
    await assert.rejects(
      db.transaction(async (tx) => {
        await tx.query(sql`insert into t values (1)`);
        throw gone;
      }),
      (error) => error === gone || isOfDatabase(error),
    );
  },
  async copy(db) {
    const packed = { bytes: new Uint8Array(200_000), rows: 1 };
    await db.transaction((tx) =>
      insertPacked(tx, { table: ident('t'), columns: [{ name: 'a', type: 'text' }], packed }),
    );
  },
  async snapshot(db) {
    assert.equal(typeof (await db.snapshot()), 'string');
  },
};

/** 503, or the error that the server was made to send. */
const isOfDatabase = (error: unknown): boolean =>
  (error instanceof ServiceError && error.code === 'busy') || sqlState(error) === '22012';

const well = [
  ...['1', '2', '3', 'n', 'I', 's', 'c'].map((type) => message(type)),
  ...['R', 'V', 't'].map((type) => message(type, '\0\0\0\0')),
  message('R', '\0\0\0\x05salt'),
  message('R', '\0\0\0\x0aSCRAM-SHA-256\0\0'),
  message('R', '\0\0\0\x0aOTHER\0\0'),
  message('R', '\0\0\0\x0bsomething'),
  message('R', '\0\0\0\x0csomething'),
  message('K', '\0\0\0\x02\0\0\0\x02'),
  message('S', 'TimeZone\0UTC\0'),
  message('A', '\0\0\0\x01channel\0text\0'),
  message('N', 'SNOTICE\0VNOTICE\0C00000\0Mhear\0\0'),
  message('E', 'SERROR\0VERROR\0C22012\0Mdivision by zero\0\0'),
  message('E', 'SFATAL\0VFATAL\0C57P01\0Mgo away\0\0'),
  message('C', 'SELECT 1\0'),
  ...['I', 'T', 'E'].map((status) => message('Z', status)),
  ...['G', 'H', 'W'].map((type) => message(type, '\0\0\x01\0\0')),
  message('d', 'data'),
  message('v', '\0\0\0\0\0\0\0\0'),
  describedAs('other'),
  rowOf('x', 'y'),
  rowOf(),
];
const garbage = [
  ...[
    'D\0\0\0\0',
    'D\0\0\0\x03',
    'D\0\0\0\x04',
    'T\xff\xff\xff\xff',
    'D\x7f\xff\xff\xff',
    '1\0\0\0\x05x',
    'HTTP/1.1 200 OK\r\n\r\n',
  ],
  ...[
    'E\0\0\0\x08SERR',
    'N\0\0\0\x05S',
    'T\0\0\0\x06\xff\xff',
    'D\0\0\0\x0a\0\x01\xff\xff\xff\xf0',
    'Z\0\0\0\x05Q',
    'R\0\0\0\x08\0\0\0\x63',
  ],
].map((text) => Buffer.from(text, 'latin1'));
const cut = [well.at(-2)!, well.at(-3)!, message('E', 'SERROR\0\0')].map((one) => one.subarray(0, -1));

const troubles: Omit<Trouble, 'at'>[] = [
  ...[...well, ...garbage].map((bytes) => ({ bytes })),
  ...[Buffer.alloc(0), ...cut].map((bytes) => ({ bytes, isEnd: true })),
];
/** Messages that the server sends when a way is gone once, and some of the second time: those of its start are 5. */
const moments: Readonly<Record<string, number>> = {
  query: 17,
  raw: 17,
  transaction: 24,
  failing: 18,
  copy: 14,
  snapshot: 16,
};

async function suffer(way: string, trouble: Trouble): Promise<void> {
  const name = `${way} ${trouble.at} ${trouble.bytes.toString('hex')} ${trouble.isEnd}`;
  server.troubles.set(name, { ...trouble });
  const db = open(name);
  try {
    for (const n of ['first', 'second'])
      await within(ways[way]!(db, n)).catch((error) => {
        if (!isOfDatabase(error)) throw new Error(`${name}: ${n}`, { cause: error });
      });
    // Whenever it came, it has come, or will never.
    server.troubles.delete(name);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await within(ways[way]!(db, 'last')).catch((error) => {
      throw new Error(`${name}: last`, { cause: error });
    });
  } finally {
    await within(db.close());
  }
}

/** Only against hanging for ever. */
const within = <T>(promise: Promise<T>): Promise<T> =>
  Promise.race([
    promise,
    new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error('there was no answer')), 60_000).unref();
    }),
  ]);

/** Runs up to 100 cases at once. */
async function all(cases: readonly [string, Trouble][]): Promise<void> {
  const left = [...cases];
  const work = async (): Promise<void> => {
    for (let next = left.pop(); next; next = left.pop()) await suffer(...next);
  };
  await Promise.all(Array.from({ length: 100 }, work));
}

for (const way of Object.keys(ways))
  test(`any message at any moment of: ${way}`, async () => {
    const every = way === 'query' ? 2 : 5;
    const cases = troubles.flatMap((trouble, i) =>
      Array.from({ length: moments[way]! }, (_, at) => ({ ...trouble, at })).filter(
        ({ at }) => (i + at) % every === 0,
      ),
    );
    await all(cases.map((trouble) => [way, trouble]));
  });

test('messages of every type', async () => {
  await all(
    Array.from({ length: 256 }, (_, type) => [
      'query',
      { at: type % moments.query!, bytes: message(type, '\0\0\0\0') },
    ]),
  );
});

test('a database that only sends unexpected messages is busy', async () => {
  const db = open('never');
  const again = setInterval(() => server.troubles.set('never', { at: 0, bytes: message('s') }), 0);
  server.troubles.set('never', { at: 0, bytes: message('s') });
  await assert.rejects(db.query(sql`select 1`), { code: 'busy', status: 503 });
  clearInterval(again);
  server.troubles.delete('never');
  await db.close();
});

/** Messages with which a session starts. */
const messagesOfStart = 5;

test('a database that becomes silent is given up, and the request is not repeated', async () => {
  const cases = Object.entries(moments).flatMap(([way, count]) =>
    Array.from({ length: count / 2 - messagesOfStart }, (_, i) => ({ way, at: messagesOfStart + i })),
  );
  await Promise.all(
    cases.map(async ({ way, at }) => {
      const name = `silence ${way} ${at}`;
      const db = open(name, 200);
      server.troubles.set(name, { at, bytes: Buffer.alloc(0), isSilence: true });
      const outcome = await within(ways[way]!(db, 'first')).catch((error) => error);
      assert.ok(!server.troubles.has(name), `${name}: it was silent`);
      // A transaction that failed is given up by itself whether it can be undone or not.
      if (way !== 'failing') assert.deepEqual([outcome?.code, outcome?.status], ['timeout', 503], name);
      await within(ways[way]!(db, 'second'));
      await db.close();
    }),
  );
});

test('a statement without a limit may be silent for longer than those before it on its connection', async () => {
  const name = 'silence without a limit';
  const db = open(name, 100);
  await ways.query!(db, 'first');
  const held = new Promise((_, reject) => {
    db.transaction(async (tx) => {
      await tx.query(sql`set local statement_timeout = 0`);
      server.troubles.set(name, { at: 0, bytes: Buffer.alloc(0), isSilence: true });
      await tx.query(sql`select 1`);
    }).catch(reject);
  });
  await Promise.race([held, sleep(silenceBeyondLimitMs + 500)]);
  assert.ok(!server.troubles.has(name), 'it was silent');
});
