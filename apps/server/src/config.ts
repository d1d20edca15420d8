import { isIP } from 'node:net';
import { availableParallelism, homedir } from 'node:os';
import { resolve } from 'node:path';
import { domainToASCII } from 'node:url';

interface Setting<T> {
  /** The environment variable. */
  env: string;
  default: T;
  /** The unit of the value, or its form. */
  unit: string;
  meaning: string;
  parse: (text: string) => T;
}

/** A whole number from `min` to `max`. */
const whole =
  (min: number, max: number) =>
  (text: string): number => {
    // Number() would take blanks for 0, and 0x1f or 1e3.
    const value = /^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN;
    if (!Number.isInteger(value) || value < min || value > max) {
      throw new RangeError(`must be a whole number from ${min} to ${max}`);
    }
    return value;
  };

const flag = (text: string): boolean => {
  if (/^(1|true|yes|on)$/i.test(text)) return true;
  if (/^(0|false|no|off)$/i.test(text)) return false;
  throw new RangeError('must be 1 or 0');
};

/**
 * Signature algorithms with a public key. An algorithm with a shared secret would accept the public key as
 * the secret.
 */
const signatures = ['RS', 'PS', 'ES'].flatMap((family) => [256, 384, 512].map((bits) => `${family}${bits}`));
const publicKeyAlgorithms = new Set([...signatures, 'EdDSA', 'Ed25519']);

const algorithms = (text: string): string => {
  const names = text.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !publicKeyAlgorithms.has(name));
  if (wrong === undefined) return names.join(',');
  const reason = /^(none|HS\d*)$/i.test(wrong) ? `'${wrong}' would let anybody sign tokens; it ` : '';
  throw new RangeError(`${reason}must be one of ${[...publicKeyAlgorithms].join(', ')}`);
};

const fileOrUrl = (text: string): string => {
  if (!/^[a-z][a-z0-9+.-]+:/i.test(text)) return folder(text);
  if (!/^https?:/i.test(text) || !URL.canParse(text))
    throw new RangeError('must be a file or an http(s) URL');
  const { username, password } = new URL(text);
  if (username || password) throw new RangeError('must have no user and no password in the URL');
  return text;
};

const dnsName = String.raw`[\w-]+(?:\.[\w-]+)*`;
const ipv6 = String.raw`\[[0-9a-f:.]+\]`;

/**
 * Hosts, separated by commas, as requests name them: in lower case, and international names in ASCII. An entry in another form,
 * such as an address with a path, would never match.
 */
const hosts = (form: string, example: string) => {
  const whole = new RegExp(`^(?:${form})$`);
  const isHost = (name: string): boolean =>
    whole.test(name) && Number(/:(\d+)$/.exec(name)?.[1] ?? 0) <= 65_535;
  return (text: string): string => {
    const given = text.split(',').map((name) => name.trim().toLowerCase());
    const names = given.map((name) => name.replace(/[^*:]*[^\p{ASCII}][^*:]*/u, domainToASCII));
    const wrong = names.findIndex((name) => name !== '' && !isHost(name));
    if (wrong >= 0) throw new RangeError(`'${given[wrong]}' must be ${example}`);
    return names.join(',');
  };
};

const plainHost = hosts(
  String.raw`(?:${ipv6}|${dnsName})(?::\d+)?`,
  'a host such as maps.example.org or maps.example.org:8443',
);
const hostPattern = hosts(
  String.raw`(?:${ipv6}|(?:\*\.)?${dnsName})(?::\d+)?`,
  'a host such as tiles.example.org, *.example.org or tiles.example.org:8443',
);
const hostAndPort = hosts(
  String.raw`(?:${ipv6}|${dnsName}):\d+`,
  'a host with its port, such as tiles.example.org:443',
);

/** An IP address or a host name. Anything else, such as `localhost:8080`, the system would look up for a long time. */
const listeningHost = (text: string): string => {
  if (isIP(text.replace(/%.*$/, '')) || new RegExp(`^${dnsName}\\.?$`).test(text)) return text;
  throw new RangeError('must be an address such as 127.0.0.1, or 0.0.0.0 for all, without http:// and port');
};

/** Sources of a policy, without characters that would end the directive or the header. */
const ancestors = (text: string): string => {
  const sources = text.trim().split(/\s+/);
  const isRight = sources.every((source) =>
    /^('self'|'none'|\*|(https?:\/\/)?(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:(\d+|\*))?)$/i.test(source),
  );
  const isUnquoted = sources.some((source) => /^(self|none)$/i.test(source));
  if (!isRight || isUnquoted || (sources.length > 1 && sources.includes("'none'")))
    throw new RangeError(
      "must be 'none', or 'self' (both in quotes), * and origins such as https://example.org, with spaces",
    );
  return sources.join(' ');
};

/** The address of the service, in ASCII, since headers contain it, and without a slash at the end: paths are appended to it. */
const httpUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash)
    throw new RangeError('must be an address such as https://maps.example.org, without ? and #');
  return url.href.replace(/\/+$/, '');
};

const oneOf =
  (...values: string[]) =>
  (text: string): string => {
    if (!values.includes(text)) throw new RangeError(`must be one of ${values.join(', ')}`);
    return text;
  };

const string = (text: string): string => text;
const folder = (text: string): string => resolve(text.replace(/^~(?=\/|$)/, homedir()));

