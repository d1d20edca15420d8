import { availableParallelism, homedir } from 'node:os';
import { resolve } from 'node:path';

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
    const value = Number(text);
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

/** Algorithms of signatures with a public key. One with a shared secret would take the public key for it. */
const signatures = ['RS', 'PS', 'ES'].flatMap((family) => [256, 384, 512].map((bits) => `${family}${bits}`));
const publicKeyAlgorithms = new Set([...signatures, 'EdDSA', 'Ed25519']);

const algorithms = (text: string): string => {
  const names = text.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !publicKeyAlgorithms.has(name));
  if (wrong === undefined) return names.join(',');
  const why = /^(none|HS\d*)$/i.test(wrong) ? `'${wrong}' would let anybody sign tokens; it ` : '';
  throw new RangeError(`${why}must be out of ${[...publicKeyAlgorithms].join(', ')}`);
};

const fileOrUrl = (text: string): string => {
  if (!/^[a-z][a-z0-9+.-]+:/i.test(text)) return folder(text);
  if (!/^https?:/i.test(text) || !URL.canParse(text))
    throw new RangeError('must be a file or an http(s) URL');
  const { username, password } = new URL(text);
  if (username || password) throw new RangeError('must have no user and no password in the URL');
  return text;
};

/** Names in lower case with commas. */
const list = (text: string): string =>
  text
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .join(',');

