import type { Column } from '@cartulary/columns';
import { sql } from '@cartulary/sql';
import type { Static } from 'typebox';
import type { Layer } from '../../layers/layers.js';
import { type Parameters, parameterInvalid } from '../query/parameters.js';
import { columnOf, type ListLimits, type ObjectQuery, parseListQuery } from '../query/query.js';
import { type Measure, measureOf } from './measures.js';
import type { ColumnStatisticsBody, GroupsBody } from './schemas.js';

/** The objects whose values are counted, and the languages of localized values. */
export type Selection = ObjectQuery;

export interface ColumnQuery {
  column: Column;
  /** undefined: the type has no comparison, so only objects with and without a value are counted. */
  measure: Measure | undefined;
  percentiles: readonly number[];
  histogram: 'equal' | 'quantile' | undefined;
  bins: number;
  frequent: number;
  distinct: number;
}

interface Measured {
  column: Column;
  measure: Measure;
}

export interface GroupQuery {
  by: readonly Measured[];
  of: readonly Measured[];
  percentiles: readonly number[];
  sort: 'count' | 'by';
  limit: number;
}

const usualPercentiles = [25, 50, 75];

interface Reading {
  layer: Pick<Layer, 'columns'>;
  selection: Selection;
}

/** The parameters that choose the objects, as in a list. Throws 400. */
export const parseSelection = (
  { filter, fbbox, bboxSR, lng }: Parameters,
  layer: Pick<Layer, 'columns'>,
  main: string,
  limits: ListLimits,
): Selection => parseListQuery({ filter, fbbox, bboxSR, lng }, layer, main, limits);

export function parseColumnQuery(
  body: Static<typeof ColumnStatisticsBody>,
  { layer, selection }: Reading,
): ColumnQuery {
  const column = columnOf(layer, body.column, 'column');
  if (column.type === 'title') throw parameterInvalid('column', 'a title has no values');
  return {
    column,
    measure: measureOf(column, { ...selection, alias: sql`t` }),
    percentiles: body.percentiles ?? usualPercentiles,
    histogram: body.histogram as ColumnQuery['histogram'],
    bins: body.bins ?? 10,
    frequent: body.frequent ?? 10,
    distinct: body.distinct ?? 1_000,
  };
}

export function parseGroupQuery(
  body: Static<typeof GroupsBody>,
  { layer, selection, most }: Reading & { most: number },
): GroupQuery {
  const measured = (codes: readonly string[], parameter: string): Measured[] =>
    [...new Set(codes)].map((code) => {
      const column = columnOf(layer, code, parameter);
      const measure = measureOf(column, { ...selection, alias: sql`t` });
      if (!measure || (parameter === 'of' && !measure.ordered))
        throw parameterInvalid(parameter, `the column '${code}' is of type ${column.type}`);
      return { column, measure };
    });
  return {
    by: measured(body.by, 'by'),
    of: measured(body.of ?? [], 'of'),
    percentiles: body.percentiles ?? usualPercentiles,
    sort: (body.sort as GroupQuery['sort'] | undefined) ?? 'count',
    limit: Math.min(body.limit ?? 1_000, most),
  };
}
