import { type BoxEdges, type Extent, tileExtent } from '@cartulary/geo';
import { dataBox } from '../data-box.js';

/** Side of the largest chunk in pixels: half of a tile's side at its level. Chunks are the squares by which small features are kept. */
const largestChunkPx = 128;
/** Positions within a pixel, per column and per row. */
export const placesPerPixel = 4;
/** Positions in a column or a row of the largest chunk. */
export const placesPerChunk = placesPerPixel * largestChunkPx;
/** Largest width and height of a small feature in quarters of a pixel: 1.5 pixels. */
export const maxSideQuarters = 6;
/** Limit of the kinds of small features in a chunk. */
export const maxKinds = 128;

/** The grid of chunks that keeps a layer's small features. */
export interface ChunkGrid {
  readonly level: number;
  /** A chunk has the size of a tile this many levels deeper: 1 to `maxChunkDepth`. */
  readonly depth: number;
}

/** The place of a chunk: columns and rows count from the north-west of the world. */
export interface ChunkPlace extends ChunkGrid {
  readonly column: number;
  readonly row: number;
}

/** Width of a pixel at a level, in metres of EPSG:3857. */
export function pixelAt(level: number): number {
  const [west, , east] = tileExtent(level, 0, 0);
  return (east - west) / 256;
}

/** Depth of the smallest chunks, 16 pixels wide. */
export const maxChunkDepth = 4;
/** Mean number of features per chunk; one statement reads this many in at most a second. */
const featuresPerChunk = 50_000;

/** The depth of the chunks of a layer with this mean number of features per tile. */
export const depthFor = (featuresPerTile: number): number =>
  Math.min(maxChunkDepth, Math.max(1, Math.ceil(Math.log2(featuresPerTile / featuresPerChunk) / 2)));

/** Side of a chunk in pixels. */
export const chunkSide = ({ depth }: Pick<ChunkGrid, 'depth'>): number => 256 >> depth;

/** Metres of EPSG:3857. */
export const chunkExtent = ({ level, depth, column, row }: ChunkPlace): Extent =>
  tileExtent(level + depth, column, row);

/** The box in degrees that contains the whole chunk, in which the middles of its features lie. */
export const chunkBox = (place: ChunkPlace): BoxEdges => dataBox(chunkExtent(place), pixelAt(place.level));

/** The chunks whose features can appear in an extent (metres of EPSG:3857) when symbols reach `reach` pixels; row by row from the north-west. */
export function chunksIn(grid: ChunkGrid, [west, south, east, north]: Extent, reach: number): ChunkPlace[] {
  const { level, depth } = grid;
  const [left, , , top] = tileExtent(level, 0, 0);
  const pixel = pixelAt(level);
  const cell = (metres: number): number => Math.floor(metres / pixel / chunkSide(grid));
  const margin = (reach + 1) * pixel;
  const chunks: ChunkPlace[] = [];
  for (let row = cell(top - north - margin); row <= cell(top - south + margin); row++)
    for (let column = cell(west - margin - left); column <= cell(east + margin - left); column++)
      chunks.push({ level, depth, column, row });
  return chunks;
}

/** The dimension of closed lines among those of small features: they are drawn as an outline, not as a stroke. */
export const closedLine = 3;

/** Small features that the style draws alike, apart from their size and place. */
export interface SmallFeatureKind {
  /** 0 point, 1 open line, 2 polygon, `closedLine`. */
  dimension: number;
  /** The values that the style reads, of one of the features. */
  properties: Readonly<Record<string, unknown>>;
  /** The values that distinguish the kind, as JSON: kinds of any chunks that have the same ones look alike. */
  look: string;
}

/** Lowest bit of the kind in a feature's number. Below it are column and row (9 bits each) and shape (7 bits). */
export const kindShift = 25;
const placeMask = placesPerChunk - 1;

/** Slices of a chunk, about: more would take more time and memory than their order is worth. */
const slicesPerChunk = 500;
const mostIdsPerSlice = 4_096;

/**
 * Divides ids into slices, each a range as long as a power of two: returns the function that gives the first id of an id's slice. All chunks of a picture are
 * drawn slice by slice, so that no seam shows between two. `range`: the difference between the smallest and the largest id of a chunk.
 */
export function slicesFor(range: number): (id: number) => number {
  const wanted = Math.min(mostIdsPerSlice, Math.max(1, range / slicesPerChunk));
  const ids = 2 ** Math.ceil(Math.log2(wanted));
  return (id) => id - (id % ids);
}

export interface Chunk {
  kinds: readonly SmallFeatureKind[];
  /** The first ids of the slices in ascending order, modulo 2^32, each followed by the number of its features. */
  slices: Uint32Array;
  /** Numbers of the features, ordered by object id. */
  features: Uint32Array;
}

/** Encodes a chunk in little-endian words: bytes of the kinds, length of the slices, kinds as JSON, slices, features. */
export function encodeChunk({ kinds, slices, features }: Chunk): Uint8Array {
  const json = JSON.stringify(kinds);
  const text = Buffer.from(json.padEnd(json.length + ((4 - (Buffer.byteLength(json) % 4)) % 4)));
  const head = Buffer.from(Uint32Array.of(text.length, slices.length).buffer);
  const numbers = [slices, features].map((all) => Buffer.from(all.buffer, all.byteOffset, all.byteLength));
  return new Uint8Array(Buffer.concat([head, text, ...numbers]));
}

export function decodeChunk(bytes: Uint8Array): Chunk {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const [length, sliced] = [view.getUint32(0, true), view.getUint32(4, true)];
  const kinds = JSON.parse(Buffer.from(bytes.subarray(8, 8 + length)).toString()) as SmallFeatureKind[];
  // The copy is aligned to words.
  const numbers = new Uint32Array(bytes.slice(8 + length).buffer);
  return { kinds, slices: numbers.subarray(0, sliced), features: numbers.subarray(sliced) };
}

/** Fields of a feature's number: column and row within the chunk (in places), shape, kind. */
export const chunkColumn = (feature: number): number => feature & placeMask;
export const chunkRow = (feature: number): number => (feature >>> 9) & placeMask;
export const chunkShape = (feature: number): number => (feature >>> 18) & 127;
export const chunkKind = (feature: number): number => feature >>> kindShift;

/** A feature's number with its kind replaced. */
export const withKind = (feature: number, kind: number): number =>
  ((feature & ((1 << kindShift) - 1)) | (kind << kindShift)) >>> 0;
