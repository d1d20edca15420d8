import { createHash } from 'node:crypto';
import type { Database, Queryable, Snapshot } from '@cartulary/database';
import { ident, inlineTexts, type Sql, sql } from '@cartulary/sql';
import type { Config } from '../../config.js';
import type { Indexer, WantedIndex } from '../../layers/indexes/indexer.js';
import { sortIndexNames, versionOf } from '../../layers/indexes/sort-index.js';
import { type Layer, layerTable } from '../../layers/layers.js';
import { type ListOrder, orderBy, orderOf, orderParts } from '../query/order.js';
import type { ObjectQuery } from '../query/query.js';

/* Indexes in the order of lists. The first list of a large layer with that order asks for its index. */

export interface SortIndexing {
  db: Database;
  indexer: Indexer;
  config: Pick<Config, 'sortIndexedKiB' | 'sortEmbeddedMiB' | 'sortIndexes'>;
}

/** The state of a layer's table. */
interface TableState {
  /** An estimate; -1: never counted. */
  objects: number;
  /** Whether nearly all pages are marked all-visible, so that an index-only scan need not read the table. */
  settled: boolean;
  /** Bytes. */
  size: number;
  /** The names of its sort indexes. */
  names: string[];
  /** Version of the collation of texts: an index of another version has another order. */
  collation: string;
}

const stateOf = (layerId: number): Sql => sql`
  select c.reltuples as objects, c.relallvisible >= 0.9 * c.relpages as settled, pg_relation_size(c.oid) as size, ${sortIndexNames(sql`c.oid`)} as names,
    (select pg_collation_actual_version(o.oid) from pg_collation o where o.collname = 'und-x-icu') as collation
  from pg_class c where c.oid = to_regclass(${`cartulary_data.layer_${layerId}`}) and c.relkind = 'r'`;

/**
 * Adds to a query the index in its order. Where a large layer has none, asks the indexer for it. `at`: a snapshot for
 * the snapshot-validated cache.
 */
export async function withIndex(
  { db, indexer, config }: SortIndexing,
  layer: Layer,
  query: ObjectQuery,
  at?: Snapshot,
): Promise<ObjectQuery> {
  // The planner finds the order of ids itself, and needs no estimate.
  if (!query.sort.length) return query;
  const [state] = await db.cachedQuery<TableState>(stateOf(layer.id), at);
  if (!state || state.size < config.sortIndexedKiB * 1024) return query;
  const order = orderOf(query.sort, layerAlias(layer.id), query);
  // An index over computed values does not allow index-only scans.
  const isPlain = order.keys.every(({ column }) => !column.localized_value);
  const indexed = { ...query, indexed: { objects: state.objects, isEnough: state.settled && isPlain } };
  // The primary key is the index of this order.
  if (!order.keys.length) return indexed;
  const indexes = indexesOf(layer.id, order, { query, collation: state.collation });
  if (!indexes) return query;
  if (indexes.every(({ name }) => state.names.includes(name))) return indexed;
  const largest = db.engine === 'embedded' ? config.sortEmbeddedMiB * 1024 ** 2 : Number.POSITIVE_INFINITY;
  if (state.size <= largest) indexer.make(indexes.map((index) => ({ ...index, isWanted: hasRoom })));
  return query;

  async function hasRoom(own: Queryable): Promise<boolean> {
    const [now] = await own.query<TableState>(stateOf(layer.id));
    const others = (now?.names ?? []).filter((name) => !name.endsWith(longTextsEnding));
    return now !== undefined && others.length < config.sortIndexes;
  }
}

const layerAlias = (layerId: number): Sql => ident(`layer_${layerId}`);

/** Most columns of an order that gets an index. */
const columnLimit = 6;
/** The end of the name of the index of objects whose texts are too long. */
const longTextsEnding = '_long';

/** The indexes of an order, that of long texts first; undefined where the database cannot have them. */
function indexesOf(
  layerId: number,
  order: ListOrder,
  { query, collation }: { query: ObjectQuery; collation: string },
): WantedIndex[] | undefined {
  const { keys, id } = order;
  // The cast from text to datetime depends on session settings, so it cannot be indexed.
  const isStable = keys.every(({ column }) => !(column.localized_value && column.type === 'datetime'));
  if (keys.length > columnLimit || !isStable) return undefined;
  const [short, long] = orderParts(order);
  const languages = keys.some(({ column }) => column.localized_value)
    ? [query.lng ?? query.main, query.main]
    : [];
  const directions = [...keys, { column: { id: 'i' }, ...id }].map(
    ({ column, descending }) => `${column.id}${descending ? 'd' : 'a'}`,
  );
  const name = `layer_${layerId}_sort_${long ? `${versionOf(collation)}_` : ''}${directions.join('_')}${languages.length ? `_${digest(languages)}` : ''}`;
  if (name.length + longTextsEnding.length > 63) return undefined;
  const table = layerTable(layerId);
  const main = {
    name,
    table,
    definition: () => inlineTexts(sql`on ${table} (${orderBy(order)}) where ${short}`),
  };
  if (!long) return [main];
  return [
    {
      name: name + longTextsEnding,
      table,
      definition: () => inlineTexts(sql`on ${table} (svc_id) where ${long}`),
    },
    main,
  ];
}

const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 8);
