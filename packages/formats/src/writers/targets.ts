import type { Geometry } from 'geojson';
import type { ColumnType } from '../../layers/layers.js';
import { codePage } from './code-pages.js';
import type { FgbColumn } from './flatgeobuf.js';

/** A format that GDAL writes. */
export interface Target {
  driver: string;
  /** Of its main file. */
  extension: string;
  /** Arguments of ogr2ogr; `encoding` is that of the texts. */
  args(encoding: string): string[];
  /** Whether each kind of geometry has files of its own. */
  split: boolean;
  /** Geometries that are taken apart, a row for each part. */
  apart: readonly Geometry['type'][];
  /** Longest name of a column, characters; and longest text, bytes: undefined without a limit. */
  nameLimit: number;
  textLimit: number | undefined;
  types: Partial<Record<ColumnType, FgbColumn['type']>>;
  /** Of the ids of objects. */
  idType: 'long' | 'double';
  /** Whether geometries have heights. */
  heights: boolean;
  /** Of texts, where it is not given; undefined: the code page that holds most of them. */
  encoding: string | undefined;
  /** The value that is read in the place of another; itself where it is held. */
  read?(value: unknown, type: ColumnType): unknown;
  /** What it cannot hold, for its README. */
  limits: string;
}

const mapInfo = {
  driver: 'MapInfo File',
  split: false,
  apart: ['GeometryCollection', 'MultiPoint'],
  nameLimit: 31,
  textLimit: 254,
  types: { number: 'double', bool: 'bool', datetime: 'datetime' },
  // Whole numbers of 64 bits are not read by older programs.
  idType: 'double',
  heights: false,
  encoding: undefined,
} as const;

/** MapInfo has no nothing for numbers and truth values, and treats some signs in texts in its own way. */
function readByMapInfo(value: unknown, type: ColumnType): unknown {
  if (value === null) return type === 'number' ? 0 : type === 'bool' ? false : null;
  // MIF writes no more digits, and from TAB no more are read.
  if (typeof value === 'number') return Number(value.toPrecision(15));
  const isPlain = typeof value !== 'string' || /^[^\s\p{Cc}\\"]([^\p{Cc}\\"]*[^\s\p{Cc}\\"])?$/u.test(value);
  return isPlain ? value : null;
}

/** Digits of a number in a DBF: its width, and those behind the point. */
const [dbfWidth, dbfDecimals] = [24, 15];

function readByDbf(value: unknown): unknown {
  if (typeof value === 'number') return Number(value.toFixed(dbfDecimals).slice(0, dbfWidth));
  // Blanks at the end fill a text up.
  return typeof value === 'string' && /^$|[ \0]$/.test(value) ? null : value;
}

const plain = {
  split: false,
  apart: [],
  nameLimit: 200,
  textLimit: undefined,
  types: { number: 'double', bool: 'bool', datetime: 'datetime', json: 'json' },
  idType: 'long',
  heights: true,
  encoding: 'utf-8',
  limits: '',
} as const;

export const targets: Readonly<Record<string, Target>> = {
  shp: {
    driver: 'ESRI Shapefile',
    extension: 'shp',
    args: (encoding) => ['-lco', `ENCODING=${codePage(encoding)}`],
    split: true,
    apart: ['GeometryCollection'],
    nameLimit: 10,
    textLimit: 254,
    // A DBF has no time of the day, and no truth values that all programs read.
    types: { number: 'double', bool: 'bool' },
    idType: 'long',
    heights: true,
    encoding: 'utf-8',
    read: readByDbf,
    limits:
      'Names of columns have 10 characters at most. Dates with time are texts in ISO 8601. Yes and no are 1 and 0. Empty texts are no values. Numbers have 15 decimals.',
  },
  mif: {
    ...mapInfo,
    extension: 'mif',
    read: readByMapInfo,
    args: (encoding) => ['-dsco', 'FORMAT=MIF', '-lco', `ENCODING=${codePage(encoding)}`],
    limits:
      'Multi-points are taken apart. Empty numbers are 0 and empty texts are no values: MapInfo has no other. Heights are left out. Numbers have 15 digits; line breaks in texts are written as \\n.',
  },
  tab: {
    ...mapInfo,
    extension: 'tab',
    read: readByMapInfo,
    args: (encoding) => ['-lco', `ENCODING=${codePage(encoding)}`, '-lco', 'BOUNDS=-180,-90,180,90'],
    limits:
      'Multi-points are taken apart. Empty numbers are 0 and empty texts are no values: MapInfo has no other. Heights are left out. Coordinates are exact to 0.0000002 degrees.',
  },
  gpkg: { ...plain, driver: 'GPKG', extension: 'gpkg', args: () => ['-lco', 'FID=gpkg_fid'] },
  fgb: { ...plain, driver: 'FlatGeobuf', extension: 'fgb', args: () => [] },
};