const setting = <T>(
  env: string,
  initial: T,
  unit: string,
  meaning: string,
  parse: (text: string) => T,
): Setting<T> => ({ env, default: initial, unit, meaning, parse });

/**
 * The one table of settings, by subject (`settings-page.ts` has the headings). `docs/settings.md` is
 * generated from it.
 */
export const settings = {
  host: setting('HOST', '127.0.0.1', 'address', 'Address to listen on', listeningHost),
  port: setting('PORT', 8080, 'port', 'Port to listen on; 0 takes a free one', whole(0, 65_535)),
  dataFolder: setting(
    'CARTULARY_DATA',
    folder('./data'),
    'folder',
    'Where the embedded database and the files are kept',
    folder,
  ),
  processes: setting(
    'CARTULARY_PROCESSES',
    1,
    'processes',
    'Worker processes. With several, one more process supervises them; 0: one worker for each core of the machine',
    whole(0, 64),
  ),
  priority: setting(
    'CARTULARY_PRIORITY',
    5,
    'levels',
    'Levels of niceness by which the thread that serves requests goes before drawing, conversions and the database on a busy machine, where the system permits it (root, or RLIMIT_NICE); 0: none',
    whole(0, 20),
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    '',
    'URL',
    'A PostgreSQL (14 or later) with PostGIS (3.1 or later); empty: the embedded database',
    string,
  ),
  databaseConnections: setting(
    'CARTULARY_DATABASE_CONNECTIONS',
    10,
    'connections',
    'Most connections of the server to PostgreSQL; six more of each process serve what all requests share, such as rights',
    whole(3, 500),
  ),
  heavyStatements: setting(
    'CARTULARY_HEAVY_STATEMENTS',
    0,
    'statements',
    'Heavy statements that run at once: long lists, filters, searches, counts, exports and statistics. A low number leaves processors to other statements; 0: one for each two cores of the machine. The embedded database always runs 1',
    whole(0, 500),
  ),
  heavyRequests: setting(
    'CARTULARY_HEAVY_REQUESTS',
    0,
    'requests',
    'Requests that run at once for those who take far more of the time of the service than the others (twice their mean), while less than 0.75 of a core of the machine is idle; each of them has at most half. A request counts for 1 s at most. 0: no such limit',
    whole(0, 10_000),
  ),
  heavyWaitMs: setting(
    'CARTULARY_HEAVY_WAIT',
    2_000,
    'ms',
    'Time for which heavy statements and queries of layers may block others on the embedded database, which runs one at a time. 0.5 % of the elapsed time is added back. A statement that exceeds the time is stopped, and runs again when there is time left',
    whole(0, 600_000),
  ),
  databaseQueue: setting(
    'CARTULARY_DATABASE_QUEUE',
    5_000,
    'statements',
    'Statements of each kind (short reads, cached reads, long reads, heavy reads, writes) that may wait; further ones are answered 503',
    whole(1, 100_000),
  ),
  databaseWaitMs: setting(
    'CARTULARY_DATABASE_WAIT',
    30_000,
    'ms',
    'Longest wait of a statement before it runs',
    whole(100, 600_000),
  ),
  statementTimeoutMs: setting(
    'CARTULARY_STATEMENT_TIMEOUT',
    30_000,
    'ms',
    'Longest time of one statement of a request. A connection to PostgreSQL that is silent for 5 s longer is closed',
    whole(100, 3_600_000),
  ),
  baseUrl: setting(
    'CARTULARY_BASE_URL',
    '',
    'URL',
    'Public address of the service, for absolute addresses in responses',
    httpUrl,
  ),
  hosts: setting(
    'CARTULARY_HOSTS',
    'localhost,127.0.0.1,[::1]',
    'list',
    'Hosts, with commas, that may appear in absolute addresses when there is no base address. A host matches with any port, or only with the given one. Requests to other hosts get relative addresses',
    plainHost,
  ),
  frameAncestors: setting(
    'CARTULARY_FRAME_ANCESTORS',
    "'self'",
    'list',
    "Pages that may show the page of a map in a frame, as in `frame-ancestors` of a Content-Security-Policy, with spaces: `'none'`, `'self'`, `https://example.org`, `https://*.example.org`, `*`",
    ancestors,
  ),
  trustProxy: setting(
    'CARTULARY_TRUST_PROXY',
    false,
    '1 or 0',
    'Whether X-Forwarded-* headers of a reverse proxy are trusted',
    flag,
  ),
  connections: setting(
    'CARTULARY_CONNECTIONS',
    10_000,
    'connections',
    'Most open client connections of a worker process; further ones are closed at once',
    whole(1, 1_000_000),
  ),
  connectionsPerAddress: setting(
    'CARTULARY_CONNECTIONS_PER_ADDRESS',
    2_000,
    'connections',
    'Most open connections of one address (IPv6: of the first 64 bits); no limit with `CARTULARY_TRUST_PROXY`',
    whole(1, 1_000_000),
  ),
  stopTimeMs: setting(
    'CARTULARY_STOP_TIME',
    6_500,
    'ms',
    'Time in which running requests may finish when the service stops. The service exits at most 3 s later, and has 9.5 s at least',
    whole(0, 3_600_000),
  ),
  headersTimeoutMs: setting(
    'CARTULARY_HEADERS_TIMEOUT',
    30_000,
    'ms',
    'Longest time from the start of a connection or request to the end of its headers',
    whole(100, 600_000),
  ),
  minUploadBytesPerS: setting(
    'CARTULARY_MIN_UPLOAD_RATE',
    1_000,
    'bytes per s',
    'Least rate of an upload, measured over the time in which the service waits for data; slower uploads are answered 408; 0: no limit',
    whole(0, 1_000_000_000),
  ),
  minReadBytesPerS: setting(
    'CARTULARY_MIN_READ_RATE',
    1_000,
    'bytes per s',
    'Least rate at which a client reads a response; connections of slower clients are closed; 0: no limit',
    whole(0, 1_000_000_000),
  ),
  rateWindowMs: setting(
    'CARTULARY_RATE_WINDOW',
    60_000,
    'ms',
    'Time over which both rates are averaged; no connection is closed earlier',
    whole(100, 3_600_000),
  ),
  sendMemoryMiB: setting(
    'CARTULARY_SEND_MEMORY',
    512,
    'MiB',
    'Memory for responses that clients have not read yet, and the same again for bodies of requests that are not answered yet. Above it the connections of the address that uses most of it are closed',
    whole(1, 1_048_576),
  ),
  cors: setting(
    'CARTULARY_CORS',
    true,
    '1 or 0',
    'Whether scripts of other origins may call the interface (never with credentials)',
    flag,
  ),
  adminPassword: setting(
    'CARTULARY_ADMIN_PASSWORD',
    '',
    'text',
    'Password of the administrator `admin`, used at the first start only; empty: one is generated and printed once',
    string,
  ),
  demo: setting(
    'CARTULARY_DEMO',
    true,
    '1 or 0',
    'Whether the project `demo` is filled with the map `world` at the first start',
    flag,
  ),
  sessionIdleS: setting(
    'CARTULARY_SESSION_IDLE',
    600,
    's',
    'Time after the last request at which a session expires',
    whole(1, 31_536_000),
  ),
  sessionIdle20S: setting(
    'CARTULARY_SESSION_IDLE_2_0',
    2_592_000,
    's',
    'The same for sessions that version 2.0 of the interface opened: 30 days',
    whole(1, 31_536_000),
  ),
  sessionsPerUser: setting(
    'CARTULARY_SESSIONS_PER_USER',
    1_000,
    'sessions',
    'Sessions of one kind that a user may have open; a further one ends that whose last request is the oldest',
    whole(1, 1_000_000),
  ),
  loginFailures: setting(
    'CARTULARY_LOGIN_FAILURES',
    10,
    'failures',
    'Failed logins in 5 minutes of one login and address before 429',
    whole(1, 1_000_000),
  ),
  extLoginJwks: setting(
    'CARTULARY_EXT_LOGIN_JWKS',
    '',
    'file or URL',
    'Public keys (JWKS) of the identity provider whose tokens `ext-login` accepts; empty: `ext-login` is off',
    fileOrUrl,
  ),
  extLoginIssuer: setting(
    'CARTULARY_EXT_LOGIN_ISSUER',
    '',
    'text',
    'Issuer (`iss`) of its tokens; required with the keys',
    string,
  ),
  extLoginAudience: setting(
    'CARTULARY_EXT_LOGIN_AUDIENCE',
    '',
    'text',
    'Audience (`aud`) of its tokens, which identifies this service; required with the keys',
    string,
  ),
  extLoginClaim: setting(
    'CARTULARY_EXT_LOGIN_CLAIM',
    'sub',
    'claim',
    'Claim of its tokens that contains the login of the user',
    string,
  ),
  extLoginAlgorithms: setting(
    'CARTULARY_EXT_LOGIN_ALGORITHMS',
    'RS256,PS256,ES256,EdDSA',
    'list',
    'Accepted signature algorithms of its tokens',
    algorithms,
  ),
  extLoginTimeoutMs: setting(
    'CARTULARY_EXT_LOGIN_TIMEOUT',
    5_000,
    'ms',
    'Timeout of requests for its keys',
    whole(100, 60_000),
  ),
  extLoginCooldownS: setting(
    'CARTULARY_EXT_LOGIN_COOLDOWN',
    10,
    's',
    'Least time between two requests for its keys, also after a failure, when tokens name an unknown key',
    whole(0, 86_400),
  ),
  journalEntries: setting(
    'CARTULARY_JOURNAL_ENTRIES',
    10_000,
    'entries',
    'Most entries of the journal (who changed what) that are kept of a project; the oldest are removed; 0: no journal',
    whole(0, 10_000_000),
  ),
  bodyLimitBytes: setting(
    'CARTULARY_BODY_LIMIT',
    8 * 1024 * 1024,
    'bytes',
    'Largest body of a request that writes objects. Bodies with styles, filters, trees or lists of ids have 2 MiB at most',
    whole(1024, 1024 ** 3),
  ),
  smallBodyLimitBytes: setting(
    'CARTULARY_SMALL_BODY_LIMIT',
    64 * 1024,
    'bytes',
    'Largest body of all other requests, except files and imports',
    whole(1024, 1024 ** 3),
  ),
  importLimitBytes: setting(
    'CARTULARY_IMPORT_LIMIT',
    4 * 1024 ** 3,
    'bytes',
    'Largest import',
    whole(1024, 1024 ** 5),
  ),
  uploadLimitBytes: setting(
    'CARTULARY_UPLOAD_LIMIT',
    4 * 1024 ** 3,
    'bytes',
    'Largest resumable upload',
    whole(1024, 1024 ** 5),
  ),
  uploadCount: setting(
    'CARTULARY_UPLOADS',
    20,
    'uploads',
    'Most resumable uploads of a user that are not deleted or expired',
    whole(1, 100_000),
  ),
  uploadSpaceBytes: setting(
    'CARTULARY_UPLOAD_SPACE',
    16 * 1024 ** 3,
    'bytes',
    'Most bytes of the resumable uploads of a user together',
    whole(1024, 1024 ** 5),
  ),
  uploadTimeS: setting(
    'CARTULARY_UPLOAD_TIME',
    86_400,
    's',
    'Time for which a resumable upload is kept after its last part',
    whole(1, 30 * 86_400),
  ),
  importUndoTimeS: setting(
    'CARTULARY_IMPORT_UNDO_TIME',
    7 * 86_400,
    's',
    'Time for which the last import of a layer can be undone, and what it changed is kept; 0: imports cannot be undone',
    whole(0, 365 * 86_400),
  ),
  importFeatureLimitBytes: setting(
    'CARTULARY_IMPORT_FEATURE_LIMIT',
    64 * 1024 * 1024,
    'bytes',
    'Largest single feature of an import',
    whole(1024, 512 * 1024 * 1024),
  ),
  fastImport: setting(
    'CARTULARY_FAST_IMPORT',
    true,
    '1 or 0',
    'Whether a large shapefile is loaded directly into the table that becomes the layer; 0: every file goes through a staging table',
    flag,
  ),
  importsAtOnce: setting(
    'CARTULARY_IMPORTS_AT_ONCE',
    2,
    'imports',
    'Imports that run at once; further ones wait',
    whole(1, 100),
  ),
  exportJobsAtOnce: setting(
    'CARTULARY_EXPORT_JOBS_AT_ONCE',
    2,
    'exports',
    'Exports that run at once as jobs; further ones wait',
    whole(1, 100),
  ),
  jobsPerUser: setting(
    'CARTULARY_JOBS_PER_USER',
    10,
    'jobs',
    'Most unfinished jobs of one user, or of one address without a token; further ones are answered 429',
    whole(1, 10_000),
  ),
  jobStreams: setting(
    'CARTULARY_JOB_STREAMS',
    10,
    'streams',
    'Most simultaneous event streams of one user, or of one address without a token; further ones are answered 429',
    whole(1, 10_000),
  ),
  jobAttempts: setting(
    'CARTULARY_JOB_ATTEMPTS',
    3,
    'attempts',
    'Most attempts of a job. A job that ran when the service ended is resumed after the next start; with 1 it fails',
    whole(1, 100),
  ),
  jobDays: setting(
    'CARTULARY_JOB_DAYS',
    7,
    'days',
    'Time after its end at which a job is deleted',
    whole(1, 3_650),
  ),
  jobFileTimeS: setting(
    'CARTULARY_JOB_FILE_TIME',
    3_600,
    's',
    'Time after which the file of an export, and a job of the public, are deleted',
    whole(1, 2_592_000),
  ),
  jobSpaceBytes: setting(
    'CARTULARY_JOB_SPACE',
    32 * 1024 ** 3,
    'bytes',
    'Most bytes of the files of all jobs: uploads, and exports that are kept. Further jobs are answered 429',
    whole(1024, 1024 ** 5),
  ),
  transferQueue: setting(
    'CARTULARY_TRANSFER_QUEUE',
    100,
    'pieces of work',
    'Imports, exports as jobs, workbooks and conversions that may wait, of each kind; further ones are answered 503',
    whole(0, 100_000),
  ),
  converters: setting(
    'CARTULARY_CONVERTERS',
    2,
    'processes',
    'Conversions of formats (import or export) that run at once, each in a process of its own; further ones wait',
    whole(1, 64),
  ),
  converterTimeoutMs: setting(
    'CARTULARY_CONVERTER_TIMEOUT',
    3_600_000,
    'ms',
    'Longest time of one conversion; then its process is ended',
    whole(1_000, 86_400_000),
  ),
  converterStallMs: setting(
    'CARTULARY_CONVERTER_STALL',
    30_000,
    'ms',
    'Processor time of one conversion without reading or writing anything, and in total beyond 1 s for each MiB that it reads or writes (on Linux, which reports it)',
    whole(1_000, 86_400_000),
  ),
  converterRatio: setting(
    'CARTULARY_CONVERTER_RATIO',
    200,
    'times',
    'Largest ratio of the data that is read from a file to the size of the file, for data above 64 MiB',
    whole(1, 100_000),
  ),
  converterMemoryMiB: setting(
    'CARTULARY_CONVERTER_MEMORY',
    1_024,
    'MiB',
    'Most memory of one conversion',
    whole(64, 2_048),
  ),
  temporaryLimitBytes: setting(
    'CARTULARY_TEMPORARY_LIMIT',
    16 * 1024 ** 3,
    'bytes',
    'Largest unpacked size of an archive, and largest size of the files of one export before they are sent',
    whole(1024, 1024 ** 5),
  ),
  rasterPixels: setting(
    'CARTULARY_RASTER_PIXELS',
    500_000_000,
    'pixels',
    'Largest image of a raster layer, width × height',
    whole(1, 2_000_000_000),
  ),
  rasterSidePixels: setting(
    'CARTULARY_RASTER_SIDE',
    100_000,
    'pixels',
    'Largest width and height of an image of a raster layer',
    whole(1, 1_000_000),
  ),
  archiveEntries: setting(
    'CARTULARY_ARCHIVE_ENTRIES',
    10_000,
    'files',
    'Most files in an imported archive',
    whole(1, 1_000_000),
  ),
  archiveRatio: setting(
    'CARTULARY_ARCHIVE_RATIO',
    200,
    'times',
    'Largest ratio of unpacked to packed size of a file in an archive or gzip, for files above 64 MiB',
    whole(1, 1_100),
  ),
  projectionGrids: setting(
    'CARTULARY_PROJ_GRIDS',
    '',
    'folder',
    'Grid files of PROJ (such as BETA2007.gsb), by which imports shift datums exactly; without the file proj.db; empty: none, datums are shifted by seven parameters',
    (text) => (text === '' ? '' : folder(text)),
  ),
  tableColumns: setting(
    'CARTULARY_TABLE_COLUMNS',
    4_096,
    'columns',
    'Most columns of an imported table (csv, xls, xlsx)',
    whole(1, 16_384),
  ),
  tableCell: setting(
    'CARTULARY_TABLE_CELL',
    16 * 1024 * 1024,
    'characters',
    'Longest cell of an imported table',
    whole(1_024, 128 * 1024 * 1024),
  ),
  sheetRows: setting(
    'CARTULARY_SHEET_ROWS',
    500_000,
    'rows',
    'Most rows of an imported sheet (xls, xlsx). Sheets are read into memory',
    whole(1, 1_048_576),
  ),
  workbookLimitBytes: setting(
    'CARTULARY_WORKBOOK_LIMIT',
    128 * 1024 * 1024,
    'bytes',
    'Largest exported xls. Workbooks are built in memory',
    whole(1024, 1024 ** 3),
  ),
  workbooksAtOnce: setting(
    'CARTULARY_WORKBOOKS_AT_ONCE',
    2,
    'workbooks',
    'Workbooks (xls) that are built at once; further ones wait',
    whole(1, 64),
  ),
  queryLengthBytes: setting(
    'CARTULARY_QUERY_LENGTH',
    20_000,
    'bytes',
    'Longest query of a virtual or materialized layer',
    whole(100, 1_000_000),
  ),
  queryTimeoutMs: setting(
    'CARTULARY_QUERY_TIMEOUT',
    5_000,
    'ms',
    'Longest total time of the query of a virtual layer when it is saved',
    whole(100, 600_000),
  ),
  refreshTimeoutMs: setting(
    'CARTULARY_REFRESH_TIMEOUT',
    60_000,
    'ms',
    'Longest time of the query of a materialized layer',
    whole(100, 86_400_000),
  ),
  queryRows: setting(
    'CARTULARY_QUERY_ROWS',
    1_000_000,
    'rows',
    'Most rows of the query of a virtual or materialized layer when it is saved or run again',
    whole(1, 100_000_000),
  ),
  listDefault: setting(
    'CARTULARY_LIST_DEFAULT',
    1_000,
    'objects',
    'Objects in a list without `limit`',
    whole(1, 1_000_000),
  ),
  listRequests: setting(
    'CARTULARY_LIST_REQUESTS',
    200,
    'requests',
    'Lists, counts, searches and exports that are open at once; further ones are answered 503',
    whole(1, 100_000),
  ),
  listLimit: setting(
    'CARTULARY_LIST_LIMIT',
    50_000,
    'objects',
    'Most objects in one list',
    whole(1, 10_000_000),
  ),
  listOffset: setting(
    'CARTULARY_LIST_OFFSET',
    10_000_000,
    'objects',
    'Largest `offset` of a list, whose time grows with it. Beyond it a list continues with `cursor`',
    whole(0, 1_000_000_000),
  ),
  statisticsGroups: setting(
    'CARTULARY_STATISTICS_GROUPS',
    10_000,
    'groups',
    'Most groups in one answer of grouped statistics',
    whole(1, 1_000_000),
  ),
  sortIndexedKiB: setting(
    'CARTULARY_SORT_INDEXED',
    1_024,
    'KiB',
    'Least size of the table of a layer for which the first list that is sorted by a column builds an index',
    whole(0, 1_073_741_824),
  ),
  sortEmbeddedMiB: setting(
    'CARTULARY_SORT_EMBEDDED',
    128,
    'MiB',
    'Largest size of the table of a layer for which such indices are built on the embedded database, which blocks other statements meanwhile',
    whole(0, 1_048_576),
  ),
  embeddedMemoryMiB: setting(
    'CARTULARY_EMBEDDED_MEMORY',
    1_024,
    'MiB',
    'Memory of the embedded database beyond which its process is replaced when nobody uses it, since it never shrinks; beyond 1536 it is replaced between any two statements',
    whole(512, 4_096),
  ),
  sortIndexes: setting(
    'CARTULARY_SORT_INDEXES',
    8,
    'indices',
    'Most such indices of a layer; 0: none are built',
    whole(0, 100),
  ),
  batchLimit: setting(
    'CARTULARY_BATCH_LIMIT',
    10_000,
    'objects',
    'Most objects that one request creates, changes and deletes',
    whole(1, 1_000_000),
  ),
  columnLimit: setting(
    'CARTULARY_COLUMN_LIMIT',
    1_000,
    'columns',
    'Most columns of a layer',
    whole(1, 1_500),
  ),
  mapColumns: setting(
    'CARTULARY_MAP_COLUMNS',
    100_000,
    'columns',
    'Most columns of all layers of a map',
    whole(100, 1_000_000),
  ),
  fileLimitBytes: setting(
    'CARTULARY_FILE_LIMIT',
    100 * 1024 * 1024,
    'bytes',
    'Largest file of an object',
    whole(1, 1024 ** 4),
  ),
  imagePixels: setting(
    'CARTULARY_IMAGE_PIXELS',
    100_000_000,
    'pixels',
    'Largest picture that is resized, width × height',
    whole(1, 1_000_000_000),
  ),
  imagesAtOnce: setting(
    'CARTULARY_IMAGES_AT_ONCE',
    2,
    'pictures',
    'Pictures that are resized at once; further ones wait',
    whole(1, 128),
  ),
  imageQueue: setting(
    'CARTULARY_IMAGE_QUEUE',
    100,
    'pictures',
    'Pictures that may wait to be resized; further ones are answered 503',
    whole(0, 100_000),
  ),
  imageWaitMs: setting(
    'CARTULARY_IMAGE_WAIT',
    20_000,
    'ms',
    'Longest wait of a picture before it is resized',
    whole(100, 600_000),
  ),
  imageTimeoutS: setting(
    'CARTULARY_IMAGE_TIMEOUT',
    10,
    's',
    'Longest time of resizing one picture',
    whole(1, 600),
  ),
  imageCacheMiB: setting(
    'CARTULARY_IMAGE_CACHE',
    32,
    'MiB',
    'Memory for resized pictures',
    whole(0, 1_048_576),
  ),
  searchPhrase: setting(
    'CARTULARY_SEARCH_PHRASE',
    400,
    'characters',
    'Longest phrase of a search',
    whole(10, 10_000),
  ),
  searchLimit: setting('CARTULARY_SEARCH_LIMIT', 100, 'results', 'Most results of a search', whole(1, 1_000)),
  searchLayers: setting(
    'CARTULARY_SEARCH_LAYERS',
    50,
    'layers',
    'Most layers of a map whose objects are searched, in the order of its search settings or tree',
    whole(1, 1_000),
  ),
  searchColumns: setting(
    'CARTULARY_SEARCH_COLUMNS',
    10,
    'columns',
    'Most columns of a layer that are searched',
    whole(1, 100),
  ),
  searchScan: setting(
    'CARTULARY_SEARCH_SCAN',
    20_000,
    'objects',
    'Objects of a layer that a search scans while the layer has no search indices',
    whole(100, 10_000_000),
  ),
  searchIndexedKiB: setting(
    'CARTULARY_SEARCH_INDEXED',
    128,
    'KiB',
    'Least size of the table of a layer for which the first search builds search indices',
    whole(0, 1_073_741_824),
  ),
  searchEmbeddedMiB: setting(
    'CARTULARY_SEARCH_EMBEDDED',
    64,
    'MiB',
    'Largest size of the table of a layer for which search indices are built on the embedded database, which blocks other statements meanwhile',
    whole(0, 1_048_576),
  ),
  mapItems: setting(
    'CARTULARY_MAP_ITEMS',
    10_000,
    'folders and layers',
    'Most folders and layers of a map, and items of its publication tree',
    whole(1, 1_000_000),
  ),
  mapSizeBytes: setting(
    'CARTULARY_MAP_SIZE',
    33_554_432,
    'bytes',
    'Largest total of the styles and settings of a map and of its folders and layers',
    whole(65_536, 1_073_741_824),
  ),
  iconLimitBytes: setting(
    'CARTULARY_ICON_LIMIT',
    262_144,
    'bytes',
    'Largest file of an icon',
    whole(1024, 16_777_216),
  ),
  iconSidePixels: setting('CARTULARY_ICON_SIDE', 1024, 'pixels', 'Longest side of an icon', whole(16, 4096)),
  icons: setting('CARTULARY_ICONS', 2000, 'icons', 'Most own icons of a project', whole(0, 100_000)),
  renderers: setting('CARTULARY_RENDERERS', 2, 'processes', 'Renderer processes', whole(1, 128)),
  renderTimeoutMs: setting(
    'CARTULARY_RENDER_TIMEOUT',
    10_000,
    'ms',
    'Longest time of one render; then its process is ended',
    whole(100, 600_000),
  ),
  tilesTogether: setting(
    'CARTULARY_TILES_TOGETHER',
    20,
    'tiles',
    'Most neighbouring tiles that one render draws; 1: each tile is drawn alone',
    whole(1, 64),
  ),
  smallFeaturesFrom: setting(
    'CARTULARY_SMALL_FEATURES_FROM',
    20_000,
    'objects',
    'Least number of objects of a layer for which small features (up to one and a half pixels) and labels are prepared for fast drawing; 0: never',
    whole(0, 1_000_000_000),
  ),
  shapePiecesFrom: setting(
    'CARTULARY_SHAPE_PIECES_FROM',
    2_000,
    'positions',
    'Least number of positions, about, of a line or polygon that is stored in pieces too, from which pictures are drawn; 0: never',
    whole(0, 1_000_000_000),
  ),
  fastLabels: setting(
    'CARTULARY_FAST_LABELS',
    true,
    '1 or 0',
    'Whether the renderer draws labels itself where it can; 0: Mapnik draws all labels',
    flag,
  ),
  fastVectorTiles: setting(
    'CARTULARY_FAST_VECTOR_TILES',
    true,
    '1 or 0',
    'Whether small vector tiles that wait are made by one prepared statement; 0: each has its own statement',
    flag,
  ),
  fastVectorEncoding: setting(
    'CARTULARY_FAST_VECTOR_ENCODING',
    true,
    '1 or 0',
    'Whether PostgreSQL encodes vector tiles (ST_AsMVT); 0: the service encodes them, as on the embedded database',
    flag,
  ),
  renderQueue: setting(
    'CARTULARY_RENDER_QUEUE',
    500,
    'renderings',
    'Renders that may wait for a renderer process; further ones are answered 503',
    whole(1, 100_000),
  ),
  renderWaitMs: setting(
    'CARTULARY_RENDER_WAIT',
    20_000,
    'ms',
    'Longest wait of a render in the queue, or for an index that is being built',
    whole(100, 600_000),
  ),
  pictureSidePixels: setting(
    'CARTULARY_PICTURE_SIDE',
    4_096,
    'pixels',
    'Largest width and height of a picture of WMS and OGC API Maps',
    whole(256, 16_384),
  ),
  rendererMemoryMiB: setting(
    'CARTULARY_RENDERER_MEMORY',
    600,
    'MiB',
    'Resident memory above which a renderer process is replaced',
    whole(150, 65_536),
  ),
  vectorTileFeatures: setting(
    'CARTULARY_VECTOR_TILE_FEATURES',
    20_000,
    'features',
    'Most features of a layer in a vector tile; of more the largest are kept',
    whole(1, 1_000_000),
  ),
  vectorTileBytes: setting(
    'CARTULARY_VECTOR_TILE_BYTES',
    2_097_152,
    'bytes',
    'Largest vector tile before compression. In a larger one every layer loses some of its features',
    whole(10_000, 1_073_741_824),
  ),
  tileRequests: setting(
    'CARTULARY_TILE_REQUESTS',
    3_000,
    'requests',
    'Tile requests that are open at once, including those that wait; further ones are answered 503',
    whole(1, 100_000),
  ),
  tileCacheMiB: setting(
    'CARTULARY_TILE_CACHE',
    128,
    'MiB',
    'Memory for cached tiles, half of it for answers to the public',
    whole(0, 1_048_576),
  ),
  tileCacheDiskMiB: setting(
    'CARTULARY_TILE_CACHE_DISK',
    1_024,
    'MiB',
    'Disk space for cached tiles, in `tiles` of the data folder; 0: no tiles are kept on disk',
    whole(0, 16_777_216),
  ),
  externalHosts: setting(
    'CARTULARY_EXTERNAL_HOSTS',
    '',
    'list',
    'Hosts of external layers that the service may request, with commas: `tiles.example.org`, `*.example.org`, with `:8443` for a port other than 80 and 443; empty: none',
    hostPattern,
  ),
  externalPrivate: setting(
    'CARTULARY_EXTERNAL_PRIVATE',
    '',
    'list',
    'Of these hosts, as `host:port`, those that may have a private or loopback address, as in an intranet; empty: none',
    hostAndPort,
  ),
  externalTimeoutMs: setting(
    'CARTULARY_EXTERNAL_TIMEOUT',
    10_000,
    'ms',
    'Timeout of the request for one picture of an external layer',
    whole(100, 600_000),
  ),
  externalRestMs: setting(
    'CARTULARY_EXTERNAL_REST',
    5_000,
    'ms',
    'Pause before a server of external layers that did not answer is asked again',
    whole(0, 3_600_000),
  ),
  externalBytes: setting(
    'CARTULARY_EXTERNAL_BYTES',
    8 * 1024 * 1024,
    'bytes',
    'Largest picture of an external layer',
    whole(1024, 1024 ** 3),
  ),
  externalAtOnce: setting(
    'CARTULARY_EXTERNAL_AT_ONCE',
    8,
    'pictures',
    'Pictures of external layers that are requested at once; further ones wait',
    whole(1, 1_000),
  ),
  externalCacheMiB: setting(
    'CARTULARY_EXTERNAL_CACHE',
    64,
    'MiB',
    'Memory for pictures of external layers, cached as long as their servers allow; 0: none are cached',
    whole(0, 1_048_576),
  ),
  featureSheetTimeoutMs: setting(
    'CARTULARY_FEATURE_SHEET_TIMEOUT',
    30_000,
    'ms',
    'Longest time of making a feature sheet (PDF)',
    whole(100, 600_000),
  ),
  featureSheetPages: setting(
    'CARTULARY_FEATURE_SHEET_PAGES',
    60,
    'pages',
    'Most pages of a feature sheet',
    whole(1, 1_000),
  ),
  featureSheetPictures: setting(
    'CARTULARY_FEATURE_SHEET_PICTURES',
    20,
    'pictures',
    'Most pictures on a feature sheet',
    whole(0, 200),
  ),
  featureSheetsAtOnce: setting(
    'CARTULARY_FEATURE_SHEETS_AT_ONCE',
    2,
    'feature sheets',
    'Feature sheets that are made at once; further ones wait',
    whole(1, 100),
  ),
  featureSheetQueue: setting(
    'CARTULARY_FEATURE_SHEET_QUEUE',
    50,
    'feature sheets',
    'Feature sheets that may wait; further ones are answered 503',
    whole(0, 10_000),
  ),
  fontFolder: setting(
    'CARTULARY_FONTS',
    '',
    'folder',
    'Additional fonts for tiles and feature sheets (.ttf, .otf, .woff), preferred over those of packages; empty: none',
    (text) => (text === '' ? '' : folder(text)),
  ),
  styleLimitBytes: setting(
    'CARTULARY_STYLE_LIMIT',
    256 * 1024,
    'bytes',
    'Largest style',
    whole(1024, 256 * 1024),
  ),
  logLevel: setting(
    'CARTULARY_LOG_LEVEL',
    'info',
    'fatal, error, warn, info, debug, trace or silent',
    'Least level of logged messages',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  ),
} as const;

