import { isUtf8 } from 'node:buffer';
import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import { parseSrs, wgs84 } from '@cartulary/geo';
import type { FeatureReader, RawFeature } from '../../raw-feature.js';
import type { Remarker } from '../../reading/summary.js';
import { geometryOfFeature } from './feature-geometry.js';
import { createSplitter, type JsonPiece, type TopObject } from './splitter.js';

export interface ReaderOptions {
  /** Maximum size of a feature, bytes. */
  featureLimit: number;
  /** Number of its first feature; default 1. */
  first?: number;
  /** Whether the file may hold nothing at all: a feature a line, and no line. */
  mayBeEmpty?: boolean | undefined;
  /** The given projection, which takes precedence over the file's member `crs`. */
  srs: string | undefined;
  /** Receives members of features that are not stored. */
  remark?: Remarker;
}

interface Reading {
  count: number;
  done: RawFeature[];
  /** The projection as given or declared; undefined if neither. */
  srs: string | undefined;
  readonly srsIsGiven: boolean;
  readonly remark: Remarker | undefined;
  /** Top-level objects: one collection, or any number of features. */
  objects: number;
  lastIsFeature: boolean;
}

/**
 * Reads GeoJSON (RFC 7946) as a stream: a FeatureCollection, a Feature, a bare geometry, or a sequence of Features
 * (newline-delimited, RFC 8142). Throws `import_failed` that names the feature and the byte.
 */
export function createFeatureReader({
  featureLimit,
  mayBeEmpty,
  srs,
  first = 1,
  remark,
}: ReaderOptions): FeatureReader {
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
    { pieceLimit: featureLimit, mayBeEmpty },
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
    if (type === undefined && (members.geometryType || members.spatialReference))
      throw failed(noteOf('esriJson'), object.offset);
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
  const feature = object.collection ? undefined : reading.count + 1;
  const where = feature === undefined ? inCollection : inFeature(feature);
  for (const [key, piece] of object.members) members[key] = parse(reading, piece, { where, feature });
  return members;
}

/** An invalid feature does not prevent reading of the others. */
function attempted(reading: Reading, number: number, piece: JsonPiece): RawFeature {
  try {
    const read = { where: inFeature(number), feature: number };
    const feature = parse(reading, piece, read) as Record<string, unknown>;
    return shaped(reading, number, { offset: piece.offset, feature });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { number, id: undefined, geometry: null, properties: {}, error };
  }
}

/** Members of a feature that are stored, or carry no information of their own (RFC 7946). */
const knownMembers = new Set(['type', 'id', 'geometry', 'properties', 'bbox', 'crs']);

function shaped(
  reading: Reading,
  number: number,
  { offset, feature }: { offset: number; feature: Record<string, unknown> },
): RawFeature {
  const { type, id, geometry = null, properties } = feature;
  if (type !== 'Feature') throw failed(inFeature(number)(noteOf('noFeatureType')), offset, number);
  if (properties !== undefined && (typeof properties !== 'object' || Array.isArray(properties))) {
    throw failed(inFeature(number)(noteOf('noProperties')), offset, number);
  }
  for (const key in feature)
    if (!knownMembers.has(key))
      reading.remark?.(noteOf('memberOfFeature', { name: key }), noteOf('notRead'), number);
  const values = (properties ?? {}) as Record<string, unknown>;
  return { number, id, ...geometryOfFeature(reading, { number, geometry, properties: values }) };
}

/** Makes the message of a reason that names where a piece stands. */
type Where = (reason: string) => string;

const inFeature =
  (feature: number): Where =>
  (reason) =>
    noteOf('ofFeature', { feature, reason });
const inCollection: Where = (reason) => noteOf('ofCollection', { reason });
const inCrs: Where = (reason) => noteOf('ofCrs', { reason });

/** Integers of 16 digits or more outside strings, which a JavaScript number may not hold exactly. */
const longIntegers = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/**
 * Parses a piece. Integers beyond 2^53 become strings, so that no digit is lost. Of values under the same key of an object the
 * last one is kept, as in other programs.
 */
function parse(
  { remark }: Pick<Reading, 'remark'>,
  piece: JsonPiece,
  { where, feature }: { where: Where; feature?: number | undefined },
): unknown {
  const { bytes, offset } = piece;
  if (!isUtf8(bytes)) {
    const at = offset + firstInvalid(bytes);
    throw failed(where(noteOf('noUtf8', { byte: at })), at, feature);
  }
  let text = bytes.toString();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const at = offset + positionOf(error as Error, text);
    text = text.replace(noNumbers, (token) => (token.startsWith('"') ? token : 'null'));
    value = parsed(text);
    if (value === undefined) throw failed(where(noteOf('invalidJson', { byte: at })), at, feature);
  }
  const keys = countKeys(value);
  if (keys.count !== piece.colons) remark?.(noteOf('nameTwice'), noteOf('lastKept'), feature);
  return keys.unsafe ? JSON.parse(text.replace(longIntegers, quoteUnsafe)) : value;
}

/** Numbers without a value outside strings, which Python writes although JSON has none. They are null, as in other formats. */
const noNumbers = /"(?:[^"\\]|\\.)*"|\bNaN\b/g;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const quoteUnsafe = (token: string): string =>
  token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : `"${token}"`;

/** Byte offset at which JSON.parse stopped; 0 if its message does not contain it. */
function positionOf(error: Error, text: string): number {
  const position = /position (\d+)/.exec(error.message);
  return position ? Buffer.byteLength(text.slice(0, Number(position[1]))) : 0;
}

/** Offset of the first byte that is not UTF-8: where decoding inserts a replacement character that the bytes do not contain. */
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
  /** Whether the values contain an integer beyond 2^53. */
  unsafe: boolean;
}

/** The keys of all objects within a value. Positions, the bulk of a geometry, are skipped. */
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

/** Applies the legacy member `crs` (GeoJSON 2008, section 3) of a collection, unless a projection is given. */
function takeCrs(reading: Reading, object: TopObject): void {
  if (reading.srsIsGiven) return;
  const found = crsOf(reading, object);
  if (found !== undefined) reading.srs = found;
}

/** The same for a feature or geometry outside a collection: the first one determines the projection of all. */
function takeOwnCrs(reading: Reading, object: TopObject): void {
  if (reading.objects === 1) takeCrs(reading, object);
  else if (!reading.srsIsGiven && (crsOf(reading, object) ?? reading.srs) !== reading.srs)
    throw failed('The features have different members crs: give the projection as srs', object.offset);
}

/** Throws if `crs` follows the features, which were read without it. */
function checkLateCrs(reading: Reading, object: TopObject): void {
  if (reading.srsIsGiven) return;
  const srs = crsOf(reading, object);
  if (srs === undefined || srs === (reading.srs ?? wgs84)) return;
  throw failed('The member crs stands after the features: give the projection as srs', object.offset);
}

function crsOf(reading: Reading, { members }: TopObject): string | undefined {
  const piece = members.get('crs');
  const crs =
    piece && (parse(reading, piece, { where: inCrs }) as { properties?: { name?: unknown } } | null);
  if (!piece || !crs) return undefined;
  try {
    return parseSrs(String(crs.properties?.name));
  } catch {
    throw failed(`The member crs at byte ${piece.offset} is not understood: give srs`, piece.offset);
  }
}
