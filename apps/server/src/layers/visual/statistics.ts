import type { Queryable } from '@cartulary/database';
import { ident, join, type Sql, sql } from '@cartulary/sql';
import {
  type Bin,
  classLimits,
  type DataValue,
  isNumber,
  quantileBins,
  rangeBins,
  type Statistics,
  type WantedStatistics,
} from '@cartulary/visualizations';
import { type Layer, layerTable } from '../layers.js';
import { cellsSql, placesSql } from './cells.js';
import { onePoint } from './point.js';
import { readById } from './values.js';

/** The source of data: the layer, and the language in which classes are made. */
export interface StatisticsSource {
  layer: Pick<Layer, 'id' | 'columns'>;
  main: string;
}

/** Longest value, characters, that can have a class of its own. */
const classValueLimit = 500;

/** Reads the statistics that a visualization needs: one statement over all objects. */
export async function readStatistics(
  db: Queryable,
  { layer, main }: StatisticsSource,
  wanted: WantedStatistics,
): Promise<Statistics> {
  const read = readById(layer.columns, { alias: sql`t`, main });
  const from = sql`from ${layerTable(layer.id)} t`;
  switch (wanted.kind) {
    case 'limits': {
      const bins = await readBins(db, sql`select ${read(wanted.column)} as v ${from}`, wanted);
      return { kind: 'limits', limits: classLimits(wanted.algorithm, wanted.classes, bins) };
    }
    case 'frequent': {
      const rows = await db.query<{ v: DataValue }>(sql`
        select v from (select ${read(wanted.column)} as v ${from}) values
        where v is not null and length(v::text) <= ${classValueLimit}
        group by v order by count(*) desc, v::text collate "C" limit ${wanted.limit}`);
      return { kind: 'frequent', values: rows.map(({ v }) => v) };
    }
    case 'cells':
      return readCells(db, { layer, main }, wanted);
    case 'density':
      return readDensity(db, { layer, main }, wanted);
    case 'range':
      return readRange(db, wanted.columns.map(read), wanted.summed, from);
  }
}

async function readRange(
  db: Queryable,
  values: readonly Sql[],
  summed: number,
  from: Sql,
): Promise<Statistics> {
  const number = (value: Sql): Sql => sql`case when ${isNumber(value)} then ${value} end`;
  const sum = join(
    values.slice(0, summed).map((value) => sql`greatest(coalesce(${number(value)}, 0), 0)`),
    ' + ',
  );
  const lows = values.map((value) => sql`min(${number(value)})`);
  const highs = values.map((value) => sql`max(${number(value)})`);
  const [row] = await db.query<{ low: (number | null)[]; high: (number | null)[]; sum: number | null }>(
    sql`select array[${join(lows)}] as low, array[${join(highs)}] as high, ${summed ? sql`max(${sum})` : sql`null::double precision`} as sum ${from}`,
  );
  return { kind: 'range', ...row! };
}

/**
 * The values in bins that hold at most a thousandth of the objects, except for equal values, or of the range. With few values
 * each is a bin, so the class limits are exact; those of quantiles always are. Natural breaks of many values are the best
 * ones whose limits lie between bins.
 */
async function readBins(
  db: Queryable,
  values: Sql,
  { algorithm, classes }: Pick<WantedStatistics & { kind: 'limits' }, 'algorithm' | 'classes'>,
): Promise<Bin[]> {
  if (algorithm === 1) return readExtremes(db, values);
  const parts = sql`${quantileBins(classes)}::double precision`;
  return db.query<Bin>(sql`
    with groups as (
      select v, count(*)::double precision as n from (${values}) numbers where ${isNumber(sql`v`)} group by v
    ), placed as (
      select v, n, sum(n) over (order by v) - n as before, sum(n) over () as total,
        min(v) over () as low, max(v) over () as high from groups
    )
    select min(v) as low, max(v) as high, sum(n) as count, max(before) as "beforeHigh", sum(n * v) / sum(n) as mean
    from placed
    group by low, high, floor(before * ${parts} / total), floor((v - low) / nullif(high - low, 0) * ${rangeBins}::double precision)
    order by 1`);
}

