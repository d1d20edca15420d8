import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import { wgs84 } from '@cartulary/geo';
import type { RawFeature } from '../raw-feature.js';
import { distinct } from '../readers/distinct.js';
import type { Remarker } from '../reading/summary.js';
import { type GeometryPlan, geometryPlan, placesOf } from './geometry-columns.js';
import { isBlankRow, type TableCell, tableHeader, unnamed } from './header.js';
import { type NumberReading, numberReading, withComma, withEither, withPoint } from './numbers.js';
import { type Geometries, geometriesBy, geometryOfRow } from './row-geometry.js';
import type { Decimal, TableInfo, TableRules } from './rules.js';
import type { TextRules } from './text-values.js';

/** A row of a file. */
export interface TableRow {
  cells: readonly TableCell[];
  /** Line of its first character, from 1; in a sheet the number of the row. */
  line: number;
  /** Indexes of empty texts, which are not null. */
  emptyTexts?: readonly number[] | undefined;
  /** Why it cannot be read. */
  error?: ServiceError;
}

export interface TableOptions {
  rules: TableRules;
  /** Number of its first row of data. */
  first: number;
  /** Whether a projection is given, which takes precedence over that of the geometries. */
  srsIsGiven: boolean;
  /** Whether a column of the layer stores a property of this name. */
  isColumn(name: string): boolean;
  /** Whether a property of this name is certainly a text. */
  isText(name: string): boolean;
  /** Receives the names of the properties in order. */
  columns(names: readonly string[]): void;
  /** Receives the interpretation of the table. */
  understood(info: TableInfo): void;
  /** Receives rows that the table does not describe. */
  remark: Remarker;
  note(text: string): void;
}

export interface TableReader {
  /** Returns the features of the rows; none until the columns are known. */
  push(rows: readonly TableRow[]): RawFeature[];
  end(): RawFeature[];
  /** The projection that the geometries declare, else longitude and latitude. */
  srs(): string;
}

/** Numbers of rows, and of characters in their cells, from which the columns are determined. */
export const sampleRows = 500;
const sampleSize = 1024 * 1024;

interface Columns {
  /** Names of the columns, also of those that only some rows have. */
  names: readonly string[];
  /** Number of columns of the header. */
  width: number;
  /** Indexes of the columns that become properties. */
  properties: readonly number[];
  /** Columns without a name and without a value in the first rows: each becomes a property with its first value. */
  blank: ReadonlySet<number>;
  texts: TextRules;
}

interface Reading {
  readonly options: TableOptions;
  columns: Columns | undefined;
  /** Rows that wait until the columns are known. */
  sample: TableRow[];
  size: number;
  count: number;
  geometries: Geometries | undefined;
}

/** Makes features of the rows of a table. The first rows determine its columns. */
export function createTableReader(options: TableOptions): TableReader {
  const reading: Reading = {
    options,
    columns: undefined,
    sample: [],
    size: 0,
    count: options.first - 1,
    geometries: undefined,
  };
  return {
    push(rows) {
      if (reading.columns) return features(reading, rows);
      for (const row of rows) {
        reading.sample.push(row);
        for (const cell of row.cells) reading.size += typeof cell === 'string' ? cell.length : 1;
      }
      return reading.sample.length >= sampleRows || reading.size >= sampleSize ? begin(reading) : [];
    },
    end: () => (reading.columns ? [] : begin(reading)),
    srs: () => reading.geometries?.srs ?? wgs84,
  };
}

/** Determines the columns. */
function begin(reading: Reading): RawFeature[] {
  const { options, sample } = reading;
  const { rules } = options;
  const rows = sample.filter(({ error, cells }) => error || !isBlankRow(cells));
  const sound = rows.filter(({ error }) => !error);
  const { names, hasHeader, skipped, titles } = tableHeader(
    sound.slice(0, sampleRows).map(({ cells }) => cells),
    rules.header,
  );
  if (names.length > rules.limits.columns) {
    throw new ServiceError('too_large', `The table has more than ${rules.limits.columns} columns`);
  }
  const above = new Set(sound.slice(0, skipped));
  if ([...above].at(-1)?.error) throw [...above].at(-1)!.error!;
  const data = rows.filter((row) => !above.has(row));
  const cells = data.filter(({ error }) => !error).map((row) => row.cells);
  const plan = geometryPlan({ names, rows: cells, rules });
  const header = hasHeader ? (sound[skipped - 1]?.cells ?? []) : names;
  reading.columns = columnsOf(names, { plan, cells, header, options });
  reading.geometries = geometriesBy(plan, options, () => reading.count);
  reading.sample = [];
  const { usual } = reading.columns.texts;
  const geometry = placesOf(plan).map((place) => names[place]!);
  options.understood({ header: hasHeader, decimal: rules.decimal ?? usual ?? null, geometry });
  if (titles) options.note(noteOf('linesAboveHeader', { count: titles }));
  if (hasHeader && rules.header === undefined && !data.length) options.note(noteOf('onlyRowIsHeader'));
  const { properties, blank } = reading.columns;
  if (data.length)
    options.columns(properties.filter((place) => !blank.has(place)).map((place) => names[place]!));
  return features(reading, data);
}

