import type { Column } from '@cartulary/columns';
import type { Queryable } from '@cartulary/database';
import { sql } from '@cartulary/sql';
import type { Caller } from '../access/caller.js';
import type { MapContainer } from '../containers/containers.js';
import { publicationTree, type TreeContainer } from '../containers/tree.js';
import { indexKeys, type SearchIndex, searchIndexes } from '../layers/indexes/search-index.js';
import { orderedColumns } from '../layers/layers.js';
import { readSettings, type SearchedColumns, searchedColumns, wholeLayer } from './settings.js';

/** The parts of a map that a caller can search. */
export interface Searchable {
  /** The published layers that the caller may view, in the order of the tree. */
  layers: readonly TreeContainer[];
  /** Their objects, in the order of the search. */
  sources: readonly SearchSource[];
}

/** The objects of a layer. */
export interface SearchSource extends SearchedColumns {
  layer: TreeContainer;
  /** Without an index for every column, only the first objects are read. */
  isIndexed: boolean;
  /** Bytes of its table; null for a virtual layer. */
  size: number | null;
  /** Indexes that are worth making. */
  missing: readonly SearchIndex[];
}

export interface SourceLimits {
  searchLayers: number;
  searchColumns: number;
  /** The sizes of a table, in KiB, between which its indexes are made. */
  indexedFrom: number;
  indexedTo: number;
}

/** Reads the layers that the caller may search. Settings that name other or unknown layers and columns are ignored. */
export async function readSearchable(
  db: Queryable,
  at: { caller: Caller; map: MapContainer; limits: SourceLimits },
  signal?: AbortSignal,
): Promise<Searchable> {
  const { caller, map, limits } = at;
  const items = await publicationTree(db, caller, map);
  const containers = items.map(({ container }) => container).filter(({ type }) => type !== 'folder');
  const layers = [...new Map(containers.map((layer) => [layer.id, layer])).values()];
  const stored = await readStored(db, layers, signal);
  const settings = readSettings(map.search) ?? layers.map(({ code }) => wholeLayer(code));
  const sources = settings.flatMap((setting): SearchSource[] => {
    const layer = layers.find(({ code }) => code === setting.layer);
    const table = layer && stored.get(layer.id);
    const searched = table && searchedColumns(table.columns, setting, limits.searchColumns);
    return layer && searched ? [{ layer, ...searched, ...indexState(layer, table, searched, limits) }] : [];
  });
  return { layers, sources: sources.slice(0, limits.searchLayers) };
}

interface StoredLayer {
  id: number;
  columns: readonly Column[];
  /** Bytes of the table; null for the view of a virtual layer, which has no indexes. */
  size: number | null;
  keys: readonly string[];
}

/** The layers that have a table of objects, or a view. */
async function readStored(
  db: Queryable,
  layers: readonly TreeContainer[],
  signal?: AbortSignal,
): Promise<Map<number, StoredLayer>> {
  const ids = layers.map(({ id }) => id);
  const rows = await db.query<StoredLayer>(
    sql`
      select l.id, (select pg_relation_size(c.oid) from pg_class c
          where c.oid = to_regclass('cartulary_data.layer_' || l.id) and c.relkind = 'r') as size, ${indexKeys(sql`l.id`)} as keys,
        (select coalesce(jsonb_agg(to_jsonb(c) order by c.sort, c.id), '[]')
          from cartulary.layer_column c where c.layer_id = l.id) as columns
      from unnest(${ids}::integer[]) as l (id)
      where to_regclass('cartulary_data.layer_' || l.id) is not null`,
    signal,
  );
  return new Map(rows.map((row) => [row.id, { ...row, columns: orderedColumns(row.columns) }]));
}

function indexState(
  layer: TreeContainer,
  { keys, size }: StoredLayer,
  { columns }: SearchedColumns,
  { indexedFrom, indexedTo }: SourceLimits,
): Pick<SearchSource, 'isIndexed' | 'missing' | 'size'> {
  const missing = columns
    .flatMap((column) => searchIndexes(layer.id, column))
    .filter(({ key }) => !keys.includes(key));
  const isWorthIt = size !== null && size >= indexedFrom * 1024 && size <= indexedTo * 1024;
  return { isIndexed: !missing.length, missing: isWorthIt ? missing : [], size };
}
