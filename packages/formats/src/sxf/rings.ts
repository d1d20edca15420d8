import type { MultiPolygon, Polygon, Position } from 'geojson';

/**
 * Maximum number of steps to determine which ring contains which. Beyond it all rings after the first count as holes, as
 * in most files.
 */
const mostSteps = 50_000_000;

/**
 * Groups the rings of an area. The first one is an outer ring. Rings within an outer ring are its holes; others are
 * outer rings. Rings are closed.
 */
export function polygonOf(parts: readonly Position[][]): Polygon | MultiPolygon {
  const rings = parts.map(closed);
  const polygons: Position[][][] = [[rings[0]!]];
  const boxes = [boxOf(rings[0]!)];
  let steps = 0;
  for (const ring of rings.slice(1)) {
    const box = boxOf(ring);
    const home = polygons.findIndex(([outer], i) => {
      if (steps > mostSteps) return true;
      steps += 1;
      if (!isBoxWithin(box, boxes[i]!)) return false;
      steps += outer!.length;
      return isWithin(ring, outer!);
    });
    if (home >= 0) polygons[home]!.push(ring);
    else {
      polygons.push([ring]);
      boxes.push(box);
    }
  }
  return polygons.length === 1
    ? { type: 'Polygon', coordinates: polygons[0]! }
    : { type: 'MultiPolygon', coordinates: polygons };
}

function closed(ring: Position[]): Position[] {
  const first = ring[0]!;
  const last = ring.at(-1)!;
  return first[0] === last[0] && first[1] === last[1] ? ring : [...ring, [...first]];
}

type Bounds = readonly [west: number, south: number, east: number, north: number];

function boxOf(ring: readonly Position[]): Bounds {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of ring) {
    west = Math.min(west, x!);
    south = Math.min(south, y!);
    east = Math.max(east, x!);
    north = Math.max(north, y!);
  }
  return [west, south, east, north];
}

const isBoxWithin = (inner: Bounds, outer: Bounds): boolean =>
  inner[0] >= outer[0] && inner[1] >= outer[1] && inner[2] <= outer[2] && inner[3] <= outer[3];

/** Number of positions of a ring that are tried to find one that is not on the other ring. */
const tried = 8;

/** Whether a ring lies within another. Rings do not cross, so one position that is not on the other ring decides. */
function isWithin(ring: readonly Position[], outer: readonly Position[]): boolean {
  const isCorner = ([x, y]: Position): boolean => outer.some(([ox, oy]) => ox === x && oy === y);
  const position = ring.slice(0, tried).find((candidate) => !isCorner(candidate));
  return position ? hasInside(outer, position) : true;
}

/** Counts the crossings of a ray with the ring: https://wrfranklin.org/Research/Short_Notes/pnpoly.html */
function hasInside(ring: readonly Position[], [x, y]: Position): boolean {
  let isInside = false;
  for (let i = 1; i < ring.length; i++) {
    const [ax, ay] = ring[i - 1] as [number, number];
    const [bx, by] = ring[i] as [number, number];
    if (ay > y! !== by > y! && x! < ((bx - ax) * (y! - ay)) / (by - ay) + ax) isInside = !isInside;
  }
  return isInside;
}
