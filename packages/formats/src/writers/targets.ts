import type { ColumnType } from '@cartulary/columns';
import type { Geometry } from 'geojson';

import { codePage } from './code-pages.js';
import { type FgbColumn, fgbColumnLimit } from './flatgeobuf.js';

/** A record of fixed length. */
export interface FixedRecord {
  /** Most bytes. */
  limit: number;
  /** Bytes of a value; texts have as many as the longest of a column where the record would be too long otherwise. */
  widths: Readonly<Record<FgbColumn['type'], number>>;
}

/** A format that GDAL writes. */
export interface FormatTarget {
  driver: string;
  /** Extension of its main file. */
  extension: string;
  /** Arguments of ogr2ogr; `encoding` is that of the texts. */
  args(encoding: string): string[];
  /** Whether each kind of geometry has a separate file. */
  split: boolean;
  /** Types of geometry that are divided, with a row for each part. */
  apart: readonly Geometry['type'][];
  /** Most columns of a table, with those of its own. */
  columnLimit: number;
  record?: FixedRecord;
  /** Longest name of a column, characters; and longest text, bytes: undefined without a limit. */
  nameLimit: number;
  textLimit: number | undefined;
  types: Partial<Record<ColumnType, FgbColumn['type']>>;
  /** Name of the field with object ids. */
  idType: 'long' | 'double';
  /** Whether geometries have heights. */
  heights: boolean;
  /** Default encoding of texts; undefined: the code page that represents most of them. */
  encoding: string | undefined;
  /** The form of a value in the format; the value itself if it can be represented. */
  read?(value: unknown, type: ColumnType): unknown;
  /** A sentence on the limits of the format, for the README of an archive. */
  limits: string;
}

const mapInfo = {
  driver: 'MapInfo File',
  split: false,
  apart: ['GeometryCollection', 'MultiPoint'],
  columnLimit: fgbColumnLimit,
  nameLimit: 31,
  textLimit: 254,
  types: { number: 'double', bool: 'bool', datetime: 'datetime' },
  // Older programs do not read 64-bit integers.
  idType: 'double',
  heights: false,
  encoding: undefined,
} as const;

/** MapInfo has no null for numbers and booleans, and interprets some characters in texts. */
function readByMapInfo(value: unknown, type: ColumnType): unknown {
  if (value === null) return type === 'number' ? 0 : type === 'bool' ? false : null;
  // MIF writes only so many digits, and readers of TAB show only so many.
  if (typeof value === 'number') return Number(value.toPrecision(15));
  const isPlain = typeof value !== 'string' || /^[^\s\p{Cc}\\"]([^\p{Cc}\\"]*[^\s\p{Cc}\\"])?$/u.test(value);
  return isPlain ? value : null;
}

/** Digits of a number in a DBF: its width, and decimal places. */
const [dbfWidth, dbfDecimals] = [24, 15];

function readByDbf(value: unknown): unknown {
  if (typeof value === 'number') return Number(value.toFixed(dbfDecimals).slice(0, dbfWidth));
  // A DBF pads texts with trailing blanks.
  return typeof value === 'string' && /^$|[ \0]$/.test(value) ? null : value;
}

const plain = {
  split: false,
  apart: [],
  columnLimit: fgbColumnLimit,
  nameLimit: 200,
  textLimit: undefined,
  types: { number: 'double', bool: 'bool', datetime: 'datetime', json: 'json' },
  idType: 'long',
  heights: true,
  encoding: 'utf-8',
  limits: '',
} as const;

/** The formats that GDAL writes, by code. */
export const gdalTargets: Readonly<Record<string, FormatTarget>> = {
  shp: {
    driver: 'ESRI Shapefile',
    extension: 'shp',
    args: (encoding) => ['-lco', `ENCODING=${codePage(encoding)}`],
    split: true,
    apart: ['GeometryCollection'],
    // Of 32 bytes each, in a header whose length is a number of 16 bits.
    columnLimit: 2_046,
    record: {
      limit: 65_535,
      widths: { bool: 1, long: 18, double: dbfWidth, string: 254, json: 254, datetime: 24 },
    },
    nameLimit: 10,
    textLimit: 254,
    // A DBF has no times, and its booleans are not read by all programs.
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
    // As in a DBF, but with numbers that have a sign.
    columnLimit: 1_022,
    record: {
      limit: 32_767,
      widths: { bool: 1, long: 8, double: 8, string: 254, json: 254, datetime: 8 },
    },
    read: readByMapInfo,
    args: (encoding) => ['-lco', `ENCODING=${codePage(encoding)}`, '-lco', 'BOUNDS=-180,-90,180,90'],
    limits:
      'Multi-points are taken apart. Empty numbers are 0 and empty texts are no values: MapInfo has no other. Heights are left out. Coordinates are exact to 0.0000002 degrees.',
  },
  // SQLite holds 2,000 columns, of which two are the number and the geometry.
  gpkg: {
    ...plain,
    columnLimit: 1_998,
    driver: 'GPKG',
    extension: 'gpkg',
    args: () => ['-lco', 'FID=gpkg_fid'],
  },
  fgb: { ...plain, driver: 'FlatGeobuf', extension: 'fgb', args: () => [] },
};
