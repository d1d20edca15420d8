import type { Column } from '@cartulary/columns';
import { heavyReads, perDatabase, type Queryable } from '@cartulary/database';
import { digestOf } from '@cartulary/runtime';
import { empty, type Sql, sql } from '@cartulary/sql';
import { type AnyVisual, classSql, drawingOf, legendHeadOf } from '@cartulary/visualizations';
import { LRUCache } from 'lru-cache';
import { changedMeanwhile, type Layer, layerTable } from '../layers.js';
import { cellsSql } from './cells.js';
import { visualOf } from './stored-classes.js';
import { drawnValue, readById } from './values.js';

/** The languages of an answer: the asked one and the main one. */
export interface AnswerLanguages {
  lng?: string | undefined;
  main: string;
}

/** A condition over the alias `t` on the objects that are counted, and its key. */
export interface CountedObjects {
  where: Sql;
  key: string;
  /** The error of a condition that fails on the values; undefined for other failures. */
  failure(error: unknown): Error | undefined;
}

export interface ClassCount {
  class: number;
  count: number;
  /** The value of one object in the language of the answer, where values are localized. */
  value: string | null;
}

/** The fields of a layer that its classes depend on. */
export type VisualLayer = Pick<
  Layer,
  'id' | 'columns' | 'data_version' | 'visual_settings' | 'visual_classes' | 'visual_custom_settings'
>;

/** The cache key holds everything that counts depend on: layer, data version, classes and language. */
const countsOf = perDatabase(() => new LRUCache<string, readonly ClassCount[]>({ max: 2_000 }));

/** The current number of objects in each class: of all, or of those that meet a condition. */
export async function classCounts(
  db: Queryable,
  layer: VisualLayer,
  { lng, main, only }: AnswerLanguages & { only?: CountedObjects | undefined },
  signal?: AbortSignal,
): Promise<readonly ClassCount[]> {
  const visual = visualOf(layer);
  if (!visual) return [];
  const { id, data_version, visual_classes } = layer;
  const known = countsOf(db);
  const key = digestOf(JSON.stringify([id, data_version, visual.settings, visual_classes, lng, only?.key]));
  const kept = known.get(key);
  if (kept) return kept;
  const rows = await heavyReads(db)
    .query<ClassCount>(countsSql(layer, visual, { lng, main, only }), signal)
    .catch((error) => Promise.reject(only?.failure(error) ?? changedMeanwhile(error)));
  known.set(key, rows);
  return rows;
}

function countsSql(
  layer: VisualLayer,
  visual: AnyVisual,
  { lng, main, only }: AnswerLanguages & { only: CountedObjects | undefined },
): Sql {
  const { id, columns } = layer;
  const { cells } = drawingOf(visual);
  if (cells)
    return sql`
      select case when c.i is null then 0 else ${cells.class} end as class, sum(c.n)::integer as count, null::text as value
      from (${cellsSql({ layer: { ...layer, ...(only && { where: only.where }) }, main }, cells)}) c group by 1`;
  const alias = sql`t`;
  const column = countedColumn(layer, visual);
  const value = column?.localized_value ? drawnValue(column, { alias, lng, main }) : sql`null::text`;
  return sql`
    select class, count(*)::integer as count, min(left(value::text, 1000) collate "C") as value
    from (select ${classSql(visual, readById(columns, { alias, main }))} as class, ${value} as value
      from ${layerTable(id)} t${only ? sql` where ${only.where}` : empty}) classed group by class`;
}

export const countedColumn = (
  { columns }: Pick<Layer, 'columns'>,
  { settings }: AnyVisual,
): Column | undefined => columns.find(({ id }) => id === legendHeadOf(settings).column);
