import { type Column, stored } from '@cartulary/columns';
import type { LongReads } from '@cartulary/database';
import { sql } from '@cartulary/sql';
import type { Layer } from '../../layers/layers.js';
import { selectRobustly } from '../find/find.js';
import { conditions } from '../sql/ids.js';
import { columnStatement } from './column-sql.js';
import { groupStatement } from './group-sql.js';
import type { ColumnQuery, GroupQuery, Selection } from './request.js';

type Value = number | string | boolean;

interface Summary {
  count: number;
  min: Value | null;
  max: Value | null;
  mean: number | null;
  sum: number | null;
  deviation: number | null;
  percentiles: Value[] | null;
}

interface Found {
  count: number;
  nulls: number;
  summary?: Summary;
  distinct?: number;
  edges?: Value[] | null;
  /** Number of the bin, from 1, → values in it. */
  bins?: Record<string, number> | null;
  frequent?: { value: Value; count: number }[] | null;
}

/** What is read: the objects of a layer that a selection leaves. */
export interface SelectedObjects {
  layer: Pick<Layer, 'id' | 'columns'>;
  selection: Selection;
}

/** The statistics of one column over the selected objects. */
export async function columnStatistics(
  db: LongReads,
  { layer, selection }: SelectedObjects,
  query: ColumnQuery,
  signal: AbortSignal,
): Promise<object> {
  const isNull = sql`${storedValue(query.column)} is null`;
  const [row] = await selectRobustly(selection, (robust) =>
    db.query<{ found: Found }>(
      columnStatement(layer, query, { where: conditions(selection, robust), isNull }),
      signal,
    ),
  );
  const { count, nulls, summary, distinct = 0, edges, bins, frequent } = row!.found;
  return {
    count,
    nulls,
    values: summary?.count ?? count - nulls,
    distinct: Math.min(distinct, query.distinct),
    distinct_limited: distinct > query.distinct,
    ...shownSummary(summary, query.percentiles),
    deviation: summary?.deviation ?? null,
    histogram: query.histogram && query.measure?.ordered ? histogramOf(edges ?? [], bins ?? {}) : null,
    frequent: frequent ?? [],
  };
}

const storedValue = (column: Column) => (column.type === 'geom' ? sql`t.geom` : stored(column, sql`t`));

const shownSummary = (summary: Summary | undefined, percentiles: readonly number[]): object => ({
  min: summary?.min ?? null,
  max: summary?.max ?? null,
  mean: summary?.mean ?? null,
  sum: summary?.sum ?? null,
  percentiles: (summary?.percentiles ?? []).map((value, i) => ({ percentile: percentiles[i], value })),
});

/** Bins between limits that follow each other. A single limit is a bin of equal values. */
function histogramOf(edges: readonly Value[], counts: Readonly<Record<string, number>>): object[] {
  const starts = edges.length > 1 ? edges.slice(0, -1) : edges;
  return starts.map((from, i) => ({ from, to: edges[i + 1] ?? from, count: counts[i + 1] ?? 0 }));
}

interface FoundGroup {
  count: number;
  by: (Value | null)[];
  of: Summary[];
}

/** The statistics of number and datetime columns in each group of equal values. */
export async function groupStatistics(
  db: LongReads,
  { layer, selection }: SelectedObjects,
  query: GroupQuery,
  signal: AbortSignal,
): Promise<object> {
  const { by, of, percentiles, limit } = query;
  const found = await selectRobustly(selection, (robust) =>
    db.query<FoundGroup>(groupStatement(layer, query, conditions(selection, robust)), signal),
  );
  const groups = found.slice(0, limit).map((group) => ({
    by: Object.fromEntries(by.map(({ column }, i) => [column.code, group.by[i] ?? null])),
    count: group.count,
    of: Object.fromEntries(
      of.map(({ column }, i) => [
        column.code,
        { count: group.of[i]!.count, ...shownSummary(group.of[i], percentiles) },
      ]),
    ),
  }));
  return { groups, more: found.length > limit };
}
