/** Queries of layers as callers send them: `json.query` of virtual and materialized layers. */
import { isoText } from '@cartulary/columns';
import type { Queryable, Transaction } from '@cartulary/database';
import { requiredMissing, ServiceError } from '@cartulary/errors';
import { type CheckedQuery, problemAt, type Reference, readQuery } from '@cartulary/select-guard';
import { sql } from '@cartulary/sql';
import type { Caller } from '../../access/caller.js';
import { type Container, rightOnLayer } from '../../containers/containers.js';
import { type ColumnLimits, mostColumns } from '../columns/column-limit.js';
import { holdsObjects } from '../layers.js';
import { addDistantSources, withReaders } from '../readers.js';
import { buildLayer, type ViewLimits } from './query-build.js';
import { columnsOfLayers } from './query-layer.js';
import type { StoredQuery } from './query-text.js';

/** The settings that limit queries. */
export interface QueryConfig extends ColumnLimits {
  queryLengthBytes: number;
  queryTimeoutMs: number;
  refreshTimeoutMs: number;
  queryRows: number;
}

/** A query to save: its caller and layer. */
export interface SaveQuery {
  caller: Caller;
  layer: Pick<Container, 'id' | 'type' | 'json'>;
  config: QueryConfig;
}

/** Most levels of virtual layers that read one another. */
const depthLimit = 5;

/** Longest time of the query of a layer, ms. */
export const queryTimeoutOf = ({ type }: Pick<Container, 'type'>, config: QueryConfig): number =>
  type === 'material' ? config.refreshTimeoutMs : config.queryTimeoutMs;

const viewLimitsOf = async (
  tx: Queryable,
  layer: Pick<Container, 'id' | 'type'>,
  config: QueryConfig,
): Promise<ViewLimits> => ({
  timeoutMs: queryTimeoutOf(layer, config),
  rows: config.queryRows,
  columns: await mostColumns(tx, layer.id, config),
});

/**
 * Puts `json.query` of a layer into use: takes its columns from the result, and fills a materialized layer. Throws
 * `query_invalid` with the problem and its position, `required_missing`, and 400 where layers that read this one would break.
 */
export async function saveQuery(tx: Transaction, { caller, layer, config }: SaveQuery): Promise<void> {
  const text = layer.json.query;
  if (typeof text !== 'string' || text.trim() === '') throw requiredMissing('json.query');
  const { query, sources, refs } = await checkQuery(tx, text, { caller, type: layer.type, config });
  await keepSources(tx, layer, idsOf(sources));
  await withReaders(tx, layer.id, async () => {
    await storeQuery(tx, layer.id, { parts: query.parts, refs });
    await storeSources(tx, layer.id, idsOf(sources));
    await refuseCircle(tx, layer, query, sources);
    const rows = await buildLayer(tx, layer.id, await viewLimitsOf(tx, layer, config));
    await noteRows(tx, layer, rows ?? 0);
  });
}

/** Checks the text of a query against the layers that the caller may view. Throws `query_invalid` with the position. */
export async function checkQuery(
  tx: Queryable,
  text: string,
  { caller, type, config }: { caller: Caller; type: string; config: QueryConfig },
): Promise<{ query: CheckedQuery; sources: number[]; refs: StoredQuery['refs'] }> {
  const query = await readQuery(text, { isStored: type === 'material', limitBytes: config.queryLengthBytes });
  const sources = await resolve(tx, caller, query);
  await demandColumns(tx, query, sources);
  return { query, sources, refs: refsOf(query, sources) };
}

/**
 * Locks the sources until the end of the transaction against deletion and changes of their columns. Filling a materialized
 * layer may take long, so its lock does not block writers of objects.
 */
async function keepSources(
  tx: Queryable,
  { type }: Pick<Container, 'type'>,
  ids: readonly number[],
): Promise<void> {
  const kept = await tx.query(sql`
    select from cartulary.layer_state where layer_id = any(${[...ids]}::integer[])
    order by layer_id ${type === 'virtual' ? sql`for share` : sql`for key share`}`);
  if (kept.length < ids.length)
    throw new ServiceError('busy', 'A layer that the query reads has just been deleted; try again');
}

/** Runs the query of a materialized layer again with the caller's rights. Throws `query_invalid` when it no longer runs. */
export const refreshLayer = (tx: Transaction, save: SaveQuery): Promise<void> => saveQuery(tx, save);

const idsOf = (sources: readonly number[]): number[] => [...new Set(sources)].sort((a, b) => a - b);

