import { readFileSync } from 'node:fs';
import { type FontFiles, findFonts } from '../fonts/files.js';
import { plainFont } from '../fonts/woff.js';
import { type EmbeddedFont, keepText, shapeOnce } from './extraction.js';

/** Regular and semi-bold. */
export type Weight = 400 | 600;

/** A font in the document that is being made. */
export interface Face {
  /** By which the document knows it. */
  name: string;
  covers(codePoint: number): boolean;
  /** In points; `isRtl` shapes the text as one piece, right to left. */
  widthOf(text: string, size: number, isRtl: boolean): number;
}

export interface Fonts {
  /** The first font that has all characters of a cluster; undefined when none has them. */
  faceOf(cluster: string, weight: Weight): Face | undefined;
  /** The font for what none has. */
  base(weight: Weight): Face;
}

/** What the fonts need of a PDF document. */
export interface FontDocument {
  registerFont(name: string, bytes: Buffer): unknown;
  font(name: string): unknown;
  /** The font that was chosen last. */
  _font: EmbeddedFont;
}

/** The fonts of a document, each opened when a text needs it. `folder`: further ones; '': none. */
export function openFonts(document: FontDocument, folder: string): Fonts {
  const files = findFonts(folder);
  const opened = new Map<string, Face | undefined>();
  const known = new Map<string, Face | undefined>();

  function open({ regular, semiBold }: FontFiles, weight: Weight): Face | undefined {
    const path = weight === 400 ? regular : semiBold;
    if (!opened.has(path)) opened.set(path, openFace(document, path));
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

/** undefined for a file that is no font that can be read. */
function openFace(document: FontDocument, path: string): Face | undefined {
  try {
    document.registerFont(path, plainFont(readFileSync(path)));
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

/** Shaping is dear and words come again: so many widths are kept by font, of texts up to so many characters. */
const keptWidths = 20_000;
const keptText = 24;