function columnsOf(
  names: readonly string[],
  {
    plan,
    cells,
    header,
    options,
  }: {
    plan: GeometryPlan;
    cells: readonly (readonly TableCell[])[];
    header: readonly TableCell[];
    options: TableOptions;
  },
): Columns {
  const places = new Set(placesOf(plan));
  // The source of a geometry is not also a property, unless the layer has a column of its name.
  const properties = [...names.keys()].filter((i) => !places.has(i) || options.isColumn(names[i]!));
  const { decimal } = options.rules;
  const isBlank = (i: number): boolean =>
    isBlankRow([header[i] ?? null, ...cells.map((row) => row[i] ?? null)]);
  return {
    blank: new Set(properties.filter(isBlank)),
    names,
    width: names.length,
    properties,
    texts: { given: decimal, usual: decimal ?? usualDecimal(cells, names.length) },
  };
}

/** The one decimal separator of a number as a bit; 0: it has none, or may have either. */
const separatorOf = (reading: NumberReading | undefined): number =>
  reading && reading.can !== withEither ? reading.can : 0;

/** The decimal separator of the first rows, by numbers with a single point and three digits behind it only where others show none; undefined if there is none or both occur. */
function usualDecimal(rows: readonly (readonly TableCell[])[], width: number): Decimal | undefined {
  let [seen, likely] = [0, 0];
  for (const row of rows) {
    for (let i = 0; i < width; i++) {
      const cell = row[i];
      if (typeof cell !== 'string' || cell.length > 40) continue;
      const text = cell.trim();
      seen |= separatorOf(numberReading(text, undefined, ','));
      likely |= separatorOf(numberReading(text));
    }
  }
  const found = seen || likely;
  return found === withPoint ? '.' : found === withComma ? ',' : undefined;
}

function features(reading: Reading, rows: readonly TableRow[]): RawFeature[] {
  const made: RawFeature[] = [];
  for (const row of rows) if (row.error || !isBlankRow(row.cells)) made.push(feature(reading, row));
  return made;
}

function feature(reading: Reading, { cells, line, error, emptyTexts }: TableRow): RawFeature {
  const { properties: places, blank, texts } = reading.columns!;
  const made: RawFeature = {
    number: ++reading.count,
    line,
    id: undefined,
    geometry: null,
    properties: {},
    texts,
  };
  if (error) return { ...made, error };
  try {
    const surplus = surplusOf(reading, cells, made.number);
    const { names } = reading.columns!;
    const properties = Object.create(null) as Record<string, unknown>;
    for (const place of surplus.length ? [...places, ...surplus] : places) {
      const value = cellValue(cells[place], names[place]!);
      if (value !== null || !blank.has(place)) properties[names[place]!] = value;
    }
    // Only our own tables distinguish empty texts from null.
    if (emptyTexts && names[0] === 'svc_id')
      for (const place of emptyTexts)
        if (names[place] !== undefined && reading.options.isText(names[place])) properties[names[place]] = '';
    made.properties = properties;
    Object.assign(made, geometryOfRow(reading.geometries!, cells));
    return made;
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    return { ...made, error: thrown };
  }
}

/** Indexes of filled cells beyond the header. Their columns get names as others without a name do. */
function surplusOf(reading: Reading, cells: readonly TableCell[], feature: number): readonly number[] {
  const columns = reading.columns!;
  if (cells.length <= columns.width) return none;
  const places = [...cells.keys()].slice(columns.width).filter((place) => !isBlankRow([cells[place]!]));
  if (!places.length) return none;
  reading.options.remark(noteOf('wideRow'), noteOf('numberedColumns'), feature);
  const width = places.at(-1)! + 1;
  const more = Array.from({ length: width - columns.names.length }, (_, i) =>
    unnamed(columns.names.length + i),
  );
  if (more.length) columns.names = distinct([...columns.names, ...more]);
  return places;
}

const none: readonly number[] = [];

/** The value of a cell; undefined for an empty one. An object id in digits becomes a number. */
function cellValue(cell: TableCell | undefined, name: string): unknown {
  if (cell === undefined || cell === null) return null;
  if (typeof cell !== 'string') return cell;
  if (cell.length <= 20 && cell.trim() === '') return null;
  return name === 'svc_id' && /^\s*\d{1,16}\s*$/.test(cell) ? Number(cell) : cell;
}
