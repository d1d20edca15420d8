import type { Geometry, Position } from 'geojson';

/** A closed ring, with its area and box. */
interface Ring {
  positions: Position[];
  /** Twice the signed area; negative for a clockwise ring. */
  doubleArea: number;
  /** West, south, east, north. */
  box: [number, number, number, number];
}

const ringOf = (positions: Position[]): Ring => ({
  positions,
  doubleArea: doubleAreaOf(positions),
  box: boxOf(positions),
});

/** Most rings of a shape that are compared with each other. */
const mostNested = 5_000;

/**
 * Groups rings into polygons. Clockwise rings are outer rings (page 8), and each other ring is a hole of the smallest outer
 * ring around it. Some programs write the directions of GeoJSON: if a hole lies in no outer ring, all rings of the shape are
 * outer rings and holes by where they lie, and `misdirected` is told. Null without rings.
 */
export function polygonsOf(
  rings: readonly Position[][],
  misdirected: () => void = () => {},
): Geometry | null {
  if (!rings.length) return null;
  if (rings.length === 1) return { type: 'Polygon', coordinates: [rings[0]!] };
  const all = rings.map(ringOf);
  const { polygons, isOrphaned } = byDirection(all);
  if (!isOrphaned || all.length > mostNested) return asGeometry(polygons);
  const nested = byNesting(all);
  if (nested.some(isMisdirected)) misdirected();
  return asGeometry(nested);
}

/** An outer ring and its holes. */
type Rings = [outer: Ring, ...holes: Ring[]];

const asGeometry = (polygons: readonly Rings[]): Geometry => {
  const coordinates = polygons.map((rings) => rings.map(({ positions }) => positions));
  return coordinates.length === 1
    ? { type: 'Polygon', coordinates: coordinates[0]! }
    : { type: 'MultiPolygon', coordinates };
};

const isHole = ({ doubleArea }: Ring): boolean => doubleArea > 0;

/** Whether a ring has the direction of the other kind. The direction of a ring without holes has no effect. */
const isMisdirected = ([outer, ...holes]: Rings): boolean =>
  holes.length > 0 && (isHole(outer) || !holes.every(isHole));

/** Polygons by the directions of rings; `isOrphaned`: a hole lies in no outer ring, and is a polygon of its own. */
function byDirection(all: readonly Ring[]): { polygons: Rings[]; isOrphaned: boolean } {
  const outer = all.filter((ring) => !isHole(ring));
  const polygons = new Map(outer.map((ring): [Ring, Rings] => [ring, [ring]]));
  outer.sort((a, b) => b.doubleArea - a.doubleArea);
  let isOrphaned = false;
  for (const hole of all.filter(isHole)) {
    const around = outer.filter(({ box }) => contains(box, hole.box));
    const owner = around.length < 2 ? around[0] : around.find((ring) => isWithin(hole, ring));
    if (owner) polygons.get(owner)!.push(hole);
    else {
      isOrphaned = true;
      polygons.set(hole, [hole]);
    }
  }
  return { polygons: [...polygons.values()], isOrphaned };
}

/** Polygons by where rings lie: a ring within one other is its hole, one within two is an outer ring again, and so on. */
function byNesting(all: readonly Ring[]): Rings[] {
  const polygons = new Map<Ring, Rings>();
  const larger: Ring[] = [];
  for (const ring of all.toSorted((a, b) => Math.abs(b.doubleArea) - Math.abs(a.doubleArea))) {
    const around = larger.filter(({ box }) => contains(box, ring.box)).filter((one) => isWithin(ring, one));
    const owner = around.length % 2 ? polygons.get(around.at(-1)!) : undefined;
    if (owner) owner.push(ring);
    else polygons.set(ring, [ring]);
    larger.push(ring);
  }
  return [...polygons.values()];
}

function boxOf(ring: readonly Position[]): Ring['box'] {
  const box: Ring['box'] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of ring as [number, number][]) {
    if (x < box[0]) box[0] = x;
    if (y < box[1]) box[1] = y;
    if (x > box[2]) box[2] = x;
    if (y > box[3]) box[3] = y;
  }
  return box;
}

const contains = (outer: Ring['box'], inner: Ring['box']): boolean =>
  outer[0] <= inner[0] && outer[1] <= inner[1] && outer[2] >= inner[2] && outer[3] >= inner[3];

/** Twice the signed area of a closed ring (shoelace formula), relative to its first position to keep precision. */
export function doubleAreaOf(ring: readonly Position[]): number {
  const [x0, y0] = ring[0] as [number, number];
  let area = 0;
  for (let i = 1; i < ring.length; i++) {
    const [x1, y1] = ring[i - 1] as [number, number];
    const [x2, y2] = ring[i] as [number, number];
    area += (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
  }
  return area;
}

/**
 * Whether a ring lies in another one: a ray from the middle of its first side crosses the other an odd number of times.
 * A corner would be ambiguous, because rings may touch in their corners.
 */
function isWithin({ positions: ring }: Ring, { positions: outer }: Ring): boolean {
  const [a, b = a] = ring as [Position, Position?];
  const [x, y] = [(a[0]! + b[0]!) / 2, (a[1]! + b[1]!) / 2];
  let isInside = false;
  for (let i = 1; i < outer.length; i++) {
    const [x1, y1] = outer[i - 1] as [number, number];
    const [x2, y2] = outer[i] as [number, number];
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) isInside = !isInside;
  }
  return isInside;
}
