import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { bulkInsert, insertPacked } from '../../src/db/bulk.js';
import { createRowPacker, type PackedValue } from '../../src/db/copy-binary.js';
import { type Database, sqlState } from '../../src/db/pool.js';
import { ident, sql } from '../../src/db/sql.js';
import { type TestDatabase, testDatabase } from '../support/database.js';

let database: TestDatabase;
let db: Database;

before(async () => {
  database = await testDatabase({ migrated: false });
  db = database.db;
  await db.transaction(async (tx) => {
    await tx.query(sql`create extension if not exists postgis`);
    await tx.query(sql`
      create table place (
        id bigint primary key, name text, "Od""d" varchar(20), height double precision, exact numeric(20, 3),
        flag boolean, day date, at timestamptz, extra jsonb, bytes bytea, geom geometry(Point, 4326)
      )`);
  });
});
after(() => database.drop());

const table = ident('place');
const columns = [
  { name: 'id', type: 'bigint' },
  { name: 'name', type: 'text' },
  { name: 'Od"d', type: 'varchar(20)' },
  { name: 'height', type: 'double precision' },
  { name: 'exact', type: 'numeric(20, 3)' },
  { name: 'flag', type: 'boolean' },
  { name: 'day', type: 'date' },
  { name: 'at', type: 'timestamp with time zone' },
  { name: 'extra', type: 'jsonb' },
  { name: 'bytes', type: 'bytea' },
  { name: 'geom', type: 'geometry(Point, 4326)' },
];

const names = [
  'plain',
  '',
  null,
  'tab\there',
  'line\nbreak',
  'return\r\nline',
  'back\\slash \\N \\. \\t',
  '\\.',
  'Щёлково «Привет»',
  '"quotes" \'and\' {braces, commas}',
  '東京 👩‍👩‍👧‍👦',
  'NULL',
];

/** EWKB of SRID=4326;POINT(x y). */
function point(x: number, y: number): string {
  const bytes = Buffer.alloc(25);
  bytes.writeUInt8(1, 0);
  bytes.writeUInt32LE(0x20000001, 1);
  bytes.writeUInt32LE(4326, 5);
  bytes.writeDoubleLE(x, 9);
  bytes.writeDoubleLE(y, 17);
  return bytes.toString('hex').toUpperCase();
}

const at = new Date('2024-05-06T07:08:09.123Z');

function row(i: number): unknown[] {
  if (i % 100 === 99) return [i, ...Array(columns.length - 1).fill(null)];
  return [
    i,
    names[i % names.length],
    `Ряд ${i}`,
    i / 7,
    `${i}.125`,
    i % 2 === 0,
    '2024-02-29',
    at,
    JSON.stringify({ i, text: 'a"b\\c\nd\t' }),
    Buffer.from([0, 92, 39, i % 256]),
    point((i % 360) - 180, (i % 180) - 90),
  ];
}

async function* batches(count: number, first = 0): AsyncGenerator<unknown[][]> {
  const size = 700;
  for (let start = 0; start < count; start += size) {
    yield Array.from({ length: Math.min(size, count - start) }, (_, i) => row(first + start + i));
  }
}

test('20,000 rows arrive as they are', async () => {
  const count = await db.transaction((tx) => bulkInsert(tx, { table, columns, rows: batches(20_000) }));
  assert.equal(count, 20_000);
  const stored = await db.query<any>(
    sql`select *, st_astext(geom) as wkt, st_srid(geom) as srid from place order by id`,
  );
  assert.equal(stored.length, 20_000);
  for (const [i, got] of stored.entries()) {
    const [id, name, odd, height, exact, flag, day, time, extra, bytes] = row(i);
    const { geom, wkt, srid, ...rest } = got;
    assert.deepEqual(rest, {
      id,
      name,
      'Od"d': odd,
      height,
      exact,
      flag,
      day,
      at: time,
      extra: extra === null ? null : JSON.parse(extra as string),
      bytes,
    });
    const expected = extra === null ? [null, null] : [`POINT(${(i % 360) - 180} ${(i % 180) - 90})`, 4326];
    assert.deepEqual([wkt, srid], expected);
  }
});

const empty = async (): Promise<void> => {
  await db.transaction((tx) => tx.query(sql`truncate place`));
};
const isEmpty = async (): Promise<void> => {
  assert.deepEqual(await db.query(sql`select count(*) as count from place`), [{ count: 0 }]);
};

