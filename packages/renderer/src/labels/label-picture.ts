import { encodeGlyphs } from '../glyph-ranges/glyph-range.js';
import type { GlyphRange, LabelLook } from '../messages.js';
import { blendMask, type Canvas, onCanvas, type Paint, paintOf, type RgbaPicture } from './blend.js';
import { type GlyphMasks, type MaskSheet, MaskStore, subpixelPhases } from './glyph-masks.js';
import { leastSizeOf } from './least-size.js';
import { isFree, type LabelBox, type TakenPlaces, takePlace } from './places.js';
import { type FontChain, type SetText, Typesetter } from './typeset.js';

export type { RgbaPicture } from './blend.js';
export { noPlaces, type TakenPlaces } from './places.js';

/** A label to be placed: pixels from the north-western corner of the picture (may lie outside), and the index of its look. */
export interface Label {
  x: number;
  y: number;
  text: string;
  look: number;
}

/** Label positions per pixel, by column and row. */
const grain = 64;
/** Labels further from the corner of a picture are ignored, pixels. */
const farthest = 1_000_000;
/** Limits: pixels per em, and halo radius in pixels of the style. */
const largestSize = 1_000;
const widestHalo = 20;

/** A look, in pixels. */
interface Ink {
  readonly chain: FontChain;
  readonly sheet: MaskSheet;
  readonly dx: number;
  readonly dy: number;
  readonly fill: Paint;
  readonly halo: Paint;
  readonly allowOverlap: boolean;
}

/** Places labels and draws those that find room. */
export class LabelPainter {
  readonly #typesetter: Typesetter;
  readonly #masks = new MaskStore();

  /** `fileOf`: the file of a font by its name; undefined for an unknown font. */
  constructor(fileOf: (face: string) => string | undefined) {
    this.#typesetter = new Typesetter(fileOf);
  }

  /** Draws labels in their order; a label without room is left out. */
  paint(
    picture: RgbaPicture,
    labels: Iterable<Label>,
    looks: readonly LabelLook[],
    { scale, taken }: { scale: number; taken: TakenPlaces },
  ): void {
    const inks = looks.map((look) => this.#inkOf(look, scale));
    const typesetter = this.#typesetter;
    const masks = this.#masks;
    onCanvas(picture, (canvas) => {
      for (const { x, y, text, look } of labels) {
        const ink = inks[look];
        if (!ink) continue;
        // Most labels of a crowded picture are refused here, before their text is set, which takes longest.
        if (!ink.allowOverlap && !mayFit(taken, leastBoxOf({ x, y, text }, ink))) continue;
        const set = typesetter.setText(ink.chain, text);
        if (!set) continue;
        const place = placeOf(x, y, set, ink);
        if (!isNear(place.box)) continue;
        if (!ink.allowOverlap && !isFree(taken, place.box)) continue;
        takePlace(taken, place.box);
        if (isSeen(canvas, set, ink, place)) draw(canvas, set, ink, place, masks);
      }
    });
  }

  /** The encoded glyphs of a range. */
  glyphs(range: GlyphRange): Uint8Array {
    return encodeGlyphs(range, this.#typesetter.open);
  }

  /** undefined when none of the look's fonts is known. */
  #inkOf({ faces, size, fill, halo, dx, dy, allowOverlap }: LabelLook, scale: number): Ink | undefined {
    const chain = this.#typesetter.chain(faces);
    if (!chain || !(size > 0)) return undefined;
    const radius = halo.fill[3] > 0 ? Math.min(widestHalo, Math.max(0, halo.radius)) * scale : 0;
    return {
      chain,
      sheet: this.#masks.sheet(Math.min(largestSize, size * scale), radius),
      dx: dx * scale,
      dy: dy * scale,
      fill: paintOf(fill),
      halo: paintOf(halo.fill),
      allowOverlap,
    };
  }
}

/** Position of a label: its box, and the pixel and offset to which its glyphs are relative. */
interface Place {
  readonly box: LabelBox;
  readonly x: number;
  readonly y: number;
  /** Relative to the corner of that pixel: the middle of the lines, and the top of the first. */
  readonly middle: number;
  readonly top: number;
}

/** A box within that of a label, known before the text is set; without area where the size is not known. */
const leastBoxOf = ({ x, y, text }: Pick<Label, 'x' | 'y' | 'text'>, ink: Ink): LabelBox =>
  placeOf(x, y, leastSizeOf(text, ink.chain.first), ink).box;

/** Computed from whole pixels, so that a label has the same position in every picture. */
function placeOf(
  x: number,
  y: number,
  { width, height }: Pick<SetText, 'width' | 'height'>,
  { sheet: { size }, dx, dy }: Ink,
): Place {
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

/** False for boxes with NaN sides. */
const isNear = ({ left, top, right, bottom }: LabelBox): boolean =>
  left > -farthest && top > -farthest && right < farthest && bottom < farthest;

/** Whether a label may find room that has a box within its own. */
const mayFit = (taken: TakenPlaces, least: LabelBox): boolean => isNear(least) && isFree(taken, least);

const onGrain = (pixels: number): number => Math.floor(pixels * grain + 0.5) / grain;

/** Start of a box relative to its point: on the side of the offset, or centred without one. */
const besides = (moved: number, length: number): number =>
  moved === 0 ? -length / 2 : moved > 0 ? onGrain(moved) : onGrain(moved) - length;

/** Whether ink of a label can lie on the canvas. */
function isSeen(
  { width, height }: Canvas,
  { reach }: SetText,
  { sheet }: Ink,
  { x, y, middle, top }: Place,
): boolean {
  // One more pixel for quarter-pixel pens and antialiasing.
  const margin = sheet.radius + 2;
  const [left, above] = [x + middle, y + top];
  return (
    left + reach.left * sheet.size - margin < width &&
    left + reach.right * sheet.size + margin > 0 &&
    above + reach.top * sheet.size - margin < height &&
    above + reach.bottom * sheet.size + margin > 0
  );
}

/** Scratch space of `draw`: masks and pens (pixels) of one label. */
const found: GlyphMasks[] = [];
const columns: number[] = [];
const rows: number[] = [];

/** Draws all halos before the letters, so that no halo covers a letter. */
function draw(canvas: Canvas, { glyphs, xs, ys }: SetText, ink: Ink, place: Place, masks: MaskStore): void {
  const { sheet } = ink;
  for (let i = 0; i < glyphs.length; i++) {
    const column = Math.floor((place.middle + xs[i]! * sheet.size) * subpixelPhases + 0.5);
    const row = Math.floor((place.top + ys[i]! * sheet.size) * subpixelPhases + 0.5);
    const phase = (column & (subpixelPhases - 1)) + subpixelPhases * (row & (subpixelPhases - 1));
    found[i] = masks.masksOf(sheet, glyphs[i]!, phase);
    columns[i] = place.x + Math.floor(column / subpixelPhases);
    rows[i] = place.y + Math.floor(row / subpixelPhases);
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
