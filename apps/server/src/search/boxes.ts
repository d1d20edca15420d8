import { isDataError, type Queryable } from '@cartulary/database';
import type { Box } from '@cartulary/geo';
import { join, sql } from '@cartulary/sql';
import { layerTable } from '../layers/layers.js';
import type { LayerHit, ObjectHit } from './order.js';

type Row = { layer: number; id: number } & { [side in keyof Box]: number | null };

const keyOf = (layer: number, id: number): string => `${layer}/${id}`;

/** Returns a function that gives the box of an object among the results, in degrees; null without a geometry. */
export async function readHitBoxes(
  db: Queryable,
  hits: readonly (LayerHit | ObjectHit)[],
  signal?: AbortSignal,
): Promise<(hit: ObjectHit) => Box | null> {
  const ids = new Map<number, number[]>();
  for (const hit of hits)
    if (hit.type === 'object') ids.set(hit.layer.id, [...(ids.get(hit.layer.id) ?? []), hit.id]);
  const parts = [...ids].map(
    ([layer, of]) => sql`select ${layer}::integer as layer, svc_id as id,
      st_xmin(geom) as west, st_ymin(geom) as south, st_xmax(geom) as east, st_ymax(geom) as north
      from ${layerTable(layer)} where svc_id = any(${of}::bigint[])`,
  );
  const rows = parts.length ? await db.query<Row>(join(parts, ' union all '), signal).catch(none) : [];
  const boxes = new Map(rows.map(({ layer, id, ...box }) => [keyOf(layer, id), box]));
  return ({ layer, id }) => {
    const box = boxes.get(keyOf(layer.id, id));
    return box && box.west !== null ? (box as Box) : null;
  };
}

/** A virtual layer whose query fails on its data: its results have no boxes. */
function none(error: unknown): [] {
  if (!isDataError(error)) throw error;
  return [];
}
