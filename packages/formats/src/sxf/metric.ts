import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import type { Geometry, Position } from 'geojson';
import { BeyondEnd, type ByteCursor, untilZero } from './cursor.js';
import type { Passport, Scale } from './passport.js';
import { polygonOf } from './rings.js';

/** The header of a record's metric, the part with the positions. */
export interface MetricForm {
  kind: ObjectKind;
  /** Number of positions of the object itself, and of its further parts. */
  points: number;
  parts: number;
  /** Whether numbers are floating point, and whether they are wide: 4 bytes instead of 2, floating point 8 instead of 4. */
  isFloating: boolean;
  isWide: boolean;
  hasHeights: boolean;
  /** Whether a text follows the positions of each part. */
  hasText: boolean;
  /** Encoding of these texts. */
  decode(bytes: Buffer): string;
  /** Size of the terminating zero of a text, bytes. */
  zero: 1 | 2;
}

export type ObjectKind = 'line' | 'polygon' | 'point' | 'label' | 'vector' | 'template';

export interface Metric {
  geometry: Geometry | null;
  text: string | undefined;
}

const wrong = (why: string): ServiceError => new ServiceError('value_invalid', why);

/** The height that marks a position without one. */
const noHeight = -111_111;

/** Reads the positions and texts of an object. Throws `value_invalid` if they do not fit the metric. */
export function readMetric(at: ByteCursor, form: MetricForm, passport: Passport): Metric {
  try {
    const parts: Position[][] = [readPositions(at, form.points, form, passport)];
    const texts = [readText(at, form)];
    for (let i = 0; i < form.parts; i++) {
      const high = at.u16();
      const low = at.u16();
      // If one count of the object is wide, the others are wide too.
      const count = form.points > 65_535 ? low + high * 65_536 : low;
      parts.push(readPositions(at, count, form, passport));
      texts.push(readText(at, form));
    }
    return { geometry: geometryOf(form.kind, parts), text: texts.filter(Boolean).join('\n') || undefined };
  } catch (error) {
    if (error instanceof BeyondEnd) throw wrong(noteOf('sxfPositions'));
    throw error;
  }
}

function readPositions(at: ByteCursor, count: number, form: MetricForm, passport: Passport): Position[] {
  const { isFloating, isWide, hasHeights } = form;
  const read = isFloating ? (isWide ? at.f64 : at.f32) : isWide ? at.i32 : at.i16;
  const height = isFloating && isWide ? at.f64 : at.f32;
  const size =
    2 * (isWide ? 4 : 2) * (isFloating ? 2 : 1) + (hasHeights ? (isFloating && isWide ? 8 : 4) : 0);
  // The declared count is checked before memory is allocated for it.
  if (count * size > at.left) throw new BeyondEnd();
  const positions: Position[] = [];
  for (let i = 0; i < count; i++) {
    const north = scaled(read(), passport.north);
    const east = scaled(read(), passport.east);
    if (!Number.isFinite(north) || !Number.isFinite(east)) throw wrong(noteOf('sxfCoordinate'));
    positions.push(hasHeights ? [east, north, height()] : [east, north]);
  }
  return positions;
}

const scaled = (value: number, { origin, factor }: Scale): number => origin + value * factor;

/** Reads a length byte, the text and a zero. After a zero within the text follows its alignment. */
function readText(at: ByteCursor, { hasText, decode, zero }: MetricForm): string {
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
    // The position of a label is the start of its line.
    case 'label':
    case 'template': {
      const points = parts.map(([first]) => first!);
      return points.length === 1 ? point(points[0]!) : { type: 'MultiPoint', coordinates: points };
    }
  }
}

const point = (coordinates: Position): Geometry => ({ type: 'Point', coordinates });

/** Positions have heights only if all of them have one. */
function withHeights(parts: Position[][]): Position[][] {
  const isTold = ([, , height]: Position): boolean => Number.isFinite(height) && height !== noHeight;
  const isFlat = parts[0]?.[0]?.length === 2;
  if (isFlat || parts.every((part) => part.every(isTold))) return parts;
  return parts.map((part) => part.map(([east, north]) => [east!, north!]));
}
