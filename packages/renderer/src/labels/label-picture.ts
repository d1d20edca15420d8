import { encodeGlyphs } from '../glyph-ranges/glyph-range.js';
import type { GlyphRange, LabelLook } from '../messages.js';
import { blendMask, type Canvas, onCanvas, type Paint, paintOf, type RgbaPicture } from './blend.js';
import { type GlyphMasks, type MaskSheet, MaskStore, subpixelPhases } from './glyph-masks.js';
import type { LabelPoint } from './label-rows.js';
import { isFree, type LabelBox, type TakenPlaces, takePlace } from './places.js';
import { leastSizeOf } from './text/least-size.js';
import { type FontChain, plainSetting, type SetText, type TextSetting, Typesetter } from './text/typeset.js';

export type { RgbaPicture } from './blend.js';
export { noPlaces, type TakenPlaces } from './places.js';

/** A label to be placed at points, pixels from the north-western corner of the picture (may lie outside), and the index of its look. */
export interface Label {
  points: readonly LabelPoint[];
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

/** A size of a look. */
interface Size {
  readonly sheet: MaskSheet;
  readonly setting: TextSetting;
}

/** A look, in pixels. */
interface Ink {
  readonly chain: FontChain;
  /** In the order in which they are tried, each at all offsets. */
  readonly sizes: readonly Size[];
  readonly offsets: readonly Offset[];
  readonly margin: number;
  readonly fill: Paint;
  readonly halo: Paint;
  readonly allowOverlap: boolean;
}

interface Offset {
  readonly dx: number;
  readonly dy: number;
}

/** What the labels of a picture share. */
interface Sheet {
  readonly canvas: Canvas;
  readonly taken: TakenPlaces;
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
    onCanvas(picture, (canvas) => {
      for (const { points, text, look } of labels) {
        const ink = inks[look];
        if (ink) this.#paintLabel({ canvas, taken }, points, text, ink);
      }
    });
  }

  /** Sets a label at each of its points, in the first place with room. */
  #paintLabel(sheet: Sheet, points: readonly LabelPoint[], text: string, ink: Ink): void {
    let waiting = points;
    for (const size of ink.sizes)
      for (const offset of ink.offsets) {
        waiting = waiting.filter((point) => !this.#paintAt(sheet, point, text, { ink, size, offset }));
        if (!waiting.length) return;
      }
  }

  /** Whether the label found room. */
  #paintAt({ canvas, taken }: Sheet, point: LabelPoint, text: string, attempt: Attempt): boolean {
    const { ink, size } = attempt;
    const { allowOverlap, margin } = ink;
    // Most labels of a crowded picture are refused here, before their text is set, which takes longest.
    if (!allowOverlap) {
      const least = placeOf(point, leastSizeOf(text, ink.chain.first, size.setting), attempt).box;
      if (!isNear(least) || !isFree(taken, widened(least, margin))) return false;
    }
    const set = this.#typesetter.setText(ink.chain, text, size.setting);
    if (!set) return false;
    const place = placeOf(point, set, attempt);
    if (!isNear(place.box)) return false;
    if (!allowOverlap && !isFree(taken, widened(place.box, margin))) return false;
    takePlace(taken, place.box);
    if (isSeen(canvas, set, size, place)) draw(canvas, set, attempt, place, this.#masks);
    return true;
  }

  /** The encoded glyphs of a range. */
  glyphs(range: GlyphRange): Uint8Array {
    return encodeGlyphs(range, this.#typesetter.open);
  }

  /** undefined when none of the look's fonts is known. */
  #inkOf(look: LabelLook, scale: number): Ink | undefined {
    const { faces, sizes, offsets, margin, fill, halo, allowOverlap } = look;
    const chain = this.#typesetter.chain(faces);
    if (!chain || !sizes.every((size) => size > 0)) return undefined;
    const radius = halo.fill[3] > 0 ? Math.min(widestHalo, Math.max(0, halo.radius)) * scale : 0;
    return {
      chain,
      sizes: sizes.map((size) => ({
        sheet: this.#masks.sheet(Math.min(largestSize, size * scale), radius),
        setting: settingAt(size, look),
      })),
      offsets: offsets.map(({ dx, dy }) => ({ dx: dx * scale, dy: dy * scale })),
      margin: margin * scale,
      fill: paintOf(fill),
      halo: paintOf(halo.fill),
      allowOverlap,
    };
  }
}

/** The setting of a look's texts at a size in pixels of the style. */
function settingAt(size: number, look: LabelLook): TextSetting {
  const { wrapWidth, wrapBefore, characterSpacing, lineSpacing } = look;
  if (!wrapWidth && !characterSpacing && !lineSpacing) return plainSetting;
  return {
    wrapWidth: wrapWidth / size,
    wrapBefore,
    characterSpacing: characterSpacing / size,
    lineSpacing: lineSpacing / size,
  };
}

/** A place that is tried. */
interface Attempt {
  readonly ink: Ink;
  readonly size: Size;
  readonly offset: Offset;
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

/** Computed from whole pixels, so that a label has the same position in every picture. */
function placeOf(
  [x, y]: LabelPoint,
  { width, height }: Pick<SetText, 'width' | 'height'>,
  attempt: Attempt,
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

/** False for boxes with NaN sides. */
const isNear = ({ left, top, right, bottom }: LabelBox): boolean =>
  left > -farthest && top > -farthest && right < farthest && bottom < farthest;

const widened = (box: LabelBox, margin: number): LabelBox =>
  margin === 0
    ? box
    : {
        left: box.left - margin,
        top: box.top - margin,
        right: box.right + margin,
        bottom: box.bottom + margin,
      };

const onGrain = (pixels: number): number => Math.floor(pixels * grain + 0.5) / grain;

/** Start of a box relative to its point: on the side of the offset, or centred without one. */
const besides = (moved: number, length: number): number =>
  moved === 0 ? -length / 2 : moved > 0 ? onGrain(moved) : onGrain(moved) - length;

/** Whether ink of a label can lie on the canvas. */
function isSeen(
  { width, height }: Canvas,
  { reach }: SetText,
  { sheet }: Size,
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
function draw(
  canvas: Canvas,
  { glyphs, xs, ys }: SetText,
  { ink, size: { sheet } }: Attempt,
  place: Place,
  masks: MaskStore,
): void {
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
