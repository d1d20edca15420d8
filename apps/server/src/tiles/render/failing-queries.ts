import { type Database, failsNow } from '../db/pool.js';
import { sql } from '../db/sql.js';
import { ServiceError } from '../errors.js';
import type { RendererPool } from './pool.js';

/** How Mapnik tells of a statement that the database refuses; the statement follows. */
const refused = /^Postgis Plugin: ERROR:/;
const table = /"cartulary_data"\."layer_(\d+)"/;

/** The same renderers; a picture that the query of a virtual layer fails for is `query_invalid`, which names the layer. */
export function withFailingQueries(renderers: RendererPool, db: Database): RendererPool {
  return {
    ...renderers,
    render: (...job) =>
      renderers.render(...job).catch(async (error) => {
        throw (await failingQuery(db, error)) ?? error;
      }),
  };
}

async function failingQuery(db: Database, error: unknown): Promise<ServiceError | undefined> {
  const detail = error instanceof ServiceError ? error.cause : undefined;
  if (typeof detail !== 'string' || !refused.test(detail)) return undefined;
  const id = Number(table.exec(detail)?.[1] ?? 0);
  const [layer] = await db.query<{ code: string }>(
    sql`select code from cartulary.container where id = ${id}::integer and type = 'virtual'`,
  );
  return layer && Object.assign(failsNow(layer.code), { cause: new Error(detail) });
}
