import { visibleBounds } from './extent.js';
import type { Extent } from './types.js';

/** A tile of a preview: its TMS address, and its position and size as fractions of the image's width and height. */
export interface PreviewTile {
  z: number;
  x: number;
  y: number;
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Nominal size of the image in CSS pixels; the style sheet scales it. */
const width = 400;
const height = 230;
const tileSizePx = 256;
/** Maximum zoom level, for maps of a single point. */
const maxZoom = 11;
/** Longitude as a fraction of the world's width, 0 in the west. */
const worldX = (longitude: number): number => (longitude + 180) / 360;

/** Latitude as a fraction of the world's height in Web Mercator, 0 in the north. */
function worldY(latitude: number): number {
  const sine = Math.sin((latitude * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

/** The tiles of a preview of an extent (null: the world), at most six. */
export function previewTiles(extent: Extent | null): PreviewTile[] {
  const bounds = visibleBounds(extent);
  const [west, south, east, north] = [
    worldX(bounds[0]),
    worldY(bounds[1]),
    worldX(bounds[2]),
    worldY(bounds[3]),
  ];
  const fits = Math.min(width / (east - west || 1e-9), (0.9 * height) / (south - north || 1e-9)) / tileSizePx;
  const zoom = Math.min(Math.max(Math.log2(fits), Math.log2(width / tileSizePx)), maxZoom);
  const world = tileSizePx * 2 ** zoom; // the world's width in pixels of the image
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
