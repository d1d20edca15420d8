import { sql } from '@cartulary/sql';
import type { Database } from './database.js';
import { diskFullState, LostConnection, sqlState } from './failure.js';
import type { ConnectionTarget } from './target.js';

/** Meaning of a failure at the first connection, and what to check: by code of the system or SQLSTATE. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there. Check that PostgreSQL runs, and the host and port of DATABASE_URL',
  ENOENT: 'there is no such socket. Check that PostgreSQL runs, and the folder in DATABASE_URL',
  EACCES: 'the user of this service may not open its socket',
  ENOTFOUND: 'no such host is known. Check the host of DATABASE_URL',
  EAI_AGAIN: 'its host cannot be looked up now. Check the network and the host of DATABASE_URL',
  ETIMEDOUT:
    'it does not answer. Check the host and port of DATABASE_URL, and that no firewall is in between',
  EHOSTUNREACH: 'its host cannot be reached. Check the network and the host of DATABASE_URL',
  ENETUNREACH: 'its network cannot be reached. Check the network and the host of DATABASE_URL',
  ECONNRESET: 'it broke the connection off. Check that PostgreSQL listens at this port',
  '28P01': 'it refuses the password. Check user and password of DATABASE_URL',
  '28000': 'it does not let this user in. Check the user of DATABASE_URL, and pg_hba.conf of the server',
  '3D000': 'it has no database of this name. Check the name in DATABASE_URL, or make it: createdb',
  '53300':
    'it has no connections left. Raise max_connections of the server, or lower CARTULARY_DATABASE_CONNECTIONS',
  [diskFullState]: 'its disk is full. Free some space, or move the database to a larger disk',
  '57P03': 'it is starting or stopping. Try again in a moment',
};

/** Checks that the database answers. Throws an Error with the sentence of `describeUnreachable`. */
export async function checkReachable(db: Database, target: ConnectionTarget): Promise<void> {
  try {
    await db.query(sql`select 1`);
  } catch (error) {
    throw new Error(describeUnreachable(error, target), { cause: error });
  }
}

/** A sentence for the operator: the address of the database, the cause, and what to check. */
export const describeUnreachable = (error: unknown, target: ConnectionTarget): string =>
  `The database ${addressOf(target)} cannot be used: ${reasonOf(error)}`;

/** `cartulary as user at db.example.org:5432`, without the password. */
const addressOf = ({ host, port, user, database }: ConnectionTarget): string =>
  `'${database}' as user '${user}' at ${host.includes(':') ? `[${host}]` : host}:${port}`;

function reasonOf(error: unknown): string {
  const state = sqlState(error);
  if (state !== undefined) return reasons[state] ?? (rootOf(error) as Error).message;
  const root = rootOf(error) as NodeJS.ErrnoException;
  if (root.code !== undefined && reasons[root.code]) return reasons[root.code]!;
  // The driver's words for a server that asks for a password.
  if (/client password must be a/.test(root.message))
    return 'it asks for a password. Give it in DATABASE_URL';
  if (/timeout/i.test(root.message)) return reasons.ETIMEDOUT!;
  if (/SSL|certificate|self-signed/i.test(`${root.code} ${root.message}`))
    return `its encryption is not accepted (${root.message}). Check sslmode and sslrootcert in DATABASE_URL`;
  return root instanceof LostConnection ? 'what answers there is no PostgreSQL' : root.message;
}

/** The innermost cause. If several addresses were tried, that of the first. */
function rootOf(error: unknown): unknown {
  if (error instanceof AggregateError && error.errors.length) return rootOf(error.errors[0]);
  const { cause } = error as { cause?: unknown };
  return cause === undefined ? error : rootOf(cause);
}
