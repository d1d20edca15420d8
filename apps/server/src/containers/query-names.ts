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
