import { parseArgs } from 'node:util';

export interface Options {
  /** Codes of the rows to measure; absent: all. */
  only: ReadonlySet<string> | undefined;
  /** Number of rounds. Each round measures both sides of a pair, in alternating order. */
  rounds: number;
  /** Approximate duration of one side in a round. */
  seconds: number;
  /** Number of polygons in the main layer. */
  features: number;
  /** Number of points for hexagons, and of objects in the large search layer. */
  points: number;
  /** The largest layer of the growth table has 10^growth points. */
  growth: number;
  isQuick: boolean;
  /** Folder for images of each side. */
  pictures: string | undefined;
  /** Page that receives the figures; absent: the figures are only printed. */
  page: string | undefined;
  /** Codes of the looks to measure instead of the rows, or `all`; absent: the rows. */
  looks: ReadonlySet<string> | 'all' | undefined;
  /** Names of the peers of the looks, in lower case; absent: all. */
  looksPeers: ReadonlySet<string> | undefined;
  /** Main file of another build, for the row `builds`. */
  against: string | undefined;
  /** URL of a PostgreSQL server on which databases may be created; absent: the run starts one. */
  database: string | undefined;
}

export const help = `npm run bench -- [options]

Measures Cartulary beside MapServer, QGIS Server, nginx, pgbench, ogr2ogr and sharp on this machine, and writes the ratios
into docs/benchmarks.md. It installs what is missing of them from Debian's packages, and starts a PostgreSQL of its own
unless it is given one.

  --only CODE,...    only these rows, printed and not written (--rows lists all)
  --rounds N         how often both sides are measured, alternately (5)
  --seconds N        how long one side is measured in a round (3)
  --features N       polygons, 100 to 10000000 (200000)
  --points N         points of the hexagons and of the search, 100 to 10000000 (1000000)
  --growth N         the largest layer of the table of growth has 10^N points, 4 to 7 (6)
  --quick            small sizes, short warm-ups, and only the rows beside others, in a minute: printed and not written
  --pictures FOLDER  writes the same tiles of each side there, to be looked at
  --looks [CODE,...] instead of the rows: maps of many kinds, each at low, middle and high zoom levels (--rows lists them)
  --looks-peers ...  beside these: mapserver, qgis (both)
  --against FILE     with --only builds: the main file of another build (apps/server/dist/src/main.js in its checkout)
  --page FILE        the page with the figures (docs/benchmarks.md)
  --database URL     a PostgreSQL with PostGIS where databases may be made (TEST_DATABASE_URL)
  --rows             lists the rows
`;

const page = 'docs/benchmarks.md';

/** Parses the arguments. Returns `help` or `rows` if that text is wanted. Throws an Error that names a wrong argument. */
export function readOptions(args: readonly string[]): Options | 'help' | 'rows' {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    args: args.flatMap((arg, i) =>
      arg === '--looks' && (args[i + 1] ?? '--').startsWith('--') ? [arg, 'all'] : [arg],
    ),
    options: {
      only: text,
      rounds: text,
      seconds: text,
      features: text,
      points: text,
      growth: text,
      pictures: text,
      page: text,
      database: text,
      against: text,
      looks: text,
      'looks-peers': text,
      quick: flag,
      rows: flag,
      help: flag,
    },
  });
  if (values.help) return 'help';
  if (values.rows) return 'rows';
  const { quick, looks } = values;
  const number = (
    name: 'rounds' | 'seconds' | 'features' | 'points' | 'growth',
    usual: number,
    small: number,
  ) => whole(name, values[name], quick ? small : usual);
  return {
    only: listed(values.only),
    rounds: number('rounds', looks ? 3 : 5, 1),
    seconds: number('seconds', looks ? 2 : 3, 1),
    features: number('features', 200_000, 3_000),
    points: number('points', 1_000_000, 20_000),
    growth: number('growth', 6, 4),
    isQuick: quick,
    pictures: values.pictures,
    page: values.page ?? (quick || values.only || (looks && looks !== 'all') ? undefined : page),
    looks: looks === 'all' ? looks : listed(looks),
    looksPeers: listed(values['looks-peers']),
    against: values.against,
    database: values.database ?? process.env.TEST_DATABASE_URL,
  };
}

const listed = (text: string | undefined): ReadonlySet<string> | undefined =>
  text ? new Set(text.split(',').map((code) => code.trim())) : undefined;

const limits = {
  rounds: [1, 100],
  seconds: [1, 600],
  features: [100, 10_000_000],
  points: [100, 10_000_000],
  growth: [4, 7],
} as const;

function whole(name: keyof typeof limits, given: string | undefined, usual: number): number {
  const value = given === undefined ? usual : Number(given);
  const [least, most] = limits[name];
  if (!Number.isInteger(value) || value < least || value > most)
    throw new RangeError(`--${name} must be a whole number from ${least} to ${most}`);
  return value;
}
