import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freshPostgres, type TestDatabase, testDatabase } from '@cartulary/server/support/database.js';
import { ident, sql } from '@cartulary/sql/internal/sql.js';
import type { Database } from '../src/database.js';
import { migrate } from '../src/migrations/migrate.js';
import { openDatabase, parseDatabaseUrl } from '../src/pool.js';

let database: TestDatabase;
const url = process.env.TEST_DATABASE_URL;

before(async () => {
  database = await testDatabase({ migrated: false });
});
after(() => database.drop());

/** A folder of migrations, removed after the work. */
async function withFolder(
  files: Record<string, string>,
  work: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'cartulary-migrations-'));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const runner = fileURLToPath(new URL('./migrate-runner.js', import.meta.url));
const run = promisify(execFile);

test('two simultaneous processes apply each migration once; a later call does nothing', async () => {
  const order = JSON.stringify({ target: database.target, engine: database.db.engine });
  const both = await Promise.all([1, 2].map(() => run(process.execPath, [runner, order])));
  const applied = both.flatMap(({ stdout }) => JSON.parse(stdout).applied as string[]);
  assert.ok(applied.includes('0001-start'));
  assert.equal(new Set(applied).size, applied.length);
  assert.deepEqual(await migrate(database.db), { applied: [] });
  const rows = await database.db.query<{ number: number; title: string }>(
    sql`select number, title from cartulary.migration order by number`,
  );
  assert.deepEqual(rows[0], { number: 1, title: 'start' });
  assert.equal(rows.length, applied.length);
});

const first = { '0001-first.sql': 'create table t1 (a int); insert into t1 values (1); -- "Кириллица"' };
const second = { '0002-second-step.sql': "create table t2 (a text default 'x;y');" };

test('what does not fit is refused with a sentence', async () => {
  const own = await testDatabase({ migrated: false });
  const { db } = own;
  await withFolder(first, async (folder) => {
    assert.deepEqual(await migrate(db, folder), { applied: ['0001-first'] });
  });
  await withFolder({ ...first, ...second }, async (folder) => {
    assert.deepEqual(await migrate(db, folder), { applied: ['0002-second-step'] });
  });
  await withFolder(first, async (folder) => {
    await assert.rejects(migrate(db, folder), /newer version.*0002-second-step/);
  });
  await withFolder({ '0001-first.sql': 'select 1', ...second }, async (folder) => {
    await assert.rejects(migrate(db, folder), /0001-first was changed/);
  });
  await withFolder({ ...first, '0003-third.sql': 'select 1' }, async (folder) => {
    await assert.rejects(migrate(db, folder), /0003-third.sql is out of place/);
  });
  const broken = { '0003-broken.sql': 'create table t3 (a int); select 1/0;' };
  await withFolder({ ...first, ...second, ...broken }, async (folder) => {
    await assert.rejects(migrate(db, folder), /0003-broken failed: division by zero/);
  });
  const [state] = await db.query(sql`
    select to_regclass('t2') is not null as second, to_regclass('t3') is null as third,
      (select array_agg(number order by number) from cartulary.migration) as numbers`);
  assert.deepEqual(state, { second: true, third: true, numbers: [1, 2] });
  await own.drop();
});

/** A fresh database without PostGIS, opened by its owner, and as a role that owns nothing. */
async function asOtherRole(
  run: (owner: Database, db: Database, role: string) => Promise<void>,
): Promise<void> {
  const fresh = await freshPostgres(url!);
  const role = `cartulary_test_role_${process.pid}`;
  const owner = openDatabase(parseDatabaseUrl(fresh.url), 'postgres');
  const db = openDatabase({ ...parseDatabaseUrl(fresh.url), user: role }, 'postgres');
  await owner.query(sql`create role ${ident(role)} login`);
  try {
    await run(owner, db, role);
  } finally {
    await db.close();
    await owner.close();
    await fresh.drop();
    const server = openDatabase(parseDatabaseUrl(url!), 'postgres');
    await server.query(sql`drop role ${ident(role)}`);
    await server.close();
  }
}

test('an extension that may not be made is asked for', { skip: !url }, () =>
  asOtherRole(async (owner, db, role) => {
    await owner.query(sql`drop extension if exists postgis`);
    await owner.query(sql`alter database ${ident(owner.connection.database)} owner to ${ident(role)}`);
    await assert.rejects(migrate(db), /CREATE EXTENSION postgis;/);
    await owner.query(sql`create extension postgis`);
    await migrate(db);
  }),
);

test('a database of another encoding than UTF8 is refused', { skip: !url }, async () => {
  const name = `cartulary_test_latin_${process.pid}`;
  const server = openDatabase(parseDatabaseUrl(url!), 'postgres');
  await server.query(sql`create database ${ident(name)} template template0 encoding 'LATIN1' locale 'C'`);
  const db = openDatabase({ ...parseDatabaseUrl(url!), database: name }, 'postgres');
  try {
    await assert.rejects(migrate(db), /must be UTF8; it is LATIN1.*createdb --encoding=UTF8/);
  } finally {
    await db.close();
    await server.query(sql`drop database ${ident(name)}`);
    await server.close();
  }
});

test('a user without rights on the database or its schema is told who can give them', { skip: !url }, () =>
  asOtherRole(async (owner, db, role) => {
    await assert.rejects(
      migrate(db),
      /lacks a right \(permission denied for database .*make this user the owner/,
    );
    await owner.query(sql`alter database ${ident(owner.connection.database)} owner to ${ident(role)}`);
    await owner.query(sql`create schema cartulary`);
    await assert.rejects(migrate(db), /lacks a right \(permission denied for schema cartulary\)/);
  }),
);

test('a database that accepts no writes is told', { skip: !url }, async () => {
  const own = await testDatabase({ migrated: false });
  const standby = (message: string): Database => ({
    ...own.db,
    transaction: () => Promise.reject(new Error(message)),
  });
  for (const message of [
    'cannot set transaction read-write mode during recovery',
    'cannot execute CREATE SCHEMA in a read-only transaction',
  ])
    await assert.rejects(
      migrate(standby(message)),
      /^Error: The database is read-only, such as a standby server/,
    );
  await own.drop();
});
