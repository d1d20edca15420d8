import { existsSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';

export type DatabaseEngine = 'embedded' | 'postgres';

/** Address of a database, with the names of `pg` and Mapnik. `host` is a folder for a Unix socket. */
export interface ConnectionTarget {
  host: string;
  port: number;
  user: string;
  password?: string;
  database: string;
  ssl?: Encryption;
}

/** An encrypted connection. Files have the meanings of libpq. */
export interface Encryption {
  /** `require`: the server is not checked; `verify-ca`: its certificate is; `verify-full`: its name in the certificate, too. */
  mode: 'require' | 'verify-ca' | 'verify-full';
  /** Certificates of the authorities. */
  rootFile?: string;
  certificateFile?: string;
  keyFile?: string;
}

/** `sslmode` of libpq. `prefer` and `allow` mean no encryption, whatever the server offers. */
const sslModes: Record<string, Encryption['mode'] | undefined> = {
  disable: undefined,
  allow: undefined,
  prefer: undefined,
  require: 'require',
  'no-verify': 'require',
  'verify-ca': 'verify-ca',
  'verify-full': 'verify-full',
};

/**
 * Parts of `postgres://user:password@host:5432/database?sslmode=require`, percent-decoded. A folder as host (a Unix socket) is given
 * as `?host=/run/postgresql` or percent-encoded. Defaults are those of `psql`. Throws an Error that never contains the password.
 */
export function parseDatabaseUrl(text: string): ConnectionTarget {
  // `postgres://user@/database?host=…` has no host, which URLs of this form need.
  const whole = text.replace(/^(postgres(?:ql)?:\/\/[^/?#]*@)(?=[:/?#]|$)/, '$1localhost');
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  if (!url || !['postgres:', 'postgresql:'].includes(url.protocol)) {
    throw wrong('it must begin with postgres:// or postgresql:// and be a whole URL');
  }
  const host = url.searchParams.get('host') || decoded(url.hostname.replace(/^\[(.*)\]$/, '$1'), 'host');
  const user = url.searchParams.get('user') || decoded(url.username, 'user') || userInfo().username;
  // The driver would take it by itself, but renderers get the password from here.
  const password =
    url.searchParams.get('password') || decoded(url.password, 'password') || process.env.PGPASSWORD;
  const database = decoded(url.pathname.slice(1), 'database') || user;
  const port = url.searchParams.get('port') || url.port || '5432';
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535)
    throw wrong('the port is not a port');
  if (host.includes(',')) throw wrong('only one host can be given');
  // A Unix socket is not encrypted, whatever is asked, as in libpq.
  const ssl = host.startsWith('/') ? undefined : encryptionOf(url.searchParams);
  return {
    host: host || 'localhost',
    port: Number(port),
    user,
    ...(password ? { password } : {}),
    database,
    ...(ssl ? { ssl } : {}),
  };
}

/** Undefined: none. `ssl=true` is another name of `sslmode=require`, also of libpq. */
function encryptionOf(parameters: URLSearchParams): Encryption | undefined {
  const asked = parameters.get('sslmode') ?? (parameters.get('ssl') === 'true' ? 'require' : 'prefer');
  if (!Object.hasOwn(sslModes, asked))
    throw wrong(`sslmode must be one of ${Object.keys(sslModes).join(', ')}`);
  const mode = sslModes[asked];
  if (!mode) return undefined;
  const fileOf = (name: string): string | undefined =>
    parameters.get(name) || process.env[`PG${name.toUpperCase()}`] || undefined;
  const rootFile = asked === 'no-verify' ? undefined : (fileOf('sslrootcert') ?? usualRootFile());
  if (mode !== 'require' && !rootFile)
    throw wrong(
      `sslmode=${asked} needs sslrootcert, a file with certificates of authorities such as /etc/ssl/certs/ca-certificates.crt`,
    );
  const [certificateFile, keyFile] = [fileOf('sslcert'), fileOf('sslkey')];
  return {
    mode: mode === 'require' && rootFile ? 'verify-ca' : mode,
    ...(rootFile ? { rootFile } : {}),
    ...(certificateFile ? { certificateFile } : {}),
    ...(keyFile ? { keyFile } : {}),
  };
}

/** Where libpq looks for the certificates of authorities. */
function usualRootFile(): string | undefined {
  const path = join(homedir(), '.postgresql', 'root.crt');
  return existsSync(path) ? path : undefined;
}

const wrong = (problem: string): Error => new Error(`DATABASE_URL is not correct: ${problem}`);

function decoded(part: string, name: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw wrong(`the ${name} is not percent-encoded correctly`);
  }
}
