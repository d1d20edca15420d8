import { type Extent, mercatorEdge, tilesAt, toMercator } from '@cartulary/geo';
import {
  type ChunkGrid,
  type ChunkPlace,
  chunkExtent,
  chunkSide,
  chunksIn,
  type PictureRows,
  pixelAt,
} from '@cartulary/renderer';

/** The place of a picture that is drawn from chunks. */
export interface PictureExtent {
  /** Metres of EPSG:3857, or degrees. */
  extent: Extent;
  isInDegrees?: boolean;
  /** Pixels. */
  width: number;
  height: number;
  /** Whether objects beyond the world of EPSG:3857 are drawn apart. */
  isBeyondWorld?: boolean;
}

/** Where the chunks of a grid lie in a picture. */
export interface ChunksInPicture {
  /** Pixels of the picture per pixel of the chunks, from west to east. */
  ratio: number;
  rows?: PictureRows;
  wanted: readonly ChunkPlace[];
  /** The corner of a chunk, as `SmallFeaturePass.chunks` has it. */
  cornerOf(place: ChunkPlace): { x: number; y: number };
}

/** The chunks of a grid whose features can appear in a picture when symbols reach `reachPx` pixels of it. */
export function chunksInPicture(grid: ChunkGrid, reachPx: number, at: PictureExtent): ChunksInPicture {
  const found = at.isInDegrees ? chunksInDegrees(grid, reachPx, at) : chunksInMetres(grid, reachPx, at);
  if (!at.isBeyondWorld) return found;
  const rows = tilesAt(grid.level + grid.depth);
  return { ...found, wanted: found.wanted.filter(({ row }) => row >= 0 && row < rows) };
}

/** Part by which pixels may be higher than wide: clients round sizes and boxes. */
const tolerance = 1e-6;

function chunksInMetres(
  grid: ChunkGrid,
  reachPx: number,
  { extent, width, height }: PictureExtent,
): ChunksInPicture {
  const [west, south, east, north] = extent;
  const pixel = { x: (east - west) / width, y: (north - south) / height };
  const ratio = pixelAt(grid.level) / pixel.x;
  const rowRatio = pixelAt(grid.level) / pixel.y;
  const isEven = Math.abs(ratio / rowRatio - 1) < tolerance;
  return {
    ratio,
    ...(isEven ? {} : { rows: { ratio: rowRatio } }),
    wanted: chunksIn(grid, extent, reachPx / Math.min(ratio, rowRatio)),
    cornerOf: (place) => {
      const [left, , , top] = chunkExtent(place);
      return { x: (left - west) / pixel.x, y: (north - top) / pixel.y };
    },
  };
}

function chunksInDegrees(
  grid: ChunkGrid,
  reachPx: number,
  { extent: [west, south, east, north], width, height }: PictureExtent,
): ChunksInPicture {
  const perPixel = (north - south) / height;
  const left = toMercator(west, 0)[0];
  const pixel = (toMercator(east, 0)[0] - left) / width;
  const ratio = pixelAt(grid.level) / pixel;
  // A pixel of the picture is more rows of EPSG:3857 high the nearer it is to a pole.
  const reach = (reachPx + 1) * perPixel;
  const [bottom, top] = [rowEdge(south - reach), rowEdge(north + reach)];
  return {
    ratio,
    rows: { north, perPixel, level: grid.level },
    wanted: chunksIn(grid, [left, bottom, left + pixel * width, top], reachPx / ratio),
    cornerOf: (place) => ({
      x: (chunkExtent(place)[0] - left) / pixel,
      y: place.row * chunkSide(place),
    }),
  };
}

/** The northing of a latitude, within the world of EPSG:3857. */
function rowEdge(latitude: number): number {
  const within = Math.max(-mercatorEdge, Math.min(mercatorEdge, latitude));
  return toMercator(0, within)[1];
}