/** Sources of a policy: nothing that would end the directive, or the header. */
const ancestors = (text: string): string => {
  const sources = text.trim().split(/\s+/);
  const isRight = sources.every((source) =>
    /^('self'|'none'|\*|(https?:\/\/)?(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:(\d+|\*))?)$/i.test(source),
  );
  if (!isRight || (sources.length > 1 && sources.includes("'none'")))
    throw new RangeError("must be 'none', or 'self', * and origins such as https://example.org, with spaces");
  return sources.join(' ');
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

/** The one table of settings. The table in `docs/settings.md` is made from it. */
export const settings = {
  host: setting('HOST', '127.0.0.1', 'address', 'Address to listen on', string),
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
    'Processes that serve, beside one that starts them when there are several; 0: as many as the machine has cores',
    whole(0, 64),
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
    'Most connections of the server to PostgreSQL',
    whole(3, 500),
  ),
  heavyStatements: setting(
    'CARTULARY_HEAVY_STATEMENTS',
    0,
    'statements',
    'Statements of long lists, filters, searches, counts, exports and statistics that run at once, which leave processors to others; 0: one for two cores of the machine; on the embedded database always 1',
    whole(0, 500),
  ),
  heavyWait: setting(
    'CARTULARY_HEAVY_WAIT',
    2_000,
    'ms',
    'How long heavy statements and queries of layers may keep others waiting on the embedded database, where one runs at a time; 0.5 % of the time that passes is given back. One that would keep others waiting for longer is stopped, and run again when there is room',
    whole(0, 600_000),
  ),
  databaseQueue: setting(
    'CARTULARY_DATABASE_QUEUE',
    5_000,
    'statements',
    'Statements of a kind (short reads, long reads, heavy reads, writes) that may wait for their turn; more are answered 503',
    whole(1, 100_000),
  ),
  databaseWait: setting(
    'CARTULARY_DATABASE_WAIT',
    30_000,
    'ms',
    'Longest time that a statement waits for its turn',
    whole(100, 600_000),
  ),
  statementTimeout: setting(
    'CARTULARY_STATEMENT_TIMEOUT',
    30_000,
    'ms',
    'Longest time of one statement of a request',
    whole(100, 3_600_000),
  ),
  baseUrl: setting(
    'CARTULARY_BASE_URL',
    '',
    'URL',
    'Address under which the service is reached from outside, for absolute addresses in answers',
    string,
  ),
  hosts: setting(
    'CARTULARY_HOSTS',
    'localhost,127.0.0.1,[::1]',
    'list',
    'Without a base address: hosts, with commas, that answers repeat in absolute addresses when the service was asked by them, with any port or the one given; for all others addresses are relative',
    list,
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
    'Whether X-Forwarded-* headers of a proxy in front are believed',
    flag,
  ),
  connections: setting(
    'CARTULARY_CONNECTIONS',
    10_000,
    'connections',
    'Most connections of clients that a serving process holds open; more are closed at once',
    whole(1, 1_000_000),
  ),
  connectionsPerAddress: setting(
    'CARTULARY_CONNECTIONS_PER_ADDRESS',
    2_000,
    'connections',
    'The same of one address (IPv6: of the first 64 bits); with `CARTULARY_TRUST_PROXY` there is no such limit',
    whole(1, 1_000_000),
  ),
  stopTime: setting(
    'CARTULARY_STOP_TIME',
    6_500,
    'ms',
    'How long what runs may take to finish when the service is asked to stop; it has ended 3 s later at the latest',
    whole(0, 3_600_000),
  ),
  headersTimeout: setting(
    'CARTULARY_HEADERS_TIMEOUT',
    30_000,
    'ms',
    'Longest time from the first byte of a request, or from its connection, to the end of its headers',
    whole(100, 600_000),
  ),
  minUploadRate: setting(
    'CARTULARY_MIN_UPLOAD_RATE',
    1_000,
    'bytes per s',
    'Least rate at which the body of a request comes, of the time that it is waited for; slower ones are answered 408; 0: none',
    whole(0, 1_000_000_000),
  ),
  minReadRate: setting(
    'CARTULARY_MIN_READ_RATE',
    1_000,
    'bytes per s',
    'Least rate at which an answer is read; the connection of a slower client is closed; 0: none',
    whole(0, 1_000_000_000),
  ),
  rateWindow: setting(
    'CARTULARY_RATE_WINDOW',
    60_000,
    'ms',
    'Time over which both rates are averaged, and before which nobody is too slow',
    whole(100, 3_600_000),
  ),
  sendMemory: setting(
    'CARTULARY_SEND_MEMORY',
    512,
    'MiB',
    'Memory for what clients have not read yet; above it the connections of the address that takes most of it are closed',
    whole(1, 1_048_576),
  ),
  cors: setting(
    'CARTULARY_CORS',
    true,
    '1 or 0',
    'Whether programs in pages of other origins may call the interface (never with credentials)',
    flag,
  ),
  adminPassword: setting(
    'CARTULARY_ADMIN_PASSWORD',
    '',
    'text',
    'Password of the administrator `admin`, used at the first start; empty: one is made and printed once',
    string,
  ),
  demo: setting(
    'CARTULARY_DEMO',
    true,
    '1 or 0',
    'Whether the project `demo` is filled with the map `world` at the first start',
    flag,
  ),
  sessionIdle: setting(
    'CARTULARY_SESSION_IDLE',
    600,
    's',
    'How long a session lives after the last request that used it',
    whole(1, 31_536_000),
  ),
  sessionIdle20: setting(
    'CARTULARY_SESSION_IDLE_2_0',
    2_592_000,
    's',
    'The same for a session that was opened through version 2.0 of the interface: a month of 30 days',
    whole(1, 31_536_000),
  ),
  loginFailures: setting(
    'CARTULARY_LOGIN_FAILURES',
    10,
    'failures',
    'Failed logins in 5 minutes for one login and address before 429',
    whole(1, 1_000_000),
  ),
  extLoginJwks: setting(
    'CARTULARY_EXT_LOGIN_JWKS',
    '',
    'file or URL',
    'Public keys (JWKS) of the identity provider whose tokens `ext-login` takes; empty: it takes none',
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
    'Audience (`aud`) of its tokens, which stands for this service; required with the keys',
    string,
  ),
  extLoginClaim: setting(
    'CARTULARY_EXT_LOGIN_CLAIM',
    'sub',
    'claim',
    'The claim of its tokens that is the login of the user',
    string,
  ),
  extLoginAlgorithms: setting(
    'CARTULARY_EXT_LOGIN_ALGORITHMS',
    'RS256,PS256,ES256,EdDSA',
    'list',
    'Algorithms by which its tokens may be signed',
    algorithms,
  ),
  extLoginTimeout: setting(
    'CARTULARY_EXT_LOGIN_TIMEOUT',
    5_000,
    'ms',
    'Longest time of fetching its keys',
    whole(100, 60_000),
  ),
  extLoginCooldown: setting(
    'CARTULARY_EXT_LOGIN_COOLDOWN',
    10,
    's',
    'After its keys were fetched, or could not be, how long a token with another key does not have them fetched again',
    whole(0, 86_400),
  ),
  bodyLimit: setting(
    'CARTULARY_BODY_LIMIT',
    8 * 1024 * 1024,
    'bytes',
    'Largest body of a request that writes objects; those with styles, filters, trees or lists of ids have 2 MiB at most',
    whole(1024, 1024 ** 3),
  ),
  smallBodyLimit: setting(
    'CARTULARY_SMALL_BODY_LIMIT',
    64 * 1024,
    'bytes',
    'Largest body of all other requests, without files and imports',
    whole(1024, 1024 ** 3),
  ),
  importLimit: setting(
    'CARTULARY_IMPORT_LIMIT',
    4 * 1024 ** 3,
    'bytes',
    'Largest import',
    whole(1024, 1024 ** 5),
  ),
  importFeatureLimit: setting(
    'CARTULARY_IMPORT_FEATURE_LIMIT',
    64 * 1024 * 1024,
    'bytes',
    'Largest single feature of an import',
    whole(1024, 512 * 1024 * 1024),
  ),
  importsAtOnce: setting(
    'CARTULARY_IMPORTS_AT_ONCE',
    2,
    'imports',
    'Imports that run at once; more wait for their turn',
    whole(1, 100),
  ),
  exportJobsAtOnce: setting(
    'CARTULARY_EXPORT_JOBS_AT_ONCE',
    2,
    'exports',
    'Exports that run at once as jobs; more wait for their turn',
    whole(1, 100),
  ),
  jobsPerUser: setting(
    'CARTULARY_JOBS_PER_USER',
    10,
    'jobs',
    'Most unfinished jobs of one user, or of one address without a token; more are answered 429',
    whole(1, 10_000),
  ),
  jobStreams: setting(
    'CARTULARY_JOB_STREAMS',
    10,
    'streams',
    'Most event streams of one user, or of one address without a token, at once; more are answered 429',
    whole(1, 10_000),
  ),
  jobDays: setting('CARTULARY_JOB_DAYS', 7, 'days', 'How long a job is kept after its end', whole(1, 3_650)),
  jobFileTime: setting(
    'CARTULARY_JOB_FILE_TIME',
    3_600,
    's',
    'How long the file of an export is kept, and a job of the public',
    whole(1, 2_592_000),
  ),
  jobSpace: setting(
    'CARTULARY_JOB_SPACE',
    32 * 1024 ** 3,
    'bytes',
    'Most that the files of all jobs take: what was sent, and exports that are kept; more is answered 429',
    whole(1024, 1024 ** 5),
  ),
  transferQueue: setting(
    'CARTULARY_TRANSFER_QUEUE',
    100,
    'pieces of work',
    'Imports, exports as jobs, workbooks and conversions that may wait, of each kind; more are answered 503',
    whole(0, 100_000),
  ),
  converters: setting(
    'CARTULARY_CONVERTERS',
    2,
    'processes',
    'Conversions of formats (import or export) that run at once, each in a process that ends with it; more wait',
    whole(1, 64),
  ),
  converterTimeout: setting(
    'CARTULARY_CONVERTER_TIMEOUT',
    3_600_000,
    'ms',
    'Longest time of one conversion before its process is ended',
    whole(1_000, 86_400_000),
  ),
  converterStall: setting(
    'CARTULARY_CONVERTER_STALL',
    30_000,
    'ms',
    'Processor time that one conversion may take without reading or writing anything, and in all beyond 1 s for each MiB that it works on and writes (on Linux, which tells it)',
    whole(1_000, 86_400_000),
  ),
  converterRatio: setting(
    'CARTULARY_CONVERTER_RATIO',
    200,
    'times',
    'How much larger than its file what is read out of it may be, where it is more than 64 MiB',
    whole(1, 100_000),
  ),
  converterMemory: setting(
    'CARTULARY_CONVERTER_MEMORY',
    1_024,
    'MiB',
    'Memory that one conversion may use',
    whole(64, 2_048),
  ),
  temporaryLimit: setting(
    'CARTULARY_TEMPORARY_LIMIT',
    16 * 1024 ** 3,
    'bytes',
    'Most that an archive may unpack to, and that the files of one export may take before they are sent',
    whole(1024, 1024 ** 5),
  ),
  rasterPixels: setting(
    'CARTULARY_RASTER_PIXELS',
    500_000_000,
    'pixels',
    'Largest image (width × height) that a raster layer takes',
    whole(1, 2_000_000_000),
  ),
  rasterSide: setting(
    'CARTULARY_RASTER_SIDE',
    100_000,
    'pixels',
    'Largest width and height of an image that a raster layer takes',
    whole(1, 1_000_000),
  ),
  archiveEntries: setting(
    'CARTULARY_ARCHIVE_ENTRIES',
    10_000,
    'files',
    'Most files in an archive that is imported',
    whole(1, 1_000_000),
  ),
  archiveRatio: setting(
    'CARTULARY_ARCHIVE_RATIO',
    200,
    'times',
    'How much larger than in the archive, or packed with gzip, a file of more than 64 MiB may be when it is unpacked',
    whole(1, 1_100),
  ),
  tableColumns: setting(
    'CARTULARY_TABLE_COLUMNS',
    1_000,
    'columns',
    'Most columns of a table that is imported (csv, xls, xlsx)',
    whole(1, 16_384),
  ),
  tableCell: setting(
    'CARTULARY_TABLE_CELL',
    16 * 1024 * 1024,
    'characters',
    'Longest cell of a table that is imported',
    whole(1_024, 128 * 1024 * 1024),
  ),
  sheetRows: setting(
    'CARTULARY_SHEET_ROWS',
    500_000,
    'rows',
    'Most rows of a sheet that is imported (xls, xlsx), which are held in memory',
    whole(1, 1_048_576),
  ),
  workbookLimit: setting(
    'CARTULARY_WORKBOOK_LIMIT',
    128 * 1024 * 1024,
    'bytes',
    'Largest xls that is exported: it is made in memory',
    whole(1024, 1024 ** 3),
  ),
  workbooksAtOnce: setting(
    'CARTULARY_WORKBOOKS_AT_ONCE',
    2,
    'workbooks',
    'Workbooks (xls) that are made at once; more wait for their turn',
    whole(1, 64),
  ),
  queryLength: setting(
    'CARTULARY_QUERY_LENGTH',
    20_000,
    'bytes',
    'Longest query of a virtual or materialized layer',
    whole(100, 1_000_000),
  ),
  queryTimeout: setting(
    'CARTULARY_QUERY_TIMEOUT',
    5_000,
    'ms',
    'Longest time that the query of a virtual layer may take from end to end when it is saved',
    whole(100, 600_000),
  ),
  refreshTimeout: setting(
    'CARTULARY_REFRESH_TIMEOUT',
    60_000,
    'ms',
    'Longest time of running the query of a materialized layer',
    whole(100, 86_400_000),
  ),
  queryRows: setting(
    'CARTULARY_QUERY_ROWS',
    1_000_000,
    'rows',
    'Most rows that the query of a virtual or materialized layer may give when it is saved or run again',
    whole(1, 100_000_000),
  ),
  listDefault: setting(
    'CARTULARY_LIST_DEFAULT',
    1_000,
    'objects',
    'Objects in a list when `limit` is not given',
    whole(1, 1_000_000),
  ),
  listRequests: setting(
    'CARTULARY_LIST_REQUESTS',
    200,
    'requests',
    'Lists, counts, searches and exports that are answered at once; more are answered 503',
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
    'Largest `offset` of a list, whose time grows with it; behind that a list goes on with `cursor`',
    whole(0, 1_000_000_000),
  ),
  sortIndexed: setting(
    'CARTULARY_SORT_INDEXED',
    1_024,
    'KiB',
    'Size of the table of a layer from which on the first list that is sorted by a column makes an index for it',
    whole(0, 1_073_741_824),
  ),
  sortEmbedded: setting(
    'CARTULARY_SORT_EMBEDDED',
    128,
    'MiB',
    'Size of the table of a layer up to which such indices are made on the embedded database, where all wait for it',
    whole(0, 1_048_576),
  ),
  sortIndexes: setting(
    'CARTULARY_SORT_INDEXES',
    8,
    'indices',
    'Most such indices of a layer; 0: none are made',
    whole(0, 100),
  ),
  batchLimit: setting(
    'CARTULARY_BATCH_LIMIT',
    10_000,
    'objects',
    'Most objects that one request may make, change and delete',
    whole(1, 1_000_000),
  ),
  columnLimit: setting(
    'CARTULARY_COLUMN_LIMIT',
    1_000,
    'columns',
    'Most columns of a layer',
    whole(1, 1_500),
  ),
  fileLimit: setting(
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
    'Largest picture (width × height) that is resized',
    whole(1, 1_000_000_000),
  ),
  imagesAtOnce: setting(
    'CARTULARY_IMAGES_AT_ONCE',
    2,
    'pictures',
    'Pictures that are resized at once; more wait for their turn',
    whole(1, 128),
  ),
  imageQueue: setting(
    'CARTULARY_IMAGE_QUEUE',
    100,
    'pictures',
    'Pictures that may wait to be resized; more are answered 503',
    whole(0, 100_000),
  ),
  imageWait: setting(
    'CARTULARY_IMAGE_WAIT',
    20_000,
    'ms',
    'Longest time that a picture waits to be resized',
    whole(100, 600_000),
  ),
  imageTimeout: setting(
    'CARTULARY_IMAGE_TIMEOUT',
    10,
    's',
    'Longest time of resizing one picture',
    whole(1, 600),
  ),
  imageCache: setting('CARTULARY_IMAGE_CACHE', 32, 'MiB', 'Memory for resized pictures', whole(0, 1_048_576)),
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
    'Objects of a layer that a search reads one by one, while the layer has no search indices yet',
    whole(100, 10_000_000),
  ),
  searchIndexed: setting(
    'CARTULARY_SEARCH_INDEXED',
    128,
    'KiB',
    'Size of the table of a layer from which on the first search of it makes its search indices',
    whole(0, 1_073_741_824),
  ),
  searchEmbedded: setting(
    'CARTULARY_SEARCH_EMBEDDED',
    64,
    'MiB',
    'Size of the table of a layer up to which search indices are made on the embedded database, where all wait for it',
    whole(0, 1_048_576),
  ),
  iconLimit: setting(
    'CARTULARY_ICON_LIMIT',
    262_144,
    'bytes',
    'Largest file of an icon',
    whole(1024, 16_777_216),
  ),
  iconSide: setting('CARTULARY_ICON_SIDE', 1024, 'pixels', 'Longest side of an icon', whole(16, 4096)),
  icons: setting(
    'CARTULARY_ICONS',
    2000,
    'icons',
    'Most icons that a project may have of its own',
    whole(0, 100_000),
  ),
  renderers: setting('CARTULARY_RENDERERS', 2, 'processes', 'Renderer processes', whole(1, 128)),
  renderTimeout: setting(
    'CARTULARY_RENDER_TIMEOUT',
    10_000,
    'ms',
    'Longest time of one rendering before its process is ended',
    whole(100, 600_000),
  ),
  tilesTogether: setting(
    'CARTULARY_TILES_TOGETHER',
    20,
    'tiles',
    'Most neighbouring tiles that are drawn as one picture; with 1 each is drawn alone',
    whole(1, 64),
  ),
  specksFrom: setting(
    'CARTULARY_SPECKS_FROM',
    20_000,
    'objects',
    'Objects of a layer from which those that are no larger than a pixel and a half are kept ready to be drawn; 0: never',
    whole(0, 1_000_000_000),
  ),
  renderQueue: setting(
    'CARTULARY_RENDER_QUEUE',
    500,
    'renderings',
    'Tiles and other pictures that may wait for a renderer; more are answered 503',
    whole(1, 100_000),
  ),
  renderWait: setting(
    'CARTULARY_RENDER_WAIT',
    20_000,
    'ms',
    'Longest time that a rendering waits in the queue, or before it for an index that is being made',
    whole(100, 600_000),
  ),
  rendererMemory: setting(
    'CARTULARY_RENDERER_MEMORY',
    600,
    'MiB',
    'Resident memory at which a renderer process is replaced',
    whole(150, 65_536),
  ),
  vectorTileFeatures: setting(
    'CARTULARY_VECTOR_TILE_FEATURES',
    20_000,
    'features',
    'Most features of a layer in a vector tile; of more the largest are taken',
    whole(1, 1_000_000),
  ),
  vectorTileBytes: setting(
    'CARTULARY_VECTOR_TILE_BYTES',
    2_097_152,
    'bytes',
    'Largest vector tile, before it is packed; of a larger one every layer loses some of its features',
    whole(10_000, 1_073_741_824),
  ),
  tileRequests: setting(
    'CARTULARY_TILE_REQUESTS',
    3_000,
    'requests',
    'Requests of tiles that are answered at once, with those that wait; more are answered 503',
    whole(1, 100_000),
  ),
  tileCache: setting('CARTULARY_TILE_CACHE', 64, 'MiB', 'Memory for drawn tiles', whole(0, 1_048_576)),
  tileCacheDisk: setting(
    'CARTULARY_TILE_CACHE_DISK',
    1_024,
    'MiB',
    'Most that drawn tiles take of the disk, in `tiles` of the data folder; 0: none are kept there',
    whole(0, 16_777_216),
  ),
  externalHosts: setting(
    'CARTULARY_EXTERNAL_HOSTS',
    '',
    'list',
    'Hosts from which external layers may be fetched, with commas: `tiles.example.org`, `*.example.org`, with `:8443` for another port than 80 and 443; empty: none',
    string,
  ),
  externalPrivate: setting(
    'CARTULARY_EXTERNAL_PRIVATE',
    '',
    'list',
    'Those of them, as `host:port`, that may lie at a private or loopback address, as in an intranet; empty: none',
    string,
  ),
  externalTimeout: setting(
    'CARTULARY_EXTERNAL_TIMEOUT',
    10_000,
    'ms',
    'Longest time of fetching one picture of an external layer',
    whole(100, 600_000),
  ),
  externalRest: setting(
    'CARTULARY_EXTERNAL_REST',
    5_000,
    'ms',
    'How long a server of external layers that did not answer is not asked again',
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
    'Pictures of external layers that are fetched at once; more wait for their turn',
    whole(1, 1_000),
  ),
  externalCache: setting(
    'CARTULARY_EXTERNAL_CACHE',
    64,
    'MiB',
    'Memory for fetched pictures, as long as their servers allow; 0: none are kept',
    whole(0, 1_048_576),
  ),
  cardTimeout: setting(
    'CARTULARY_CARD_TIMEOUT',
    30_000,
    'ms',
    'Longest time of making the PDF card of an object',
    whole(100, 600_000),
  ),
  cardPages: setting('CARTULARY_CARD_PAGES', 60, 'pages', 'Most pages of a card', whole(1, 1_000)),
  cardPictures: setting('CARTULARY_CARD_PICTURES', 20, 'pictures', 'Most pictures on a card', whole(0, 200)),
  cardsAtOnce: setting(
    'CARTULARY_CARDS_AT_ONCE',
    2,
    'cards',
    'Cards that are made at once; more wait for their turn',
    whole(1, 100),
  ),
  cardQueue: setting(
    'CARTULARY_CARD_QUEUE',
    50,
    'cards',
    'Cards that may wait for their turn; more are answered 503',
    whole(0, 10_000),
  ),
  fontFolder: setting(
    'CARTULARY_FONTS',
    '',
    'folder',
    'Further fonts for tiles and cards (.ttf, .otf, .woff), which go before those of packages; empty: none',
    (text) => (text === '' ? '' : folder(text)),
  ),
  styleLimit: setting('CARTULARY_STYLE_LIMIT', 256 * 1024, 'bytes', 'Largest style', whole(1024, 256 * 1024)),
  logLevel: setting(
    'CARTULARY_LOG_LEVEL',
    'info',
    'fatal, error, warn, info, debug or trace',
    'What is logged',
    string,
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

/** Reads the settings from an environment. Throws one Error that names every setting that is wrong. */
export function parseConfig(env: NodeJS.ProcessEnv): Config {
  const problems: string[] = [];
  const entries = Object.entries(settings).map(([key, { env: name, default: initial, parse }]) => {
    const text = env[name];
    if (text === undefined || text === '') return [key, initial];
    try {
      return [key, parse(text)];
    } catch (error) {
      const isSecret = name.includes('PASSWORD') || /:\/\/[^/]*@/.test(text);
      problems.push(`${name}=${isSecret ? '…' : text}: ${(error as Error).message}`);
      return [key, initial];
    }
  });
  const config = Object.fromEntries(entries) as Config;
  problems.push(...missingBeside(config));
  if (problems.length) throw new Error(`Wrong settings:\n  ${problems.join('\n  ')}`);
  return config;
}

/** Settings that must not be empty beside others: tokens for anybody, from anybody, would be taken. */
function missingBeside(config: Config): string[] {
  if (!config.extLoginJwks) return [];
  const { extLoginIssuer, extLoginAudience } = settings;
  return [
    ...(config.extLoginIssuer ? [] : [extLoginIssuer.env]),
    ...(config.extLoginAudience ? [] : [extLoginAudience.env]),
  ].map((name) => `${name}: is required with ${settings.extLoginJwks.env}`);
}

/** The settings as the page docs/settings.md. */
export function settingsTable(): string {
  const rows = Object.values(settings).map(({ env, default: initial, unit, meaning }) => {
    const shown =
      env === 'CARTULARY_DATA'
        ? './data'
        : initial === true
          ? '1'
          : initial === false
            ? '0'
            : String(initial);
    return `| \`${env}\` | ${shown === '' ? '' : `\`${shown}\``} | ${unit} | ${meaning} |`;
  });
  return `# Settings

Every setting is an environment variable. This page is made from the code: \`npx cartulary settings --markdown\`.

| Variable | Default | Unit | Meaning |
|---|---|---|---|
${rows.join('\n')}
`;
}

/** Long reads that run at once, and writes: two connections at least are left to short reads. The embedded database has one session, in which more than two would only wait. */
export function longStatements({ databaseConnections, databaseUrl }: Config): number {
  const half = Math.max(1, Math.floor((databaseConnections - 2) / 2));
  return databaseUrl ? half : Math.min(2, half);
}

/** Those of the long reads that may be heavy. */
export function heavyStatements(config: Config): number {
  if (!config.databaseUrl) return 1;
  const cores = availableParallelism();
  const usual = Math.max(1, Math.floor(cores / 2 / (config.processes || cores)));
  return Math.min(longStatements(config), config.heavyStatements || usual);
}
