import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import type { Geometry, Position } from 'geojson';
import { joinedLines, lineOfArcs } from '../readers/arcs.js';

/** Maximum nesting of collections. */
const deepest = 20;

const wrong = (why: string): ServiceError =>
  new ServiceError('value_invalid', noteOf('ofGeometry', { reason: why }), { columns: ['geom'] });

interface Reader {
  text: string;
  at: number;
  /** Whether the last number of each position is a measure, which is dropped. */
  hasMeasure: boolean;
  /** Receives each circular string. */
  arc(): void;
  /** Receives each measure. */
  measure(): void;
}

/** Kinds of geometry in the text, and their types in GeoJSON. */
const kinds = {
  POINT: 'Point',
  LINESTRING: 'LineString',
  LINEARRING: 'LineString',
  POLYGON: 'Polygon',
  TRIANGLE: 'Polygon',
  MULTIPOINT: 'MultiPoint',
  MULTILINESTRING: 'MultiLineString',
  MULTIPOLYGON: 'MultiPolygon',
  POLYHEDRALSURFACE: 'MultiPolygon',
  TIN: 'MultiPolygon',
  GEOMETRYCOLLECTION: 'GeometryCollection',
  CIRCULARSTRING: 'LineString',
  COMPOUNDCURVE: 'LineString',
  CURVEPOLYGON: 'Polygon',
  MULTICURVE: 'MultiLineString',
  MULTISURFACE: 'MultiPolygon',
} as const;

type Kind = keyof typeof kinds;

