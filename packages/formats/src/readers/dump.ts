import { ServiceError } from '../../errors.js';
import { wgs84 } from '../../geo/srs.js';
import { positionsOf } from '../coordinates.js';
import type { Field, LayerInfo } from '../engine/orders.js';
import type { FeatureReader, RawFeature } from '../geojson.js';
import { distinct } from './distinct.js';
import type { Decode } from './encodings.js';
import { createTextDecoder, type Decoded, type EncodingRules, type Found } from './held.js';
import { ogrValue } from './values.js';
import { fromWkb } from './wkb.js';

export interface DumpOptions {
  /** Of the fields in their order. */
  fields: readonly Field[];
  encoding: EncodingRules;
  /** Of the coordinates; undefined: longitude and latitude. */
  srs: string | undefined;
  /** The number of its first row. */
  first: number;
  /** Bytes. */
  featureLimit: number;
  /** A point of NaN is an empty one, as in formats that have no other way to say so. */
  emptyPoints: boolean;
  /** Which geometries have heights; where some do, those without come with heights of 0. */
  heights: LayerInfo['heights'];
  /** Told the encoding of the texts when it is known. */
  found: Found;
}

/** The name that the geometry has among the columns. */
const geometryName = '__geometry';

interface Head {
  /** Names of the columns, bytes as latin1. */
  names: string[];
  /** The place of the geometry, -1: there is none. */
  geometry: number;
  /** The place of the first field: what stands before is the geometry and ids. */
  firstField: number;
}

interface Dump {
  readonly options: DumpOptions;
  rest: string;
  head: Head | undefined;
  /** The names of the fields as texts, and what they were decoded with. */
  fieldNames: { names: string[]; decode: Decode } | undefined;
  isOver: boolean;
  count: number;
}

/** Reads the text that GDAL's driver PGDUMP writes: PostgreSQL's COPY with geometries as EWKB. Throws when it is cut off. */
export function createDumpReader(options: DumpOptions): FeatureReader {
  const dump: Dump = {
    options,
    rest: '',
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
      // Of a layer without rows it says nothing at all.
      if (dump.head && !dump.isOver) throw cutOff();
      return featuresOf(decoder.end());
    },
    srs: () => options.srs ?? wgs84,
  };
}

const cutOff = (): ServiceError => new ServiceError('import_failed', 'The file could not be read to its end');

/** The columns of the line COPY, once it is there. */
function takeHead(dump: Dump, look: (names: string[]) => void): Head | undefined {
  const start = /(?:^|\n)COPY "public"\."rows" \(/.exec(dump.rest);
  if (!start) return undefined;
  const list = /^((?:"(?:[^"]|"")*"(?:, )?)*)\) FROM STDIN;\n/.exec(
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

/** The rows that are complete. */
function takeRows(dump: Dump): string[][] {
  const rows: string[][] = [];
  let from = 0;
  while (!dump.isOver) {
    const end = endOfRow(dump.rest, from);
    if (end === -1) break;
    const line = dump.rest.slice(from, end);
    from = end + 1;
    if (line === '\\.') dump.isOver = true;
    else rows.push(cells(line));
  }
  dump.rest = dump.isOver ? '' : dump.rest.slice(from);
  if (dump.rest.length > 2 * dump.options.featureLimit) {
    throw new ServiceError('too_large', `Feature ${dump.count + rows.length + 1} is larger than allowed`);
  }
  return rows;
}

/** The line feed that ends a row: one that no backslash makes part of a text. */
function endOfRow(text: string, from: number): number {
  for (let at = text.indexOf('\n', from); at !== -1; at = text.indexOf('\n', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === 0x5c && at - 1 - slashes >= from) slashes++;
    if (slashes % 2 === 0) return at;
  }
  return -1;
}

/** The values of a row as they stand, `\N` being null. */
function cells(line: string): string[] {
  if (!line.includes('\\\t')) return line.split('\t');
  return [...line.matchAll(/((?:[^\t\\]|\\[\s\S])*)(?:\t|$)/g)].slice(0, -1).map(([, value]) => value!);
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
    for (const [i, field] of options.fields.entries()) {
      if (field.type === 'Binary') continue;
      const bytes = row[firstField + i]!;
      properties[fieldNames[i]!] = bytes === '\\N' ? null : ogrValue(field, decode(unescaped(bytes)));
    }
    // MapInfo has no empty numbers; no object has the id 0.
    if (properties.svc_id === 0) properties.svc_id = null;
    const hex = geometry === -1 ? '\\N' : row[geometry]!;
    return { number, id: undefined, geometry: geometryIn(hex, options), properties };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { number, id: undefined, geometry: null, properties, error };
  }
}

function namesOf(dump: Dump, decode: Decode): string[] {
  if (dump.fieldNames?.decode !== decode) {
    const names = distinct(dump.head!.names.slice(dump.head!.firstField).map(decode));
    dump.fieldNames = { names, decode };
  }
  return dump.fieldNames.names;
}

function geometryIn(hex: string, { emptyPoints, heights }: DumpOptions): unknown {
  if (hex === '\\N') return null;
  const geometry = fromWkb(Buffer.from(hex, 'hex'));
  const isNothing =
    emptyPoints && geometry?.type === 'Point' && geometry.coordinates.slice(0, 2).every(Number.isNaN);
  if (isNothing) return null;
  if (heights === 'some' && geometry && !positionsOf(geometry).some(([, , height]) => height))
    for (const position of positionsOf(geometry)) position.length = 2;
  return geometry;
}
