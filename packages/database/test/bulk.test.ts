import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { type TestDatabase, testDatabase } from '@cartulary/server/support/database.js';
import { type PackedRows, type PackedValue, RowPacker } from '@cartulary/sql/internal/copy-binary.js';
import { ident, sql } from '@cartulary/sql/internal/sql.js';
import { insertPacked } from '../src/bulk.js';
import { type Database, sqlState } from '../src/pool.js';

let database: TestDatabase;
let db: Database;

before(async () => {
  database = await testDatabase({ migrated: false });
  db = database.db;
  await db.transaction(async (tx) => {
    await tx.query(sql`create extension if not exists postgis`);
    await tx.query(
      sql`create table place (n bigint primary key, "Od""d" bigint, geom geometry, properties jsonb)`,
    );
  });
});
after(() => database.drop());

const table = ident('place');
const columns = [
  { name: 'n', type: 'bigint' },
  { name: 'Od"d', type: 'bigint' },
  { name: 'geom', type: 'geometry' },
  { name: 'properties', type: 'jsonb' },
] as const;

const packed = (rows: readonly PackedValue[][], limits = { rows: 300, bytes: 100_000 }): PackedRows[] => {
  const packer = new RowPacker(
    columns.map(({ type }) => type),
    limits,
  );
  for (const row of rows) packer.add(row);
  const pieces = packer.take();
  assert.deepEqual(packer.take(), []);
  return pieces;
};

const insert = (pieces: readonly PackedRows[], signal?: AbortSignal): Promise<void> =>
  db.transaction(async (tx) => {
    for (const piece of pieces) await insertPacked(tx, { table, columns, packed: piece, signal });
  }, signal);

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

const texts = [
  'plain',
  '',
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

const row = (i: number): PackedValue[] => [
  i,
  i % 3 ? null : 2 ** 52 - i,
  i % 5 ? Buffer.from(point(i % 180, i % 90), 'hex') : null,
  i % 100 === 99
    ? null
    : JSON.stringify({ i, text: i === 700 ? 'ы\\\t"'.repeat(100_000) : texts[i % texts.length] }),
];
const rows = (count: number): PackedValue[][] => Array.from({ length: count }, (_, i) => row(i));

test('rows that were packed elsewhere arrive as they are', async () => {
  const pieces = packed(rows(5000));
  assert.ok(pieces.length > 15 && pieces.every((piece) => piece.rows <= 300), 'pieces of few rows');
  await insert(pieces);
  const stored = await db.query(sql`
    select n, "Od""d" as id, encode(st_asewkb(geom), 'hex') as geom, properties from place order by n`);
  const expected = rows(5000).map((values) => {
    const [n, id, geom, properties] = values as [number, number | null, Buffer | null, string | null];
    return { n, id, geom: geom?.toString('hex') ?? null, properties: properties && JSON.parse(properties) };
  });
  assert.deepEqual(stored, expected);
});

test('after any failure nothing is stored and the database keeps working', async () => {
  await db.transaction((tx) => tx.query(sql`truncate place`));
  const bad = (change: (values: PackedValue[]) => void): PackedRows[] => {
    const all = rows(1000);
    change(all[600]!);
    return packed(all);
  };
  const state = (expected: string) => (error: unknown) => sqlState(error) === expected;
  await assert.rejects(insert(bad((values) => (values[0] = 5))), state('23505'));
  await assert.rejects(insert(bad((values) => (values[0] = null))), state('23502'));
  await assert.rejects(insert(bad((values) => (values[3] = '{'))), state('22P02'));
  await assert.rejects(
    insert(bad((values) => (values[3] = '"a\0b"'))),
    (error) => sqlState(error) !== undefined,
  );
  const broken = Buffer.from('0101', 'hex');
  await assert.rejects(
    insert(bad((values) => (values[2] = broken))),
    (error) => sqlState(error) !== undefined,
  );
  const gone = new Error('the client has gone');
  await assert.rejects(insert(packed(rows(10)), AbortSignal.abort(gone)), gone);
  const controller = new AbortController();
  const [first, second] = packed(rows(400));
  const leaving = db.transaction(async (tx) => {
    await insertPacked(tx, { table, columns, packed: first!, signal: controller.signal });
    controller.abort(gone);
    await insertPacked(tx, { table, columns, packed: second!, signal: controller.signal });
  });
  await assert.rejects(leaving, gone);
  assert.deepEqual(await db.query(sql`select count(*) as count from place`), [{ count: 0 }]);
  await insert(packed(rows(10)));
  assert.deepEqual(await db.query(sql`select count(*) as count from place`), [{ count: 10 }]);
});

test('values of each type arrive as they are', async () => {
  const typed = ident('typed');
  const own = [
    { name: 'n', type: 'bigint' },
    { name: 'text', type: 'text' },
    { name: 'number', type: 'double precision' },
    { name: 'is', type: 'boolean' },
    { name: 'at', type: 'timestamptz' },
  ] as const;
  await db.transaction((tx) =>
    tx.query(
      sql`create table typed (n bigint, text text, number double precision, "is" boolean, at timestamptz)`,
    ),
  );
  const bytes = Buffer.from(`-${'é漢😀'.repeat(20)}-`);
  const range = { bytes, start: 1, end: bytes.length - 1 };
  const moment = Date.parse('0001-01-01T00:00:00Z');
  const values: PackedValue[][] = [
    [1, 'NULL', 0.1, true, 0],
    [2, '', -1.5e300, false, moment],
    [3, Buffer.from('{a,"b"}\\'), 5e-324, null, Date.parse('9999-12-31T23:59:59.999Z')],
    [4, range, Number.NaN, true, Date.parse('1969-12-31T23:59:59.999Z')],
    [5, { ...range, end: 6 }, null, true, null],
    [6, null, 2 ** 53 - 1, false, 951_782_400_001],
  ];
  const packer = new RowPacker(
    own.map(({ type }) => type),
    { rows: 4, bytes: 1_000_000 },
  );
  for (const value of values) packer.add(value);
  assert.ok(packer.bytes > 0);
  const pieces = packer.take();
  assert.deepEqual([packer.bytes, pieces.length], [0, 2]);
  await db.transaction(async (tx) => {
    for (const piece of pieces) await insertPacked(tx, { table: typed, columns: own, packed: piece });
  });
  const stored = await db.query(sql`
    select n, text, number::text, "is", round(extract(epoch from at) * 1000)::text as ms from typed order by n`);
  const text = (value: PackedValue): unknown =>
    value !== null && typeof value === 'object' && 'start' in value
      ? value.bytes.toString('utf8', value.start, value.end)
      : value instanceof Uint8Array
        ? Buffer.from(value).toString()
        : value;
  assert.deepEqual(
    stored.map(({ number, ...rest }: any) => ({ ...rest, number: number === null ? null : Number(number) })),
    values.map(([n, own, number, is, ms]) => ({
      n,
      text: text(own!),
      is,
      ms: ms === null ? null : String(ms),
      number,
    })),
  );
});
