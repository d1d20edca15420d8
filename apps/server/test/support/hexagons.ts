/**
 * Hexagons as the guide defines them, by another method than the service: a position is compared with the six sides. On the map
 * (EPSG:3857) in degrees: x east, y north.
 */

const radians = Math.PI / 180;
export const mapY = (latitude: number): number =>
  Math.asinh(Math.tan(Math.min(85.06, Math.max(-85.06, latitude)) * radians)) / radians;
export const latitude = (y: number): number => Math.atan(Math.sinh(y * radians)) / radians;

export interface Place {
  x: number;
  y: number;
}

/** The width in degrees of cells of `size` pixels at a zoom level. */
export const widthOf = (size: number, zoom: number): number => (size * 360) / (256 * 2 ** zoom);

/** The centre of the hexagon `i` half widths east and `j` rows north of the centre of the map. */
export const middle = (i: number, j: number, width: number): Place => ({
  x: (i * width) / 2,
  y: (j * width * Math.sqrt(3)) / 2,
});

/** Whether a position is within the hexagon around a centre: within half a width in the directions of its sides. */
function isWithin({ x, y }: Place, around: Place, width: number): boolean {
  const [dx, dy] = [x - around.x, y - around.y];
  return [0, 60, 120].every(
    (angle) =>
      Math.abs(dx * Math.cos(angle * radians) + dy * Math.sin(angle * radians)) <= (width / 2) * (1 + 1e-9),
  );
}

/** The hexagon of a place as `i,j`. On an edge: that of an even row, then the eastern, then the northern one. */
export function hexagonOf(place: Place, width: number): string {
  const [near, row] = [Math.round((2 * place.x) / width), Math.round((2 * place.y) / (width * Math.sqrt(3)))];
  const found: [number, number][] = [];
  for (let i = near - 3; i <= near + 3; i++)
    for (let j = row - 2; j <= row + 2; j++)
      if ((i + j) % 2 === 0 && isWithin(place, middle(i, j, width), width)) found.push([i, j]);
  const isOdd = (j: number): number => Math.abs(j % 2);
  const [first] = found.sort(([i, j], [k, l]) => isOdd(j) - isOdd(l) || k - i || l - j);
  if (!first) throw new Error(`no hexagon has ${place.x}, ${place.y}`);
  return `${first[0]},${first[1]}`;
}

/** Places by their hexagons. */
export function binned<T extends Place>(places: readonly T[], width: number): Map<string, T[]> {
  const cells = new Map<string, T[]>();
  for (const place of places) {
    const key = hexagonOf(place, width);
    const cell = cells.get(key);
    if (cell) cell.push(place);
    else cells.set(key, [place]);
  }
  return cells;
}

/** Numbers that look random and are the same each time, from 0 to 1 (the generator of Park and Miller). */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
