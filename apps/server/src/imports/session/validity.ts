import type { Transaction } from '@cartulary/database';
import { badRequest } from '@cartulary/errors';
import { sql } from '@cartulary/sql';
import { type Layer, layerTable, ownsObjects, touchData } from '../../layers/layers.js';

/** Objects of one statement: the embedded database must not be blocked for long. */
const slice = 10_000;

/**
 * A geometry of the table made valid. A member of a collection may turn into a collection itself, whose members then
 * take its place: no geometry is a collection within a collection.
 */
const valid = sql`(select case when GeometryType(made) <> 'GEOMETRYCOLLECTION' then made
  else ST_ForceCollection((select ST_Collect(part.geom order by part.path) from ST_Dump(made) part)) end
  from ST_MakeValid(t.geom) made)`;

/** Makes the geometries of a layer valid (OGC Simple Features) where they are not: the number that was changed. */
export async function makeValid(tx: Transaction, layer: Layer): Promise<number> {
  if (!ownsObjects(layer)) throw badRequest(`A layer of the type '${layer.type}' has no objects of its own`);
  const table = layerTable(layer.id);
  await tx.query(sql`set local statement_timeout = 0`);
  await touchData(tx, layer.id);
  let total = 0;
  for (let after: number | null = Number.MIN_SAFE_INTEGER; after !== null; ) {
    const [done]: { last: number | null; changed: number }[] = await tx.query(sql`
      with page as (
        select svc_id from ${table} where svc_id > ${after}::bigint order by svc_id limit ${slice}::bigint
      ), changed as (
        update ${table} t set geom = ${valid} from page p
        where t.svc_id = p.svc_id and not ST_IsValid(t.geom) returning 1
      )
      select (select max(svc_id) from page) as last, (select count(*) from changed) as changed`);
    total += done!.changed;
    after = done!.last;
  }
  return total;
}
