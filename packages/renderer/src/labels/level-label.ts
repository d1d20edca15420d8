import type { Canvas } from './blend.js';
import type { GlyphPens } from './glyph-pens.js';
import type { LabelAttempt, Size } from './ink.js';
import type { LabelPoint } from './label-rows.js';
import type { LabelBox } from './places.js';
import type { PlainSize } from './text/plain-size.js';
import type { SetText } from './text/typeset.js';

/** Label positions per pixel, by column and row. */
const grain = 64;

/** Position of a label: its box, and the pixel and offset to which its glyphs are relative. */
interface Place {
  readonly box: LabelBox;
  readonly x: number;
  readonly y: number;
  /** Relative to the corner of that pixel: the middle of the lines, and the top of the first. */
  readonly middle: number;
  readonly top: number;
}

/** Computed from whole pixels, so that a label has the same position in every picture. */
export function levelPlace(
  [x, y]: LabelPoint,
  { width, height }: Pick<SetText, 'width' | 'height'>,
  attempt: LabelAttempt,
): Place {
  const { size } = attempt.size.sheet;
  const { dx, dy } = attempt.offset;
  const [column, row] = [Math.floor(x + 0.5 / grain), Math.floor(y + 0.5 / grain)];
  const [wide, tall] = [onGrain(width * size), onGrain(height * size)];
  const left = onGrain(x - column) + besides(dx, wide);
  const top = onGrain(y - row) + besides(dy, tall);
  return {
    box: { left: column + left, top: row + top, right: column + left + wide, bottom: row + top + tall },
    x: column,
    y: row,
    middle: left + wide / 2,
    top,
  };
}

const onGrain = (pixels: number): number => Math.floor(pixels * grain + 0.5) / grain;

/** Start of a box relative to its point: on the side of the offset, or centred without one. */
const besides = (moved: number, length: number): number =>
  moved === 0 ? -length / 2 : moved > 0 ? onGrain(moved) : onGrain(moved) - length;

/** One more pixel for quarter-pixel pens and antialiasing. */
const grace = 2;

/** Whether ink of a label of a known size can lie on the canvas. */
export function mayBeSeen(
  { width, height }: Canvas,
  { overhang }: PlainSize,
  { sheet }: Size,
  { box: { left, top, right, bottom } }: Place,
): boolean {
  const margin = overhang * sheet.size + sheet.radius + grace;
  return left - margin < width && top - margin < height && right + margin > 0 && bottom + margin > 0;
}

/** Whether ink of a set label can lie on the canvas. */
export function isLevelSeen(
  { width, height }: Canvas,
  { reach }: SetText,
  { sheet }: Size,
  { x, y, middle, top }: Place,
): boolean {
  const margin = sheet.radius + grace;
  const [left, above] = [x + middle, y + top];
  return (
    left + reach.left * sheet.size - margin < width &&
    left + reach.right * sheet.size + margin > 0 &&
    above + reach.top * sheet.size - margin < height &&
    above + reach.bottom * sheet.size + margin > 0
  );
}

/** Draws the glyphs of a label in its place. */
export function drawLevel(
  canvas: Canvas,
  { glyphs, xs, ys }: SetText,
  { ink, size: { sheet } }: LabelAttempt,
  { x, y, middle, top }: Place,
  pens: GlyphPens,
): void {
  pens.begin(sheet, x, y);
  for (let i = 0; i < glyphs.length; i++)
    pens.add(glyphs[i]!, middle + xs[i]! * sheet.size, top + ys[i]! * sheet.size);
  pens.draw(canvas, ink);
}
