/** A glyph as the library fontkit shapes it. */
interface Glyph {
  id: number;
  codePoints: number[];
  advanceWidth: number;
}

interface Shaped {
  glyphs: Glyph[];
  positions: unknown[];
  advanceWidth: number;
}

/** The internals of pdfkit's embedded font that decide which text readers extract from the PDF. */
export interface EmbeddedFont {
  font: {
    hasGlyphForCodePoint(codePoint: number): boolean;
    getGlyph(id: number, codePoints?: number[]): Glyph;
    /** Glyphs by id, each with the characters of its first use. */
    _glyphs: Record<number, Glyph>;
  };
  widthOfString(text: string, size: number, features?: string[]): number;
  layout(text: string, features?: string[], onlyWidth?: boolean): Shaped;
  encode(text: string, features?: string[]): [codes: string[], positions: unknown[]];
  /** Ids of the embedded glyphs; the index is a glyph's code in the document. */
  subset: { glyphs: number[]; includeGlyph(id: number): number };
  /** By code. */
  widths: number[];
  unicode: number[][];
  scale: number;
}

/** Limit of the kept shapings: a line is measured once and drawn twice. */
const keptShapings = 16;

/** Keeps the shaping of texts that are shaped as one piece (with features, even an empty list); pdfkit keeps the words of other texts. */
export function shapeOnce(embedded: EmbeddedFont): void {
  const shape = embedded.layout.bind(embedded);
  const kept = new Map<string, Shaped>();
  embedded.layout = (text, features, onlyWidth) => {
    if (!features) return shape(text, features, onlyWidth);
    const shaped = kept.get(text) ?? shape(text, features);
    if (kept.size >= keptShapings) kept.clear();
    kept.set(text, shaped);
    return shaped;
  };
}

/**
 * Gives a glyph a separate code for each text that it stands for. Arabic fonts share shapes between letters (ب, ت and ي
 * with separate dots). With one code per shape, readers would extract one letter for all of them.
 */
export function keepText(embedded: EmbeddedFont): void {
  const { font, subset, widths, unicode, scale } = embedded;
  const getGlyph = font.getGlyph.bind(font);
  font.getGlyph = (id, codePoints) => {
    delete font._glyphs[id];
    return getGlyph(id, codePoints);
  };
  const codes = new Map<string, number>();
  const met = new Set<number>();

  const codeOf = ({ id, codePoints }: Glyph): number => {
    const key = `${id} ${codePoints}`;
    const known = codes.get(key);
    if (known !== undefined) return known;
    const code = met.has(id) ? subset.glyphs.push(id) - 1 : subset.includeGlyph(id);
    met.add(id);
    codes.set(key, code);
    return code;
  };

  embedded.encode = (text, features) => {
    const { glyphs, positions } = embedded.layout(text, features);
    const written = glyphs.map((glyph) => {
      const code = codeOf(glyph);
      widths[code] ??= glyph.advanceWidth * scale;
      unicode[code] ??= glyph.codePoints;
      return code.toString(16).padStart(4, '0');
    });
    return [written, positions];
  };
}
