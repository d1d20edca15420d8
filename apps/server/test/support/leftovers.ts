import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '@cartulary/database/internal/pool.js';
import { sql } from '@cartulary/sql/internal/sql.js';

const listOf = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

/** Content of a database and its data folder that no row refers to, and references of rows to absent content; one line each. */
export async function leftovers(db: Database, dataFolder: string): Promise<string[]> {
  return [...(await inDatabase(db)), ...(await inFolder(db, dataFolder))];
}

async function inDatabase(db: Database): Promise<string[]> {
  const rows = await db.query<{ line: string }>(sql`
    with own as (
      select c.oid, c.relname::text as name, c.relkind as kind from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'cartulary_data'
    ), layer as (
      select 'layer_' || id as name, id from cartulary.container where type in ('layer', 'virtual', 'material')
    )
    select 'relation ' || name as line from own where kind not in ('i', 'S') and name not in (select name from layer)
    union all select 'sequence ' || name from own where kind = 'S'
      and not exists (select from pg_depend d where d.objid = own.oid and d.deptype in ('a', 'i'))
    union all select 'half made index ' || name from own join pg_index i on i.indexrelid = own.oid where not i.indisvalid
    union all select 'no table for ' || name from layer where name not in (select name from own)
    union all select 'column ' || own.name || '.' || a.attname from own join pg_attribute a on a.attrelid = own.oid
      where own.name in (select name from layer) and own.kind = 'r' and a.attnum > 0 and not a.attisdropped and a.attname not in ('svc_id', 'geom')
        and not exists (select from cartulary.layer_column k join layer on layer.id = k.layer_id
          where layer.name = own.name and 'c' || k.id = a.attname)
    union all select 'no column for ' || layer.name || '.' || k.code from cartulary.layer_column k
      join layer on layer.id = k.layer_id
      where k.code not in ('svc_id', 'geom') and k.type not in ('title', 'geom')
        and not exists (select from own join pg_attribute a on a.attrelid = own.oid where own.name = layer.name
          and not a.attisdropped and a.attname = 'c' || k.id)
    union all select 'unfinished job ' || id from cartulary.job where state in ('queued', 'running')
    order by 1`);
  return rows.map(({ line }) => line);
}

async function inFolder(db: Database, dataFolder: string): Promise<string[]> {
  const known = async (statement: ReturnType<typeof sql>): Promise<Set<string>> =>
    new Set((await db.query<{ id: string }>(statement)).map(({ id }) => id));
  const unknown = (folder: string, isKnown: (name: string) => boolean): string[] =>
    listOf(join(dataFolder, folder))
      .filter((name) => !isKnown(name))
      .map((name) => join(folder, name));
  const contents = await known(sql`
    select content::text as id from cartulary.named_content union all select content::text from cartulary.file_removal`);
  const icons = await known(sql`select content::text as id from cartulary.icon`);
  const exports = await known(sql`select id::text from cartulary.job where file is not null`);
  const unfinished = await known(
    sql`select id::text from cartulary.job where state in ('queued', 'running')`,
  );
  const parts = ['db', 'run', 'files', 'exports', 'uploads', 'tmp', 'icons', 'tiles'];
  const stored = listOf(join(dataFolder, 'files')).flatMap((own) =>
    listOf(join(dataFolder, 'files', own)).flatMap((shard) =>
      unknown(join('files', own, shard), (name) => contents.has(name)),
    ),
  );
  return [
    ...unknown('', (name) => parts.includes(name)),
    ...unknown('run', (name) => !name.startsWith('new.')),
    ...stored,
    ...unknown('exports', (name) => exports.has(name)),
    ...unknown('uploads', (name) => unfinished.has(name)),
    ...unknown('tmp', () => false),
    ...unknown('icons', (name) => icons.has(name.split('.')[0]!)),
    ...unknown('tiles', (name) => name === 'timeline.json' || !name.endsWith('.json')),
  ].sort();
}
