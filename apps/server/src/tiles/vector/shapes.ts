/** The part of a geometry that becomes one feature of a vector tile: paths of whole numbers, x and y in turn. */
export interface TileShape {
  /** Geometry type of the format: 1 points, 2 lines, 3 areas. */
  type: 1 | 2 | 3;
  /** Points: one path of all. Lines: a path each. Areas: a closed ring each, followed by its holes. */
  paths: number[][];
}

/** Reads two-dimensional little-endian WKB (OGC 06-103r4, section 8): its points, lines and areas, each kind together. */
export function shapesOf(wkb: Buffer): TileShape[] {
  const points: number[] = [];
  const lines: number[][] = [];
  const rings: number[][] = [];
  let at = 0;
  const count = (): number => {
    at += 4;
    return wkb.readUInt32LE(at - 4);
  };
  const path = (positions: number): number[] => {
    const found: number[] = [];
    for (let i = 0; i < 2 * positions; i++, at += 8) found.push(wkb.readDoubleLE(at));
    return found;
  };
  const geometry = (): void => {
    at += 1;
    const type = count();
    if (type === 1) points.push(...path(1));
    else if (type === 2) lines.push(path(count()));
    else if (type === 3) rings.push(...polygon(Array.from({ length: count() }, () => path(count()))));
    else for (let n = count(); n > 0; n--) geometry();
  };
  geometry();
  const found: TileShape[] = [
    { type: 1, paths: points.length ? [points] : [] },
    { type: 2, paths: lines.filter((line) => line.length >= 4) },
    { type: 3, paths: rings },
  ];
  return found.filter(({ paths }) => paths.length);
}

/** Twice the signed area; positive for clockwise rings where y points down. */
function area(ring: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i + 3 < ring.length; i += 2) sum += ring[i]! * ring[i + 3]! - ring[i + 2]! * ring[i + 1]!;
  return sum;
}

/** The ring in the direction of the format (2.1, section 4.3.4.4): outer rings have a positive area, holes a negative one. */
function turned(ring: number[], isOuter: boolean): number[] {
  if (area(ring) > 0 === isOuter) return ring;
  const back: number[] = [];
  for (let i = ring.length - 2; i >= 0; i -= 2) back.push(ring[i]!, ring[i + 1]!);
  return back;
}

/** The rings of a polygon with an area, the outer one first; none when the outer one has no area. */
function polygon([outer, ...holes]: readonly number[][]): number[][] {
  if (!outer || area(outer) === 0) return [];
  return [
    turned(outer, true),
    ...holes.filter((hole) => area(hole) !== 0).map((hole) => turned(hole, false)),
  ];
}
