import { badRequest, ServiceError } from '@cartulary/errors';
import pg from 'pg';

/** SQLSTATE of an error of the database, such as `23505`, also if `failureOf` has wrapped it. */
export function sqlState(error: unknown): string | undefined {
  if (error instanceof pg.DatabaseError) return error.code;
  return error instanceof ServiceError && error.cause ? sqlState(error.cause) : undefined;
}

/** SQLSTATE of the service: shapes cross each other or themselves so often that no time limit would end an overlay of them. */
export const tooManyCrossingsState = 'CA002';

/** SQLSTATE of the service: values are so long that no time limit would end a function that compares each of their parts with each other. */
export const tooLongState = 'CA003';

/** Source files of PostGIS. Errors of libraries in the embedded database have no source file. */
const postgisFile = /^(lwgeom|gserialized|postgis)/;

/**
 * Whether a statement failed because of the values that it computes with, or of their size. Stored values were checked when they were
 * written, so the cause is the query of a layer. PostGIS reports such errors with PostgreSQL's state for internal errors.
 */
export function isDataError(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error;
  if (!(cause instanceof pg.DatabaseError)) return false;
  const { code = '', file } = cause;
  if (code === 'XX000') return !file || postgisFile.test(file);
  return /^(CA00[23]$|2[12]|53[24]|54)/.test(code);
}

/** Error for readers of a layer whose query fails. `layer`: its code, if known. */
export const layerQueryFailed = (layer?: string): ServiceError =>
  new ServiceError(
    'query_invalid',
    `The query of the layer ${layer === undefined ? '' : `'${layer}' `}fails on the data as they are now`,
    layer === undefined ? {} : { layer },
  );

/** Error for a statement whose rows are larger than is read at once. Only the query of a layer makes such values. */
export const tooManyBytes = (limit: number): ServiceError =>
  new ServiceError('query_invalid', `The query of a layer gives values of more than ${limit} bytes at once`, {
    limit,
    unit: 'bytes',
  });

/**
 * Whether another client replaced or deleted a relation while the statement opened it: it had found its number in the catalogue, as
 * functions that take names of tables do.
 */
export const isReplacedRelation = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  error.code === 'XX000' &&
  /^(could not open relation with OID|cache lookup failed for (relation|index)) \d/.test(error.message);

/**
 * The error for the caller where another client has deleted what a statement refers to: the table of a layer (42P01, undefined_table), or
 * the row to which a new one belongs (23503, foreign_key_violation; rows of the service go with what they belong to). undefined for any
 * other error.
 */
export function deletedMeanwhile(error: unknown): ServiceError | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined;
  const { code, schema, constraint = '', message } = error;
  if (code === '42P01' && /cartulary_data\.layer_\d/.test(message))
    return new ServiceError('layer_not_found');
  if (code !== '23503' || schema !== 'cartulary') return undefined;
  if (/column_(parent_)?id_fkey$/.test(constraint)) return new ServiceError('column_not_found');
  if (/(container|layer|map|parent|source)_id_fkey$/.test(constraint))
    return new ServiceError('container_not_found');
  return new ServiceError('busy', 'Something that the request refers to was deleted meanwhile; try again');
}

/** The database sent an unreadable message, or no answer: the connection is destroyed. */
export class LostConnection extends Error {}

/** The database accepted a request and stayed silent for too long. The request is not repeated, since that would take as long. */
export class Unanswered extends LostConnection {}

export const lost = (reason: unknown): LostConnection =>
  reason instanceof LostConnection
    ? reason
    : new LostConnection('the connection to the database failed', { cause: reason });

/** SQLSTATE of the service: the statement has ended the embedded database, now or before. It is never repeated. */
export const engineEndedState = 'CA001';

/** Whether an error means that the connection was lost, or could not be made. */
export function isLostConnection(error: unknown): boolean {
  if (error instanceof LostConnection) return true;
  const state = sqlState(error);
  if (state !== undefined) return /^(08|57P0|53300|25P03)/.test(state);
  const { code, message } = (error ?? {}) as NodeJS.ErrnoException;
  const isSystemError =
    /^(ECONN|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND|EAGAIN)/.test(code ?? '');
  return (
    isSystemError ||
    /^Connection terminated|^timeout exceeded when trying to connect|^Client (has|was)/.test(message ?? '')
  );
}

/** SQLSTATE of a full disk (disk_full). */
export const diskFullState = '53100';

const noRoom = 'The disk of the database has no room for this';
const unavailable = 'The database does not answer now; try again in a moment';

/** Error for the caller: the signal's reason, `timeout`, `busy`, or the error itself. */
export function failureOf(error: unknown, signal?: AbortSignal): unknown {
  if (signal?.aborted) return signal.reason;
  if (error instanceof ServiceError) return error;
  // A NUL in a text; 22P05 in JSON.
  if (/^(22021|22P05)$/.test(sqlState(error) ?? ''))
    return caused(badRequest('A value holds a character that cannot be stored'), error);
  if (sqlState(error) === '57014') return caused(new ServiceError('timeout'), error);
  if (sqlState(error) === diskFullState) return caused(new ServiceError('busy', noRoom), error);
  if (sqlState(error) === engineEndedState)
    return caused(new ServiceError('timeout', 'The database had to break this off'), error);
  if (error instanceof Unanswered) return caused(new ServiceError('timeout'), error);
  return isLostConnection(error) ? caused(new ServiceError('busy', unavailable), error) : error;
}

/** Sets the cause of an error. */
export function caused(failure: ServiceError, cause: unknown): ServiceError {
  failure.cause = cause;
  return failure;
}
