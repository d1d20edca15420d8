import type { Queryable } from '../db/pool.js';
import { ident, type Sql, sql } from '../db/sql.js';
import type { WantedIndex } from './indexer.js';
import { type Column, columnName, layerTable } from './layers.js';

type Place = Pick<Column, 'id' | 'code'>;

/** The kinds of index of a column that is searched: by parts of words, and by the whole value (which localized columns find by its parts). */
const kinds = ['gin', 'hash'] as const;

/** What a statement compares, and an index is made of: a stored value (text, or jsonb where localized) as the search sees it. */
export const comparedSql = (column: Place, alias?: Sql): Sql => {
  const stored = ident(columnName(column));
  return sql`cartulary.search_text(${alias ? sql`${alias}.${stored}` : stored})`;
};

/** An index that a search needs. */
export interface SearchIndex extends WantedIndex {
  /** Tells it among those that there are: `indexKeys`. */
  key: string;
}

/** The indices by which a column is searched. */
export const searchIndexes = (
  layerId: number,
  column: Pick<Column, 'id' | 'code' | 'localized_value'>,
): SearchIndex[] =>
  (column.localized_value ? kinds.slice(0, 1) : kinds).map((kind) => ({
    key: `${kind} ${columnName(column)}`,
    name: `layer_${layerId}_search_${columnName(column)}_${kind}`,
    table: layerTable(layerId),
    // Only then it is known how many objects have a word: those with a common one would be looked for by reading the table.
    isAnalyzed: true,
    definition: (schema) =>
      kind === 'gin'
        ? sql`on ${layerTable(layerId)} using gin (${comparedSql(column)} ${ident(schema, 'gin_trgm_ops')})`
        : sql`on ${layerTable(layerId)} using hash (${comparedSql(column)})`,
  }));

/**
 * The keys of the search indices that a layer has (`valid` ones, or those that were left half made), over the id of the
 * layer as SQL. Told by what they are made of: a table that was written anew has them under other names.
 */
export const indexKeys = (layerId: Sql, valid = true): Sql => sql`array(
    select a.amname || ' ' || substring(pg_get_expr(i.indexprs, i.indrelid) from 'search_text\\((c[0-9]+)\\)$')
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
    where i.indrelid = to_regclass('cartulary_data.layer_' || ${layerId}) and i.indexprs is not null and i.indisvalid = ${valid}
      and pg_get_expr(i.indexprs, i.indrelid) like '%search_text(c%')`;

/** Drops the search indices of a column, whose values are about to become of another type. */
export async function dropSearchIndexes(tx: Queryable, layerId: number, column: Place): Promise<void> {
  const found = await tx.query<{ name: string }>(sql`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = to_regclass(${`cartulary_data.layer_${layerId}`}) and i.indexprs is not null
      and pg_get_expr(i.indexprs, i.indrelid) like ${`%search\\_text(${columnName(column)})`}`);
  for (const { name } of found) await tx.query(sql`drop index if exists ${ident('cartulary_data', name)}`);
}
