import type { Queryable } from '@cartulary/database';
import { ident, sql } from '@cartulary/sql';
import { touchMap } from './containers.js';

interface Reading {
  layer_id: number;
  map_id: number;
  parts: string[];
  refs: { source: number; text: string; alias: string | null }[];
}

/**
 * Carries new codes of layers, or of their maps, into the text of the queries that read them (`json.query`). A query that
 * refers to columns by the layer's old code gets this code as an alias.
 */
export async function carryCodes(tx: Queryable, layerIds: readonly number[]): Promise<void> {
  const readings = await tx.query<Reading>(sql`
    select q.layer_id, c.map_id, q.parts, q.refs from cartulary.layer_query q
    join cartulary.container c on c.id = q.layer_id
    where exists (select from cartulary.layer_source s
      where s.layer_id = q.layer_id and s.direct and s.source_id = any(${[...layerIds]}::integer[]))
    order by q.layer_id`);
  if (!readings.length) return;
  const named = await tx.query<{ id: number; map: string; layer: string }>(sql`
    select l.id, m.code as map, l.code as layer from cartulary.container l
    join cartulary.container m on m.id = l.map_id where l.id = any(${[...layerIds]}::integer[])`);
  const names = new Map(named.map(({ id, map, layer }) => [id, ident(map, layer).text[0]!]));
  for (const { layer_id, map_id, parts, refs } of readings) {
    const carried = refs.map((ref) => {
      const name = names.get(ref.source);
      if (name === undefined) return ref;
      return { ...ref, text: ref.alias === null ? name : `${name} as ${ident(ref.alias).text[0]}` };
    });
    const query = parts.map((part, i) => (i ? carried[i - 1]!.text : '') + part).join('');
    await tx.query(sql`
      update cartulary.layer_query set refs = ${JSON.stringify(carried)}::jsonb where layer_id = ${layer_id}`);
    await tx.query(sql`
      update cartulary.container set json = json || jsonb_build_object('query', ${query}::text) where id = ${layer_id}`);
    await touchMap(tx, map_id);
  }
}

/** The same for all layers of a map with a new code. */
export async function carryMapCode(tx: Queryable, mapId: number): Promise<void> {
  const layers = await tx.query<{ id: number }>(
    sql`select id from cartulary.container where map_id = ${mapId} and type not in ('map', 'folder')`,
  );
  await carryCodes(
    tx,
    layers.map(({ id }) => id),
  );
}

/** The new code of a layer, or of one of its columns. */
interface NewCode {
  layer: string;
  /** The old code of the column; absent: the layer itself has a new one. */
  column?: string;
  code: string;
}

/**
 * Carries the new code of a layer or column into the search settings of its map, which name both: those of `json.search`, and
 * those in use. The caller has locked the map, and raises its version.
 */
export async function carryIntoSearch(tx: Queryable, mapId: number, renamed: NewCode): Promise<void> {
  const [map] = await tx.query<{ edited: unknown; used: unknown }>(
    sql`select json -> 'search' as edited, search as used from cartulary.container where id = ${mapId}`,
  );
  const carried = (settings: unknown): string => JSON.stringify(renamedIn(settings, renamed));
  if (Array.isArray(map!.edited))
    await tx.query(sql`
      update cartulary.container set json = json || jsonb_build_object('search', ${carried(map!.edited)}::jsonb)
      where id = ${mapId}`);
  if (Array.isArray(map!.used))
    await tx.query(
      sql`update cartulary.container set search = ${carried(map!.used)}::jsonb where id = ${mapId}`,
    );
}

/** Elements are stored as they were sent: those of another form stay as they are. */
const renamedIn = (settings: unknown, { layer, column, code }: NewCode): unknown[] =>
  (settings as unknown[]).map((item) => {
    if (typeof item !== 'object' || item === null) return item;
    const { layer: own, columns, name_column } = item as Record<string, unknown>;
    if (own !== layer) return item;
    if (column === undefined) return { ...item, layer: code };
    const following = (one: unknown): unknown => (one === column ? code : one);
    return {
      ...item,
      ...(Array.isArray(columns) ? { columns: columns.map(following) } : {}),
      ...(name_column === column ? { name_column: code } : {}),
    };
  });
