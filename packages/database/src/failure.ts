import pg from 'pg';
import { badRequest, ServiceError } from '../errors.js';

/** The SQLSTATE of an error that came from the database, also of one that `failureOf` wrapped: `23505`. */
export function sqlState(error: unknown): string | undefined {
  if (error instanceof pg.DatabaseError) return error.code;
  return error instanceof ServiceError && error.cause ? sqlState(error.cause) : undefined;
}

/** Source files of PostGIS; what a library in the embedded database throws has none. */
const ofPostgis = /^(lwgeom|gserialized|postgis)/;

/**
 * Whether a statement failed on the values that it computes with, or on their size: what is stored was judged when it was
 * written, so this is the query of a layer. PostGIS tells of it with the state that PostgreSQL has for its own faults.
 */
export function failsOnData(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error;
  if (!(cause instanceof pg.DatabaseError)) return false;
  const { code = '', file } = cause;
  return code === 'XX000' ? !file || ofPostgis.test(file) : /^(2[12]|53[24]|54)/.test(code);
}

/** For who reads a layer whose query fails. `layer`: its code, where it is known. */
export const failsNow = (layer?: string): ServiceError =>
  new ServiceError(
    'query_invalid',
    `The query of the layer ${layer === undefined ? '' : `'${layer}' `}fails on the data as they are now`,
    layer === undefined ? {} : { layer },
  );

/** What comes from the database cannot be understood, or an answer does not come: the connection is thrown away. */
export class LostConnection extends Error {}

export const lost = (reason: unknown): LostConnection =>
  reason instanceof LostConnection
    ? reason
    : new LostConnection('the connection to the database failed', { cause: reason });

/** SQLSTATE, of our own: the statement has ended the embedded database, now or before. It is never repeated. */
export const brokenOff = 'CA001';

/** Whether an error means that the connection is gone, or that there was none. */
export function isLostConnection(error: unknown): boolean {
  if (error instanceof LostConnection) return true;
  const state = sqlState(error);
  if (state !== undefined) return /^(08|57P0|53300|25P03)/.test(state);
  const { code, message } = (error ?? {}) as NodeJS.ErrnoException;
  const isOfSystem =
    /^(ECONN|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND|EAGAIN)/.test(code ?? '');
  return (
    isOfSystem ||
    /^Connection terminated|^timeout exceeded when trying to connect|^Client (has|was)/.test(message ?? '')
  );
}

/** What the caller gets for an error: the signal's reason, `timeout`, `busy`, or the error as it is. */
export function failureOf(error: unknown, signal?: AbortSignal): unknown {
  if (signal?.aborted) return signal.reason;
  if (error instanceof ServiceError) return error;
  // A NUL in a text: of JSON 22P05.
  if (/^(22021|22P05)$/.test(sqlState(error) ?? ''))
    return caused(badRequest('A value holds a character that cannot be stored'), error);
  if (sqlState(error) === '57014') return caused(new ServiceError('timeout'), error);
  if (sqlState(error) === brokenOff)
    return caused(new ServiceError('timeout', 'The database had to break this off'), error);
  return isLostConnection(error) ? caused(new ServiceError('busy'), error) : error;
}

export function caused(failure: ServiceError, cause: unknown): ServiceError {
  failure.cause = cause;
  return failure;
}