/** The least and the greatest value as the only bin, which suffices for equal intervals. */
async function readExtremes(db: Queryable, values: Sql): Promise<Bin[]> {
  const [row] = await db.query<{ low: number | null; high: number | null; count: number }>(sql`
    select min(v) as low, max(v) as high, count(v)::double precision as count from (${values}) numbers where ${isNumber(sql`v`)}`);
  if (row?.low === null || row?.high === null || !row) return [];
  return [{ low: row.low, high: row.high, count: row.count, beforeHigh: row.count, mean: row.low }];
}

/** The ranges of weights and radii, and the densest squares. Areas and lines count at one point of them. */
async function readDensity(
  db: Queryable,
  { layer, main }: StatisticsSource,
  { columns, weight, square, levels }: WantedStatistics & { kind: 'density' },
): Promise<Statistics> {
  const read = readById(layer.columns, { alias: sql`t`, main });
  const from = sql`from ${layerTable(layer.id)} t`;
  const found = columns.length ? await readRange(db, columns.map(read), 0, from) : undefined;
  const ranges = columns.map((column, i) => ({
    column,
    low: found?.kind === 'range' ? found.low[i]! : null,
    high: found?.kind === 'range' ? found.high[i]! : null,
  }));
  const weights = weight({ kind: 'density', ranges, peaks: [] }, read);
  const [row] = await db.query<{ peaks: (number | null)[] }>(densest({ weights, from, square, levels }));
  const peaks = row!.peaks.map((peak) => peak ?? 0);
  return { kind: 'density', ranges, peaks };
}

/** The sums of weights in the densest squares, the largest squares first. Each level of squares is made from the one before. */
function densest({
  weights,
  from,
  square,
  levels,
}: {
  weights: Sql;
  from: Sql;
  square: number;
  levels: number;
}): Sql {
  const width = sql`${square}::double precision`;
  const level = (i: number): Sql => ident(`level_${i}`);
  const wider = Array.from(
    { length: levels - 1 },
    (_, i) => sql`, ${level(i + 1)} as materialized (
      select x >> 2 as x, y >> 2 as y, sum(w) as w from ${level(i)} group by 1, 2)`,
  );
  const peaks = Array.from({ length: levels }, (_, i) => sql`(select max(w) from ${level(levels - 1 - i)})`);
  return sql`
    with ${level(0)} as materialized (
      select floor(st_x(o.p) / ${width})::bigint as x, floor(degrees(asinh(tan(radians(st_y(o.p))))) / ${width})::bigint as y,
        sum(o.w) as w
      from (select ${weights} as w, ${onePoint} as p ${from} where t.geom is not null offset 0) o
      where st_y(o.p) between -85.06 and 85.06 group by 1, 2
    )${join(wider, '')}
    select array[${join(peaks)}] as peaks`;
}

/** The zoom level of the cells, from the extent of the data where none is given, and the range of their values. */
async function readCells(
  db: Queryable,
  from: StatisticsSource,
  { cells, limits, zoomFor, zoom: given }: WantedStatistics & { kind: 'cells' },
): Promise<Statistics> {
  const zoom = given ?? (await extentZoom(db, from, zoomFor));
  if (zoom === null || !limits) return { kind: 'cells', zoom, limits: limits && [] };
  const values = sql`select c.value as v from (${cellsSql(from, cells(zoom))}) c where c.i is not null`;
  const bins = await readBins(db, values, limits);
  return { kind: 'cells', zoom, limits: classLimits(limits.algorithm, limits.classes, bins) };
}

async function extentZoom(
  db: Queryable,
  from: StatisticsSource,
  zoomFor: (span: number) => number,
): Promise<number | null> {
  const [row] = await db.query<{ span: number | null }>(sql`
    select greatest(max(p.x) - min(p.x), max(p.y) - min(p.y)) as span from (${placesSql(from)}) p`);
  return row?.span == null ? null : zoomFor(row.span);
}
