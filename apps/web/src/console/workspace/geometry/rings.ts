import type { Position } from 'geojson';

/** Whether a ring contains a position, its edge included where it is a vertex. */
export function contains(ring: readonly Position[], [x, y]: Position): boolean {
  let isInside = false;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [xi, yi] = ring[i] as [number, number];
    const [xj, yj] = ring[j] as [number, number];
    if (xi === x && yi === y) return true;
    if (yi > y! !== yj > y! && x! < ((xj - xi) * (y! - yi)) / (yj - yi) + xi) isInside = !isInside;
  }
  return isInside;
}
