import type { Blending } from '@cartulary/cartocss';
import { type BlendRow, blendRows } from './blend-modes.js';
import { type Chunk, chunkColumn, chunkKind, chunkRow, chunkShape, placesPerPixel } from './chunk.js';
import type { ChunkRows } from './chunk-rows.js';
import { CoveringLayer } from './covering-layer.js';
import type { Sprites } from './cut-sprites.js';
import { type Pixels, signed } from './pixels.js';
import { scaledShapes, spriteNumber } from './sprites.js';

/** A chunk with its corner in a picture in pixels, and something for each of its kinds: their sprites. */
export interface PlacedChunk<OfKind = Sprites> extends Pick<Chunk, 'slices' | 'features'> {
  sprites: readonly OfKind[];
  corner: { x: number; y: number };
  /** What stands for `corner.y` and the ratio, where rows are not as high as columns are wide. */
  rows?: ChunkRows | undefined;
}

/** Marks which sprites chunks need, by 1 at their number. `ratio`: as in `drawSmallFeatures`. */
export function markNeeded(ratio: number, chunks: readonly PlacedChunk<Uint8Array>[]): void {
  drawParts(chunks.map(wholeOf), ratio, (needed, number) => {
    needed[number] = 1;
  });
}

/** Layers of sprites, on the average of a picture, from which on hidden ones are worth looking for: it takes a layer of its own. */
const manyLayers = 2;

/**
 * Draws the sprites of all features over a picture: slice by slice, and within a slice chunk by chunk. `ratio`: pixels of the
 * picture per pixel of the chunks, at most 1. Colours may differ by roundings from those of each sprite drawn over the one before. `blending`: how each is laid over what is below it.
 */
export function drawSmallFeatures(
  picture: Pixels,
  ratio: number,
  chunks: readonly PlacedChunk[],
  blending: Blending = 'src-over',
): void {
  const parts = partsOf(chunks);
  const blendRow = blendRows[blending];
  const { width, height } = picture;
  if (blending !== 'src-over' || paintedPixels(ratio, chunks) < manyLayers * width * height) {
    const target = { words: signed(picture.words), width, height };
    drawParts(parts, ratio, (of, number, x, y) => drawSprite(target, of, { number, x, y }, blendRow));
    return;
  }
  const layer = new CoveringLayer(picture);
  const below: DrawSprite = (of, number, x, y) => layer.drawSprite(of, number, x, y);
  drawParts(parts.reverse(), ratio, below, true);
  layer.compose();
}

/** Features of a chunk from the one at `start` to the one before `end`: those of a slice. */
interface Part<OfKind = Sprites> {
  chunk: PlacedChunk<OfKind>;
  start: number;
  end: number;
}

const wholeOf = <OfKind>(chunk: PlacedChunk<OfKind>): Part<OfKind> => ({
  chunk,
  start: 0,
  end: chunk.features.length,
});

/** The parts of chunks from the lowest; those of one slice in the order of the chunks. */
function partsOf(all: readonly PlacedChunk[]): Part[] {
  // A style may draw nothing of features such as these.
  const chunks = all.filter(({ sprites }) => sprites.some(({ pixels }) => pixels.length));
  const count = chunks.reduce((sum, { slices }) => sum + slices.length / 2, 0);
  const parts: Part[] = [];
  // Numbers are sorted faster than objects.
  const keys = new Float64Array(count);
  for (const chunk of chunks) {
    let start = 0;
    for (let i = 0; i < chunk.slices.length; i += 2) {
      const end = start + chunk.slices[i + 1]!;
      keys[parts.length] = chunk.slices[i]! * count + parts.length;
      parts.push({ chunk, start, end });
      start = end;
    }
  }
  const sorted: Part[] = [];
  for (const key of keys.sort()) sorted.push(parts[key % count]!);
  return sorted;
}

/** One of so many features is measured. */
const sampled = 64;

/** About how many pixels all sprites have. */
function paintedPixels(ratio: number, chunks: readonly PlacedChunk[]): number {
  let pixels = 0;
  const some = chunks.map((chunk) =>
    wholeOf({ ...chunk, features: chunk.features.filter((_, i) => i % sampled === 0) }),
  );
  drawParts(some, ratio, ({ frames }, number) => {
    pixels += frames[4 * number + 2]! * frames[4 * number + 3]! * sampled;
  });
  return pixels;
}

/** Draws a sprite whose feature lies in a pixel. */
type DrawSprite<OfKind = Sprites> = (of: OfKind, number: number, x: number, y: number) => void;

const placeBits = Math.log2(placesPerPixel);

/** Draws parts one after the other, each from its first feature, or from its last. */
function drawParts<OfKind>(
  parts: readonly Part<OfKind>[],
  ratio: number,
  draw: DrawSprite<OfKind>,
  isFromLast = false,
): void {
  const shapes = scaledShapes(ratio);
  for (const { chunk, start, end } of parts) {
    const { features, sprites, corner, rows } = chunk;
    const left = corner.x * placesPerPixel;
    const top = corner.y * placesPerPixel;
    for (let i = start; i < end; i++) {
      const feature = features[isFromLast ? start + end - 1 - i : i]!;
      // The middle of the quarter of a pixel in which the feature lies.
      const column = Math.floor(left + (chunkColumn(feature) + 0.5) * ratio) | 0;
      const inChunk = chunkRow(feature);
      const row = rows ? rows.places[inChunk]! : Math.floor(top + (inChunk + 0.5) * ratio) | 0;
      const shape = (rows ? rows.shapes[inChunk]! : shapes)[chunkShape(feature)]!;
      const number = spriteNumber(shape, column, row);
      draw(sprites[chunkKind(feature)]!, number, column >> placeBits, row >> placeBits);
    }
  }
}

/** Draws a sprite over a picture; the parts outside are clipped. */
function drawSprite(
  { words, width, height }: { words: Int32Array; width: number; height: number },
  { frames, starts, pixels }: Sprites,
  { number, x, y }: { number: number; x: number; y: number },
  blendRow: BlendRow,
): void {
  const left = x + frames[4 * number]!;
  const top = y + frames[4 * number + 1]!;
  const wide = frames[4 * number + 2]!;
  const high = frames[4 * number + 3]!;
  const from = Math.max(0, -left);
  const count = Math.min(wide, width - left) - from;
  const last = Math.min(high, height - top);
  for (let row = Math.max(0, -top); row < last; row++)
    blendRow(words, (top + row) * width + left + from, pixels, starts[number]! + row * wide + from, count);
}
