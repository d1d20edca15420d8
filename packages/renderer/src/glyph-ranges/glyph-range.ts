import { PbfWriter } from 'pbf';
import type { Mask } from '../labels/glyph-mask.js';
import type { LabelFont } from '../labels/text/label-fonts.js';
import type { GlyphRange } from '../messages.js';
import { distanceField, fieldMargin, fieldSize } from './distance-field.js';

/** Characters of a range. */
const rangeLength = 256;
/** Characters below are controls. */
const firstPrinted = 32;

/** Pixels from the origin of a glyph's `top` down to the baseline: text that is centred in the middle of its capitals. */
const baseline = 26;

interface RangeGlyph {
  codePoint: number;
  /** Pixels. */
  advance: number;
  field: Mask | undefined;
}

/**
 * The glyphs of a range of characters, for MapLibre and others
 * (https://github.com/mapbox/node-fontnik/blob/master/proto/glyphs.proto). Each is taken from the first font that has it.
 */
export function encodeGlyphs(
  { name, faces, first }: GlyphRange,
  fontOf: (face: string) => LabelFont | undefined,
): Uint8Array {
  const fonts = faces.flatMap((face) => fontOf(face) ?? []);
  const pbf = new PbfWriter();
  pbf.writeMessage(
    1,
    (_, stack) => {
      stack.writeStringField(1, name);
      stack.writeStringField(2, `${first}-${first + rangeLength - 1}`);
      for (let codePoint = Math.max(first, firstPrinted); codePoint < first + rangeLength; codePoint++) {
        const glyph = glyphOf(codePoint, fonts);
        if (glyph) stack.writeMessage(3, writeGlyph, glyph);
      }
    },
    undefined,
  );
  return pbf.finish();
}

function glyphOf(codePoint: number, fonts: readonly LabelFont[]): RangeGlyph | undefined {
  const font = fonts.find((one) => one.has(codePoint));
  if (!font) return undefined;
  const { glyph, advance } = font.glyphOf(codePoint);
  return { codePoint, advance: Math.round(advance * fieldSize), field: distanceField(font.outline(glyph)) };
}

/** The margin of the bitmap counts in none of the numbers. */
function writeGlyph({ codePoint, advance, field }: RangeGlyph, pbf: PbfWriter): void {
  pbf.writeVarintField(1, codePoint);
  if (field) pbf.writeBytesField(2, field.cover);
  pbf.writeVarintField(3, field ? field.width - 2 * fieldMargin : 0);
  pbf.writeVarintField(4, field ? field.height - 2 * fieldMargin : 0);
  pbf.writeSVarintField(5, field ? field.left + fieldMargin : 0);
  pbf.writeSVarintField(6, -baseline - (field ? field.top + fieldMargin : 0));
  pbf.writeVarintField(7, advance);
}
