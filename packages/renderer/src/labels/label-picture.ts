import type { LabelLook } from '../messages.js';
import { blendMask, type Canvas, onCanvas, type Paint, type Picture, paintOf } from './blend.js';
import { createMaskStore, type GlyphMasks, type MaskSheet, type MaskStore, phases } from './glyph-masks.js';
import { type Box, isFree, type TakenPlaces, take } from './places.js';
import { createTypesetter, type FontChain, type SetText } from './typeset.js';

export type { Picture } from './blend.js';
export { noPlaces, type TakenPlaces } from './places.js';

/** A label that is to be placed: pixels from the north-western corner of the picture (may lie outside), and the place of its look in the list. */
export interface Label {
  x: number;
  y: number;
  text: string;
  look: number;
}

export interface LabelPainter {
  /** Draws the labels that find a place, in their order. */
  paint(
    picture: Picture,
    labels: Iterable<Label>,
    looks: readonly LabelLook[],
    at: { scale: number; taken: TakenPlaces },
  ): void;
}

/** Places in a pixel where a label can be, by column and row. */
const grain = 64;
/** Pixels from the corner of a picture beyond which no label is. */
const farthest = 1_000_000;
/** Pixels of an em, and pixels of the style of a halo, at most. */
const largestSize = 1_000;
const widestHalo = 20;

/** A look in pixels. */
interface Ink {
  readonly chain: FontChain;
  readonly sheet: MaskSheet;
  readonly dx: number;
  readonly dy: number;
  readonly fill: Paint;
  readonly halo: Paint;
  readonly allowOverlap: boolean;
}

/** `fileOf`: the file of a font by its name; undefined: not known. */
export function createLabelPainter(fileOf: (face: string) => string | undefined): LabelPainter {
  const typesetter = createTypesetter(fileOf);
  const masks = createMaskStore();

  /** undefined where none of its fonts is known. */
  function inkOf(
    { faces, size, fill, halo, dx, dy, allowOverlap }: LabelLook,
    scale: number,
  ): Ink | undefined {
    const chain = typesetter.chain(faces);
    if (!chain || !(size > 0)) return undefined;
    const radius = halo.fill[3] > 0 ? Math.min(widestHalo, Math.max(0, halo.radius)) * scale : 0;
    return {
      chain,
      sheet: masks.sheet(Math.min(largestSize, size * scale), radius),
      dx: dx * scale,
      dy: dy * scale,
      fill: paintOf(fill),
      halo: paintOf(halo.fill),
      allowOverlap,
    };
  }

  return {
    paint(picture, labels, looks, { scale, taken }) {
      const inks = looks.map((look) => inkOf(look, scale));
      onCanvas(picture, (canvas) => {
        for (const { x, y, text, look } of labels) {
          const ink = inks[look];
          const set = ink && typesetter.setText(ink.chain, text);
          if (!set) continue;
          const place = placeOf(x, y, set, ink);
          if (!isNear(place.box)) continue;
          if (!ink.allowOverlap && !isFree(taken, place.box)) continue;
          take(taken, place.box);
          if (isSeen(canvas, set, ink, place)) draw(canvas, set, ink, place, masks);
        }
      });
    },
  };
}

/** Where a label lies: its box, and the pixel and the place in it that its glyphs are counted from. */
interface Place {
  readonly box: Box;
  readonly x: number;
  readonly y: number;
  /** From that pixel's corner: the middle of the lines, the top of the first. */
  readonly middle: number;
  readonly top: number;
}

/** Counted from whole pixels, so that a label lies alike in each picture that has it. */
function placeOf(x: number, y: number, { width, height }: SetText, { sheet: { size }, dx, dy }: Ink): Place {
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

/** Not so of a box whose sides are no numbers. */
const isNear = ({ left, top, right, bottom }: Box): boolean =>
  left > -farthest && top > -farthest && right < farthest && bottom < farthest;

const onGrain = (pixels: number): number => Math.floor(pixels * grain + 0.5) / grain;

/** Where a box begins from its point that is moved so far, or lies around it. */
const besides = (moved: number, length: number): number =>
  moved === 0 ? -length / 2 : moved > 0 ? onGrain(moved) : onGrain(moved) - length;

/** Whether any of a label's ink can lie on the canvas. */
function isSeen(
  { width, height }: Canvas,
  { reach }: SetText,
  { sheet }: Ink,
  { x, y, middle, top }: Place,
): boolean {
  // A pixel more for the quarters to which pens are moved and what lies around an outline.
  const margin = sheet.radius + 2;
  const [left, above] = [x + middle, y + top];
  return (
    left + reach.left * sheet.size - margin < width &&
    left + reach.right * sheet.size + margin > 0 &&
    above + reach.top * sheet.size - margin < height &&
    above + reach.bottom * sheet.size + margin > 0
  );
}

/** Masks and pens (pixels) of the label that is being drawn. */
const found: GlyphMasks[] = [];
const columns: number[] = [];
const rows: number[] = [];

/** Halos first, so that none lies on a letter. */
function draw(canvas: Canvas, { glyphs, xs, ys }: SetText, ink: Ink, place: Place, masks: MaskStore): void {
  const { sheet } = ink;
  for (let i = 0; i < glyphs.length; i++) {
    const column = Math.floor((place.middle + xs[i]! * sheet.size) * phases + 0.5);
    const row = Math.floor((place.top + ys[i]! * sheet.size) * phases + 0.5);
    const phase = (column & (phases - 1)) + phases * (row & (phases - 1));
    found[i] = masks.masksOf(sheet, glyphs[i]!, phase);
    columns[i] = place.x + Math.floor(column / phases);
    rows[i] = place.y + Math.floor(row / phases);
  }
  for (let i = 0; i < glyphs.length; i++) {
    const { halo } = found[i]!;
    if (halo) blendMask(canvas, halo, columns[i]!, rows[i]!, ink.halo);
  }
  for (let i = 0; i < glyphs.length; i++) {
    const { fill } = found[i]!;
    if (fill) blendMask(canvas, fill, columns[i]!, rows[i]!, ink.fill);
  }
}
