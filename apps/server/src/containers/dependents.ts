/** What depends on layers that are about to be deleted. */
import type { Queryable } from '@cartulary/database';
import { badRequest } from '@cartulary/errors';
import { sql } from '@cartulary/sql';
import type { Caller } from '../access/caller.js';
import { rightOnLayer } from './containers.js';

/** A layer, or a column of it, that depends on another layer. */
export interface Dependent {
  /** Of the layer. */
  id: number;
  /** `map_code.layer_code`, for a column with its code. */
  name: string;
  /** The caller's right on the layer. */
  right: number;
}

/** The names of dependents that the caller may view and the number of the others, and the ids of the former. */
export function namedDependents(all: readonly Dependent[]): { names: string; ids: number[] } {
  const shown = all.filter(({ right }) => right >= 1);
  const others = all.length - shown.length;
  const names = [...shown.map(({ name }) => name), ...(others ? [`${others} that you may not view`] : [])];
  return { names: names.join(', '), ids: [...new Set(shown.map(({ id }) => id))] };
}

/** Throws 400 while columns of other layers use these layers as dictionaries. */
export async function refuseDictionaries(
  tx: Queryable,
  caller: Caller,
  layerIds: readonly number[],
): Promise<void> {
  const links = await tx.query<Dependent>(sql`
    select l.id, m.code || '.' || l.code || '.' || c.code as name, ${rightOnLayer(caller, sql`m`, sql`l`)} as "right"
    from cartulary.layer_constraint k join cartulary.layer_column d on d.id = k.dict_column_id
    join cartulary.layer_column c on c.id = any(k.column_ids)
    join cartulary.container l on l.id = k.layer_id join cartulary.container m on m.id = l.map_id
    where d.layer_id = any(${layerIds}::integer[]) and k.layer_id <> all(${layerIds}::integer[]) order by name`);
  if (!links.length) return;
  const { names, ids } = namedDependents(links);
  throw badRequest(
    `Columns of other layers take their values from here: ${names}; remove these links first (see dictionaries/)`,
    { layers: ids },
  );
}

/** Throws 400 while virtual or materialized layers elsewhere read these layers. */
export async function refuseQueryReaders(
  tx: Queryable,
  caller: Caller,
  layerIds: readonly number[],
): Promise<void> {
  const readers = await tx.query<Dependent>(sql`
    select distinct l.id, m.code || '.' || l.code as name, ${rightOnLayer(caller, sql`m`, sql`l`)} as "right"
    from cartulary.layer_source s join cartulary.container l on l.id = s.layer_id
    join cartulary.container m on m.id = l.map_id
    where s.direct and s.source_id = any(${layerIds}::integer[]) and s.layer_id <> all(${layerIds}::integer[])
    order by name`);
  if (!readers.length) return;
  const { names, ids } = namedDependents(readers);
  throw badRequest(
    `Virtual or materialized layers elsewhere read layers from here: ${names}; change or delete these first`,
    { layers: ids },
  );
}
