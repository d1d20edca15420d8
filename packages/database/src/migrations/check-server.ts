import { ident, sql } from '@cartulary/sql';
import type { Queryable, Transaction } from '../database.js';
import { sqlState } from '../failure.js';

const minServerVersion = 140_000;
const minPostgis = [3, 1] as const;

/** Extensions without which the service cannot run. */
const extensions = ['postgis', 'pg_trgm', 'unaccent', 'btree_gist'];

/** Checks the version of the server and creates missing extensions. Throws an Error that tells the operator what to do. */
export async function checkServer(tx: Transaction): Promise<void> {
  const [server] = await tx.query<{ number: number; version: string; encoding: string }>(sql`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
      current_setting('server_encoding') as encoding`);
  if (server!.number < minServerVersion) {
    throw new Error(`PostgreSQL 14 or later is needed; the server is ${server!.version}`);
  }
  if (server!.encoding !== 'UTF8') {
    throw new Error(
      `The encoding of the database must be UTF8; it is ${server!.encoding}, which cannot hold every text. ` +
        'Let an administrator make another one: createdb --encoding=UTF8 --locale=C --template=template0',
    );
  }
  const present = await tx.query<{ extname: string }>(sql`select extname from pg_extension`);
  const missing = extensions.filter((name) => !present.some(({ extname }) => extname === name));
  for (const name of missing) await create(tx, name);
  await checkPostgis(tx);
}

async function create(tx: Transaction, name: string): Promise<void> {
  try {
    await tx.query(sql`create extension if not exists ${ident(name)}`);
  } catch (error) {
    const [isMissing, isForbidden] = [['0A000', '58P01', '22023'], ['42501']].map((states) =>
      states.includes(sqlState(error) ?? ''),
    );
    if (isForbidden) {
      throw new Error(
        `The database needs the extension ${name}, which its user may not create. ` +
          `Let an administrator run in this database: CREATE EXTENSION ${name};`,
      );
    }
    if (!isMissing) throw error;
    throw new Error(
      `The database needs the extension ${name}, which its server does not have. Install ` +
        `${name === 'postgis' ? 'PostGIS' : "PostgreSQL's additional modules (contrib)"} on the server.`,
    );
  }
}

async function checkPostgis(db: Queryable): Promise<void> {
  const [postgis] = await db.query<{ version: string; schema: string; visible: boolean }>(sql`
    select extversion as version, nspname as schema, to_regtype('geometry') is not null as visible
    from pg_extension e join pg_namespace n on n.oid = e.extnamespace where extname = 'postgis'`);
  const [major = 0, minor = 0] = postgis!.version.split('.').map(Number);
  if (major < minPostgis[0] || (major === minPostgis[0] && minor < minPostgis[1])) {
    throw new Error(
      `PostGIS ${minPostgis.join('.')} or later is needed; the database has ${postgis!.version}. ` +
        'If the server has a newer one, let an administrator run: ALTER EXTENSION postgis UPDATE;',
    );
  }
  if (!postgis!.visible) {
    throw new Error(
      `PostGIS lies in the schema ${postgis!.schema}, which the user's search_path does not hold. Let an administrator ` +
        `run: ALTER DATABASE … SET search_path = public, ${postgis!.schema};`,
    );
  }
}
