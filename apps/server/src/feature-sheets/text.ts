import makeBidi from 'bidi-js';
import type { Face, Fonts, Weight } from './fonts.js';

const bidi = makeBidi();

/** The style of a text. */
export interface TextStyle {
  /** Points. */
  size: number;
  weight: Weight;
  /** `#rrggbb`. */
  color: string;
  /** Distance of baselines, points. */
  leading: number;
}

/** A piece of a line in one font and direction; pieces come from left to right. */
export interface LinePiece {
  text: string;
  face: Face;
  isRtl: boolean;
  /** Points. */
  width: number;
}

/** A line of a text with its glyph runs. */
export interface TextLine {
  pieces: LinePiece[];
  width: number;
  /** Whether its paragraph runs from right to left. */
  isRtl: boolean;
}

/** Control characters, lone surrogates, and characters that override the direction. */
const unwanted = /(?!\n)\p{Cc}|\p{Cs}|[\u00ad\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;

/**
 * Normalizes user text for layout: composed, without control characters; lines end with
 * , with at most one empty line between them.
 */
export function cleanText(text: string): string {
  return text
    .replace(/\r\n?|[\v\f\x85\u2028\u2029]/g, '\n')
    .replaceAll('\t', ' ')
    .replace(unwanted, '')
    .replace(/(\p{M}{6})\p{M}+/gu, '$1')
    .normalize('NFC')
    .replace(/(?<! ) +\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Breaks a text into lines of `width` points; lazily, since a text may be long. */
export function* wrappedLines(
  text: string,
  style: TextStyle,
  { width, fonts }: { width: number; fonts: Fonts },
): Generator<TextLine> {
  const setting = { fonts, style };
  for (const paragraph of cleanText(text).split('\n')) {
    const levels = levelsOf(paragraph);
    const isRtl = (levels?.base ?? 0) % 2 === 1;
    const widthOf = (part: string): number => sum(piecesOf(part, undefined, setting));
    for (const [start, end] of breaksOf(paragraph, width, widthOf)) {
      const line = paragraph.slice(start, end);
      const pieces = piecesOf(line, levels?.levels.subarray(start, end), setting);
      yield { pieces, width: sum(pieces), isRtl };
    }
  }
}

const sum = (pieces: readonly LinePiece[]): number => pieces.reduce((total, { width }) => total + width, 0);

const rtlCharacter = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Bidi level of each code unit (odd: right to left); undefined for a paragraph of left-to-right text. */
function levelsOf(paragraph: string): { levels: Uint8Array; base: number } | undefined {
  if (!rtlCharacter.test(paragraph)) return undefined;
  const { levels, paragraphs } = bidi.getEmbeddingLevels(paragraph, 'auto');
  return { levels, base: paragraphs[0]?.level ?? 0 };
}

const space = ' \\u1680\\u2000-\\u2006\\u2008-\\u200b\\u205f';
/** Lines may break between these characters, except before closing and after opening ones. */
const ideograph =
  '\\u2e80-\\u312f\\u3190-\\u4dbf\\u4e00-\\ua4cf\\uf900-\\ufaff\\ufe30-\\ufe4f\\uff00-\\uffef\\u{1f300}-\\u{3ffff}';
const opening = '\\u3008\\u300a\\u300c\\u300e\\u3010\\u3014\\uff08\\u201c\\u2018(\\[{';
const closing =
  '\\u3001\\u3002\\u3009\\u300b\\u300d\\u300f\\u3011\\u3015\\u30fc\\uff01\\uff09\\uff0c\\uff0e\\uff1a\\uff1b\\uff1f\\u201d\\u2019)\\]},.:;!?';
const hyphen = '\\-\\u2010\\u2012-\\u2014/\\\\';
/** An unbreakable unit, with the spaces after it. */
const unit = new RegExp(
  `[${opening}]*[${ideograph}]\\p{M}*[${closing}]*[${space}]*|[${hyphen}]*[^${space}${hyphen}${ideograph}]+[${hyphen}]*[${closing}]*[${space}]*|[${hyphen}]+[${space}]*|[${space}]+|.`,
  'gsu',
);
/** Units longer than this are broken without being measured. */
const longUnit = 200;

/** A base character with its marks and joiners. */
const cluster = /.(?:\p{M}|\u200c|\u200d)*/gsu;

const clustersOf = (text: string): string[] => text.match(cluster) ?? [];

/** An unbreakable unit; a unit wider than the column is divided into its clusters. */
interface Atom {
  length: number;
  /** Width without trailing spaces, and with them. */
  own: number;
  full: number;
}

function* atomsOf(text: string, width: number, widthOf: (part: string) => number): Generator<Atom> {
  for (const [part] of text.matchAll(unit)) {
    const word = part.trimEnd();
    const own = word.length > longUnit ? Number.POSITIVE_INFINITY : widthOf(word);
    if (own > width) {
      for (const piece of clustersOf(part)) {
        const narrow = widthOf(piece);
        yield { length: piece.length, own: narrow, full: narrow };
      }
    } else {
      const full = word.length < part.length ? own + widthOf(part.slice(word.length)) : own;
      yield { length: part.length, own, full };
    }
  }
}

/** Start and end of the lines of a paragraph, without trailing spaces; an empty paragraph gives one empty line. */
function* breaksOf(
  text: string,
  width: number,
  widthOf: (part: string) => number,
): Generator<[start: number, end: number]> {
  let [start, end, used] = [0, 0, 0];
  const line = (): [number, number] => [start, start + text.slice(start, end).trimEnd().length];
  for (const { length, own, full } of atomsOf(text, width, widthOf)) {
    if (used + own > width && end > start) {
      yield line();
      [start, used] = [end, 0];
    }
    end += length;
    used += full;
  }
  yield line();
}

interface Setting {
  fonts: Fonts;
  style: TextStyle;
}

/** Replacement of clusters that no font has. */
const unknown = '\u25a1';

interface Run {
  clusters: string[];
  face: Face;
  level: number;
}

/** A line's text as pieces, from left to right. */
function piecesOf(text: string, levels: Uint8Array | undefined, { fonts, style }: Setting): LinePiece[] {
  const runs: Run[] = [];
  let at = 0;
  for (const part of clustersOf(text)) {
    const level = levels?.[at] ?? 0;
    at += part.length;
    for (const { shown, face } of facesOf(part, runs.at(-1)?.face, fonts, style.weight)) {
      const last = runs.at(-1);
      if (last && last.face === face && last.level === level) last.clusters.push(shown);
      else runs.push({ clusters: [shown], face, level });
    }
  }
  return inVisualOrder(runs).map(({ clusters, face, level }): LinePiece => {
    const isRtl = level % 2 === 1;
    const shown = isRtl ? mirrored(clusters) : clusters.join('');
    return { text: shown, face, isRtl, width: face.widthOf(shown, style.size, isRtl) };
  });
}

const invisible = /\p{Cf}|\p{Variation_Selector}/gu;
const plain = /^[\p{P}\p{S}\p{Zs}]$/u;

/** The font of a cluster, or the fonts of its characters when no font has all. Punctuation stays in the font of the text before it. */
function facesOf(
  part: string,
  before: Face | undefined,
  fonts: Fonts,
  weight: Weight,
): { shown: string; face: Face }[] {
  if (before && plain.test(part) && before.covers(part.codePointAt(0)!))
    return [{ shown: part, face: before }];
  const whole = fonts.faceOf(part, weight);
  if (whole) return [{ shown: part, face: whole }];
  const visible = part.replace(invisible, '');
  if (visible === '') return [];
  const found = Array.from(visible, (shown) => ({ shown, face: fonts.faceOf(shown, weight) }));
  if (!found[0]!.face) {
    const face = fonts.faceOf(unknown, weight);
    return [face ? { shown: unknown, face } : { shown: '?', face: fonts.base(weight) }];
  }
  return found.flatMap(({ shown, face }) => (face ? [{ shown, face }] : []));
}

/** Rule L2 of UAX 9: from the highest level to the lowest odd one, reverse all runs at or above it. */
function inVisualOrder(runs: Run[]): Run[] {
  const ordered = [...runs];
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highest; level > 0; level--) {
    for (let from = 0; from < ordered.length; from++) {
      if (ordered[from]!.level < level) continue;
      let to = from;
      while (to < ordered.length && ordered[to]!.level >= level) to++;
      ordered.splice(from, to - from, ...ordered.slice(from, to).reverse());
      from = to;
    }
  }
  return ordered;
}

/** A right-to-left run for the shaper, which reverses right-to-left scripts, but not punctuation alone. */
function mirrored(clusters: readonly string[]): string {
  const turned = clusters.map((part) => bidi.getMirroredCharacter(part) ?? part);
  return turned.some((part) => rtlCharacter.test(part)) ? turned.join('') : turned.reverse().join('');
}
