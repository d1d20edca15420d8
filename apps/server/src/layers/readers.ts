/** The virtual and materialized layers that read another layer, and the effects of its changes on them. */
import type { Queryable, Transaction } from '@cartulary/database';
import { badRequest, ServiceError } from '@cartulary/errors';
import { sql } from '@cartulary/sql';
import type { Caller } from '../access/caller.js';
import { rightOnLayer, touchMap } from '../containers/containers.js';
import { type Dependent, namedDependents } from '../containers/dependents.js';
import { layerTable } from './layers.js';
import { buildLayer } from './queries/query-build.js';

/** The virtual layers over a layer, each behind its sources; broken ones are left out. */
const viewsOver = (tx: Queryable, layerId: number): Promise<{ id: number }[]> =>
  tx.query<{ id: number }>(sql`
    select q.layer_id as id from cartulary.layer_source s
    join cartulary.layer_query q on q.layer_id = s.layer_id
    join cartulary.container c on c.id = q.layer_id and c.type = 'virtual'
    where s.source_id = ${layerId} and q.problem is null and q.layer_id <> ${layerId}
    order by (select count(*) from cartulary.layer_source o where o.layer_id = q.layer_id), q.layer_id`);

/**
 * Runs a change of a layer's table or columns, and creates the views over it anew. Throws 400 when a virtual layer that reads
 * it could no longer do so.
 */
export async function withReaders<T>(tx: Transaction, layerId: number, work: () => Promise<T>): Promise<T> {
  const views = await viewsOver(tx, layerId);
  for (const { id } of views.toReversed()) await tx.query(sql`drop view if exists ${layerTable(id)}`);
  const result = await work();
  for (const { id } of views) {
    await addDistantSources(tx, id);
    await buildLayer(tx, id, undefined).catch((error) => {
      if (!(error instanceof ServiceError)) throw error;
      const layers = views.map((view) => view.id);
      throw Object.assign(
        badRequest(
          `Virtual layers read this one, and one of them could not do so any more (ids ${layers.join(', ')}): change its query first`,
          { layers },
        ),
        { cause: error },
      );
    });
  }
  return result;
}

/** Stores the layers that a layer reads through virtual layers. */
export async function addDistantSources(tx: Queryable, layerId: number): Promise<void> {
  await tx.query(sql`delete from cartulary.layer_source where layer_id = ${layerId} and not direct`);
  await tx.query(sql`
    insert into cartulary.layer_source (layer_id, source_id, direct)
    select distinct ${layerId}::integer, far.source_id, false
    from cartulary.layer_source near join cartulary.container c on c.id = near.source_id and c.type = 'virtual'
    join cartulary.layer_source far on far.layer_id = near.source_id
    where near.layer_id = ${layerId} and near.direct
    on conflict do nothing`);
}

/** Throws 400 while virtual or materialized layers read a layer, with the names of those that the caller may view. */
export async function refuseLayerReaders(tx: Queryable, caller: Caller, layerId: number): Promise<void> {
  const readers = await tx.query<Dependent>(sql`
    select l.id, m.code || '.' || l.code as name, ${rightOnLayer(caller, sql`m`, sql`l`)} as "right"
    from cartulary.layer_source s join cartulary.container l on l.id = s.layer_id
    join cartulary.container m on m.id = l.map_id
    where s.source_id = ${layerId} and s.direct order by name`);
  if (!readers.length) return;
  const { names, ids } = namedDependents(readers);
  throw badRequest(`Layers read this one: ${names}; force=1 deletes it all the same`, { layers: ids });
}

/** Marks the layers that read a layer about to be deleted as broken: their error then names the deleted layer. */
export async function breakReaders(
  tx: Transaction,
  layer: { id: number; code: string; map: { code: string } },
): Promise<void> {
  const readers = await tx.query<{ id: number; map_id: number; type: 'virtual' | 'material' }>(sql`
    select c.id, c.map_id, c.type from cartulary.layer_source s join cartulary.container c on c.id = s.layer_id
    where s.source_id = ${layer.id}
    order by (select count(*) from cartulary.layer_source o where o.layer_id = c.id) desc, c.id`);
  if (!readers.length) return;
  const ids = readers.map(({ id }) => id);
  const name = `${layer.map.code}.${layer.code}`;
  const problem = { message: `The layer ${name} that the query reads was deleted`, data: { layer: name } };
  await tx.query(sql`
    update cartulary.layer_state set data_version = cartulary.data_version(layer_id) + 1 where layer_id = any(${ids}::integer[])`);
  await tx.query(sql`
    update cartulary.layer_query set problem = ${JSON.stringify(problem)}::jsonb where layer_id = any(${ids}::integer[])`);
  for (const { id, type } of readers)
    if (type === 'virtual') await tx.query(sql`drop view if exists ${layerTable(id)}`);
  for (const mapId of new Set(readers.map((reader) => reader.map_id))) await touchMap(tx, mapId);
}
