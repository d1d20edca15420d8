import type { FontChain, FontGlyph } from './font-chain.js';
import type { LabelFont } from './label-fonts.js';
import { runsOf, textLines } from './text-runs.js';

/** Glyphs that are turned together, in em. */
export interface TextCluster {
  /** Advance, without spacing. */
  width: number;
  /** Pens relative to that of the cluster, y downwards. */
  readonly glyphs: { readonly glyph: FontGlyph; readonly x: number; readonly y: number }[];
  /** Bounds of the ink, y downwards from the baseline. */
  top: number;
  bottom: number;
}

/** A text that is set along lines, in em. */
export interface AlongText {
  /** With spacing. */
  readonly width: number;
  /** Of the tallest glyph. */
  readonly height: number;
  readonly clusters: readonly TextCluster[];
  readonly characters: number;
}

/** Sets a text in one line, whose clusters can be turned; undefined for a text of blanks. `characterSpacing`: em. */
export function alongText(
  text: string,
  characterSpacing: number,
  { chain, glyphOf }: { chain: FontChain; glyphOf(font: LabelFont, glyph: number): FontGlyph },
): AlongText | undefined {
  const line = textLines(text).join(' ');
  if (!line) return undefined;
  const clusters: TextCluster[] = [];
  let [width, height] = [0, 0];
  for (const { font, start, end, level } of runsOf(line, chain)) {
    const { glyphs } = font.shape(line, {
      start,
      end,
      isRtl: level % 2 === 1,
      isSpaced: characterSpacing > 0,
    });
    let [pen, begin, character] = [0, 0, -1];
    for (const shaped of glyphs) {
      if (shaped.character !== character) {
        clusters.push({ width: 0, glyphs: [], top: 0, bottom: 0 });
        [begin, character] = [pen, shaped.character];
      }
      const cluster = clusters.at(-1)!;
      const glyph = glyphOf(font, shaped.glyph);
      cluster.glyphs.push({ glyph, x: shaped.x - begin, y: -shaped.y });
      cluster.top = Math.min(cluster.top, glyph.reach.top - shaped.y);
      cluster.bottom = Math.max(cluster.bottom, glyph.reach.bottom - shaped.y);
      height = Math.max(height, glyph.reach.bottom - glyph.reach.top);
      cluster.width += shaped.advance;
      pen += shaped.advance;
    }
    width += pen;
  }
  const spaces = clusters.filter((cluster) => cluster.width > 0).length - 1;
  return { width: width + Math.max(0, spaces) * characterSpacing, height, clusters, characters: line.length };
}
