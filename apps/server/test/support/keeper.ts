/**
 * The process of a server that is lent to one test after the other: its database and its programs are started once.
 * Each order `{ start }` of the parent gives a new server with new settings; `{ stop }` ends it, and takes away all
 * that it had stored. `{ database }` asks for the service's tables alone.
 */

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '@cartulary/database/internal/embedded/embedded.js';
import { migrate } from '@cartulary/database/internal/migrations/migrate.js';
import {
  openDatabase,
  parseDatabaseUrl,
  type Queryable,
  type Transaction,
} from '@cartulary/database/internal/pool.js';
import { queryRole } from '@cartulary/database/internal/query-role.js';
import { ident, join as joined, sql } from '@cartulary/sql/internal/sql.js';
import { parseConfig } from '../../src/config.js';
import { type RunningServer, startServer } from '../../src/process/server.js';
import { freshPostgres, quiet } from './database.js';
import { logOf } from './here.js';
import type { Lent, Order, Report } from './lend.js';
import { settingsOf } from './settings.js';

const dataFolder = await mkdtemp(join(tmpdir(), 'cartulary-kept-'));
const postgres = process.env.TEST_DATABASE_URL
  ? await freshPostgres(process.env.TEST_DATABASE_URL)
  : undefined;
const embedded = postgres ? undefined : await startEmbedded({ dataFolder, log: quiet });
const engine = postgres ? 'postgres' : 'embedded';
const target = postgres ? parseDatabaseUrl(postgres.url) : embedded!.target;
const db = openDatabase(target, engine, { maxConnections: 1 });
let server: RunningServer | undefined;
/** The form of the service's tables after the migrations. */
let fresh: string | undefined;

function report(message: Report): void {
  if (process.connected) process.send?.(message);
}

/** Runs the migrations where the last server's tables are not there any more. */
async function prepare(): Promise<void> {
  const { applied } = await migrate(db);
  if (applied.length || fresh === undefined) fresh = await formOf(db);
}

async function start(settings: Record<string, string>): Promise<Lent> {
  await prepare();
  const env = settingsOf(dataFolder, postgres?.url, settings);
  // The database outlives its servers. What a server caches is by its own connection target: layers have the same ids again.
  const kept = async () => ({ ...embedded!, target: { ...embedded!.target }, stop: async () => {} });
  server = await startServer(parseConfig(env), logOf(env), undefined, kept);
  server.demo.then(
    () => report({ demo: {} }),
    (error) => report({ demo: { failed: String(error) } }),
  );
  return { url: server.url, env, target, engine };
}

/** Ends the server. What it has stored is removed, so that the next one starts for the first time. */
async function stop(): Promise<void> {
  await server?.stop();
  server = undefined;
  await db.transaction(empty);
  for (const name of await readdir(dataFolder))
    if (!/^(db|run)$/.test(name)) await rm(join(dataFolder, name), { recursive: true, force: true });
}

/** Takes all data away, and leaves the tables of the service, empty, where they are as the migrations made them. */
async function empty(tx: Transaction): Promise<void> {
  const schemas = await tx.query<{ name: string }>(sql`
    select nspname as name from pg_namespace n where nspname !~ '^pg_|^information_schema$|^public$|^cartulary(_queries)?$'
      and not exists (select from pg_depend d where d.objid = n.oid and d.deptype = 'e')`);
  for (const { name } of schemas) await tx.query(sql`drop schema ${ident(name)} cascade`);
  if (fresh !== undefined && (await formOf(tx)) === fresh) {
    await tx.query(sql`create schema cartulary_data`);
    const tables = await tx.query<{ name: string }>(sql`
      select tablename as name from pg_tables where schemaname = 'cartulary' and tablename <> 'migration'`);
    const all = tables.map(({ name }) => ident('cartulary', name));
    await tx.query(sql`truncate ${joined(all)} restart identity`);
  } else await tx.query(sql`drop schema if exists cartulary, cartulary_queries cascade`);
  // On a server it belongs to all databases.
  if (engine === 'embedded') await tx.query(sql`drop role if exists ${ident(queryRole)}`);
}

/** Another one when somebody has changed the service's tables. */
async function formOf(tx: Queryable): Promise<string> {
  const [form] = await tx.query<{ hash: string }>(sql`
    with parts as (
      select attrelid as of, a::text as text from pg_attribute a join pg_class c on c.oid = attrelid
        where relnamespace = 'cartulary'::regnamespace
      union all select oid, p::text from pg_proc p
        where pronamespace in ('cartulary'::regnamespace, 'cartulary_queries'::regnamespace)
      union all select oid, k::text from pg_constraint k where connamespace = 'cartulary'::regnamespace
      union all select t.oid, t::text from pg_trigger t join pg_class c on c.oid = tgrelid
        where relnamespace = 'cartulary'::regnamespace)
    select md5(string_agg(text, ' ' order by of, text)) as hash from parts`);
  return form!.hash;
}

async function end(): Promise<never> {
  await server?.stop();
  await db.close();
  await embedded?.stop();
  await postgres?.drop();
  await rm(dataFolder, { recursive: true, force: true });
  process.exit(0);
}

async function obey(order: Order): Promise<Report> {
  if ('start' in order) return { started: await start(order.start) };
  if ('database' in order) {
    await prepare();
    return { database: { target, engine } };
  }
  await stop();
  return { stopped: true };
}

// A Ctrl-C reaches all processes: the parent decides when this one ends.
process.on('SIGINT', () => {});
process.once('disconnect', end);
process.on('message', (order: Order) =>
  obey(order).then(report, (error: Error) => report({ failed: error.message })),
);
