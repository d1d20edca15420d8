import type { MultiPolygon, Polygon, Position } from 'geojson';

/**
 * Repairs rings that are cut at 180° but have mixed signs along the cut, which would draw a line around the world. A ring
 * around the pole, such as Antarctica's, gets the missing corners at the pole.
 */
export function mendAntimeridian<T extends Polygon | MultiPolygon>(geometry: T): T {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  const mended = polygons.map((rings) => rings.map(mendRing));
  return { ...geometry, coordinates: geometry.type === 'Polygon' ? mended[0] : mended };
}

/** Cuts shapes at 180°: each part beyond it becomes a polygon on the other side. */
export function cutAtEdge(geometry: Polygon | MultiPolygon): MultiPolygon {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  return { type: 'MultiPolygon', coordinates: polygons.flatMap(cutPolygon) };
}

function cutPolygon(rings: Position[][]): Position[][][] {
  const whole = rings.map(unwrapRing);
  const east = Math.max(...whole[0]!.map(([lon]) => lon!));
  const west = Math.min(...whole[0]!.map(([lon]) => lon!));
  if (east <= 180 && west >= -180) return [whole];
  const shifts = [0, ...(east > 180 ? [-360] : []), ...(west < -180 ? [360] : [])];
  return shifts
    .map((shift) => whole.map((ring) => clipRing(clipRing(shifted(ring, shift), 180), -180)))
    .map((clipped) => clipped.filter((ring) => ring.length >= 4))
    .filter((clipped) => clipped.length > 0);
}

const shifted = (ring: Position[], by: number): Position[] => ring.map(([lon, lat]) => [lon! + by, lat!]);

/** Clips a ring to the side of a meridian (180 or -180) that contains 0 (Sutherland and Hodgman, "Reentrant Polygon Clipping", 1974). */
function clipRing(ring: Position[], meridian: number): Position[] {
  const isWithin = ([lon]: Position): boolean => (meridian > 0 ? lon! <= meridian : lon! >= meridian);
  const clipped = ring.slice(1).flatMap((point, i) => {
    const before = ring[i]!;
    const crossing = (): Position => {
      const part = (meridian - before[0]!) / (point[0]! - before[0]!);
      return [meridian, before[1]! + part * (point[1]! - before[1]!)];
    };
    if (isWithin(before)) return isWithin(point) ? [point] : [crossing()];
    return isWithin(point) ? [crossing(), point] : [];
  });
  return clipped.length ? [...clipped, clipped[0]!] : [];
}

/** Makes the longitudes of a ring continuous. A ring around the pole stays unchanged. */
function unwrapRing(ring: Position[]): Position[] {
  if (ring.some((point) => point[1]! <= -90)) return ring;
  let before = ring[0]![0]!;
  return ring.map(([lon, lat]) => {
    before = lon! - 360 * Math.round((lon! - before) / 360);
    return [before, lat!];
  });
}

function mendRing(ring: Position[]): Position[] {
  const isOnCut = ([lon]: Position): boolean => Math.abs(lon!) === 180;
  const jumps = ring.flatMap((point, i) => (i && Math.abs(point[0]! - ring[i - 1]![0]!) > 180 ? [i] : []));
  if (jumps.length === 1) {
    const at = jumps[0]!;
    const pole = (point: Position): Position => [Math.sign(point[0]!) * 180, -90];
    return [...ring.slice(0, at), pole(ring[at - 1]!), pole(ring[at]!), ...ring.slice(at)];
  }
  if (!jumps.length) return ring;
  const east =
    ring.filter((point) => !isOnCut(point) && point[0]! > 0).length * 2 >
    ring.filter((point) => !isOnCut(point)).length;
  return ring.map((point) => (isOnCut(point) ? [east ? 180 : -180, point[1]!] : point));
}

/** Removes the segments along 180° and the pole, and those from one side to the other: they exist only on the plane map. */
export function withoutEdge(lines: readonly Position[][]): Position[][] {
  const isOnEdge = ([lon, lat]: Position): boolean => Math.abs(lon!) > 179.999 || lat! < -89.9;
  return lines.flatMap((line) => {
    const parts: Position[][] = [[]];
    for (const [i, point] of line.entries()) {
      const before = line[i - 1];
      const isEdge = before && isOnEdge(point) && isOnEdge(before);
      const isJump = before && Math.abs(point[0]! - before[0]!) > 180;
      if (isEdge || isJump) parts.push([point]);
      else parts.at(-1)!.push(point);
    }
    return parts.filter((part) => part.length > 1);
  });
}