/** The ids of the referenced layers, in order. An unknown layer and one that the caller may not view give the same error. */
async function resolve(tx: Queryable, caller: Caller, { references }: CheckedQuery): Promise<number[]> {
  const found = await tx.query<Pick<Container, 'id' | 'type'> & { map: string; layer: string }>(sql`
    select l.id, l.type, m.code as map, l.code as layer
    from unnest(${references.map(({ map }) => map)}::text[], ${references.map(({ layer }) => layer)}::text[]) as named (map, layer)
    join cartulary.container m on m.project_id = ${caller.project.id} and m.type = 'map' and m.code = named.map
    join cartulary.container l on l.map_id = m.id and l.code = named.layer and l.type not in ('map', 'folder')
    where ${rightOnLayer(caller, sql`m`, sql`l`)} >= 1`);
  return references.map((reference) => {
    const source = found.find(({ map, layer }) => map === reference.map && layer === reference.layer);
    if (!source)
      throw problemAt(
        reference.place,
        `there is no layer ${nameOf(reference)} that you may view; codes with capitals or hyphens are written in double quotes`,
      );
    if (!holdsObjects(source))
      throw problemAt(
        reference.place,
        `the layer ${nameOf(reference)} is of type ${source.type}, which has no objects`,
      );
    return source.id;
  });
}

const nameOf = ({ map, layer }: Reference): string => `${map}.${layer}`;

async function demandColumns(tx: Queryable, query: CheckedQuery, sources: readonly number[]): Promise<void> {
  const columns = await columnsOfLayers(tx, sources);
  query.checkColumns([...columns.values()].flat().map(({ code }) => code));
}

const refsOf = ({ references }: CheckedQuery, sources: readonly number[]): StoredQuery['refs'] =>
  references.map(({ text, layer, hasAlias }, i) => ({
    source: sources[i]!,
    text,
    alias: hasAlias ? null : layer,
  }));

/** A layer whose sources change must get a version above all earlier ones. */
async function storeQuery(tx: Queryable, layerId: number, { parts, refs }: StoredQuery): Promise<void> {
  await raiseOwnVersion(tx, [layerId]);
  await tx.query(sql`
    insert into cartulary.layer_query (layer_id, parts, refs)
    values (${layerId}, ${[...parts]}::text[], ${JSON.stringify(refs)}::jsonb)
    on conflict (layer_id) do update set parts = excluded.parts, refs = excluded.refs, problem = null`);
}

const raiseOwnVersion = (tx: Queryable, layerIds: readonly number[]): Promise<unknown> =>
  tx.query(sql`
    update cartulary.layer_state set data_version = cartulary.data_version(layer_id) + 1, imports = imports + 1,
      changed_at = clock_timestamp()
    where layer_id = any(${[...layerIds]}::integer[])`);

/** Stores which layers a query reads, also through virtual ones. */
async function storeSources(tx: Queryable, layerId: number, sources: readonly number[]): Promise<void> {
  await tx.query(sql`delete from cartulary.layer_source where layer_id = ${layerId}`);
  await tx.query(sql`
    insert into cartulary.layer_source (layer_id, source_id, direct)
    select ${layerId}, id, true from unnest(${sources}::integer[]) as id`);
  await addDistantSources(tx, layerId);
}

async function refuseCircle(
  tx: Queryable,
  { id }: Pick<Container, 'id'>,
  { references }: CheckedQuery,
  sources: readonly number[],
): Promise<void> {
  const [circle] = await tx.query<{ direct: boolean }>(
    sql`select direct from cartulary.layer_source where layer_id = ${id} and source_id = ${id}`,
  );
  const own = sources.indexOf(id);
  if (circle) throw problemAt(references[Math.max(own, 0)]!.place, 'the layer would read itself');
  const [depth] = await tx.query<{ depth: number }>(sql`
    with recursive above as (
      select ${id}::integer as id, 1 as depth
      union all
      select s.source_id, a.depth + 1 from above a join cartulary.layer_source s on s.layer_id = a.id and s.direct
      join cartulary.container c on c.id = s.source_id and c.type = 'virtual' where a.depth <= ${depthLimit}::integer)
    select max(depth) as depth from above`);
  if (depth!.depth > depthLimit)
    throw new ServiceError(
      'query_invalid',
      `The query is not valid: at most ${depthLimit} virtual layers read one another in a row`,
      { limit: depthLimit },
    );
}

/** Stores the result of the last run of a materialized layer: `json.refreshed`. */
async function noteRows(
  tx: Queryable,
  { id, type }: Pick<Container, 'id' | 'type'>,
  rows: number,
): Promise<void> {
  if (type !== 'material') return;
  await tx.query(sql`
    update cartulary.layer_query set refreshed_at = clock_timestamp(), row_count = ${rows} where layer_id = ${id}`);
  await tx.query(sql`
    update cartulary.container c set json = c.json || jsonb_build_object('refreshed', jsonb_build_object(
      'at', ${isoText(sql`q.refreshed_at`)}, 'rows', q.row_count))
    from cartulary.layer_query q where q.layer_id = c.id and c.id = ${id}`);
}
