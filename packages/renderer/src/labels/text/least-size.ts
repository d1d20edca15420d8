import type { LabelFont } from './label-fonts.js';
import { maxCharacters } from './text-runs.js';
import { plainSetting, type TextSetting } from './typeset.js';

/** Width and height in em. */
export interface LeastSize {
  width: number;
  height: number;
}

/** Characters from here on may be joined, reordered or set in another font: only shaping tells their size. */
const shapedFrom = 0x250;
/**
 * Kerning, ligatures and other forms of letters narrow no text below this share of its advances, nor lower its letters: among the
 * fonts that come with the service, `r.` is the narrowest text, 0.76 of its advances.
 */
const leastShare = 0.7;
/** No text is wider than this share of its advances. */
const mostShare = 1.2;

const unknown: LeastSize = { width: 0, height: 0 };

const isBlank = (code: number): boolean => code === 0x20 || code === 0xa0;
/** Control characters, and the soft hyphen, which is not drawn. */
const isControl = (code: number): boolean => code < 0x20 || (code >= 0x7f && code < 0xa0) || code === 0xad;

/**
 * A size that a text has at least, without setting it, which takes long; zero where it is not known, and where the text may be
 * broken into lines.
 */
export function leastSizeOf(
  text: string,
  font: LabelFont,
  { wrapWidth, characterSpacing }: TextSetting = plainSetting,
): LeastSize {
  if (text.length > maxCharacters || characterSpacing < 0) return unknown;
  let [width, height, blanks] = [0, 0, 0];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const size = code < shapedFrom && !isControl(code) ? font.sizeOf(code) : undefined;
    if (!size) return unknown;
    // Blanks at the ends are left out.
    if (isBlank(code)) blanks += size.advance;
    else width += size.advance + characterSpacing;
    if (size.height > height) height = size.height;
  }
  const isBroken =
    wrapWidth > 0 && mostShare * (width + blanks) + characterSpacing * text.length >= wrapWidth;
  if (isBroken) return unknown;
  return { width: Math.max(0, leastShare * (width - characterSpacing)), height: leastShare * height };
}
