import { isoText, valueSql } from '@cartulary/columns';
import { type Database, perDatabase } from '@cartulary/database';
import { sql } from '@cartulary/sql';
import { LRUCache } from 'lru-cache';
import { type Layer, layerTable } from '../../layers/layers.js';
import { guarded } from '../../objects/store.js';

/** The first and the last time of a layer, ISO 8601. */
export type TimeExtent = readonly [first: string, last: string];

const extentsOf = perDatabase(() => new LRUCache<string, TimeExtent | 'none'>({ max: 10_000 }));

/**
 * The times in the first column of type datetime, which the parameter `datetime` compares; undefined without one, or without
 * values. They are read once for each version of the data.
 */
export async function timeExtent(
  db: Database,
  layer: Layer,
  signal: AbortSignal,
): Promise<TimeExtent | undefined> {
  const column = layer.columns.find(({ type, localized_value }) => type === 'datetime' && !localized_value);
  if (!column) return undefined;
  const extents = extentsOf(db);
  const key = `${layer.id}/${layer.data_version}/${layer.structure}`;
  let extent = extents.get(key);
  if (extent === undefined) {
    const value = valueSql(column, { alias: sql`t`, main: '' });
    const statement = sql`select ${isoText(sql`min(${value})`)} as first, ${isoText(sql`max(${value})`)} as last
      from ${layerTable(layer.id)} t`;
    const [row] = await guarded(() =>
      db.heavy.query<{ first: string | null; last: string | null }>(statement, signal),
    );
    extent = row?.first && row.last ? [row.first, row.last] : 'none';
    extents.set(key, extent);
  }
  return extent === 'none' ? undefined : extent;
}