test('rows that were packed elsewhere arrive as they are', async () => {
  await db.transaction((tx) =>
    tx.query(sql`create table packed (n bigint, id bigint, geom geometry, properties jsonb)`),
  );
  const packedColumns = [
    { name: 'n', type: 'bigint' },
    { name: 'id', type: 'bigint' },
    { name: 'geom', type: 'geometry' },
    { name: 'properties', type: 'jsonb' },
  ] as const;
  const packer = createRowPacker(
    packedColumns.map(({ type }) => type),
    { rows: 300, bytes: 100_000 },
  );
  const values = (i: number): PackedValue[] => [
    i,
    i % 3 ? null : 2 ** 52 - i,
    i % 5 ? Buffer.from(point(i % 180, i % 90), 'hex') : null,
    JSON.stringify({ i, text: i === 700 ? 'ы\\\t"'.repeat(100_000) : `Ряд 🌍 ${i}` }),
  ];
  for (let i = 0; i < 1000; i++) packer.add(values(i));
  const pieces = packer.take();
  assert.ok(pieces.length > 3 && pieces.every(({ rows }) => rows <= 300), 'pieces of few rows');
  assert.deepEqual(packer.take(), []);
  for (const packed of pieces)
    await db.transaction((tx) =>
      insertPacked(tx, { table: ident('packed'), columns: packedColumns, packed }),
    );
  const stored = await db.query<any>(sql`
    select n, id, encode(st_asewkb(geom), 'hex') as geom, properties from packed order by n`);
  const expected = Array.from({ length: 1000 }, (_, i) => {
    const [n, id, geom, properties] = values(i) as [number, number | null, Buffer | null, string];
    return { n, id, geom: geom?.toString('hex') ?? null, properties: JSON.parse(properties) };
  });
  assert.deepEqual(stored, expected);
});

test('nothing, empty batches, and a single large value', async () => {
  await empty();
  async function* none(): AsyncGenerator<unknown[][]> {}
  async function* hollow(): AsyncGenerator<unknown[][]> {
    yield [];
    yield [row(1)];
    yield [];
  }
  async function* large(): AsyncGenerator<unknown[][]> {
    const big = row(2);
    big[1] = 'ы\\\t'.repeat(4_000_000);
    yield [big, row(3)];
  }
  const insert = (rows: AsyncIterable<unknown[][]>): Promise<number> =>
    db.transaction((tx) => bulkInsert(tx, { table, columns, rows }));
  assert.equal(await insert(none()), 0);
  assert.equal(await insert(hollow()), 1);
  assert.equal(await insert(large()), 2);
  const [stored] = await db.query<any>(
    sql`select length(name) as length, md5(name) as md5 from place where id = 2`,
  );
  const [expected] = await db.query<any>(
    sql`select 12000000 as length, md5(repeat(${'ы\\\t'}, 4000000)) as md5`,
  );
  assert.deepEqual(stored, expected);
});

test('whatever fails, nothing is stored and the database goes on', async () => {
  await empty();
  const failing = (rows: AsyncIterable<unknown[][]>, signal?: AbortSignal): Promise<number> =>
    db.transaction((tx) => bulkInsert(tx, { table, columns, rows, signal }), signal);
  async function* then(last: (i: number) => unknown[][]): AsyncGenerator<unknown[][]> {
    yield* batches(12_000);
    yield last(12_000);
    yield* batches(12_000, 12_001);
  }
  const bad = (change: (values: unknown[]) => void) =>
    then((i) => {
      const values = row(i);
      change(values);
      return [values];
    });
  const state = (expected: string) => (error: unknown) => sqlState(error) === expected;

  await assert.rejects(failing(bad((v) => (v[0] = 5))), state('23505'));
  await assert.rejects(failing(bad((v) => (v[2] = 'x'.repeat(21)))), state('22001'));
  await assert.rejects(failing(bad((v) => (v[3] = 'high'))), state('22P02'));
  await assert.rejects(failing(bad((v) => (v[8] = '{'))), state('22P02'));
  await assert.rejects(failing(bad((v) => (v[10] = '0101'))), (error) => sqlState(error) !== undefined);
  await assert.rejects(failing(bad((v) => (v[1] = 'a\0b'))), state('22021'));
  await assert.rejects(failing(bad((v) => v.pop())), /a row has 10 values instead of 11/);
  const broken = new Error('the file is broken');
  await assert.rejects(
    failing(
      then(() => {
        throw broken;
      }),
    ),
    broken,
  );
  const controller = new AbortController();
  const gone = new Error('the client has gone');
  await assert.rejects(
    failing(
      then((i) => {
        controller.abort(gone);
        return [row(i)];
      }),
      controller.signal,
    ),
    gone,
  );
  await assert.rejects(failing(batches(10), AbortSignal.abort(gone)), gone);
  await isEmpty();
});

test('rows are never read twice', async () => {
  await empty();
  const rows = batches(10);
  let attempts = 0;
  await assert.rejects(
    db.transaction(async (tx) => {
      await bulkInsert(tx, { table, columns, rows });
      if (++attempts === 1) await tx.query(sql`do $$ begin raise exception using errcode = '40001'; end $$`);
    }),
    /only once/,
  );
  await isEmpty();
});

test('a type that is no scalar type is refused', {
  skip: Boolean(process.env.TEST_DATABASE_URL),
}, async () => {
  for (const type of ['text[]', 'text); drop table place; --', 'text union select 1', 'char(3)']) {
    const insert = db.transaction((tx) =>
      bulkInsert(tx, {
        table,
        columns: [{ name: 'name', type }],
        rows: (async function* () {
          yield [['x']];
        })(),
      }),
    );
    await assert.rejects(insert, /not a scalar type/);
  }
});
