import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import { wgs84 } from '@cartulary/geo';
import { positionsOf } from '../coordinates.js';
import type { Decode } from '../encodings/encodings.js';
import type { LayerInfo, SourceField } from '../engine/orders.js';
import type { FeatureReader, RawFeature } from '../raw-feature.js';
import type { Remarker } from '../reading/summary.js';
import { distinct } from './distinct.js';
import { withSymbols } from './drawing-escapes.js';
import { createTextDecoder, type Decoded, type EncodingListener, type EncodingRules } from './held.js';
import { ogrValue } from './values.js';
import { fromWkb } from './wkb.js';

export interface DumpOptions {
  /** Names of the fields in order. */
  fields: readonly SourceField[];
  encoding: EncodingRules;
  /** Projection of the coordinates; undefined: longitude and latitude. */
  srs: string | undefined;
  /** Number of its first row. */
  first: number;
  /** Maximum size of a feature, bytes. */
  featureLimit: number;
  /** Whether a point of NaN is empty, as in formats without another notation. */
  emptyPoints: boolean;
  /** Which geometries have heights. If only some do, the others arrive with heights of 0. */
  heights: LayerInfo['heights'];
  /** Whether texts have marked escapes, as those of drawings. */
  hasEscapes?: boolean;
  /** Whether the columns are those of the format, so that one without a value is none of the file. */
  omitsNulls?: boolean;
  /** Receives geometries that are stored otherwise than in the file. */
  remark?: Remarker;
  /** Receives the encoding of the texts once it is known. */
  found: EncodingListener;
}

/** The name of the geometry among the columns. */
const geometryName = '__geometry';

interface Head {
  /** Names of the columns, bytes as latin1. */
  names: string[];
  /** Index of the geometry; -1: there is none. */
  geometry: number;
  /** Index of the first field, after the geometry and ids. */
  firstField: number;
}

interface Dump {
  readonly options: DumpOptions;
  /** Text that is not read yet; within the rows it begins with no part of an escape. */
  rest: string;
  /** Pieces of a row whose end has not come, which are not searched again. */
  row: string[];
  rowSize: number;
  head: Head | undefined;
  /** The decoded names of the fields, and their encoding. */
  fieldNames: { names: string[]; decode: Decode } | undefined;
  isOver: boolean;
  count: number;
}

/** Reads the output of GDAL's driver PGDUMP: PostgreSQL's COPY with geometries as EWKB. Throws if it is cut off. */
export function createDumpReader(options: DumpOptions): FeatureReader {
  const dump: Dump = {
    options,
    rest: '',
    row: [],
    rowSize: 0,
    head: undefined,
    fieldNames: undefined,
    isOver: false,
    count: options.first - 1,
  };
  const decoder = createTextDecoder<string[]>(options.encoding, options.found);
  const featuresOf = (rows: readonly Decoded<string[]>[]): RawFeature[] =>
    rows.map((row) => feature(dump, row));
  return {
    push(chunk) {
      dump.rest += chunk.toString('latin1');
      dump.head ??= takeHead(dump, (names) => decoder.look(names));
      if (!dump.head) return [];
      return featuresOf(takeRows(dump).flatMap((row) => decoder.take(row, row.slice(dump.head!.firstField))));
    },
    end() {
      // For a layer without rows the driver writes nothing.
      if (dump.head && !dump.isOver) throw cutOff();
      return featuresOf(decoder.end());
    },
    srs: () => options.srs ?? wgs84,
  };
}

const cutOff = (): ServiceError => new ServiceError('import_failed', 'The file could not be read to its end');

/** The columns in the line COPY, once that line is complete. */
function takeHead(dump: Dump, look: (names: string[]) => void): Head | undefined {
  const start = /(?:^|\n)COPY "public"\."rows" \(/.exec(dump.rest);
  if (!start) return undefined;
  const list = /^("(?:[^"]|"")*"(?:, "(?:[^"]|"")*")*|)\) FROM STDIN;\n/.exec(
    dump.rest.slice(start.index + start[0].length),
  );
  if (!list) return undefined;
  dump.rest = dump.rest.slice(start.index + start[0].length + list[0].length);
  const names = [...list[1]!.matchAll(/"((?:[^"]|"")*)"/g)].map(([, name]) => name!.replaceAll('""', '"'));
  const firstField = names.length - dump.options.fields.length;
  if (firstField < 0) throw cutOff();
  look(names.slice(firstField));
  return { names, firstField, geometry: names.slice(0, firstField).indexOf(geometryName) };
}

