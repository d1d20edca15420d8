import type { Database, Queryable, Snapshot } from '@cartulary/database';
import { sql } from '@cartulary/sql';
import type { Caller } from '../../access/caller.js';
import { demand } from '../../access/rights.js';
import { createSnapshotMemo } from '../../access/snapshot-memo.js';
import {
  dataVersion,
  isPossibleCode,
  mapNotFound,
  publicMayView,
  rightOnLayer,
  rightOnMap,
} from '../../containers/containers.js';
import { freshenClasses, hasStaleClasses } from '../../layers/visual/visual.js';

/** The part of a map that may change with every request: versions, and the layers that the caller may view. */
export interface MapState {
  id: number;
  version: number;
  project_id: number;
  /** Version of the project's icons. */
  icons_version: number;
  has_publication: boolean;
  /** Data versions of the viewable layers, by layer id. */
  viewable: ReadonlyMap<number, number>;
}

/**
 * The state of a map for a caller, by one query; stale classes of visualizations are computed first. The state is read
 * before the data. So a picture shows at least these versions, and every acknowledged write has raised them before.
 * `at`: the state may be as old as this snapshot. Throws 404, 403.
 */
export const mapState = (db: Database, caller: Caller, code: string, at?: Snapshot): Promise<MapState> =>
  seen(caller, at, code, () => freshState(db, caller, code, at));

const seen = createSnapshotMemo<MapState>();

async function freshState(db: Database, caller: Caller, code: string, at?: Snapshot): Promise<MapState> {
  const { state, stale } = await readState(db, caller, code, at);
  if (!stale.length) return state;
  await freshenClasses(db, stale);
  return (await readState(db, caller, code)).state;
}

/** Reads the state; `stale`: layers whose classes must be computed before drawing. */
async function readState(
  db: Queryable,
  caller: Caller,
  code: string,
  at?: Snapshot,
): Promise<{ state: MapState; stale: number[] }> {
  if (!isPossibleCode(code)) throw mapNotFound(code);
  const [row] = await db.cachedQuery<{
    id: number;
    version: number;
    project_id: number;
    icons_version: number;
    right: number;
    has_publication: boolean;
    layers: [id: number, version: number, right: number, isStale: boolean][];
  }>(
    sql`
      select m.id, m.version, m.project_id,
        (select p.icons_version from cartulary.project p where p.id = m.project_id) as icons_version,
        ${rightOnMap(caller)} as "right", ${publicMayView(sql`m`)} as has_publication,
        (select coalesce(jsonb_agg(jsonb_build_array(
            l.id, ${dataVersion(sql`l`)}, ${rightOnLayer(caller, sql`m`, sql`l`)}, ${hasStaleClasses(sql`l`, sql`s`)})), '[]')
          from cartulary.container l left join cartulary.layer_state s on s.layer_id = l.id
          where l.map_id = m.id and l.type not in ('map', 'folder')) as layers
      from cartulary.container m
      where m.project_id = ${caller.project.id} and m.type = 'map' and m.code = ${code}`,
    at,
  );
  if (!row) throw mapNotFound(code);
  demand(caller, row.right, 'view');
  const viewable = row.layers.filter(([, , right]) => right >= 1);
  const state = {
    id: row.id,
    version: row.version,
    project_id: row.project_id,
    icons_version: row.icons_version,
    has_publication: row.has_publication,
    viewable: new Map(viewable.map(([id, version]): [number, number] => [id, version])),
  };
  return { state, stale: viewable.filter(([, , , isStale]) => isStale).map(([id]) => id) };
}
