import type { Queryable } from '../db/pool.js';
import { type Sql, sql } from '../db/sql.js';
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
 * Notes in the transaction of a write, after `touchData`, where objects were changed: the boxes of their shapes before and
 * after it, degrees. A write that notes nothing, or `undefined`, has changed everything; an empty list is one that no map
 * shows. Old rows are deleted now and then.
 */
export async function logChanges(
  tx: Queryable,
  layerId: number,
  boxes: readonly Edges[] | undefined,
): Promise<void> {
  if (!boxes?.every((box) => box.every(Number.isFinite))) return;
  const noted: readonly (Edges | null[])[] = boxes.length ? joinBoxes(boxes, mostBoxes) : [[]];
  const edge = (at: number): (number | null)[] => noted.map((box) => box[at] ?? null);
  const [row] = await tx.query<{ version: number }>(sql`
    insert into cartulary.layer_change (layer_id, data_version, west, south, east, north)
    select s.layer_id, s.data_version, b.west, b.south, b.east, b.north
    from cartulary.layer_state s cross join unnest(
      ${edge(0)}::float8[], ${edge(1)}::float8[], ${edge(2)}::float8[], ${edge(3)}::float8[]) b (west, south, east, north)
    where s.layer_id = ${layerId} returning data_version as version`);
  // Two, because a transaction may raise the version by two each time.
  if (row && row.version % sweepEvery < 2) await sweepChanges(tx, layerId);
}

/** Deletes what is too old to be kept of the changes of a layer. */
const sweepChanges = (tx: Queryable, layerId: number): Promise<unknown> =>
  tx.query(sql`
    delete from cartulary.layer_change where layer_id = ${layerId} and data_version <= (
      select data_version from cartulary.layer_change where layer_id = ${layerId}
      order by data_version desc offset ${keptRows}::bigint limit 1)`);

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
  const rows = await db.query<{ layer_id: number; data_version: number; box: Edges | null }>(sql`
    select c.layer_id, c.data_version,
      case when c.west is not null then array[c.west, c.south, c.east, c.north] end as box
    from unnest(${since.map(({ layer }) => layer)}::integer[], ${since.map(({ version }) => version)}::bigint[]) s (layer, version)
    join cartulary.layer_change c on c.layer_id = s.layer and c.data_version > s.version
    order by c.data_version`);
  return rows.map(({ layer_id, data_version, box }) => ({ layer: layer_id, version: data_version, box }));
}
