import type { Queryable, Transaction } from '@cartulary/database';
import { type BoxEdges, joinBoxes } from '@cartulary/geo';
import { prepared, type Sql, sql } from '@cartulary/sql';

/** Most boxes that one write logs. */
const boxLimit = 64;

/** Rows that are kept for a layer, about. Older versions count as a change of everything. */
const keptRowLimit = 5_000;

/** Old rows are deleted every so many versions. */
const sweepVersions = 64;

/** The extent of a geometry as SQL: [west, south, east, north], degrees; null without one. */
export const boxOf = (shape: Sql): Sql => sql`(
  select array[st_xmin(b.b), st_ymin(b.b), st_xmax(b.b), st_ymax(b.b)]
  from (select box3d(${shape}) as b offset 0) b where b.b is not null)`;

/**
 * Logs with the COMMIT of a write where it changed objects: their extents before and after, degrees. A write that logs
 * nothing, or `undefined`, counts as a change of everything. An empty list is a change that no map shows. Old rows are
 * deleted from time to time.
 */
export function logChanges(
  tx: Pick<Transaction, 'beforeCommit'>,
  layerId: number,
  boxes: readonly BoxEdges[] | undefined,
): void {
  if (!boxes?.every((box) => box.every(Number.isFinite))) return;
  const noted: readonly (BoxEdges | null[])[] = boxes.length ? joinBoxes(boxes, boxLimit) : [[]];
  const edge = (at: number): (number | null)[] => noted.map((box) => box[at] ?? null);
  // The check is `< 2` because a transaction may raise the version by two each time.
  tx.beforeCommit(sql`
    with state as (select layer_id, data_version from cartulary.layer_state where layer_id = ${layerId}),
      noted as (
        insert into cartulary.layer_change (layer_id, data_version, west, south, east, north)
        select s.layer_id, s.data_version, b.west, b.south, b.east, b.north from state s cross join unnest(
          ${edge(0)}::float8[], ${edge(1)}::float8[], ${edge(2)}::float8[], ${edge(3)}::float8[]) b (west, south, east, north))
    delete from cartulary.layer_change where (select data_version % ${sweepVersions}::bigint < 2 from state)
      and layer_id = ${layerId} and data_version <= (
        select data_version from cartulary.layer_change where layer_id = ${layerId}
        order by data_version desc offset ${keptRowLimit}::bigint limit 1)`);
}

/** An extent that a version changed; null: the version changed nothing visible. */
export interface LayerChange {
  layer: number;
  version: number;
  box: BoxEdges | null;
}

/** The logged changes of layers after a version of each, in the order of versions. */
export async function readChanges(
  db: Queryable,
  since: readonly { layer: number; version: number }[],
): Promise<LayerChange[]> {
  const rows = await db.query<{ layer_id: number; data_version: number; box: BoxEdges | null }>(
    prepared(sql`
    select c.layer_id, c.data_version,
      case when c.west is not null then array[c.west, c.south, c.east, c.north] end as box
    from unnest(${since.map(({ layer }) => layer)}::integer[], ${since.map(({ version }) => version)}::bigint[]) s (layer, version)
    join cartulary.layer_change c on c.layer_id = s.layer and c.data_version > s.version
    order by c.data_version`),
  );
  return rows.map(({ layer_id, data_version, box }) => ({ layer: layer_id, version: data_version, box }));
}
