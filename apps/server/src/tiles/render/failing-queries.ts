import { type Database, layerQueryFailed } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { sql } from '@cartulary/sql';
import { calculationInvalid, crossesTooOften } from '../../objects/find/find.js';
import { type RendererPool, withRender } from './pool.js';

/** Start of Mapnik's message about a statement that the database refuses; the statement follows. */
const refused = /^Postgis Plugin: ERROR:/;
const table = /"cartulary_data"\."layer_(\d+)"/;

/** Failures of filters by the database's message. Of the layers that are no queries, filters alone calculate. */
const filterFailures: readonly [RegExp, () => ServiceError][] = [
  [/out of range|square root of a negative|raised to a (non-integer|negative) power/, calculationInvalid],
  [/crosses itself too often|have too many positions/, crossesTooOften],
];

/** The same pool; when the query of a virtual layer fails, the error is `query_invalid` and names the layer; a filter that fails is 400. */
export const withFailingQueries = (renderers: RendererPool, db: Database): RendererPool =>
  withRender(renderers, (...job) =>
    renderers.render(...job).catch(async (error) => {
      throw (await failingQuery(db, error)) ?? error;
    }),
  );

async function failingQuery(db: Database, error: unknown): Promise<ServiceError | undefined> {
  const detail = error instanceof ServiceError ? error.cause : undefined;
  if (typeof detail !== 'string' || !refused.test(detail)) return undefined;
  const id = Number(table.exec(detail)?.[1] ?? 0);
  const [layer] = await db.query<{ code: string }>(
    sql`select code from cartulary.container where id = ${id}::integer and type = 'virtual'`,
  );
  if (!layer) {
    const [message = ''] = detail.split('\n', 1);
    return filterFailures.find(([pattern]) => pattern.test(message))?.[1]();
  }
  return Object.assign(layerQueryFailed(layer.code), { cause: new Error(detail) });
}
