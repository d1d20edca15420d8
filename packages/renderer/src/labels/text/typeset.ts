import { LRUCache } from 'lru-cache';
import { type AlongText, alongText } from './along-text.js';
import { breakLine, type LineWidth } from './break-lines.js';
import { chainOf, type FontChain, type FontGlyph } from './font-chain.js';
import { type LabelFont, openLabelFonts } from './label-fonts.js';
import type { PlainSize } from './plain-size.js';
import { outlineReach, type Reach, reachOfAll } from './reach.js';
import { maxCharacters, runsOf, textLines } from './text-runs.js';

/** A text with placed glyphs, in em; valid for every size. */
export interface SetText {
  /** Width: advance of the widest line. Height: the tallest glyph of the first line, and the lines down to the last baseline. */
  readonly width: number;
  readonly height: number;
  readonly glyphs: readonly FontGlyph[];
  /** Pen positions: to the right of the middle of the lines, and below the top. */
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  /** Bounds of its ink, in the coordinates of the pens. */
  readonly reach: Reach;
}

/** How texts are set. Lengths in em. */
export interface TextSetting extends LineWidth {
  characterSpacing: number;
  lineSpacing: number;
}

/** Without spacing, and only the text itself divides it into lines. */
export const plainSetting: TextSetting = {
  wrapWidth: 0,
  wrapBefore: false,
  characterSpacing: 0,
  lineSpacing: 0,
};

/** Limits of the kept texts: their number, and their characters and glyphs together. */
const keptTexts = { max: 10_000, maxSize: 400_000 };

/** Sets texts, and keeps the recent ones. */
export class Typesetter {
  /** Opens a font by name. */
  readonly open: (face: string) => LabelFont | undefined;
  readonly #chains = new LRUCache<string, { chain: FontChain | undefined }>({ max: 200 });
  readonly #texts = new LRUCache<string, { set: SetText | undefined }>(keptTexts);
  readonly #alongTexts = new LRUCache<string, { set: AlongText | undefined }>(keptTexts);
  readonly #glyphs = new Map<number, FontGlyph>();
  #nextChain = 0;

  constructor(fileOf: (face: string) => string | undefined) {
    this.open = openLabelFonts(fileOf);
  }

  /** undefined when none of the fonts is known. */
  chain(faces: readonly string[]): FontChain | undefined {
    const key = faces.join('\n');
    const known = this.#chains.get(key);
    if (known) return known.chain;
    const chain = chainOf(faces, this.open, this.#nextChain++);
    this.#chains.set(key, { chain });
    return chain;
  }

  /** The size of a text without setting it, which takes long; undefined where only setting it tells its size. */
  sizeOf(
    { first }: FontChain,
    text: string,
    { wrapWidth, characterSpacing }: TextSetting,
  ): PlainSize | undefined {
    const size = text.length > maxCharacters ? undefined : first.sizeOf(text);
    if (!size) return undefined;
    const width = size.width + (text.length - 1) * characterSpacing;
    if (wrapWidth > 0 && width >= wrapWidth) return undefined;
    return characterSpacing ? { ...size, width } : size;
  }

  /** undefined for a text of blanks. */
  setText(chain: FontChain, text: string, setting = plainSetting): SetText | undefined {
    const key = `${chain.id} ${settingKey(setting)}${text}`;
    const known = this.#texts.get(key);
    if (known) return known.set;
    const set = setLines(textLines(text), { chain, setting, glyphOf: this.#glyphOf });
    this.#texts.set(key, { set }, { size: text.length + (set?.glyphs.length ?? 0) + 1 });
    return set;
  }

  /** A text that is set along lines, in one line. `characterSpacing`: em. undefined for a text of blanks. */
  setAlong(chain: FontChain, text: string, characterSpacing: number): AlongText | undefined {
    const key = `${chain.id} ${characterSpacing} ${text}`;
    const known = this.#alongTexts.get(key);
    if (known) return known.set;
    const set = alongText(text, characterSpacing, { chain, glyphOf: this.#glyphOf });
    this.#alongTexts.set(key, { set }, { size: text.length + 2 * (set?.clusters.length ?? 0) + 1 });
    return set;
  }

  /** The one object of a glyph. */
  readonly #glyphOf = (font: LabelFont, glyph: number): FontGlyph => {
    const key = font.id * 65_536 + glyph;
    const known = this.#glyphs.get(key);
    if (known) return known;
    const made = { id: this.#glyphs.size, font, glyph, reach: outlineReach(font.outline(glyph)) };
    this.#glyphs.set(key, made);
    return made;
  };
}

/** Before a text in its key. */
const settingKey = (setting: TextSetting): string =>
  setting === plainSetting ? '' : `${Object.values(setting).join(' ')} `;

/** What the setting of a text needs. */
interface SettingParts {
  chain: FontChain;
  setting: TextSetting;
  glyphOf(font: LabelFont, glyph: number): FontGlyph;
}

/** A line around its middle; `ys` are above its baseline. */
interface SetLine {
  glyphs: FontGlyph[];
  xs: number[];
  ys: number[];
  width: number;
  /** Distance from the previous baseline. */
  leading: number;
  /** Of each character, without spacing. */
  advances: Float64Array;
}

function setLine(line: string, { chain, setting: { characterSpacing }, glyphOf }: SettingParts): SetLine {
  const set: SetLine = {
    glyphs: [],
    xs: [],
    ys: [],
    width: 0,
    leading: 0,
    advances: new Float64Array(line.length),
  };
  // Spacing before the next letter. Marks, which do not advance, have none.
  let spacing = 0;
  for (const { font, start, end, level } of runsOf(line, chain)) {
    const shaped = font.shape(line, { start, end, isRtl: level % 2 === 1, isSpaced: characterSpacing > 0 });
    for (const { glyph, x, y, character, advance } of shaped.glyphs) {
      set.glyphs.push(glyphOf(font, glyph));
      set.xs.push(set.width + x + spacing);
      set.ys.push(y);
      set.advances[character]! += advance;
      if (advance > 0) spacing += characterSpacing;
    }
    set.width += shaped.width;
    set.leading = Math.max(set.leading, font.leading);
  }
  set.leading ||= chain.first.leading;
  set.width += spacing === 0 ? 0 : spacing - characterSpacing;
  for (let i = 0; i < set.xs.length; i++) set.xs[i]! -= set.width / 2;
  return set;
}

/** The set lines into which a line is broken. */
function setBroken(line: string, parts: SettingParts): SetLine[] {
  const whole = setLine(line, parts);
  const lines = breakLine(line, whole, parts.setting);
  return lines.length === 1 ? [whole] : lines.map((part) => setLine(part, parts));
}

/**
 * Sets lines below each other. Heights are Mapnik's, so that both paths place labels alike: the first line is as high as
 * its tallest glyph.
 */
function setLines(lines: readonly string[], parts: SettingParts): SetText | undefined {
  const [first, ...others] = lines.flatMap((line) => setBroken(line, parts));
  if (!first) return undefined;
  let height = first.glyphs.reduce((most, { reach }) => Math.max(most, reach.bottom - reach.top), 0);
  const { glyphs, xs } = first;
  const ys = first.ys.map((y) => height - y);
  for (const line of others) {
    height += line.leading + parts.setting.lineSpacing;
    for (const y of line.ys) ys.push(height - y);
    for (const x of line.xs) xs.push(x);
    for (const glyph of line.glyphs) glyphs.push(glyph);
  }
  const width = others.reduce((most, line) => Math.max(most, line.width), first.width);
  return { width, height, glyphs, xs, ys, reach: reachOfAll(glyphs, { xs, ys }) };
}
