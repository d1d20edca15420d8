import { sqlState, tooLongState, tooManyCrossingsState } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { problemAt } from '@cartulary/select-guard';
import { placeInQuery, type QueryText, type StoredQuery } from './query-text.js';

/** Messages for failures of a query on its data. The database's own messages are not used, because they may contain values. */
const messages: Readonly<Record<string, string>> = {
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
  '57014': 'it took too long, or too much memory, and was stopped',
  [tooManyCrossingsState]:
    'it compares shapes that cross too often, or that have too many positions for one of its functions',
  [tooLongState]: 'the texts, arrays or JSON that it compares are too long',
};

/** Classes of SQLSTATE of failures by data or size, https://www.postgresql.org/docs/current/errcodes-appendix.html. */
const ofData = /^(2[0-9]|53|54|57014|XX000)/;

/** Internal names that a message of the database may contain. */
const internalName = /cartulary|layer_\d|\bc\d+\b|\bq\./;

/**
 * Converts the error of a statement with a query to `query_invalid`; returns other errors unchanged. `offset`: characters of
 * the statement before the text of the query, for errors with a position.
 */
export function queryFailure(
  error: unknown,
  stored: StoredQuery,
  run: QueryText,
  offset = Number.POSITIVE_INFINITY,
): unknown {
  if (error instanceof ServiceError)
    return error.code === 'timeout' ? caused(invalid(messages['57014']!), error) : error;
  const state = sqlState(error);
  if (state === undefined) return error;
  const saying = messages[state] ?? (ofData.test(state) ? 'it fails on the data' : undefined);
  if (saying !== undefined) return caused(invalid(saying), error);
  if (!/^(42|0A)/.test(state)) return error;
  const { message, position } = error as Error & { position?: string };
  const what = internalName.test(message) ? 'the database refuses it' : message;
  const place = position ? placeInQuery(stored, run, Number(position) - 1 - offset) : undefined;
  return caused(place ? problemAt(place, what) : invalid(what), error);
}

const invalid = (what: string): ServiceError =>
  new ServiceError('query_invalid', `The query is not valid: ${what}`, { problem: what });

function caused(failure: ServiceError, cause: unknown): ServiceError {
  failure.cause = cause;
  return failure;
}
