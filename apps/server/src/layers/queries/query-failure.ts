import { sqlState } from '../db/pool.js';
import { ServiceError } from '../errors.js';
import { problemAt } from '../queries/query.js';
import { placeInQuery, type QueryText, type StoredQuery } from './query-text.js';

/** What the service may say of failures of a query on its data: never the database's own words, which may hold values. */
const sayings: Readonly<Record<string, string>> = {
  '22012': 'it divides by zero',
  '22P02': 'a text cannot be converted to the type of its cast',
  '22007': 'a text is no date',
  '22008': 'a date is out of range',
  '22003': 'a number is out of range',
  '21000': 'a subquery that stands for one value gives several',
  '23502': 'svc_id is null in one of its rows',
  '23505': 'svc_id is the same in several rows',
  '23514': 'geom is not in EPSG:4326 everywhere: use st_transform(geom, 4326) or st_setsrid(geom, 4326)',
  '42501': 'it calls what the role of queries may not use',
  '57014': 'it took too long and was stopped',
};

/** Classes of SQLSTATE of failures on data or by size, https://www.postgresql.org/docs/current/errcodes-appendix.html. */
const ofData = /^(2[0-9]|53|54|57014|XX000)/;

/** Names of ours that a message of the database may hold. */
const inner = /cartulary|layer_\d|\bc\d+\b|\bq\./;

/**
 * The failure of a statement with a query as `query_invalid`; other errors as they are. `offset`: characters of the
 * statement before the text of the query, for those that the database places.
 */
export function queryFailure(
  error: unknown,
  stored: StoredQuery,
  run: QueryText,
  offset = Number.POSITIVE_INFINITY,
): unknown {
  if (error instanceof ServiceError)
    return error.code === 'timeout' ? caused(invalid(sayings['57014']!), error) : error;
  const state = sqlState(error);
  if (state === undefined) return error;
  const saying = sayings[state] ?? (ofData.test(state) ? 'it fails on the data' : undefined);
  if (saying !== undefined) return caused(invalid(saying), error);
  if (!/^(42|0A)/.test(state)) return error;
  const { message, position } = error as Error & { position?: string };
  const what = inner.test(message) ? 'the database refuses it' : message;
  const place = position ? placeInQuery(stored, run, Number(position) - 1 - offset) : undefined;
  return caused(place ? problemAt(place, what) : invalid(what), error);
}

const invalid = (what: string): ServiceError =>
  new ServiceError('query_invalid', `The query is not valid: ${what}`, { problem: what });

function caused(failure: ServiceError, cause: unknown): ServiceError {
  failure.cause = cause;
  return failure;
}
