import { LRUCache } from 'lru-cache';
import { type LabelFont, openFonts } from './label-fonts.js';
import { type Reach, reachOf, reachOfAll } from './reach.js';
import { type FontChoice, hasAll, linesOf, runsOf } from './text-runs.js';

/** A glyph of a font. */
export interface FontGlyph {
  /** Its number among all glyphs that were set. */
  readonly id: number;
  readonly font: LabelFont;
  readonly glyph: number;
  /** Of its outline from its pen. */
  readonly reach: Reach;
}

/** A text whose glyphs have their places, in em: for each size the same. */
export interface SetText {
  /** The widest line's advance, and the height of the tallest glyph of the first line and to the baseline of the last. */
  readonly width: number;
  readonly height: number;
  readonly glyphs: readonly FontGlyph[];
  /** Where the pens of the glyphs stand: to the right of the middle of the lines and below the top. */
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  /** How far its ink reaches, from where the pens are counted. */
  readonly reach: Reach;
}

/** Fonts that help each other out. */
export interface FontChain extends FontChoice {
  readonly id: number;
}

export interface Typesetter {
  /** undefined where none of the fonts is known. */
  chain(faces: readonly string[]): FontChain | undefined;
  /** undefined for a text that has nothing but blanks. */
  setText(chain: FontChain, text: string): SetText | undefined;
}

/** What is kept of texts: so many, and so many of their characters and glyphs together. */
const keptTexts = { max: 10_000, maxSize: 400_000 };
/** Clusters whose font is known, of a chain. */
const keptClusters = 20_000;

/** Sets texts; the latest ones are kept. */
export function createTypesetter(fileOf: (face: string) => string | undefined): Typesetter {
  const open = openFonts(fileOf);
  const chains = new LRUCache<string, { chain: FontChain | undefined }>({ max: 200 });
  const texts = new LRUCache<string, { set: SetText | undefined }>(keptTexts);
  const glyphs = new Map<number, FontGlyph>();
  let nextChain = 0;

  /** Always the same object for a glyph. */
  function glyphOf(font: LabelFont, glyph: number): FontGlyph {
    const key = font.id * 65_536 + glyph;
    const known = glyphs.get(key);
    if (known) return known;
    const made = { id: glyphs.size, font, glyph, reach: reachOf(font.outline(glyph)) };
    glyphs.set(key, made);
    return made;
  }

  return {
    chain(faces) {
      const key = faces.join('\n');
      const known = chains.get(key);
      if (known) return known.chain;
      const chain = chainOf(faces, open, nextChain++);
      chains.set(key, { chain });
      return chain;
    },
    setText(chain, text) {
      const key = `${chain.id} ${text}`;
      const known = texts.get(key);
      if (known) return known.set;
      const set = setLines(linesOf(text), chain, glyphOf);
      texts.set(key, { set }, { size: text.length + (set?.glyphs.length ?? 0) + 1 });
      return set;
    },
  };
}

/** The fonts of the names that are known, opened as they are needed. */
function chainOf(
  faces: readonly string[],
  open: (face: string) => LabelFont | undefined,
  id: number,
): FontChain | undefined {
  let first: LabelFont | undefined;
  for (const face of faces) first ??= open(face);
  if (!first) return undefined;
  const known = new Map<string, LabelFont | undefined>();
  return {
    id,
    first,
    fontOf(cluster) {
      if (!known.has(cluster)) {
        if (known.size >= keptClusters) known.clear();
        known.set(cluster, search(faces, open, cluster));
      }
      return known.get(cluster);
    },
  };
}

function search(
  faces: readonly string[],
  open: (face: string) => LabelFont | undefined,
  cluster: string,
): LabelFont | undefined {
  for (const face of faces) {
    const font = open(face);
    if (font && hasAll(font, cluster)) return font;
  }
  return undefined;
}

type GlyphOf = (font: LabelFont, glyph: number) => FontGlyph;

/** A line around its middle: where its pens stand, above its baseline. */
interface SetLine {
  glyphs: FontGlyph[];
  xs: number[];
  ys: number[];
  width: number;
  /** From the baseline of the line before. */
  leading: number;
}

function setLine(line: string, chain: FontChain, glyphOf: GlyphOf): SetLine {
  const set: SetLine = { glyphs: [], xs: [], ys: [], width: 0, leading: 0 };
  for (const { font, start, end, level } of runsOf(line, chain)) {
    const shaped = font.shape(line, { start, end, isRtl: level % 2 === 1 });
    for (const { glyph, x, y } of shaped.glyphs) {
      set.glyphs.push(glyphOf(font, glyph));
      set.xs.push(set.width + x);
      set.ys.push(y);
    }
    set.width += shaped.width;
    set.leading = Math.max(set.leading, font.leading);
  }
  set.leading ||= chain.first.leading;
  for (let i = 0; i < set.xs.length; i++) set.xs[i]! -= set.width / 2;
  return set;
}

/** Lines below each other. Their heights are Mapnik's, so that labels lie alike whoever draws them: of the first, the one of its tallest glyph. */
function setLines(lines: readonly string[], chain: FontChain, glyphOf: GlyphOf): SetText | undefined {
  const [first, ...others] = lines.map((line) => setLine(line, chain, glyphOf));
  if (!first) return undefined;
  let height = first.glyphs.reduce((most, { reach }) => Math.max(most, reach.bottom - reach.top), 0);
  const { glyphs, xs } = first;
  const ys = first.ys.map((y) => height - y);
  for (const line of others) {
    height += line.leading;
    for (const y of line.ys) ys.push(height - y);
    for (const x of line.xs) xs.push(x);
    for (const glyph of line.glyphs) glyphs.push(glyph);
  }
  const width = others.reduce((most, line) => Math.max(most, line.width), first.width);
  return { width, height, glyphs, xs, ys, reach: reachOfAll(glyphs, { xs, ys }) };
}
