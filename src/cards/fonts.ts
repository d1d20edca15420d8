import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type EmbeddedFont, keepText, shapeOnce } from './extraction.js';
import { fontFiles } from './font-folder.js';
import { plainFont } from './woff.js';

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

/** A font file, with the characters that it is said to have. */
interface FontFile {
  claims(codePoint: number): boolean;
  path(weight: Weight): string;
}

const packages = ['noto-sans', 'noto-sans-arabic', 'noto-sans-hebrew', 'noto-sans-sc'];
const require = createRequire(import.meta.url);

/** The fonts of a document, each opened when a text needs it. `folder`: further ones; '': none. */
export function openFonts(document: FontDocument, folder: string): Fonts {
  const files = [...packages.flatMap(filesOfPackage), ...filesOfFolder(folder)];
  const opened = new Map<string, Face | undefined>();
  const known = new Map<string, Face | undefined>();

  function open(file: FontFile, weight: Weight): Face | undefined {
    const path = file.path(weight);
    if (!opened.has(path)) opened.set(path, openFace(document, path));
    return opened.get(path);
  }

  function search(cluster: string, weight: Weight): Face | undefined {
    const points = Array.from(cluster, (character) => character.codePointAt(0)!);
    for (const file of files) {
      if (!points.every((point) => file.claims(point))) continue;
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

/** A package of @fontsource: a file per Unicode range and weight. */
function filesOfPackage(name: string): FontFile[] {
  const root = dirname(require.resolve(`@fontsource/${name}/package.json`));
  const ranges = JSON.parse(readFileSync(join(root, 'unicode.json'), 'utf8')) as Record<string, string>;
  return Object.entries(ranges).map(([subset, text]) => ({
    claims: claimsOf(text),
    path: (weight) => join(root, 'files', `${name}-${subset.replace(/[[\]]/g, '')}-${weight}-normal.woff`),
  }));
}

/** `U+0000-00FF,U+0131` as a test of code points. */
function claimsOf(text: string): (codePoint: number) => boolean {
  const ranges = text.split(',').map((range) => {
    const [from, to = from] = range
      .trim()
      .slice(2)
      .split('-')
      .map((hex) => Number.parseInt(hex, 16));
    return [from!, to!] as const;
  });
  return (point) => ranges.some(([from, to]) => point >= from && point <= to);
}

const filesOfFolder = (folder: string): FontFile[] =>
  fontFiles(folder).map((path) => ({ claims: () => true, path: () => path }));
