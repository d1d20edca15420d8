import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { literal, plainText, type Sql, sql } from '@cartulary/sql';
import type { Database, Queryable, Transaction } from '../database.js';
import { sqlState } from '../failure.js';
import { withClient } from '../transaction.js';
import { checkServer } from './check-server.js';

export interface Migration {
  number: number;
  title: string;
  text: string;
  /** SHA-256 of the text, hexadecimal. */
  sha: string;
}

/** Key of the advisory lock: one process migrates at a time. */
const lockKey = 7_283_405_119;

const ownFolder = fileURLToPath(new URL('../../../src/migrations', import.meta.url));

/** What the first migration needs. */
const preparation = [
  sql`create schema if not exists cartulary`,
  sql`
    create table if not exists cartulary.migration (
      number integer primary key,
      title text not null,
      applied timestamptz not null default now(),
      sha text not null
    )`,
];

/**
 * Brings the database to the schema of this version of the service: checks the server, creates extensions, and runs missing migrations,
 * each in its own transaction. It may run again, and in several processes at the same time. Throws an Error with a sentence for the
 * operator.
 */
export async function migrate(db: Database, folder: string = ownFolder): Promise<{ applied: string[] }> {
  const migrations = readMigrations(folder);
  await db
    .transaction(async (tx) => {
      await lock(tx);
      await checkServer(tx);
      for (const statement of preparation) await tx.query(statement);
    })
    .catch(refuse);
  checkApplied(migrations, await readApplied(db).catch(refuse));

  const applied: string[] = [];
  for (const migration of migrations) {
    if (await db.transaction((tx) => apply(tx, migration))) applied.push(nameOf(migration));
  }
  return { applied };
}

/** Replaces errors about missing rights and read-only databases, which the operator can remedy. */
function refuse(error: Error): never {
  if (sqlState(error) === '42501') {
    throw new Error(
      `The user of the database lacks a right (${error.message}). Let an administrator make this user the owner of the ` +
        'database and of its schemas cartulary, cartulary_data and cartulary_queries, if it has them',
      { cause: error },
    );
  }
  if (/during recovery|read-only transaction/.test(error.message)) {
    throw new Error(
      `The database is read-only, such as a standby server (${error.message}). Set DATABASE_URL to one that accepts writes`,
      { cause: error },
    );
  }
  throw error;
}

/** All migrations as one script: for an empty database that has the extensions and that nobody else uses. */
export function migrationScript(migrations: readonly Migration[]): string {
  const steps = migrations.flatMap((migration) => [migration.text, plainText(record(migration))]);
  return [...preparation.map(plainText), ...steps].join(';\n');
}

const record = ({ number, title, sha }: Migration): Sql => sql`
  insert into cartulary.migration (number, title, sha)
  values (${literal(String(number))}, ${literal(title)}, ${literal(sha)})`;

const nameOf = ({ number, title }: { number: number; title: string }): string =>
  `${String(number).padStart(4, '0')}-${title}`;

/** Migrations of a folder, in their order. Throws when one is missing or misnamed. */
export function readMigrations(folder: string = ownFolder): Migration[] {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort();
  return files.map((file, i) => {
    const [, number, title] = /^(\d{4})-([a-z0-9-]+)\.sql$/.exec(file) ?? [];
    if (Number(number) !== i + 1) {
      throw new Error(`The migration ${file} is out of place: number ${i + 1} was expected`);
    }
    const text = readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n');
    return { number: i + 1, title: title!, text, sha: createHash('sha256').update(text).digest('hex') };
  });
}

type Applied = Pick<Migration, 'number' | 'title' | 'sha'>;

const readApplied = (db: Queryable): Promise<Applied[]> =>
  db.query<Applied>(sql`select number, title, sha from cartulary.migration order by number`);

function checkApplied(migrations: Migration[], applied: Applied[]): void {
  for (const done of applied) {
    const known = migrations[done.number - 1];
    if (!known) {
      throw new Error(
        `The database was made by a newer version of the service (it has the migration ${nameOf(done)}): update the service`,
      );
    }
    if (known.sha !== done.sha) {
      throw new Error(
        `The migration ${nameOf(done)} was changed after it had been applied to the database: ` +
          'restore its text and write a new migration instead',
      );
    }
  }
}

/** Runs a migration. Gives false when it has run already: another process may be faster. */
async function apply(tx: Transaction, migration: Migration): Promise<boolean> {
  const { number, title, text } = migration;
  await lock(tx);
  const rows = await tx.query(sql`select from cartulary.migration where number = ${number}`);
  if (rows.length) return false;
  await withClient(tx, (client) => client.runSimple(text)).catch((error) => {
    throw new Error(`The migration ${nameOf({ number, title })} failed: ${error.message}`, { cause: error });
  });
  await tx.query(record(migration));
  return true;
}

/** Waits until no other process migrates, for as long as it takes. */
async function lock(tx: Transaction): Promise<void> {
  await tx.query(sql`set local statement_timeout = 0`);
  await tx.query(sql`select pg_advisory_xact_lock(${lockKey})`);
}
