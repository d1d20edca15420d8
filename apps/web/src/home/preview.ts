import { shownBounds } from '../common/extent.js';
import type { Extent } from '../common/types.js';

/** A tile of a preview: its TMS address and where it lies, in parts of the picture's width and height. */
export interface PreviewTile {
  z: number;
  x: number;
  y: number;
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Size of the picture that is planned for, CSS pixels; what is shown keeps the proportions. */
const width = 400;
const height = 230;
const tileSize = 256;
/** Where a map of one single point is shown. */
const deepest = 11;
/** Longitude as a part of the world's width, 0 in the west. */
const worldX = (longitude: number): number => (longitude + 180) / 360;

/** Latitude as a part of the world's height, 0 in the north (Web Mercator). */
function worldY(latitude: number): number {
  const sine = Math.sin((latitude * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

/** The tiles that make a picture of an extent (of the world without one), six at most. */
export function previewTiles(extent: Extent | null): PreviewTile[] {
  const bounds = shownBounds(extent);
  const [west, south, east, north] = [
    worldX(bounds[0]),
    worldY(bounds[1]),
    worldX(bounds[2]),
    worldY(bounds[3]),
  ];
  const fits = Math.min(width / (east - west || 1e-9), (0.9 * height) / (south - north || 1e-9)) / tileSize;
  const zoom = Math.min(Math.max(Math.log2(fits), Math.log2(width / tileSize)), deepest);
  const world = tileSize * 2 ** zoom; // the world's width in pixels of the picture
  const left = ((west + east) / 2) * world - width / 2;
  const middle = ((north + south) / 2) * world - height / 2;
  const top = Math.max(0, Math.min(world - height, middle));
  return tilesOver({ left, top, world }, Math.floor(zoom));
}

function tilesOver(frame: { left: number; top: number; world: number }, z: number): PreviewTile[] {
  const count = 2 ** z;
  const size = frame.world / count;
  const tiles: PreviewTile[] = [];
  for (let row = Math.floor(frame.top / size); row * size < frame.top + height; row++) {
    if (row < 0 || row >= count) continue;
    for (let column = Math.floor(frame.left / size); column * size < frame.left + width; column++) {
      tiles.push({
        z,
        x: ((column % count) + count) % count,
        y: count - 1 - row,
        left: (column * size - frame.left) / width,
        top: (row * size - frame.top) / height,
        width: size / width,
        height: size / height,
      });
    }
  }
  return tiles;
}
