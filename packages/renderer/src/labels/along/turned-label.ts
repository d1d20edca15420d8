import type { Canvas } from '../blend.js';
import { turns } from '../glyph-masks.js';
import type { GlyphPens } from '../glyph-pens.js';
import type { Ink, Size } from '../ink.js';
import type { AlongText } from '../text/along-text.js';
import type { AlongSetter } from './along-line.js';

/** Whether ink of a label that was set can lie on the canvas. */
export function isTurnedSeen(
  { width, height }: Canvas,
  { clusters }: AlongText,
  { boxes }: AlongSetter,
  { sheet }: Size,
): boolean {
  // Slanted letters may exceed the boxes of their clusters.
  const margin = sheet.radius + sheet.size / 2 + 2;
  return clusters.some((_, i) => {
    const { left, top, right, bottom } = boxes[i]!;
    return left < width + margin && right > -margin && top < height + margin && bottom > -margin;
  });
}

/** Draws the clusters of a label that was set. */
export function drawTurned(
  canvas: Canvas,
  { clusters }: AlongText,
  { xs, ys, angles }: AlongSetter,
  { ink, size: { sheet }, pens }: { ink: Ink; size: Size; pens: GlyphPens },
): void {
  pens.begin(sheet, 0, 0);
  for (const [i, { glyphs }] of clusters.entries()) {
    const [right, down] = [sheet.size * Math.cos(angles[i]!), sheet.size * Math.sin(angles[i]!)];
    const turn = Math.round((angles[i]! / (2 * Math.PI)) * turns + turns) % turns;
    for (const { glyph, x, y } of glyphs)
      pens.add(glyph, xs[i]! + x * right - y * down, ys[i]! + x * down + y * right, turn);
  }
  pens.draw(canvas, ink);
}
