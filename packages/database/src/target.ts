import { userInfo } from 'node:os';

export type DatabaseEngine = 'embedded' | 'postgres';

/** Address of a database, with the names of `pg` and Mapnik. `host` is a folder for a Unix socket. */
export interface ConnectionTarget {
  host: string;
  port: number;
  user: string;
  password?: string;
  database: string;
  /** `true`: encrypted, without a check of the server (`sslmode=require`); `verify-full`: its certificate is checked. */
  ssl?: boolean | 'verify-full';
}

/** `sslmode` of libpq. `prefer` and `allow` mean no encryption, whatever the server offers. */
const sslModes: Record<string, NonNullable<ConnectionTarget['ssl']>> = {
  disable: false,
  allow: false,
  prefer: false,
  require: true,
  'no-verify': true,
  'verify-ca': 'verify-full',
  'verify-full': 'verify-full',
};

/**
 * Parts of `postgres://user:password@host:5432/database?sslmode=require`, percent-decoded. A folder as host (a Unix socket) is given
 * as `?host=/run/postgresql` or percent-encoded. Defaults are those of `psql`. Throws an Error that never contains the password.
 */
export function parseDatabaseUrl(text: string): ConnectionTarget {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['postgres:', 'postgresql:'].includes(url.protocol)) {
    throw wrong('it must begin with postgres:// or postgresql:// and be a whole URL');
  }
  const host = url.searchParams.get('host') || decoded(url.hostname.replace(/^\[(.*)\]$/, '$1'), 'host');
  const user = url.searchParams.get('user') || decoded(url.username, 'user') || userInfo().username;
  const password = url.searchParams.get('password') || decoded(url.password, 'password');
  const database = decoded(url.pathname.slice(1), 'database') || user;
  const port = url.searchParams.get('port') || url.port || '5432';
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535)
    throw wrong('the port is not a port');
  if (host.includes(',')) throw wrong('only one host can be given');
  const mode = url.searchParams.get('sslmode') ?? 'prefer';
  const ssl = sslModes[mode];
  if (ssl === undefined) throw wrong(`sslmode must be one of ${Object.keys(sslModes).join(', ')}`);
  return {
    host: host || 'localhost',
    port: Number(port),
    user,
    ...(password ? { password } : {}),
    database,
    ...(ssl ? { ssl } : {}),
  };
}

const wrong = (problem: string): Error => new Error(`DATABASE_URL is not correct: ${problem}`);

function decoded(part: string, name: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw wrong(`the ${name} is not percent-encoded correctly`);
  }
}