export type Config = {
  readonly [K in keyof typeof settings]: (typeof settings)[K] extends Setting<infer T>
    ? T extends boolean
      ? boolean
      : T extends number
        ? number
        : string
    : never;
};

/** Reads the settings from an environment. Throws one Error that names every wrong setting. */
export function parseConfig(env: NodeJS.ProcessEnv): Config {
  const problems: string[] = [];
  const entries = Object.entries(settings).map(([key, { env: name, default: initial, unit, parse }]) => {
    const text = env[name];
    if (text === undefined || text === '') return [key, initial];
    try {
      return [key, parse(text)];
    } catch (error) {
      const isSecret = name.includes('PASSWORD') || /:\/\/[^/]*@/.test(text);
      const measure = typeof initial === 'number' && unit !== 'port' ? ` (${unit})` : '';
      problems.push(`${name}=${isSecret ? '…' : text}: ${(error as Error).message}${measure}`);
      return [key, initial];
    }
  });
  const config = Object.fromEntries(entries) as Config;
  problems.push(...missingBeside(config));
  if (problems.length) throw new Error(`Wrong settings:\n  ${problems.join('\n  ')}`);
  return config;
}

/**
 * A warning for each unknown variable that looks like a setting, with the setting that was probably meant.
 */
export function unknownSettings(env: NodeJS.ProcessEnv): string[] {
  const known: string[] = Object.values(settings).map(({ env: name }) => name);
  return Object.keys(env)
    .filter((name) => /^cartulary_/i.test(name) && !known.includes(name))
    .map((given) => {
      const name = given.toUpperCase();
      // Such as CARTULARY_PORT for PORT.
      const bare = known.find((one) => name === `CARTULARY_${one}`);
      const [nearest] = known
        .map((one) => ({ one, steps: editDistance(one, name) }))
        .sort((a, b) => a.steps - b.steps);
      // Half of a short name in common is chance.
      const most = Math.min(3, Math.floor((name.length - 'CARTULARY_'.length) / 2));
      const meant = bare ?? (nearest && nearest.steps <= most ? nearest.one : undefined);
      const hint = meant === undefined ? '' : `; ${meant} was probably meant`;
      return `There is no setting ${given}${hint}. 'npx cartulary settings' lists them`;
    });
}

