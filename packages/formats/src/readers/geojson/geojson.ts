import { isUtf8 } from 'node:buffer';
import { ServiceError } from '../errors.js';
import { parseSrs, wgs84 } from '../geo/srs.js';
import { createSplitter, type Piece, type TopObject } from './splitter.js';
import type { ReadyGeometry } from './tables/ready-geometry.js';
import type { TextRules } from './tables/text-values.js';
import type { Remarker } from './tally.js';

/** A feature as the file has it: its shape is checked, its geometry and values are not yet. */
export interface RawFeature {
  /** Counted from 1 in the order of the file. */
  number: number;
  id: unknown;
  geometry: unknown;
  /** In its place a geometry in longitude and latitude that needs nothing more. */
  ready?: ReadyGeometry | undefined;
  properties: Record<string, unknown>;
  /** Why it cannot be stored, where reading it found that out. */
  error?: ServiceError;
  /** Of its first character in the file, from 1, where that helps to find it. */
  line?: number;
  /** Of a table: its texts may be numbers, dates and so on. */
  texts?: TextRules;
}

export interface FeatureReader {
  /** The features that are complete with this chunk. */
  push(chunk: Buffer): RawFeature[];
  /** What is left at the end of the file. Throws when the file is incomplete or is no GeoJSON. */
  end(): RawFeature[];
  /** The projection of the coordinates, as far as is known at this place of the file. */
  srs(): string;
}

export interface ReaderOptions {
  /** Bytes. */
  featureLimit: number;
  /** The number of its first feature; 1 when absent. */
  first?: number;
  /** The projection when it was given: the file's member `crs` is left aside then. */
  srs: string | undefined;
  /** Told of members of features that are not stored. */
  remark?: Remarker;
}

interface Reading {
  count: number;
  done: RawFeature[];
  /** As given or as the file says; undefined: neither. */
  srs: string | undefined;
  readonly srsIsGiven: boolean;
  readonly remark: Remarker | undefined;
  /** Objects at the top: one collection, or any number of features. */
  objects: number;
  lastIsFeature: boolean;
}

/**
 * Reads GeoJSON (RFC 7946) as its bytes come: a FeatureCollection, a Feature, a bare geometry, or Features one
 * after the other (newline-delimited, RFC 8142). Throws `import_failed` naming the feature and the byte.
 */
export function createFeatureReader({ featureLimit, srs, first = 1, remark }: ReaderOptions): FeatureReader {
  const reading: Reading = {
    count: first - 1,
    done: [],
    srs,
    srsIsGiven: srs !== undefined,
    remark,
    objects: 0,
    lastIsFeature: false,
  };
  const splitter = createSplitter(
    {
      collection: (object) => takeCrs(reading, object),
      feature: (piece) => reading.done.push(attempted(reading, ++reading.count, piece)),
      object: (object) => takeObject(reading, object),
    },
    featureLimit,
  );
  const taken = (): RawFeature[] => reading.done.splice(0);
  return {
    push(chunk) {
      splitter.push(chunk);
      return taken();
    },
    end() {
      splitter.end();
      return taken();
    },
    srs: () => reading.srs ?? wgs84,
  };
}

const geometryTypes = new Set([
  'Point',
  'MultiPoint',
  'LineString',
  'MultiLineString',
  'Polygon',
  'MultiPolygon',
  'GeometryCollection',
]);

function takeObject(reading: Reading, object: TopObject): void {
  const members = parseMembers(reading, object);
  const type = members.type;
  if (object.collection) {
    checkLateCrs(reading, object);
    if (type !== 'FeatureCollection') throw notGeoJson(object.offset, type);
    return;
  }
  reading.objects++;
  if (reading.objects > 1 && !(reading.lastIsFeature && type === 'Feature')) {
    throw failed(`Only features may stand one after the other (byte ${object.offset})`, object.offset);
  }
  reading.lastIsFeature = type === 'Feature';
  const number = ++reading.count;
  takeOwnCrs(reading, object);
  if (type === 'Feature')
    reading.done.push(shaped(reading, number, { offset: object.offset, feature: members }));
  else if (geometryTypes.has(type as string)) {
    reading.done.push({ number, id: undefined, geometry: members, properties: {} });
  } else throw notGeoJson(object.offset, type);
}

function notGeoJson(offset: number, type: unknown): ServiceError {
  if (type === 'FeatureCollection') return failed('The FeatureCollection has no array features', offset);
  if (type === 'Topology') return failed('This is TopoJSON, which is not imported', offset);
  const found = typeof type === 'string' ? `has the type '${type.slice(0, 50)}'` : 'has no type';
  return failed(`Not GeoJSON: the object at byte ${offset} ${found}`, offset);
}

const failed = (message: string, offset: number, feature?: number): ServiceError =>
  new ServiceError('import_failed', message, feature === undefined ? { offset } : { feature, offset });

function parseMembers(reading: Reading, object: TopObject): Record<string, unknown> {
  const members = Object.create(null) as Record<string, unknown>;
  const where = object.collection ? 'The collection' : `Feature ${reading.count + 1}`;
  for (const [key, piece] of object.members) members[key] = parse(piece, where);
  return members;
}