const head = /\s*([A-Za-z]+?)(?:\s*(ZM|Z|M))?\s*(EMPTY\b|\()/iy;
const start =
  /^\s*(?:SRID\s*=\s*\d+\s*;\s*)?([A-Za-z]+?)(?:\s*(?:ZM|Z|M))?\s*(?:EMPTY|\(\s*(?:[-+.\d()]|nan|[A-Za-z]+\s*(?:EMPTY|\()))/i;

/** Whether a text begins as well-known text does, and not as a name of it: `Point (WKT)`. */
export const beginsAsWkt = (text: string): boolean => {
  const kind = start.exec(text)?.[1];
  return kind !== undefined && Object.hasOwn(kinds, kind.toUpperCase());
};

/**
 * Parses well-known text (OGC 06-103r4, 7.2; with a leading `SRID=n;` as from PostGIS): keeps heights, drops measures
 * and empty parts, and turns arcs into lines, of which `measure` and `arc` are told. Null for an empty geometry. Throws `value_invalid`.
 */
export function fromWkt(
  text: string,
  arc: () => void = () => {},
  measure: () => void = () => {},
): { geometry: Geometry | null; srid: number | undefined } {
  const srid = /^\s*SRID\s*=\s*(\d{1,7})\s*;/i.exec(text);
  const reader: Reader = { text, at: srid ? srid[0].length : 0, hasMeasure: false, arc, measure };
  const geometry = geometryOf(reader, 0);
  if (text.slice(reader.at).trim()) throw misplaced(reader);
  return { geometry, srid: srid ? Number(srid[1]) || undefined : undefined };
}

const misplaced = ({ text, at }: Reader): ServiceError =>
  wrong(
    at >= text.length
      ? noteOf('wktCutOff')
      : noteOf('wktNotUnderstood', { text: JSON.stringify(text.slice(at, at + 20)), character: at + 1 }),
  );

function geometryOf(reader: Reader, depth: number): Geometry | null {
  if (depth > deepest) throw wrong(noteOf('nestedTooDeep'));
  head.lastIndex = reader.at;
  const match = head.exec(reader.text);
  const name = match?.[1]?.toUpperCase() ?? '';
  if (!match || !Object.hasOwn(kinds, name)) throw misplaced(reader);
  reader.at = head.lastIndex;
  if (match[3] !== '(') return null;
  reader.hasMeasure = /m$/i.test(match[2] ?? '');
  const type = kinds[name as Kind];
  if (type === 'GeometryCollection') return collection(reader, depth);
  const coordinates = contents[name as Exclude<Kind, 'GEOMETRYCOLLECTION'>](reader, depth);
  return coordinates.length ? ({ type, coordinates } as Geometry) : null;
}

function collection(reader: Reader, depth: number): Geometry | null {
  const parts = list(reader, () => geometryOf(reader, depth + 1));
  const geometries = parts.filter((part) => part !== null);
  return geometries.length ? { type: 'GeometryCollection', geometries } : null;
}

/** Parses comma-separated items up to the closing parenthesis. */
function list<T>(reader: Reader, item: (reader: Reader) => T): T[] {
  const items: T[] = [];
  for (;;) {
    items.push(item(reader));
    blanks(reader);
    const sign = reader.text.charCodeAt(reader.at);
    if (sign !== comma && sign !== close) throw misplaced(reader);
    reader.at++;
    if (sign === close) return items;
  }
}

const comma = 0x2c;
const open = 0x28;
const close = 0x29;

function blanks(reader: Reader): void {
  while (reader.text.charCodeAt(reader.at) <= 0x20) reader.at++;
}

/** Parses a list with its parentheses; empty for the word EMPTY. */
const nested =
  <T>(item: (reader: Reader) => T) =>
  (reader: Reader): T[] => {
    blanks(reader);
    if (reader.text.charCodeAt(reader.at) === open) {
      reader.at++;
      return list(reader, item);
    }
    if (reader.text.slice(reader.at, reader.at + 5).toUpperCase() !== 'EMPTY') throw misplaced(reader);
    reader.at += 5;
    return [];
  };

const positions = (reader: Reader): Position[] => list(reader, position);
const filled = <T>(items: T[][]): T[][] => items.filter(({ length }) => length);
const lines = (reader: Reader): Position[][] => filled(list(reader, nested(position)));

type Coordinates = Position | Position[] | Position[][] | Position[][][];

/** Parses a part that may have its own word; without it, it is `plain`. */
function partOf<T extends Position[] | Position[][]>(
  reader: Reader,
  depth: number,
  { type, plain }: { type: 'LineString' | 'Polygon'; plain: (reader: Reader) => T },
): T {
  blanks(reader);
  if (reader.text.charCodeAt(reader.at) === open || empty.test(reader.text.slice(reader.at, reader.at + 5)))
    return plain(reader);
  const { at, hasMeasure } = reader;
  const part = geometryOf(reader, depth + 1);
  reader.hasMeasure = hasMeasure;
  if (part && part.type !== type) throw misplaced({ ...reader, at });
  return (part ? (part as { coordinates: unknown }).coordinates : []) as T;
}

const empty = /^EMPTY/i;

const curves = (reader: Reader, depth: number): Position[][] =>
  filled(list(reader, (inner) => partOf(inner, depth, { type: 'LineString', plain: nested(position) })));

const polygons = (reader: Reader): Position[][][] =>
  filled(list(reader, (inner) => filled(nested(nested(position))(inner))));

const contents: Readonly<
  Record<Exclude<Kind, 'GEOMETRYCOLLECTION'>, (reader: Reader, depth: number) => Coordinates>
> = {
  POINT: (reader) => {
    const [only, ...others] = positions(reader);
    if (others.length) throw wrong(noteOf('wktPoint'));
    return only!;
  },
  LINESTRING: positions,
  LINEARRING: positions,
  POLYGON: lines,
  TRIANGLE: lines,
  // Both `(1 2, 3 4)` and `((1 2), (3 4))` are valid.
  MULTIPOINT: (reader) =>
    list(reader, (inner) => {
      blanks(inner);
      const code = inner.text.charCodeAt(inner.at);
      return code === open || (code | 0x20) === 0x65 ? nested(position)(inner) : [position(inner)];
    }).flat(),
  MULTILINESTRING: lines,
  MULTIPOLYGON: polygons,
  POLYHEDRALSURFACE: polygons,
  TIN: polygons,
  CIRCULARSTRING: (reader) => {
    reader.arc();
    return lineOfArcs(positions(reader));
  },
  COMPOUNDCURVE: (reader, depth) => joinedLines(curves(reader, depth)),
  CURVEPOLYGON: curves,
  MULTICURVE: curves,
  MULTISURFACE: (reader, depth) =>
    filled(
      list(reader, (inner) =>
        partOf(inner, depth, {
          type: 'Polygon',
          plain: (rings) => filled(nested(nested(position))(rings)),
        }),
      ),
    ),
};

function position(reader: Reader): Position {
  const numbers = [number(reader)];
  for (;;) {
    blanks(reader);
    const sign = reader.text.charCodeAt(reader.at);
    if (sign === comma || sign === close) break;
    numbers.push(number(reader));
    if (numbers.length > 4) throw wrong(noteOf('wktPosition'));
  }
  if (numbers.length - Number(reader.hasMeasure) < 2) throw misplaced(reader);
  // Without a dimension word the fourth number is a measure.
  if (!reader.hasMeasure && numbers.length < 4) return numbers;
  reader.measure();
  return numbers.slice(0, -1);
}

function number(reader: Reader): number {
  blanks(reader);
  const { text, at } = reader;
  let end = at;
  for (
    let code = text.charCodeAt(end);
    code > 0x20 && code !== comma && code !== close;
    code = text.charCodeAt(++end)
  );
  const value = Number(text.slice(at, end));
  // Excludes what only JavaScript accepts as a number: 0x10, Infinity, an empty text.
  if (
    end === at ||
    !Number.isFinite(value) ||
    (text.charCodeAt(at) === 0x30 && text.charCodeAt(at + 1) > 0x39)
  ) {
    throw misplaced(reader);
  }
  reader.at = end;
  return value;
}
