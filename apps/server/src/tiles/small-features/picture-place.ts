import { type Extent, mercatorEdge, tilesAt, toMercator } from '@cartulary/geo';
import {
  type ChunkGrid,
  type ChunkPlace,
  chunkExtent,
  chunkSide,
  chunksIn,
  type PictureLatitudes,
  pixelAt,
} from '@cartulary/renderer';

/** The place of a picture that is drawn from chunks. */
export interface PictureExtent {
  /** Metres of EPSG:3857. */
  extent: Extent;
  /** Pixels. */
  width: number;
  height: number;
  /** The box of a picture whose columns and rows are steps of longitude and latitude, in degrees; `extent` then means nothing. */
  degrees?: Extent | undefined;
  /** Whether objects beyond the world of EPSG:3857 are drawn apart. */
  isBeyondWorld?: boolean | undefined;
}

/** Where the chunks of a grid lie in a picture. */
export interface ChunksInPicture {
  /** Pixels of the picture per pixel of the chunks, from west to east. */
  ratio: number;
  wanted: readonly ChunkPlace[];
  latitudes?: PictureLatitudes;
  /** The corner of a chunk, as `SmallFeaturePass.chunks` has it. */
  cornerOf(place: ChunkPlace): { x: number; y: number };
}

/** The chunks of a grid whose features can appear in a picture when symbols reach `reachPx` pixels of it. */
export function chunksInPicture(grid: ChunkGrid, reachPx: number, at: PictureExtent): ChunksInPicture {
  const { extent, width, degrees, isBeyondWorld } = at;
  const found = degrees
    ? chunksInDegrees(grid, reachPx, { ...at, degrees })
    : chunksInMetres(grid, reachPx, { extent, width });
  if (!isBeyondWorld) return found;
  const rows = tilesAt(grid.level + grid.depth);
  return { ...found, wanted: found.wanted.filter(({ row }) => row >= 0 && row < rows) };
}

function chunksInMetres(
  grid: ChunkGrid,
  reachPx: number,
  { extent, width }: Pick<PictureExtent, 'extent' | 'width'>,
): ChunksInPicture {
  const [west, , east, north] = extent;
  const pixel = (east - west) / width;
  const ratio = pixelAt(grid.level) / pixel;
  return {
    ratio,
    wanted: chunksIn(grid, extent, reachPx / ratio),
    cornerOf: (place) => {
      const [left, , , top] = chunkExtent(place);
      return { x: (left - west) / pixel, y: (north - top) / pixel };
    },
  };
}

function chunksInDegrees(
  grid: ChunkGrid,
  reachPx: number,
  { degrees: [west, south, east, north], width, height }: PictureExtent & { degrees: Extent },
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
    wanted: chunksIn(grid, [left, bottom, left + pixel * width, top], reachPx / ratio),
    latitudes: { north, perPixel, level: grid.level },
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
