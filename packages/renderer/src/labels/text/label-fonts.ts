import { readFileSync } from 'node:fs';
import { plainFont } from '@cartulary/fonts';
import * as hb from 'harfbuzzjs';
import type { Outline } from '../glyph-mask.js';
import { type PlainFont, type PlainSize, PlainSizes } from './plain-size.js';
import { outlineReach } from './reach.js';

/** A shaped glyph, in em: pen position to the right of the line's start and above the baseline. */
export interface ShapedGlyph {
  glyph: number;
  x: number;
  y: number;
  /** Index of its first character in the line. */
  character: number;
  /** Distance to the next pen; 0 for marks. */
  advance: number;
}

/** A part of a line, which is shaped in one direction. */
export interface LinePart {
  start: number;
  end: number;
  isRtl: boolean;
  /** Whether letters stay apart: spaced letters are not joined into ligatures. */
  isSpaced: boolean;
}

/** An opened font. */
export interface LabelFont {
  /** Number among all opened fonts. */
  readonly id: number;
  /** Distance of baselines, em. */
  readonly leading: number;
  has(codePoint: number): boolean;
  /** The glyph of a character that the font has, without shaping, and its advance in em. */
  glyphOf(codePoint: number): { glyph: number; advance: number };
  /** The size of a text of Latin letters, digits and signs (`PlainSizes`). */
  sizeOf(text: string): PlainSize | undefined;
  /** Shapes a part of a line, from left to right; `width`: its advance in em. */
  shape(line: string, part: LinePart): { glyphs: ShapedGlyph[]; width: number };
  /** The outline of a glyph; empty for blanks and bitmap glyphs. */
  outline(glyph: number): Outline;
}

/** Opens fonts by name on demand; undefined: unknown, or unreadable. */
export function openLabelFonts(
  fileOf: (face: string) => string | undefined,
): (face: string) => LabelFont | undefined {
  const opened = new Map<string, LabelFont | undefined>();
  return (face) => {
    const file = fileOf(face);
    if (file === undefined) return undefined;
    if (!opened.has(file)) opened.set(file, openFont(file, opened.size));
    return opened.get(file);
  };
}

function openFont(file: string, id: number): LabelFont | undefined {
  const font = readFont(file);
  if (!font) return undefined;
  const em = font.face.upem;
  const known = new Map<number, boolean>();
  const has = (codePoint: number): boolean => {
    let answer = known.get(codePoint);
    if (answer === undefined) {
      answer = font.nominalGlyph(codePoint) !== undefined;
      known.set(codePoint, answer);
    }
    return answer;
  };
  const sizes = new PlainSizes(plainFontOf(font));
  const { ascender, descender, lineGap } = font.hExtents();
  return {
    id,
    leading: (ascender - descender + lineGap) / em,
    has,
    glyphOf: (codePoint) => {
      const glyph = font.nominalGlyph(codePoint) ?? 0;
      return { glyph, advance: font.glyphHAdvance(glyph) / em };
    },
    sizeOf: (text) => sizes.sizeOf(text),
    shape: (line, part) => shapePart(font, line, part),
    outline: (glyph) => outlineOf(font, glyph),
  };
}

/** What is needed to measure texts without shaping them. */
const plainFontOf = (font: hb.Font): PlainFont => ({
  em: font.face.upem,
  letter(character) {
    const glyph = font.nominalGlyph(character.charCodeAt(0));
    if (glyph === undefined) return undefined;
    return { glyph, advance: font.glyphHAdvance(glyph), reach: outlineReach(outlineOf(font, glyph)) };
  },
  shape(text, script) {
    buffer.clearContents();
    buffer.addText(text);
    buffer.setDirection(hb.Direction.LTR);
    if (script) buffer.setScript(script);
    buffer.guessSegmentProperties();
    hb.shape(font, buffer);
    const positions = buffer.getGlyphPositions();
    return buffer.getGlyphInfos().map(({ codepoint }, i) => ({
      glyph: codepoint,
      advance: positions[i]!.xAdvance,
    }));
  },
});

/** undefined for a file that is no font; HarfBuzz treats it as a font without tables. */
function readFont(file: string): hb.Font | undefined {
  try {
    const face = new hb.Face(new hb.Blob(plainFont(readFileSync(file))));
    return face.referenceTable('cmap') && new hb.Font(face);
  } catch {
    return undefined;
  }
}

/** Shared buffer: garbage collection alone frees memory of HarfBuzz. */
const buffer = new hb.Buffer();

const withoutLigatures = [new hb.Feature('liga', 0)];

function shapePart(
  font: hb.Font,
  line: string,
  { start, end, isRtl, isSpaced }: LinePart,
): { glyphs: ShapedGlyph[]; width: number } {
  buffer.clearContents();
  buffer.addText(line, start, end - start);
  buffer.setDirection(isRtl ? hb.Direction.RTL : hb.Direction.LTR);
  buffer.guessSegmentProperties();
  hb.shape(font, buffer, isSpaced ? withoutLigatures : []);
  const positions = buffer.getGlyphPositions();
  const em = font.face.upem;
  const glyphs: ShapedGlyph[] = [];
  let width = 0;
  for (const [i, { codepoint: glyph, cluster }] of buffer.getGlyphInfos().entries()) {
    const { xAdvance, xOffset, yOffset } = positions[i]!;
    glyphs.push({
      glyph,
      x: (width + xOffset) / em,
      y: yOffset / em,
      character: cluster,
      advance: xAdvance / em,
    });
    width += xAdvance;
  }
  return { glyphs, width: width / em };
}

/** An outline that is being read, in units of the font. */
interface Drawing {
  pieces: number[];
  x: number;
  y: number;
}

const pen = outlinePen();

function outlinePen(): hb.DrawFuncs {
  const draw = new hb.DrawFuncs();
  const move = (drawing: Drawing, x: number, y: number): void => {
    drawing.x = x;
    drawing.y = y;
  };
  const add = (drawing: Drawing, ...points: number[]): void => {
    drawing.pieces.push(points.length / 2, drawing.x, drawing.y, ...points);
    move(drawing, points.at(-2)!, points.at(-1)!);
  };
  draw.setMoveToFunc((x, y, drawing) => move(drawing as Drawing, x, y));
  draw.setLineToFunc((x, y, drawing) => add(drawing as Drawing, x, y));
  draw.setQuadraticToFunc((cx, cy, x, y, drawing) => add(drawing as Drawing, cx, cy, x, y));
  draw.setCubicToFunc((ax, ay, bx, by, x, y, drawing) => add(drawing as Drawing, ax, ay, bx, by, x, y));
  return draw;
}

function outlineOf(font: hb.Font, glyph: number): Outline {
  const drawing: Drawing = { pieces: [], x: 0, y: 0 };
  font.drawGlyph(glyph, pen, drawing);
  return inEm(drawing.pieces, font.face.upem);
}

/** Divides coordinates by the em; the piece kinds between them stay. */
function inEm(pieces: readonly number[], em: number): Outline {
  const outline: number[] = [];
  for (let i = 0; i < pieces.length; ) {
    const kind = pieces[i++]!;
    outline.push(kind);
    for (const end = i + 2 * kind + 2; i < end; i++) outline.push(pieces[i]! / em);
  }
  return outline;
}
