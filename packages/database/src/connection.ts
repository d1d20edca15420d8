import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import pg from 'pg';
import type { DatabaseOptions } from './database.js';
import { lost, sqlState } from './failure.js';
import { GuardedClient, type GuardedConfig, type PooledClient } from './protocol/client.js';
import type { ConnectionTarget, DatabaseEngine, Encryption } from './target.js';
import { typeParsers } from './types.js';

/** Longest wait for a connection, ms. */
const connectTimeoutMs = 15_000;

/** Time beyond a statement's limit after which a silent PostgreSQL is given up, ms: the database keeps the limit itself. */
export const silenceBeyondLimitMs = 5_000;

/**
 * Longest silence of the database during a statement with this limit, ms; 0: no limit. The embedded database has none: its
 * statements wait for those of other connections, and a process watches them.
 */
export const maxSilenceMs = (engine: DatabaseEngine, statementLimitMs: number): number =>
  engine === 'postgres' && statementLimitMs > 0 ? statementLimitMs + silenceBeyondLimitMs : 0;

export type PoolConfig = pg.PoolConfig & GuardedConfig;

export function clientConfig(
  target: ConnectionTarget,
  engine: DatabaseEngine,
  options: DatabaseOptions,
): PoolConfig {
  const { ssl, ...rest } = target;
  return {
    ...rest,
    ...(ssl ? { ssl: tlsOptions(ssl) } : {}),
    application_name: options.applicationName ?? 'cartulary',
    ...(options.statementTimeoutMs === undefined ? {} : { statement_timeout: options.statementTimeoutMs }),
    // Compiling a plan takes longer than running the service's statements; so does starting parallel workers, which load PostGIS and PROJ
    // anew each time. Other processors are for other requests.
    options: '-c TimeZone=UTC -c jit=off -c max_parallel_workers_per_gather=0',
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    maxSilenceMs: maxSilenceMs(engine, options.statementTimeoutMs ?? 0),
    types: typeParsers,
  };
}

function tlsOptions({ mode, rootFile, certificateFile, keyFile }: Encryption): ConnectionOptions {
  return {
    rejectUnauthorized: mode !== 'require',
    ...(mode === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}),
    ...(rootFile ? { ca: certificateOf('sslrootcert', rootFile) } : {}),
    ...(certificateFile ? { cert: certificateOf('sslcert', certificateFile) } : {}),
    ...(keyFile ? { key: certificateOf('sslkey', keyFile) } : {}),
  };
}

/** Throws an Error for the operator. */
function certificateOf(name: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new Error(
      `The file of ${name} in DATABASE_URL cannot be read: ${(error as NodeJS.ErrnoException).message}`,
    );
  }
}

/** A pool that survives a restart of its server: it drops idle connections that fail. */
export function newPool(config: PoolConfig): pg.Pool {
  const pool = new pg.Pool({ ...config, Client: GuardedClient });
  pool.on('error', () => {});
  return pool;
}

/** A connection of a pool. Errors without an SQLSTATE become LostConnection: they do not concern the statement. */
export const connectTo = (pool: pg.Pool): Promise<PooledClient> =>
  pool.connect().then(
    (client) => client as pg.PoolClient & PooledClient,
    (error) => {
      throw sqlState(error) === undefined ? lost(error) : error;
    },
  );
