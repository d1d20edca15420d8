import type { Queryable } from '@cartulary/database';
import { ident, type Sql, sql } from '@cartulary/sql';
import { type Column, layerTable, type Placed, placeName, stored } from '../layers.js';
import type { WantedIndex } from './indexer.js';

/**
 * The kinds of indexes for search in a column: by parts of words, and by the whole value. Localized columns find the whole
 * value by its parts.
 */
const kinds = ['gin', 'hash'] as const;

/**
 * The expression that statements compare and indexes contain: a stored value (text, or jsonb where localized) in the search
 * form.
 */
export const comparedSql = (column: Placed, alias?: Sql): Sql => {
  return sql`cartulary.search_text(${stored(column, alias)})`;
};

/** An index that a search needs. */
export interface SearchIndex extends WantedIndex {
  /** Identifies the index among the existing ones (`indexKeys`). */
  key: string;
}

/** The indexes for search in a column. */
export const searchIndexes = (
  layerId: number,
  column: Placed & Pick<Column, 'localized_value'>,
): SearchIndex[] =>
  (column.localized_value ? kinds.slice(0, 1) : kinds).map((kind) => ({
    key: `${kind} ${placeName(column)}`,
    name: `layer_${layerId}_search_${placeName(column).replace(/\W+/g, '_')}_${kind}`,
    table: layerTable(layerId),
    // Statistics tell the planner how many objects have a word. For a common word it reads the table.
    isAnalyzed: true,
    definition: (schema) =>
      kind === 'gin'
        ? sql`on ${layerTable(layerId)} using gin (${comparedSql(column)} ${ident(schema, 'gin_trgm_ops')})`
        : sql`on ${layerTable(layerId)} using hash (${comparedSql(column)})`,
  }));

/**
 * The keys of a layer's search indexes, over the id of the layer as SQL; `valid`: the finished or the unfinished ones. The
 * keys come from the definitions, because a copied table has other index names.
 */
export const indexKeys = (layerId: Sql, valid = true): Sql => sql`array(
    select a.amname || ' ' || substring(pg_get_expr(i.indexprs, i.indrelid) from 'search_text\\((c[0-9]+(\\[[0-9]+\\])?)\\)$')
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
    where i.indrelid = to_regclass('cartulary_data.layer_' || ${layerId}) and i.indexprs is not null and i.indisvalid = ${valid}
      and pg_get_expr(i.indexprs, i.indrelid) like '%search_text(c%')`;

/** Drops the search indexes of a column before its values change their type. */
export async function dropSearchIndexes(tx: Queryable, layerId: number, column: Placed): Promise<void> {
  const found = await tx.query<{ name: string }>(sql`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = to_regclass(${`cartulary_data.layer_${layerId}`}) and i.indexprs is not null
      and pg_get_expr(i.indexprs, i.indrelid) like ${`%search\\_text(${placeName(column)})`}`);
  for (const { name } of found) await tx.query(sql`drop index if exists ${ident('cartulary_data', name)}`);
}
