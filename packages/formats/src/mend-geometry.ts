/** A geometry without what is empty in it. */
export interface Mended {
  /** Null: nothing is left. */
  geometry: object | null;
  /** Lines of one position, which have it twice now. */
  lines: number;
}

interface Mending {
  lines: number;
  isChanged: boolean;
}

/** Coordinates without empty parts; undefined: nothing is left. */
type Mend = (mending: Mending, coordinates: unknown) => unknown;

/**
 * Takes out of a GeoJSON geometry the parts without positions, and gives lines of one position a second one: files have both, and
 * they say nothing wrong. Undefined where there is neither; what else is wrong stays.
 */
export function mendGeometry(value: unknown): Mended | undefined {
  const mending: Mending = { lines: 0, isChanged: false };
  const geometry = geometryOf(mending, value);
  return mending.isChanged ? { geometry: (geometry as object) ?? null, lines: mending.lines } : undefined;
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

/** An array of no numbers is no position. */
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

/** A polygon without its outer ring would be one of its holes: it stays wrong. */
const polygon: Mend = (mending, value) => {
  const rings = some(some(position))(mending, value);
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
