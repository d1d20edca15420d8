import type { Queryable, Transaction } from '../db/pool.js';
import { often, type Sql, sql } from '../db/sql.js';
import { type Edges, joinBoxes } from '../geo/join-boxes.js';

/** Most boxes that one write notes. */
const mostBoxes = 64;

/** Rows that are kept of a layer, about; what is older is a change of everything. */
const keptRows = 5_000;

/** How often old rows are looked for, in versions. */
const sweepEvery = 64;

/** The box of a shape as SQL: [west, south, east, north], degrees; null where there is none. */
export const boxOf = (shape: Sql): Sql => sql`(
  select array[st_xmin(b.b), st_ymin(b.b), st_xmax(b.b), st_ymax(b.b)]
  from (select box3d(${shape}) as b offset 0) b where b.b is not null)`;

/**
 * Notes in the transaction of a write, when it is committed, where objects were changed: the boxes of their shapes before and
 * after it, degrees. A write that notes nothing, or `undefined`, has changed everything; an empty list is one that no map
 * shows. Old rows are deleted now and then.
 */
export function logChanges(
  tx: Pick<Transaction, 'lastly'>,
  layerId: number,
  boxes: readonly Edges[] | undefined,
): void {
  if (!boxes?.every((box) => box.every(Number.isFinite))) return;
  const noted: readonly (Edges | null[])[] = boxes.length ? joinBoxes(boxes, mostBoxes) : [[]];
  const edge = (at: number): (number | null)[] => noted.map((box) => box[at] ?? null);
  // Every so often: two, because a transaction may raise the version by two each time.
  tx.lastly(sql`
    with state as (select layer_id, data_version from cartulary.layer_state where layer_id = ${layerId}),
      noted as (
        insert into cartulary.layer_change (layer_id, data_version, west, south, east, north)
        select s.layer_id, s.data_version, b.west, b.south, b.east, b.north from state s cross join unnest(
          ${edge(0)}::float8[], ${edge(1)}::float8[], ${edge(2)}::float8[], ${edge(3)}::float8[]) b (west, south, east, north))
    delete from cartulary.layer_change where (select data_version % ${sweepEvery}::bigint < 2 from state)
      and layer_id = ${layerId} and data_version <= (
        select data_version from cartulary.layer_change where layer_id = ${layerId}
        order by data_version desc offset ${keptRows}::bigint limit 1)`);
}

/** A box that a version has changed; null: a version that has changed nothing that is drawn. */
export interface Change {
  layer: number;
  version: number;
  box: Edges | null;
}

/** The changes of layers that were noted after a version of each, in the order of their versions. */
export async function readChanges(
  db: Queryable,
  since: readonly { layer: number; version: number }[],
): Promise<Change[]> {
  const rows = await db.query<{ layer_id: number; data_version: number; box: Edges | null }>(
    often(sql`
    select c.layer_id, c.data_version,
      case when c.west is not null then array[c.west, c.south, c.east, c.north] end as box
    from unnest(${since.map(({ layer }) => layer)}::integer[], ${since.map(({ version }) => version)}::bigint[]) s (layer, version)
    join cartulary.layer_change c on c.layer_id = s.layer and c.data_version > s.version
    order by c.data_version`),
  );
  return rows.map(({ layer_id, data_version, box }) => ({ layer: layer_id, version: data_version, box }));
}