/** The Levenshtein distance of two texts. */
function editDistance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...a].entries()) {
    const row = [i + 1];
    for (let j = 0; j < b.length; j++)
      row.push(Math.min(row[j]! + 1, above[j + 1]! + 1, above[j]! + (letter === b[j] ? 0 : 1)));
    above = row;
  }
  return above[b.length]!;
}

/** Settings, each with the one without which it has no effect. */
const dependent = [
  ['extLoginIssuer', 'extLoginJwks'],
  ['extLoginAudience', 'extLoginJwks'],
  ['extLoginClaim', 'extLoginJwks'],
  ['extLoginAlgorithms', 'extLoginJwks'],
  ['externalPrivate', 'externalHosts'],
] as const;

/** A warning for each setting that was given and has no effect. */
export const settingsWithoutEffect = (config: Config): string[] =>
  dependent
    .filter(([key, needed]) => config[key] !== settings[key].default && config[needed] === '')
    .map(([key, needed]) => `${settings[key].env} has no effect: ${settings[needed].env} is not set`);

/**
 * Settings that are required with others. Without an issuer and an audience, tokens of other issuers or for
 * other services would be accepted.
 */
function missingBeside(config: Config): string[] {
  if (!config.extLoginJwks) return [];
  const { extLoginIssuer, extLoginAudience } = settings;
  return [
    ...(config.extLoginIssuer ? [] : [extLoginIssuer.env]),
    ...(config.extLoginAudience ? [] : [extLoginAudience.env]),
  ].map((name) => `${name}: is required with ${settings.extLoginJwks.env}`);
}

/** The number of worker processes. */
export const countOfProcesses = ({ processes }: Config): number => processes || availableParallelism();

/**
 * Long reads, and writes, that run at once. At least two connections are left to short reads. The embedded
 * database has one session, where more than two would only wait.
 */
export function longStatements({ databaseConnections, databaseUrl }: Config): number {
  const half = Math.max(1, Math.floor((databaseConnections - 2) / 2));
  return databaseUrl ? half : Math.min(2, half);
}

/** The share of long reads that may be heavy. */
export function heavyStatements(config: Config): number {
  if (!config.databaseUrl) return 1;
  const usual = Math.max(1, Math.floor(availableParallelism() / 2 / countOfProcesses(config)));
  return Math.min(longStatements(config), config.heavyStatements || usual);
}
