import type { Edges } from '../../geo/join-boxes.js';
import { type Extent, tileExtent } from '../../geo/tile.js';
import { dataBox } from '../data-box.js';

/** Pixels on each side of the largest chunks, the squares by which specks are kept: a quarter of a tile of their level. */
const largestChunk = 128;
/** Places in a pixel, by column and row. */
export const places = 4;
/** Width and height of the largest specks, quarters of a pixel: a pixel and a half. */
export const largestSide = 6;
/** Kinds of specks in a chunk. */
export const mostKinds = 128;

/** The chunks that a layer's specks are kept by. */
export interface ChunkGrid {
  readonly level: number;
  /** A chunk is as large as a tile so many levels deeper: 1 to `deepestGrid`. */
  readonly depth: number;
}

/** Where a chunk lies: columns and rows count from the north-west of the world. */
export interface ChunkPlace extends ChunkGrid {
  readonly column: number;
  readonly row: number;
}

/** Metres of EPSG:3857 that a pixel of a level is wide. */
export function pixelAt(level: number): number {
  const [west, , east] = tileExtent(level, 0, 0);
  return (east - west) / 256;
}

/** Chunks of 16 pixels. */
const deepestGrid = 4;
/** Objects of a chunk, on average: of so many the specks are read in a second at most. */
const inChunk = 50_000;

/** How large chunks are where so many objects lie in a tile. */
export const depthFor = (inTile: number): number =>
  Math.min(deepestGrid, Math.max(1, Math.ceil(Math.log2(inTile / inChunk) / 2)));

/** Pixels on each side of a chunk. */
export const chunkSide = ({ depth }: Pick<ChunkGrid, 'depth'>): number => 256 >> depth;

/** Metres of EPSG:3857. */
export const chunkExtent = ({ level, depth, column, row }: ChunkPlace): Extent =>
  tileExtent(level + depth, column, row);

/** Degrees in which all lies that a chunk shows: the middle of a speck is in it. */
export const chunkBox = (place: ChunkPlace): Edges => dataBox(chunkExtent(place), pixelAt(place.level));

/** The chunks whose specks can be seen in an extent (metres of EPSG:3857) when they reach so many pixels, row by row from the north-west. */
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

/** What specks of a layer have in common: those of a kind and a size are drawn alike. */
export interface SpeckKind {
  /** 0 point, 1 line, 2 polygon. */
  dimension: number;
  /** What the style reads of one of them. */
  properties: Readonly<Record<string, unknown>>;
}

/** The bit from which the number of a speck in its chunk holds its kind: before it are its place (9 bits each) and its shape (7). */
export const kindShift = 25;
const placeMask = places * largestChunk - 1;

/** So many ids in a row are a slice: specks lie in the order of their slices in all chunks, so that no edge between two chunks is seen. */
const inSlice = 4_096;

export const sliceOf = (id: number): number => Math.floor(id / inSlice);

export interface Chunk {
  kinds: readonly SpeckKind[];
  /** The slices that there are, in their order, each with the number of its specks. */
  slices: Uint32Array;
  /** Their numbers, by the ids of their objects. */
  specks: Uint32Array;
}

/** A chunk as it is kept, in little-endian words: the length of the kinds as JSON, how many numbers are in the slices, and these three. */
export function encodeChunk({ kinds, slices, specks }: Chunk): Uint8Array {
  const json = JSON.stringify(kinds);
  const text = Buffer.from(json.padEnd(json.length + ((4 - (Buffer.byteLength(json) % 4)) % 4)));
  const head = Buffer.from(Uint32Array.of(text.length, slices.length).buffer);
  const numbers = [slices, specks].map((all) => Buffer.from(all.buffer, all.byteOffset, all.byteLength));
  return new Uint8Array(Buffer.concat([head, text, ...numbers]));
}

export function decodeChunk(bytes: Uint8Array): Chunk {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const [length, sliced] = [view.getUint32(0, true), view.getUint32(4, true)];
  const kinds = JSON.parse(Buffer.from(bytes.subarray(8, 8 + length)).toString()) as SpeckKind[];
  // A copy, which begins at a whole word.
  const numbers = new Uint32Array(bytes.slice(8 + length).buffer);
  return { kinds, slices: numbers.subarray(0, sliced), specks: numbers.subarray(sliced) };
}

/** A speck's number read: column and row in places of the chunk, shape, kind. */
export const columnOf = (speck: number): number => speck & placeMask;
export const rowOf = (speck: number): number => (speck >>> 9) & placeMask;
export const shapeOf = (speck: number): number => (speck >>> 18) & 127;
export const kindOf = (speck: number): number => speck >>> kindShift;

/** The number with a kind instead of what is in its place. */
export const withKind = (speck: number, kind: number): number =>
  ((speck & ((1 << kindShift) - 1)) | (kind << kindShift)) >>> 0;
