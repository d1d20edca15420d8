import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';

/*
 * The one decoder of a record of a .shp (ESRI Shapefile Technical Description, July 1998). It finds where the positions, parts,
 * heights and measures lie, and copies nothing: `shp-geometry.ts` and `shp-ewkb.ts` make geometries of the result.
 * Numbers are little-endian.
 */

/** `points`: several points in one shape; `patches`: rings and triangles of a MultiPatch. */
export type ShapeKind = 'empty' | 'point' | 'points' | 'lines' | 'polygon' | 'patches';

/** Kinds by the last digit of a type: 11 and 21 are points with a height or a measure. */
const kindsByDigit: readonly (ShapeKind | undefined)[] = [
  undefined,
  'point',
  undefined,
  'lines',
  undefined,
  'polygon',
  undefined,
  undefined,
  'points',
  undefined,
];

const emptyType = 0;
const patchesType = 31;

/** A decoded record. Offsets are in bytes from the start of `bytes`. */
export interface Shape {
  kind: ShapeKind;
  bytes: Buffer;
  /** End of the record. */
  end: number;
  /** Offset of the first position: x and y, 16 bytes each. */
  positionsAt: number;
  positionCount: number;
  /** Offset of the indexes of the parts' first positions; 4 bytes each. */
  partsAt: number;
  /** 0 if the kind has no parts. */
  partCount: number;
  /** Offset of the types of the patches, 4 bytes each; 0 if the kind has none. */
  patchTypesAt: number;
  /** Offset of the first height, 8 bytes each; 0 if the type has none. */
  heightsAt: number;
  /** Offset of the first measure if the record may have measures; else 0. */
  measuresAt: number;
}

/** A part of a shape: a line, a ring or a patch. */
export interface ShapePart {
  /** Index of its first position. */
  from: number;
  count: number;
  /** Type of a patch: 0 strip and 1 fan of triangles, 2 to 5 rings (page 20); else 0. */
  patchType: number;
}

/** Coordinates below this value mean "no data" (page 2). */
export const noData = -1e38;

const pointAt = 4;
const countsAt = 36;
const positionBytes = 16;
/** Size of the minimum and maximum of heights or measures, which precede the values, bytes. */
const rangeBytes = 16;

const invalid = (why: string): ServiceError =>
  new ServiceError('value_invalid', noteOf('ofGeometry', { reason: why }), { columns: ['geom'] });

export const shapeCutOff = (): ServiceError => invalid(noteOf('shapeCutOff'));

function kindOf(type: number): ShapeKind {
  if (type === emptyType) return 'empty';
  if (type === patchesType) return 'patches';
  const kind = type > 30 ? undefined : kindsByDigit[type % 10];
  if (!kind) throw invalid(noteOf('shapeUnknown', { type }));
  return kind;
}

/** Decodes the record at an offset. Throws `value_invalid` if it is cut off or of an unknown type. */
export function decodeShape(bytes: Buffer, at: number, size: number): Shape {
  if (size < 4) throw shapeCutOff();
  const type = bytes.readInt32LE(at);
  const kind = kindOf(type);
  const end = at + size;
  const hasHeights = type > 10 && (type < 20 || type === patchesType);
  const shape: Shape = {
    kind,
    bytes,
    end,
    positionsAt: at + pointAt,
    positionCount: 0,
    partsAt: 0,
    partCount: 0,
    patchTypesAt: 0,
    heightsAt: 0,
    measuresAt: 0,
  };
  if (kind === 'empty') return shape;
  if (kind === 'point') {
    if (size < 20) throw shapeCutOff();
    shape.positionCount = 1;
    if (hasHeights) shape.heightsAt = at + 20;
    if (type > 10) shape.measuresAt = at + (hasHeights ? 28 : 20);
    return shape;
  }
  locateLists(shape, at, size);
  const valuesAt = shape.positionsAt + positionBytes * shape.positionCount + rangeBytes;
  if (hasHeights) shape.heightsAt = valuesAt;
  if (type > 10) shape.measuresAt = valuesAt + (hasHeights ? 8 * shape.positionCount + rangeBytes : 0);
  return shape;
}

/** Finds the parts and positions of a shape other than a single point. */
function locateLists(shape: Shape, at: number, size: number): void {
  const { kind, bytes } = shape;
  if (kind === 'points') {
    shape.positionCount = countAt(bytes, at, { size, offset: countsAt, itemBytes: positionBytes });
    shape.positionsAt = at + countsAt + 4;
    return;
  }
  shape.partCount = countAt(bytes, at, { size, offset: countsAt, itemBytes: 4 });
  shape.positionCount = countAt(bytes, at, { size, offset: countsAt + 4, itemBytes: positionBytes });
  shape.partsAt = at + countsAt + 8;
  shape.positionsAt = shape.partsAt + 4 * shape.partCount;
  if (kind !== 'patches') return;
  shape.patchTypesAt = shape.positionsAt;
  shape.positionsAt += 4 * shape.partCount;
}

/** Reads a number of items of `itemBytes` each, and checks that the record has room for them. */
function countAt(
  bytes: Buffer,
  at: number,
  { size, offset, itemBytes }: { size: number; offset: number; itemBytes: number },
): number {
  if (offset + 4 > size) throw shapeCutOff();
  const count = bytes.readInt32LE(at + offset);
  if (count < 0 || count > size / itemBytes) throw shapeCutOff();
  return count;
}

/** The parts of a shape that have positions. Throws `value_invalid` if they overlap or are cut off. */
export function partsOf(shape: Shape): ShapePart[] {
  const { bytes, end, partsAt, partCount, positionCount, patchTypesAt } = shape;
  if (partsAt + 4 * partCount > end) throw shapeCutOff();
  const parts: ShapePart[] = [];
  for (let i = 0; i < partCount; i++) {
    const from = bytes.readInt32LE(partsAt + 4 * i);
    const to = i + 1 < partCount ? bytes.readInt32LE(partsAt + 4 * (i + 1)) : positionCount;
    if (from < 0 || to < from || to > positionCount) throw invalid(noteOf('shapeParts'));
    if (from === to) continue;
    const part = { from, count: to - from, patchType: 0 };
    demandPositions(shape, part);
    if (patchTypesAt) part.patchType = bytes.readInt32LE(patchTypesAt + 4 * i);
    parts.push(part);
  }
  return parts;
}

/** Throws `value_invalid` if the record ends before the positions of a part, or before their heights. */
export function demandPositions(shape: Shape, { from, count }: Omit<ShapePart, 'patchType'>): void {
  const { end, positionsAt, heightsAt } = shape;
  const isWhole =
    positionsAt + positionBytes * (from + count) <= end &&
    (!heightsAt || heightsAt + 8 * (from + count) <= end);
  if (!isWhole) throw shapeCutOff();
}

/** Whether a shape has measures (M), judged by the first one. */
export const hasMeasures = ({ bytes, measuresAt, end }: Shape): boolean =>
  measuresAt > 0 && measuresAt + 8 <= end && bytes.readDoubleLE(measuresAt) > noData;
