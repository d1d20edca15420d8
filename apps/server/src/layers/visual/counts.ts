import { LRUCache } from 'lru-cache';
import { inHeavyTurn, type Queryable } from '../../db/pool.js';
import { type Sql, sql } from '../../db/sql.js';
import { type AnyVisual, classSql, drawingOf, headOf } from '../../visualizations/visualization.js';
import { type Column, changedMeanwhile, type Layer, layerTable } from '../layers.js';
import { cellsSql } from './cells.js';
import { visualOf } from './fresh.js';
import { drawnValue, readById } from './values.js';

/** The languages of an answer: the asked one and the main one. */
export interface Languages {
  lng?: string | undefined;
  main: string;
}

export interface ClassCount {
  class: number;
  count: number;
  /** The value of one of its objects in the language of the answer, where values are localized. */
  value: string | null;
}

/** A layer as far as its classes go. */
export type VisualLayer = Pick<
  Layer,
  'id' | 'columns' | 'data_version' | 'visual_settings' | 'visual_classes' | 'visual_custom_settings'
>;

/** By everything that they depend on: layer, data version, classes and language. */
const counted = new WeakMap<Queryable, LRUCache<string, readonly ClassCount[]>>();

/** How many objects are in each class, as the data is now. */
export async function classCounts(
  db: Queryable,
  layer: VisualLayer,
  { lng, main }: Languages,
  signal?: AbortSignal,
): Promise<readonly ClassCount[]> {
  const visual = visualOf(layer);
  if (!visual) return [];
  const { id, data_version, visual_classes } = layer;
  const known = counted.get(db) ?? new LRUCache({ max: 2000 });
  counted.set(db, known);
  const key = JSON.stringify([id, data_version, visual.settings, visual_classes, lng]);
  const kept = known.get(key);
  if (kept) return kept;
  const rows = await inHeavyTurn(db)
    .query<ClassCount>(countsSql(layer, visual, { lng, main }), signal)
    .catch((error) => Promise.reject(changedMeanwhile(error)));
  known.set(key, rows);
  return rows;
}

function countsSql(layer: VisualLayer, visual: AnyVisual, { lng, main }: Languages): Sql {
  const { id, columns } = layer;
  const { cells } = drawingOf(visual);
  if (cells)
    return sql`
      select case when c.i is null then 0 else ${cells.class} end as class, sum(c.n)::integer as count, null::text as value
      from (${cellsSql({ layer, main }, cells)}) c group by 1`;
  const alias = sql`t`;
  const column = columnOf(layer, visual);
  const value = column?.localized_value ? drawnValue(column, { alias, lng, main }) : sql`null::text`;
  return sql`
    select class, count(*)::integer as count, min(left(value::text, 1000) collate "C") as value
    from (select ${classSql(visual, readById(columns, { alias, main }))} as class, ${value} as value
      from ${layerTable(id)} t) classed group by class`;
}

export const columnOf = ({ columns }: Pick<Layer, 'columns'>, { settings }: AnyVisual): Column | undefined =>
  columns.find(({ id }) => id === headOf(settings).column);
