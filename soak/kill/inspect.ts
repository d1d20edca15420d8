import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Database,
  lockDataFolder,
  openDatabase,
  parseDatabaseUrl,
  startEmbedded,
} from '@cartulary/database';
import { installationStorage } from '@cartulary/server';
import { type Sql, sql } from '@cartulary/sql';
import type { Service } from '../service.js';

/**
 * Inspects the database and the data folder of a stopped service. Returns data without an entry in the catalog, and
 * entries without data.
 */
export async function inspect(service: Service): Promise<string[]> {
  const { dataFolder, databaseUrl } = service;
  if (databaseUrl !== undefined) {
    const db = openDatabase(parseDatabaseUrl(databaseUrl), 'postgres', { maxConnections: 1 });
    return look(db, dataFolder).finally(() => db.close());
  }
  const lock = await lockDataFolder(dataFolder);
  const database = await startEmbedded({
    dataFolder,
    log: { info() {}, warn: console.error, error: console.error },
  });
  const db = openDatabase(database.target, 'embedded');
  try {
    return await look(db, dataFolder);
  } finally {
    await db.close();
    await database.stop();
    await lock.release();
  }
}

async function look(db: Database, dataFolder: string): Promise<string[]> {
  const found = await inDatabase(db);
  for (const folder of ['tmp', 'uploads'])
    for (const name of await readdir(join(dataFolder, folder)).catch(() => []))
      found.push(`${folder}/${name}`);
  const storage = await installationStorage(db, dataFolder);
  const keysOf = async (statement: Sql): Promise<Set<string>> =>
    new Set((await db.query<{ key: string }>(statement)).map(({ key }) => key));
  const named = await keysOf(sql`select content::text as key from cartulary.named_content`);
  const waiting = await keysOf(sql`select content::text as key from cartulary.file_removal`);
  for await (const { key } of storage.list())
    if (!named.delete(key) && !waiting.has(key)) found.push(`nothing names the content ${key}`);
  for (const key of named) found.push(`the content ${key} of a file or icon is not there`);
  return found;
}

/** Tables without a layer, layers without a table, and unfinished work. */
async function inDatabase(db: Database): Promise<string[]> {
  const rows = await db.query<{ text: string }>(sql`
    with relation as (
      select c.relname as name, c.relkind as kind from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'cartulary_data' and c.relkind in ('r', 'v', 'm')
    ), expected as (
      select 'layer_' || id as name from cartulary.container where type in ('layer', 'material', 'virtual')
    )
    select 'the table ' || name || ' has no layer' as text from relation
      where name not in (select 'layer_' || id from cartulary.container
        union all select 'before_' || layer_id from cartulary.import_undo)
    union all select 'the layer of ' || name || ' has no table' from expected where name not in (select name from relation)
    union all select 'the job ' || id || ' is ' || state from cartulary.job where state in ('queued', 'running')
    union all select 'the column c' || c.id || ' is not in its table' from cartulary.layer_column c
      join cartulary.container l on l.id = c.layer_id and l.type in ('layer', 'material')
      where c.type not in ('geom', 'title') and c.code <> 'svc_id' and not exists (
        select from pg_attribute a where a.attname = 'c' || c.id and not a.attisdropped
          and a.attrelid = to_regclass('cartulary_data.layer_' || l.id))
    union all select 'the column ' || a.attname || ' of ' || r.name || ' is of no layer' from relation r
      join pg_attribute a on a.attrelid = to_regclass('cartulary_data.' || r.name) and a.attnum > 0 and not a.attisdropped
      where r.kind = 'r' and a.attname ~ '^c[0-9]+$'
        and not exists (select from cartulary.layer_column c where 'c' || c.id = a.attname)
    union all select 'the index ' || c.relname || ' is not valid' from pg_index i join pg_class c on c.oid = i.indexrelid
      join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'cartulary_data' and not i.indisvalid`);
  return rows.map(({ text }) => text);
}
