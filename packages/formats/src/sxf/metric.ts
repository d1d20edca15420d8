import type { Geometry, Position } from 'geojson';
import { ServiceError } from '../../errors.js';
import { BeyondEnd, type Cursor, untilZero } from './cursor.js';
import type { Passport, Scale } from './passport.js';
import { polygonOf } from './rings.js';

/** What a record says of its metric, the part of it with the positions. */
export interface MetricForm {
  kind: ObjectKind;
  /** Positions of the object itself, and the number of its further parts. */
  points: number;
  parts: number;
  /** Whether numbers are floating, and wide: 4 bytes instead of 2, floating 8 instead of 4. */
  isFloating: boolean;
  isWide: boolean;
  hasHeights: boolean;
  /** Whether the positions of each part are followed by a text. */
  hasText: boolean;
  /** Of these texts. */
  decode(bytes: Buffer): string;
  /** Bytes of the zero that ends a text. */
  zero: 1 | 2;
}

export type ObjectKind = 'line' | 'polygon' | 'point' | 'label' | 'vector' | 'template';

export interface Metric {
  geometry: Geometry | null;
  text: string | undefined;
}

const wrong = (why: string): ServiceError => new ServiceError('value_invalid', why);

/** The height of a position that has none. */
const noHeight = -111_111;

/** Reads the positions and texts of an object. Throws `value_invalid` where they do not fit the metric. */
export function readMetric(at: Cursor, form: MetricForm, passport: Passport): Metric {
  try {
    const parts: Position[][] = [readPositions(at, form.points, form, passport)];
    const texts = [readText(at, form)];
    for (let i = 0; i < form.parts; i++) {
      const high = at.u16();
      const low = at.u16();
      // Only where one count of the object is wide the others are.
      const count = form.points > 65_535 ? low + high * 65_536 : low;
      parts.push(readPositions(at, count, form, passport));
      texts.push(readText(at, form));
    }
    return { geometry: geometryOf(form.kind, parts), text: texts.filter(Boolean).join('\n') || undefined };
  } catch (error) {
    if (error instanceof BeyondEnd) throw wrong('there are more positions than the record has room for');
    throw error;
  }
}

function readPositions(at: Cursor, count: number, form: MetricForm, passport: Passport): Position[] {
  const { isFloating, isWide, hasHeights } = form;
  const read = isFloating ? (isWide ? at.f64 : at.f32) : isWide ? at.i32 : at.i16;
  const height = isFloating && isWide ? at.f64 : at.f32;
  const size =
    2 * (isWide ? 4 : 2) * (isFloating ? 2 : 1) + (hasHeights ? (isFloating && isWide ? 8 : 4) : 0);
  // Before memory is taken for what a count promises.
  if (count * size > at.left) throw new BeyondEnd();
  const positions: Position[] = [];
  for (let i = 0; i < count; i++) {
    const north = scaled(read(), passport.north);
    const east = scaled(read(), passport.east);
    if (!Number.isFinite(north) || !Number.isFinite(east)) throw wrong('a coordinate is no number');
    positions.push(hasHeights ? [east, north, height()] : [east, north]);
  }
  return positions;
}

const scaled = (value: number, { origin, factor }: Scale): number => origin + value * factor;

/** A length in a byte, the text, a zero; after a zero within the text stands how it is aligned. */
function readText(at: Cursor, { hasText, decode, zero }: MetricForm): string {
  if (!hasText || !at.left) return '';
  const bytes = at.bytes(at.u8());
  at.skip(Math.min(zero, at.left));
  return untilZero(decode(bytes));
}

function geometryOf(kind: ObjectKind, all: readonly Position[][]): Geometry | null {
  const parts = withHeights(all.filter((part) => part.length));
  if (!parts.length) return null;
  switch (kind) {
    case 'polygon':
      return polygonOf(parts);
    case 'line':
    case 'vector':
      return parts.length === 1
        ? { type: 'LineString', coordinates: parts[0]! }
        : { type: 'MultiLineString', coordinates: parts };
    case 'point': {
      const points = parts.flat();
      return points.length === 1 ? point(points[0]!) : { type: 'MultiPoint', coordinates: points };
    }
    // A label stands where its line begins.
    case 'label':
    case 'template': {
      const points = parts.map(([first]) => first!);
      return points.length === 1 ? point(points[0]!) : { type: 'MultiPoint', coordinates: points };
    }
  }
}

const point = (coordinates: Position): Geometry => ({ type: 'Point', coordinates });

/** Positions with heights where all have one. */
function withHeights(parts: Position[][]): Position[][] {
  const isTold = ([, , height]: Position): boolean => Number.isFinite(height) && height !== noHeight;
  const isFlat = parts[0]?.[0]?.length === 2;
  if (isFlat || parts.every((part) => part.every(isTold))) return parts;
  return parts.map((part) => part.map(([east, north]) => [east!, north!]));
}
