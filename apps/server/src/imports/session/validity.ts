import type { Transaction } from '@cartulary/database';
import { badRequest, ServiceError } from '@cartulary/errors';
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

/**
 * Makes the geometries of a layer valid (OGC Simple Features) where they are not: the number that was changed. Throws `value_invalid`
 * where one crosses itself so often that it would take minutes.
 */
export async function makeValid(tx: Transaction, layer: Layer): Promise<number> {
  if (!ownsObjects(layer)) throw badRequest(`A layer of the type '${layer.type}' has no objects of its own`);
  const table = layerTable(layer.id);
  await tx.query(sql`set local statement_timeout = 0`);
  await touchData(tx, layer.id);
  let total = 0;
  for (let after: number | null = Number.MIN_SAFE_INTEGER; after !== null; ) {
    const [done]: { last: number | null; changed: number; refused: number | null }[] = await tx.query(sql`
      with page as (
        select svc_id from ${table} where svc_id > ${after}::bigint order by svc_id limit ${slice}::bigint
      ), broken as materialized (
        select t.svc_id, cartulary_queries.crosses_itself_too_often(t.geom) as is_refused
        from ${table} t join page p on t.svc_id = p.svc_id where not ST_IsValid(t.geom)
      ), changed as (
        update ${table} t set geom = ${valid} from broken b
        where t.svc_id = b.svc_id and not b.is_refused returning 1
      )
      select (select max(svc_id) from page) as last, (select count(*) from changed) as changed,
        (select min(svc_id) from broken where is_refused) as refused`);
    if (done!.refused !== null) throw beyondRepair(done!.refused);
    total += done!.changed;
    after = done!.last;
  }
  return total;
}

const beyondRepair = (id: number): ServiceError =>
  new ServiceError(
    'value_invalid',
    `The geometry of the object ${id} crosses itself too often to be made valid`,
    { object: id },
  );
