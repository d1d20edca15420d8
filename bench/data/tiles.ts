import { numbers } from '@cartulary/server/support/hexagons.js';
import { placeOf, places } from './polygons.js';

/** x from the west, y from the north. */
export interface Tile {
  z: number;
  x: number;
  y: number;
}

/** The tiles of one map view. */
export type View = readonly Tile[];

/** The tile that contains a position in degrees. */
export function tileAt(z: number, lon: number, lat: number): Tile {
  const side = 2 ** z;
  const within = (value: number): number => Math.max(0, Math.min(side - 1, Math.floor(value)));
  const y = (1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2;
  return { z, x: within(((lon + 180) / 360) * side), y: within(y * side) };
}

/** The tiles at a zoom level that contain one of the world's 20,000 largest places. */
export function tilesOverLand(z: number): Tile[] {
  const largest = places.toSorted((a, b) => b.population - a.population).slice(0, 20_000);
  return distinct(largest.map(({ loc }) => tileAt(z, ...loc.coordinates)));
}

const keyOf = ({ z, x, y }: Tile): string => `${z}/${x}/${y}`;

const distinct = (tiles: Tile[]): Tile[] => [...new Map(tiles.map((tile) => [keyOf(tile), tile])).values()];

/** Where random tiles lie: over polygons, at some zoom levels. */
export interface Somewhere {
  polygons: number;
  zooms: readonly [from: number, to: number];
  seed: number;
}

/** Distinct tiles that contain polygons; fewer than `count` if there are no more. */
export function randomTiles(count: number, { polygons, zooms: [from, to], seed }: Somewhere): Tile[] {
  const next = numbers(seed);
  const tiles = new Map<string, Tile>();
  for (let tries = 0; tiles.size < count && tries < 20 * count; tries++) {
    const z = from + (tries % (to - from + 1));
    const tile = tileAt(z, ...placeOf(Math.floor(next() * polygons)));
    tiles.set(keyOf(tile), tile);
  }
  return [...tiles.values()];
}

const [columns, rows] = [5, 4];
/** Side in tiles of squares that no two views share, so that metatiles of one view never contain tiles of another. */
const block = 4;

/** Map views of 5 × 4 adjacent tiles that contain polygons, in separate squares. */
export function randomViews(count: number, { polygons, zooms: [from, to], seed }: Somewhere): View[] {
  const next = numbers(seed);
  const taken = new Set<string>();
  const views: View[] = [];
  for (let tries = 0; views.length < count && tries < 200 * count; tries++) {
    const z = from + (views.length % (to - from + 1));
    const { x, y } = tileAt(z, ...placeOf(Math.floor(next() * polygons)));
    const view = viewAt(z, x - Math.floor(next() * columns), y - Math.floor(next() * rows));
    const blocks = new Set(
      view.map((tile) => `${z}/${Math.floor(tile.x / block)}/${Math.floor(tile.y / block)}`),
    );
    if ([...blocks].some((key) => taken.has(key))) continue;
    for (const key of blocks) taken.add(key);
    views.push(view);
  }
  return views;
}

/** The view with this north-western tile, moved into the world. */
export function viewAt(z: number, x: number, y: number): View {
  const side = 2 ** z;
  const [wide, high] = [Math.min(columns, side), Math.min(rows, side)];
  const west = Math.max(0, Math.min(side - wide, x));
  const north = Math.max(0, Math.min(side - high, y));
  return Array.from({ length: wide * high }, (_, i) => ({
    z,
    x: west + (i % wide),
    y: north + Math.floor(i / wide),
  }));
}
