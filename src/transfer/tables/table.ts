import { ServiceError } from '../../errors.js';
import { parseSrs, wgs84 } from '../../geo/srs.js';
import type { RawFeature } from '../geojson.js';
import { coordinateAlong, pairOf } from './coordinate-text.js';
import { type GeometryPlan, geometryPlan } from './geometry-columns.js';
import { geometryOfText } from './geometry-text.js';
import { type Cell, headOf, isBlank } from './header.js';
import { numberReading, withComma, withPoint } from './numbers.js';
import type { Decimal, TableInfo, TableRules } from './rules.js';
import type { TextRules } from './text-values.js';

/** A row as its file has it. */
export interface TableRow {
  cells: readonly Cell[];
  /** Of its first character, from 1; of a sheet its number there. */
  line: number;
  /** Why it cannot be read. */
  error?: ServiceError;
}

export interface TableOptions {
  rules: TableRules;
  /** The number of its first row of data. */
  first: number;
  /** The projection was given: what geometries say of theirs is left aside. */
  srsIsGiven: boolean;
  /** Whether a column of the layer takes a property of this name. */
  isColumn(name: string): boolean;
  /** Told the names that the properties of its features will have, in their order. */
  columns(names: readonly string[]): void;
  /** Told how the table was understood, when it is. */
  understood(info: TableInfo): void;
  note(text: string): void;
}

export interface Table {
  /** The features of the rows, as far as it is known what the columns are. */
  push(rows: readonly TableRow[]): RawFeature[];
  end(): RawFeature[];
  /** What the geometries say of their projection, else longitude and latitude. */
  srs(): string;
}

/** Rows, and characters of their cells, from which it is told what the columns are. */
const sampleRows = 500;
const sampleSize = 1024 * 1024;

interface Columns {
  names: readonly string[];
  plan: GeometryPlan;
  /** Places of the columns that become properties. */
  properties: readonly number[];
  texts: TextRules;
}

interface Reading {
  readonly options: TableOptions;
  columns: Columns | undefined;
  /** Rows that wait until it is known. */
  sample: TableRow[];
  size: number;
  count: number;
  srs: string | undefined;
}

/** Makes features of the rows of a table: the first ones tell what its columns are. */
export function createTable(options: TableOptions): Table {
  const reading: Reading = {
    options,
    columns: undefined,
    sample: [],
    size: 0,
    count: options.first - 1,
    srs: undefined,
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
    srs: () => reading.srs ?? wgs84,
  };
}

/** Finds out what the columns are. */
function begin(reading: Reading): RawFeature[] {
  const { options, sample } = reading;
  const { rules } = options;
  const rows = sample.filter(({ error, cells }) => error || !isBlank(cells));
  const sound = rows.filter(({ error }) => !error);
  const { names, hasHeader, skipped, titles } = headOf(
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
  reading.columns = columnsOf(names, { plan, cells, options });
  reading.sample = [];
  const { usual } = reading.columns.texts;
  const geometry = placesOf(plan).map((place) => names[place]!);
  options.understood({ header: hasHeader, decimal: rules.decimal ?? usual ?? null, geometry });
  if (titles) options.note(`${titles} lines above the names of the columns were left out`);
  if (data.length) options.columns(reading.columns.properties.map((place) => names[place]!));
  return features(reading, data);
}

const placesOf = (plan: GeometryPlan): number[] =>
  plan.kind === 'none' ? [] : plan.kind === 'xy' ? [plan.x, plan.y] : [plan.column];

function columnsOf(
  names: readonly string[],
  {
    plan,
    cells,
    options,
  }: { plan: GeometryPlan; cells: readonly (readonly Cell[])[]; options: TableOptions },
): Columns {
  const places = new Set(placesOf(plan));
  // What became a geometry is no property as well, unless a column waits for it.
  const properties = [...names.keys()].filter((i) => !places.has(i) || options.isColumn(names[i]!));
  const { decimal } = options.rules;
  return {
    names,
    plan,
    properties,
    texts: { given: decimal, usual: decimal ?? usualDecimal(cells, names.length) },
  };
}

/** The sign before the fractions of the first rows; undefined where there are none, or both. */
function usualDecimal(rows: readonly (readonly Cell[])[], width: number): Decimal | undefined {
  let seen = 0;
  for (const row of rows) {
    for (let i = 0; i < width; i++) {
      const cell = row[i];
      if (typeof cell !== 'string' || cell.length > 40) continue;
      const reading = numberReading(cell.trim());
      if (reading?.can === withPoint || reading?.can === withComma) seen |= reading.can;
    }
  }
  return seen === withPoint ? '.' : seen === withComma ? ',' : undefined;
}

function features(reading: Reading, rows: readonly TableRow[]): RawFeature[] {
  const made: RawFeature[] = [];
  for (const row of rows) if (row.error || !isBlank(row.cells)) made.push(feature(reading, row));
  return made;
}

function feature(reading: Reading, { cells, line, error }: TableRow): RawFeature {
  const { names, properties: places, texts } = reading.columns!;
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
    const surplus = cells.slice(names.length).findLastIndex((cell) => cell !== null && cell !== '');
    if (surplus !== -1) {
      const count = names.length + surplus + 1;
      throw new ServiceError(
        'value_invalid',
        `the row has ${count} cells, the table ${names.length} columns`,
      );
    }
    const properties = Object.create(null) as Record<string, unknown>;
    for (const place of places) properties[names[place]!] = cellValue(cells[place], names[place]!);
    made.properties = properties;
    made.geometry = geometryOf(reading, cells);
    return made;
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    return { ...made, error: thrown };
  }
}

