import type { LabelFont } from './label-fonts.js';
import { maxCharacters } from './text-runs.js';

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

const unknown: LeastSize = { width: 0, height: 0 };

const isBlank = (code: number): boolean => code === 0x20 || code === 0xa0;
/** Control characters, and the soft hyphen, which is not drawn. */
const isControl = (code: number): boolean => code < 0x20 || (code >= 0x7f && code < 0xa0) || code === 0xad;

/** A size that a text has at least, without setting it, which takes long; zero where it is not known. */
export function leastSizeOf(text: string, font: LabelFont): LeastSize {
  if (text.length > maxCharacters) return unknown;
  let [width, height] = [0, 0];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isBlank(code)) continue; // blanks at the ends are left out
    const size = code < shapedFrom && !isControl(code) ? font.sizeOf(code) : undefined;
    if (!size) return unknown;
    width += size.advance;
    if (size.height > height) height = size.height;
  }
  return { width: leastShare * width, height: leastShare * height };
}