/** A feature that is wrong in itself does not keep the others from being read. */
function attempted(reading: Reading, number: number, piece: Piece): RawFeature {
  try {
    const feature = parse(piece, `Feature ${number}`, number) as Record<string, unknown>;
    return shaped(reading, number, { offset: piece.offset, feature });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { number, id: undefined, geometry: null, properties: {}, error };
  }
}

/** Members of a feature that are stored, or say nothing of their own (RFC 7946). */
const knownMembers = new Set(['type', 'id', 'geometry', 'properties', 'bbox', 'crs']);

function shaped(
  { remark }: Reading,
  number: number,
  { offset, feature }: { offset: number; feature: Record<string, unknown> },
): RawFeature {
  const { type, id, geometry = null, properties } = feature;
  if (type !== 'Feature') throw failed(`Feature ${number}: the type is not 'Feature'`, offset, number);
  if (properties !== undefined && (typeof properties !== 'object' || Array.isArray(properties))) {
    throw failed(`Feature ${number}: properties is not an object`, offset, number);
  }
  for (const key in feature)
    if (!knownMembers.has(key)) remark?.(`member '${key}' of a feature`, 'not read, left out', number);
  return { number, id, geometry, properties: (properties ?? {}) as Record<string, unknown> };
}

/** Integers of 16 digits and more, which a JavaScript number may not hold exactly, outside strings. */
const longIntegers = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/** The value of a piece. Integers beyond 2^53 become strings, so that no digit is lost. */
function parse(piece: Piece, where: string, feature?: number): unknown {
  const { bytes, offset } = piece;
  if (!isUtf8(bytes)) {
    const at = offset + firstInvalid(bytes);
    throw failed(`${where}: not valid UTF-8 at byte ${at}`, at, feature);
  }
  const text = bytes.toString();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const at = offset + positionOf(error as Error, text);
    throw failed(`${where}: not valid JSON at byte ${at}`, at, feature);
  }
  const keys = countKeys(value);
  if (keys.count !== piece.colons) {
    throw failed(`${where}: a key occurs twice in one object (from byte ${offset})`, offset, feature);
  }
  return keys.unsafe ? JSON.parse(text.replace(longIntegers, quoteUnsafe)) : value;
}

const quoteUnsafe = (token: string): string =>
  token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : `"${token}"`;

/** Where JSON.parse stopped, in bytes; 0 when it does not say. */
function positionOf(error: Error, text: string): number {
  const position = /position (\d+)/.exec(error.message);
  return position ? Buffer.byteLength(text.slice(0, Number(position[1]))) : 0;
}

/** The first byte that is not UTF-8: where decoding puts a replacement character that the bytes do not have. */
function firstInvalid(bytes: Buffer): number {
  const text = bytes.toString();
  let at = 0;
  let from = 0;
  for (;;) {
    const next = text.indexOf('\ufffd', from);
    at += Buffer.byteLength(text.slice(from, next));
    if (next === -1 || !bytes.subarray(at, at + 3).equals(replacement)) return at;
    at += replacement.length;
    from = next + 1;
  }
}

const replacement = Buffer.from('\ufffd');

interface KeyCount {
  count: number;
  /** Whether a number among the values is an integer beyond 2^53. */
  unsafe: boolean;
}

/** The keys of all objects within a value; positions, the bulk of every geometry, are passed by. */
function countKeys(value: unknown, into: KeyCount = { count: 0, unsafe: false }): KeyCount {
  if (typeof value === 'number') {
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) into.unsafe = true;
  } else if (Array.isArray(value)) {
    if (isPosition(value)) return into;
    for (const item of value) countKeys(item, into);
  } else if (typeof value === 'object' && value !== null) {
    for (const key in value) {
      into.count++;
      countKeys((value as Record<string, unknown>)[key], into);
    }
  }
  return into;
}

const isPosition = (value: unknown[]): boolean =>
  value.length <= 4 && value.every((item) => typeof item === 'number');

/** Takes the legacy member `crs` (GeoJSON 2008, section 3) of a collection, unless a projection was given. */
function takeCrs(reading: Reading, object: TopObject): void {
  if (reading.srsIsGiven) return;
  const found = crsOf(object);
  if (found !== undefined) reading.srs = found;
}

/** The same of a feature or geometry that is no part of a collection: all of them are in the projection of the first. */
function takeOwnCrs(reading: Reading, object: TopObject): void {
  if (reading.objects === 1) takeCrs(reading, object);
  else if (!reading.srsIsGiven && (crsOf(object) ?? reading.srs) !== reading.srs)
    throw failed('The features have different members crs: give the projection as srs', object.offset);
}

/** When `crs` stands after the features, they were read without it. */
function checkLateCrs(reading: Reading, object: TopObject): void {
  if (reading.srsIsGiven || (crsOf(object) ?? wgs84) === (reading.srs ?? wgs84)) return;
  throw failed('The member crs stands after the features: give the projection as srs', object.offset);
}

function crsOf({ members }: TopObject): string | undefined {
  const piece = members.get('crs');
  const crs = piece && (parse(piece, 'The member crs') as { properties?: { name?: unknown } } | null);
  if (!piece || !crs) return undefined;
  try {
    return parseSrs(String(crs.properties?.name));
  } catch {
    throw failed(`The member crs at byte ${piece.offset} is not understood: give srs`, piece.offset);
  }
}
