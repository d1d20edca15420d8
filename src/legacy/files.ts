import type { Caller } from '../access/caller.js';
import type { Queryable } from '../db/pool.js';
import { sql } from '../db/sql.js';
import { ServiceError } from '../errors.js';

/** The uuid of a file by its id, which 1.0 names files by: the function that is asked judges who may have it. Throws 404. */
export async function uuidOfFile(db: Queryable, caller: Caller, id: string): Promise<string> {
  const [file] = /^\d{1,9}$/.test(id)
    ? await db.query<{ uuid: string }>(sql`
        select f.uuid from cartulary.file f join cartulary.container l on l.id = f.layer_id
        where f.id = ${Number(id)} and l.project_id = ${caller.project.id}`)
    : [];
  if (!file) throw new ServiceError('file_not_found', `The file '${id}' does not exist`);
  return file.uuid;
}
