import { createHash } from 'node:crypto';
import type { Config } from '../config.js';
import type { Database, Queryable, Snapshot } from '../db/pool.js';
import { ident, type Sql, sql, withTexts } from '../db/sql.js';
import type { Indexer, WantedIndex } from '../layers/indexer.js';
import { type Layer, layerTable } from '../layers/layers.js';
import { sortIndexNames, versionOf } from '../layers/sort-index.js';
import { type Order, orderBy, orderOf, partsOf } from './order.js';
import type { ObjectQuery } from './query.js';

/*
 * Indices in the order of lists, made by the first list of a large layer that is sorted so.
 */

export interface SortIndexing {
  db: Database;
  indexer: Indexer;
  config: Pick<Config, 'sortIndexed' | 'sortEmbedded' | 'sortIndexes'>;
}

/** What there is of a layer's table. */
interface TableState {
  /** About; -1: never counted. */
  objects: number;
  /** Whether the database knows of nearly all pages that nobody changes them, so that an index alone tells what is there. */
  settled: boolean;
  /** Bytes. */
  size: number;
  /** Of its sort indices. */
  names: string[];
  /** Version of the collation of texts: an index of another has another order. */
  collation: string;
}

const stateOf = (layerId: number): Sql => sql`
  select c.reltuples as objects, c.relallvisible >= 0.9 * c.relpages as settled, pg_relation_size(c.oid) as size, ${sortIndexNames(sql`c.oid`)} as names,
    (select pg_collation_actual_version(o.oid) from pg_collation o where o.collname = 'und-x-icu') as collation
  from pg_class c where c.oid = to_regclass(${`cartulary_data.layer_${layerId}`}) and c.relkind = 'r'`;

/** The list, with what there is of an index in its order; where there should be one and is none, it is asked for. `at`: see `recall`. */
export async function withIndex(
  { db, indexer, config }: SortIndexing,
  layer: Layer,
  query: ObjectQuery,
  at?: Snapshot,
): Promise<ObjectQuery> {
  // In the order of ids the planner finds its way itself, without being asked for an estimate first.
  if (!query.sort.length) return query;
  const [state] = await db.recall<TableState>(stateOf(layer.id), at);
  if (!state || state.size < config.sortIndexed * 1024) return query;
  const order = orderOf(query.sort, layerAlias(layer.id), query);
  // An index of what is computed is not read alone.
  const isPlain = order.keys.every(({ column }) => !column.localized_value);
  const indexed = { ...query, indexed: { objects: state.objects, isEnough: state.settled && isPlain } };
  // The table's primary key is its index.
  if (!order.keys.length) return indexed;
  const indexes = indexesOf(layer.id, order, { query, collation: state.collation });
  if (!indexes) return query;
  if (indexes.every(({ name }) => state.names.includes(name))) return indexed;
  const largest = db.engine === 'embedded' ? config.sortEmbedded * 1024 ** 2 : Number.POSITIVE_INFINITY;
  if (state.size <= largest) indexer.make(indexes.map((index) => ({ ...index, isWanted: hasRoom })));
  return query;

  async function hasRoom(own: Queryable): Promise<boolean> {
    const [now] = await own.query<TableState>(stateOf(layer.id));
    const others = (now?.names ?? []).filter((name) => !name.endsWith(beside));
    return now !== undefined && others.length < config.sortIndexes;
  }
}

const layerAlias = (layerId: number): Sql => ident(`layer_${layerId}`);

/** Most columns of an order that gets an index. */
const mostColumns = 6;
/** The end of the name of an index of those whose texts are too long. */
const beside = '_long';

/** The index of an order, that of the texts which are too long for it first; undefined where the database could not have it. */
function indexesOf(
  layerId: number,
  order: Order,
  { query, collation }: { query: ObjectQuery; collation: string },
): WantedIndex[] | undefined {
  const { keys, id } = order;
  // Text → datetime depends on settings of the session.
  const isStable = keys.every(({ column }) => !(column.localized_value && column.type === 'datetime'));
  if (keys.length > mostColumns || !isStable) return undefined;
  const [short, long] = partsOf(order);
  const languages = keys.some(({ column }) => column.localized_value)
    ? [query.lng ?? query.main, query.main]
    : [];
  const directions = [...keys, { column: { id: 'i' }, ...id }].map(
    ({ column, descending }) => `${column.id}${descending ? 'd' : 'a'}`,
  );
  const name = `layer_${layerId}_sort_${long ? `${versionOf(collation)}_` : ''}${directions.join('_')}${languages.length ? `_${digest(languages)}` : ''}`;
  if (name.length + beside.length > 63) return undefined;
  const table = layerTable(layerId);
  const main = {
    name,
    table,
    definition: () => withTexts(sql`on ${table} (${orderBy(order)}) where ${short}`),
  };
  if (!long) return [main];
  return [
    { name: name + beside, table, definition: () => withTexts(sql`on ${table} (svc_id) where ${long}`) },
    main,
  ];
}

const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 8);
