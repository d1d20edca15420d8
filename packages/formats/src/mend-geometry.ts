/** A geometry without its empty parts. */
export interface Mended {
  /** Null if nothing is left. */
  geometry: object | null;
  /** Number of lines with one position, which is now repeated. */
  lines: number;
  /** Number of rings of fewer than four positions, whose last position is now repeated. */
  rings: number;
}

interface Mending {
  lines: number;
  rings: number;
  isChanged: boolean;
}

/** Coordinates without empty parts; undefined if nothing is left. */
type Mend = (mending: Mending, coordinates: unknown) => unknown;

/**
 * Corrects harmless defects of a GeoJSON geometry: removes parts without positions, and repeats positions of lines with
 * one position and of rings with two or three, which enclose no area. Returns undefined if there are none. Other defects
 * stay, so that validation reports them.
 */
export function mendGeometry(value: unknown): Mended | undefined {
  const mending: Mending = { lines: 0, rings: 0, isChanged: false };
  const geometry = geometryOf(mending, value);
  const { lines, rings, isChanged } = mending;
  return isChanged ? { geometry: (geometry as object) ?? null, lines, rings } : undefined;
}

function geometryOf(mending: Mending, value: unknown): unknown {
  const { type, coordinates, geometries } = (value ?? {}) as Record<string, unknown>;
  if (type === 'GeometryCollection') {
    const parts = some(geometryOf)(mending, geometries);
    return parts && { type, geometries: parts };
  }
  const mend = typeof type === 'string' && Object.hasOwn(kinds, type) ? kinds[type]! : undefined;
  if (!mend) return value;
  const left = mend(mending, coordinates);
  return left && { type, coordinates: left };
}

const some =
  (part: Mend): Mend =>
  (mending, value) => {
    if (!Array.isArray(value)) return value;
    const left = value.map((item) => part(mending, item)).filter((item) => item !== undefined);
    if (left.length < value.length || !value.length) mending.isChanged = true;
    return left.length ? left : undefined;
  };

/** An array without numbers is not a position. */
const position: Mend = (mending, value) => {
  if (!Array.isArray(value) || value.length) return value;
  mending.isChanged = true;
  return undefined;
};

const line: Mend = (mending, value) => {
  const left = some(position)(mending, value);
  if (!Array.isArray(left) || left.length !== 1) return left;
  mending.isChanged = true;
  mending.lines++;
  return [left[0], left[0]];
};

/** Minimum number of positions of a ring (RFC 7946, 3.1.6), which PostGIS also requires. */
const leastOfRing = 4;

const ring: Mend = (mending, value) => {
  const left = some(position)(mending, value);
  if (!Array.isArray(left) || left.length >= leastOfRing || !isClosed(left)) return left;
  mending.isChanged = true;
  mending.rings++;
  return [...left, ...Array(leastOfRing - left.length).fill(left.at(-1))];
};

const isClosed = (positions: readonly unknown[]): boolean => {
  const [first, last] = [positions[0], positions.at(-1)];
  if (!Array.isArray(first) || !Array.isArray(last) || first.length !== last.length) return false;
  return first.every((number, i) => number === last[i]);
};

/** Without its outer ring a polygon would become one of its holes, so it stays invalid. */
const polygon: Mend = (mending, value) => {
  const rings = some(ring)(mending, value);
  const isWithoutOuter = Array.isArray(rings) && Array.isArray(value) && value[0]?.length === 0;
  return isWithoutOuter ? value : rings;
};

const kinds: Readonly<Record<string, Mend>> = {
  Point: position,
  MultiPoint: some(position),
  LineString: line,
  MultiLineString: some(line),
  Polygon: polygon,
  MultiPolygon: some(polygon),
};
