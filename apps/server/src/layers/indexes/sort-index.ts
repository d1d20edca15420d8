import type { Database, Queryable } from '@cartulary/database';
import { ident, type Sql, sql } from '@cartulary/sql';
import { attributeName, type Placed } from '../layers.js';

/* The indexes in the order of lists are named `layer_<id>_sort_…`. objects/find/sort-index.ts defines them. */

const pattern = '^layer_[0-9]+_sort_';

/** The names of the finished sort indexes of a table, over its oid. */
export const sortIndexNames = (table: Sql): Sql => sql`array(
    select n.relname::text from pg_index i join pg_class n on n.oid = i.indexrelid
    where i.indrelid = ${table} and i.indisvalid and n.relname ~ ${pattern})`;

/** The version of the collation in the name of an index. */
export const versionOf = (collation: string | null): string =>
  `v${(collation ?? '').replace(/[^0-9A-Za-z]+/g, '-')}`;

/** Drops the sort indexes of a column before its values change their type. */
export async function dropSortIndexes(tx: Queryable, layerId: number, column: Placed): Promise<void> {
  const found = await tx.query<{ name: string }>(sql`
    select distinct c.relname as name from pg_depend d join pg_class c on c.oid = d.objid and c.relkind = 'i'
      join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
    where d.classid = 'pg_class'::regclass and d.refobjid = to_regclass(${`cartulary_data.layer_${layerId}`})
      and a.attname = ${attributeName(column)} and c.relname ~ ${pattern}`);
  for (const { name } of found) await tx.query(sql`drop index if exists ${ident('cartulary_data', name)}`);
}

/**
 * Drops sort indexes of texts that another version of the collation has ordered. After an upgrade of the system libraries
 * their order differs from that of lists. Runs at the start, before any reader.
 */
export async function dropOutdatedIndexes(db: Database): Promise<void> {
  const [version] = await db.query<{ collation: string | null }>(
    sql`select pg_collation_actual_version(oid) as collation from pg_collation where collname = 'und-x-icu'`,
  );
  const right = `_sort_${versionOf(version?.collation ?? null)}_`;
  const found = await db.query<{ name: string }>(sql`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'cartulary_data' and c.relkind = 'i' and c.relname ~ ${`${pattern}v`} and position(${right} in c.relname) = 0`);
  for (const { name } of found)
    await db.transaction((tx) => tx.query(sql`drop index if exists ${ident('cartulary_data', name)}`));
}
