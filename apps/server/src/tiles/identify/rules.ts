import { type DrawingRule, type FeatureValue, rulesDrawing } from '@cartulary/cartocss';
import type { Queryable } from '@cartulary/database';
import { join, sql } from '@cartulary/sql';
import { classSql } from '@cartulary/visualizations';
import { layerTable } from '../../layers/layers.js';
import { readById, visualOf } from '../../layers/visual/visual.js';
import type { DrawableLayer } from '../plan/choose-layers.js';
import { styleColumns } from '../plan/sql/layer-source.js';

/** What drew an object. */
export interface DrawnBy {
  /** Of a layer with a style: its rules, from the bottom to the top. */
  rules?: DrawingRule[];
  /** Of a layer with a visualization: the number of the object's class, from 1; 0: none of the classes. */
  class?: number;
}

interface Languages {
  z: number;
  lng: string;
  main: string;
}

/** What drew these objects of a layer, by their ids. */
export async function drawnBy(
  db: Queryable,
  { source, style }: Pick<DrawableLayer, 'source' | 'style'>,
  ids: readonly number[],
  { z, lng, main }: Languages,
  signal: AbortSignal,
): Promise<Map<number, DrawnBy>> {
  const visual = visualOf(source);
  const from = sql`from ${layerTable(source.id)} t where t.svc_id = any(${[...ids]}::bigint[])`;
  if (visual) {
    const read = readById(source.columns, { alias: sql`t`, main });
    const rows = await db.query<{ id: number; class: number }>(
      sql`select t.svc_id as id, (${classSql(visual, read)})::integer as class ${from}`,
      signal,
    );
    return new Map(rows.map(({ id, class: number }) => [id, { class: number }]));
  }
  const columns = styleColumns({ columns: source.columns, read: style.compiled.columnsAt(z), lng, main });
  const values = [...columns.values(), geometryKind];
  const rows = await db.query<{ id: number; values: FeatureValue[] }>(
    sql`select t.svc_id as id, json_build_array(${join(values)}) as values ${from}`,
    signal,
  );
  const names = [...columns.keys(), 'mapnik::geometry_type'];
  return new Map(
    rows.map(({ id, values }) => {
      const feature = new Map(names.map((name, i) => [name, values[i] ?? null]));
      feature.set('svc_id', id);
      return [
        id,
        { rules: rulesDrawing(source.css_style, style.compiled.rules, { zoom: z, values: feature }) },
      ];
    }),
  );
}

/** The number that a style's filter by the kind of the geometry compares. */
const geometryKind = sql`case when st_geometrytype(t.geom) = 'ST_GeometryCollection' then 4 else st_dimension(t.geom) + 1 end`;