/** The complete rows. */
function takeRows(dump: Dump): string[][] {
  const rows: string[][] = [];
  let from = 0;
  while (!dump.isOver) {
    const end = separatorIn(dump.rest, '\n', from);
    if (end === -1) break;
    dump.row.push(dump.rest.slice(from, end));
    const line = dump.row.join('');
    dump.row = [];
    dump.rowSize = 0;
    from = end + 1;
    if (line === '\\.') dump.isOver = true;
    else rows.push(cells(line));
  }
  dump.rest = dump.rest.slice(from);
  // PGDUMP may go on in another form, which is not read.
  if (dump.isOver && /(?:^|\n)(?:INSERT INTO|COPY) "public"\./.test(dump.rest)) throw cutOff();
  if (dump.isOver) dump.rest = dump.rest.slice(-100);
  else keepPiece(dump, dump.count + rows.length + 1);
  return rows;
}

/** Keeps the beginning of a row. Throws `too_large`. */
function keepPiece(dump: Dump, feature: number): void {
  const whole = dump.rest.length - (slashesBefore(dump.rest, dump.rest.length, 0) % 2);
  dump.row.push(dump.rest.slice(0, whole));
  dump.rest = dump.rest.slice(whole);
  dump.rowSize += whole;
  if (dump.rowSize > 2 * dump.options.featureLimit)
    throw new ServiceError('too_large', `Feature ${feature} is larger than allowed`);
}

/** Position of the next `sign` that no backslash makes part of a text; -1: there is none. `from` is no part of an escape. */
function separatorIn(text: string, sign: '\n' | '\t', from: number): number {
  for (let at = text.indexOf(sign, from); at !== -1; at = text.indexOf(sign, at + 1)) {
    if (slashesBefore(text, at, from) % 2 === 0) return at;
  }
  return -1;
}

function slashesBefore(text: string, end: number, from: number): number {
  let at = end;
  while (at > from && text.charCodeAt(at - 1) === 0x5c) at--;
  return end - at;
}

/** The undecoded values of a row; `\N` is null. The last one may be an empty text. */
function cells(line: string): string[] {
  if (!line.includes('\\\t')) return line.split('\t');
  const values: string[] = [];
  let from = 0;
  for (let at = separatorIn(line, '\t', 0); at !== -1; at = separatorIn(line, '\t', from)) {
    values.push(line.slice(from, at));
    from = at + 1;
  }
  return [...values, line.slice(from)];
}

const unescaped = (value: string): string =>
  value.includes('\\') ? value.replace(/\\([\s\S])/g, '$1') : value;

function feature(dump: Dump, { item: row, decode }: Decoded<string[]>): RawFeature {
  const { head, options } = dump;
  const { names, geometry, firstField } = head!;
  const number = ++dump.count;
  const properties = Object.create(null) as Record<string, unknown>;
  try {
    if (row.length !== names.length) throw cutOff();
    const fieldNames = namesOf(dump, decode);
    const textOf = (bytes: string): string => {
      const text = decode(unescaped(bytes));
      return options.hasEscapes ? withSymbols(text) : text;
    };
    for (const [i, field] of options.fields.entries()) {
      if (field.type === 'Binary') continue;
      const bytes = row[firstField + i]!;
      if (bytes !== '\\N') properties[fieldNames[i]!] = ogrValue(field, textOf(bytes));
      else if (!options.omitsNulls) properties[fieldNames[i]!] = null;
    }
    // MapInfo has no null numbers, and no object has the id 0.
    if (properties.svc_id === 0) properties.svc_id = null;
    const hex = geometry === -1 ? '\\N' : row[geometry]!;
    return { number, id: undefined, geometry: geometryIn(hex, options, number), properties };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { number, id: undefined, geometry: null, properties, error };
  }
}

/** A query may name the columns in another way than the file, whose names are known if their encoding is. */
function namesOf(dump: Dump, decode: Decode): string[] {
  if (dump.fieldNames?.decode !== decode) {
    const { fields, encoding } = dump.options;
    const { names: columns, firstField } = dump.head!;
    const said =
      encoding.known === 'utf-8' ? fields.map(({ name }) => name) : columns.slice(firstField).map(decode);
    const names = distinct(said);
    dump.fieldNames = { names, decode };
  }
  return dump.fieldNames.names;
}

function geometryIn(hex: string, { emptyPoints, heights, remark }: DumpOptions, number: number): unknown {
  if (hex === '\\N') return null;
  const arc = (): void => remark?.(noteOf('arcOfCircle'), noteOf('storedAsLine'), number);
  let hasMeasures = false;
  const measure = (): void => {
    hasMeasures = true;
  };
  const geometry = fromWkb(Buffer.from(hex, 'hex'), arc, measure);
  if (hasMeasures) remark?.(noteOf('measuresOfPositions'), noteOf('notRead'), number);
  const isNothing =
    emptyPoints && geometry?.type === 'Point' && geometry.coordinates.slice(0, 2).every(Number.isNaN);
  if (isNothing) return null;
  if (heights === 'some' && geometry && !positionsOf(geometry).some(([, , height]) => height))
    for (const position of positionsOf(geometry)) position.length = 2;
  return geometry;
}
