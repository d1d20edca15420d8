import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type FontFiles, findFonts, plainFont } from '@cartulary/fonts';
import PDFDocument from 'pdfkit';
import { type EmbeddedFont, keepText, shapeOnce } from './extraction.js';

/** Regular and semi-bold. */
export type Weight = 400 | 600;

/** A font in the open document. */
export interface Face {
  /** Its name in the document. */
  name: string;
  covers(codePoint: number): boolean;
  /** Width in points; `isRtl` shapes the text as one piece, right to left. */
  widthOf(text: string, size: number, isRtl: boolean): number;
}

export interface Fonts {
  /** The first font that has all characters of a cluster; undefined: none has. */
  faceOf(cluster: string, weight: Weight): Face | undefined;
  /** The font for characters that no font has. */
  base(weight: Weight): Face;
}

/** The members of a PDF document that the fonts use. */
export interface FontDocument {
  registerFont(name: string, bytes: Buffer): unknown;
  font(name: string): unknown;
  /** The font that was selected last. */
  _font: EmbeddedFont;
}

/** The fonts of a document, opened on demand. `folder`: further fonts; '': none. */
export function openDocumentFonts(document: FontDocument, folder: string): Fonts {
  const files = findFonts(folder);
  const opened = new Map<string, Face | undefined>();
  const known = new Map<string, Face | undefined>();

  function open({ regular, semiBold }: FontFiles, weight: Weight): Face | undefined {
    const path = weight === 400 ? regular : semiBold;
    if (!opened.has(path)) opened.set(path, openFace(document, path, folder));
    return opened.get(path);
  }

  function search(cluster: string, weight: Weight): Face | undefined {
    const points = Array.from(cluster, (character) => character.codePointAt(0)!);
    for (const file of files) {
      const face = open(file, weight);
      if (face && points.every((point) => face.covers(point))) return face;
    }
    return undefined;
  }

  return {
    faceOf(cluster, weight) {
      const key = `${weight} ${cluster}`;
      if (!known.has(key)) {
        if (known.size > 50_000) known.clear();
        known.set(key, search(cluster, weight));
      }
      return known.get(key);
    },
    base: (weight) => search('a', weight)!,
  };
}

/** undefined for an unreadable font file, and for one of the operator's folder that cannot be embedded. */
function openFace(document: FontDocument, path: string, folder: string): Face | undefined {
  try {
    const bytes = plainFont(readFileSync(path));
    if (folder && dirname(resolve(path)) === resolve(folder)) tryToEmbed(bytes);
    document.registerFont(path, bytes);
    document.font(path);
  } catch {
    return undefined;
  }
  const font = document._font;
  keepText(font);
  shapeOnce(font);
  const widths = new Map<string, number>();
  const measure = (text: string, isRtl: boolean): number =>
    font.widthOfString(text, 1, isRtl ? [] : undefined);
  return {
    name: path,
    covers: (point) => font.font.hasGlyphForCodePoint(point),
    widthOf(text, size, isRtl) {
      if (text.length > keptText) return size * measure(text, isRtl);
      const key = isRtl ? `<${text}` : `>${text}`;
      const width = widths.get(key) ?? measure(text, isRtl);
      if (widths.size > keptWidths) widths.clear();
      widths.set(key, width);
      return size * width;
    },
  };
}

/** Throws for a font that opens but cannot be embedded, which otherwise only the end of the document would tell. */
function tryToEmbed(font: Buffer): void {
  const trial = new PDFDocument();
  trial.resume();
  trial.registerFont('trial', font).font('trial').text('a');
  trial.end();
}

/** Limits of the kept widths per font and of the characters of their texts: shaping is expensive, and words repeat. */
const keptWidths = 20_000;
const keptText = 24;
