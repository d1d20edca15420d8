import { type Queryable, sqlState, type Transaction } from './pool.js';
import { ident, sql } from './sql.js';

const oldestServer = 140_000;
const oldestPostgis = [3, 1] as const;

/** Whose absence keeps the service from running, and what they are for. */
const extensions = ['postgis', 'pg_trgm', 'unaccent', 'btree_gist'];

/** Checks that the server is new enough and makes the extensions that are missing. Throws an Error that says what to do. */
export async function checkServer(tx: Transaction): Promise<void> {
  const [server] = await tx.query<{ number: number; version: string }>(
    sql`select current_setting('server_version_num')::int as number, current_setting('server_version') as version`,
  );
  if (server!.number < oldestServer) {
    throw new Error(`PostgreSQL 14 or later is needed; the server is ${server!.version}`);
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
  if (major < oldestPostgis[0] || (major === oldestPostgis[0] && minor < oldestPostgis[1])) {
    throw new Error(
      `PostGIS ${oldestPostgis.join('.')} or later is needed; the database has ${postgis!.version}. ` +
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