/** The value of a cell; an empty one has none. Of the ids of objects digits are a number. */
function cellValue(cell: Cell | undefined, name: string): unknown {
  if (cell === undefined || cell === null) return null;
  if (typeof cell !== 'string') return cell;
  if (cell.length <= 20 && cell.trim() === '') return null;
  return name === 'svc_id' && /^\s*\d{1,16}\s*$/.test(cell) ? Number(cell) : cell;
}

const textOf = (cell: Cell | undefined): string =>
  typeof cell === 'string' ? cell.trim() : cell === null || cell === undefined ? '' : String(cell);

const coordinateCell = (cell: Cell | undefined): string | number =>
  typeof cell === 'number' ? cell : textOf(cell);

const wrong = (why: string): ServiceError =>
  new ServiceError('value_invalid', `geom: ${why}`, { columns: ['geom'] });

function geometryOf(reading: Reading, cells: readonly Cell[]): unknown {
  const { plan } = reading.columns!;
  const { decimal } = reading.options.rules;
  if (plan.kind === 'none') return null;
  if (plan.kind === 'xy') {
    const [x, y] = [coordinateCell(cells[plan.x]), coordinateCell(cells[plan.y])];
    if (x === '' && y === '') return null;
    if (x === '' || y === '') throw wrong('one of the two coordinates is missing');
    return {
      type: 'Point',
      coordinates: [coordinateAlong('x', x, decimal), coordinateAlong('y', y, decimal)],
    };
  }
  const text = textOf(cells[plan.column]);
  if (!text) return null;
  return plan.kind === 'pair' ? ofPair(text, plan.order, decimal) : ofText(reading, text);
}

function ofPair(text: string, order: 'xy' | 'yx', decimal: Decimal | undefined): unknown {
  const pair = pairOf(text, decimal);
  if (!pair) throw wrong(`'${text.slice(0, 50)}' is no pair of coordinates`);
  const [first, second] = pair;
  if (first.axis && first.axis === second.axis)
    throw wrong(`'${text.slice(0, 50)}' has one coordinate twice`);
  const isXFirst = first.axis ? first.axis === 'x' : second.axis ? second.axis === 'y' : order === 'xy';
  const coordinates = isXFirst ? [first.value, second.value] : [second.value, first.value];
  return { type: 'Point', coordinates };
}

function ofText(reading: Reading, text: string): unknown {
  const { geometry, srid } = geometryOfText(text);
  if (reading.options.srsIsGiven) return geometry;
  const srs = srid === undefined ? undefined : parseSrs(String(srid));
  // The first geometry says it for all.
  reading.srs ??= srs ?? wgs84;
  if (srs !== undefined && srs !== reading.srs) {
    throw wrong(`its projection ${srs} is not that of the rows before, ${reading.srs}: give srs`);
  }
  return geometry;
}
