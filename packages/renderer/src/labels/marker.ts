import type { LabelClaim } from '../messages.js';
import { placesPerPixel } from '../small-features/chunk.js';
import type { Sprites } from '../small-features/cut-sprites.js';
import { over } from '../small-features/pixels.js';
import { spriteNumber } from '../small-features/sprites.js';
import type { Canvas } from './blend.js';
import type { LabelPoint } from './label-rows.js';
import { isFree, isNear, type TakenPlaces, takePlace } from './places.js';

/** A marker, in pixels of the picture. */
export interface Marker {
  readonly width: number;
  readonly height: number;
  /** Whether the label of its object comes first. */
  readonly isAfterLabel: boolean;
  /** Of a marker that is drawn where its place is free; undefined: it is drawn already, wherever it lies. */
  readonly sprites: Sprites | undefined;
}

export function claimedMarker(
  { size, isAfterLabel, avoidsOthers }: LabelClaim,
  scale: number,
  sprites: Sprites | undefined,
): Marker {
  const { width, height } = size
    ? { width: size.width * scale, height: size.height * scale }
    : measured(sprites!);
  return { width, height, isAfterLabel, sprites: avoidsOthers ? sprites : undefined };
}

/**
 * Width and height of a marker. A sprite covers whole pixels, up to one more than the marker on each axis; the sprites of all positions within a pixel
 * tell its edges to a quarter of a pixel, and those of whole pixels exactly.
 */
function measured({ frames }: Sprites): Pick<Marker, 'width' | 'height'> {
  const side = (axis: 0 | 1): number => {
    const spans = Array.from({ length: placesPerPixel }, (_, i) => {
      const from = 4 * (axis ? spriteNumber(0, 0, i) : spriteNumber(0, i, 0));
      // Where the point of a sprite lies in its pixel.
      const at = (i + 0.5) / placesPerPixel;
      const start = frames[from + axis]!;
      return [start - at, start + frames[from + 2 + axis]! - at] as const;
    });
    const first = Math.max(...spans.map(([start]) => start));
    const last = Math.min(...spans.map(([, end]) => end));
    return Math.max(0, last - first - 1 / placesPerPixel);
  };
  return { width: side(0), height: side(1) };
}

/** Takes the places of a marker around points, and draws it there; where it avoids others, only if the place is free. */
export function placeMarkers(
  { canvas, taken }: { canvas: Canvas; taken: TakenPlaces },
  points: readonly LabelPoint[],
  { width, height, sprites }: Marker,
): void {
  for (const point of points) {
    const [x, y] = [rounded(point[0]), rounded(point[1])];
    const box = { left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2 };
    if (!isNear(box) || (sprites && !isFree(taken, box))) continue;
    takePlace(taken, box);
    if (sprites) drawSprite(canvas, sprites, [x, y]);
  }
}

/** Parts of a pixel to which positions are rounded: fine enough to decide as Mapnik where two markers touch, and the same in each picture. */
const grain = 4_096;
const rounded = (pixels: number): number => Math.round(pixels * grain) / grain;

/** Draws the sprite of a point over a canvas; the parts outside are clipped. */
function drawSprite(
  { words, width, height }: Canvas,
  { frames, starts, pixels }: Sprites,
  point: LabelPoint,
): void {
  const [column, row] = point.map((one) => Math.floor(one * placesPerPixel)) as [number, number];
  const number = spriteNumber(0, column, row);
  const left = Math.floor(column / placesPerPixel) + frames[4 * number]!;
  const top = Math.floor(row / placesPerPixel) + frames[4 * number + 1]!;
  const wide = frames[4 * number + 2]!;
  const right = Math.min(width, left + wide);
  const bottom = Math.min(height, top + frames[4 * number + 3]!);
  for (let y = Math.max(0, top); y < bottom; y++)
    for (let x = Math.max(0, left); x < right; x++) {
      const above = pixels[starts[number]! + (y - top) * wide + x - left]!;
      const at = y * width + x;
      if (above) words[at] = overStraight(above, words[at]!);
    }
}

/** A premultiplied pixel over one that is not, as words ("over", Porter and Duff 1984). */
function overStraight(above: number, below: number): number {
  if (below >>> 24 === 255) return over(above, below);
  const alpha = above >>> 24;
  // Times 255.
  const rest = (below >>> 24) * (255 - alpha);
  const whole = 255 * alpha + rest;
  let result = Math.round(whole / 255) << 24;
  for (let bits = 0; bits < 24; bits += 8) {
    const both = 65025 * ((above >>> bits) & 255) + rest * ((below >>> bits) & 255);
    result |= Math.min(255, Math.round(both / whole)) << bits;
  }
  return result;
}
