import makeBidi from 'bidi-js';
import type { Face, Fonts, Weight } from './fonts.js';

const bidi = makeBidi();

/** How a text is set. */
export interface TextStyle {
  /** Points. */
  size: number;
  weight: Weight;
  /** `#rrggbb`. */
  color: string;
  /** Distance of baselines, points. */
  leading: number;
}

/** A piece of a line in one font and direction. Pieces come from left to right. */
export interface Piece {
  text: string;
  face: Face;
  isRtl: boolean;
  /** Points. */
  width: number;
}

/** A line of a text, ready to be drawn. */
export interface TextLine {
  pieces: Piece[];
  width: number;
  /** Whether its paragraph runs from right to left. */
  isRtl: boolean;
}

/** Control characters, halves of surrogate pairs, and the signs that force a direction upon what follows. */
const unwanted = /(?!\n)\p{Cc}|\p{Cs}|[\u00ad\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;

/** Text of anyone as it can be set: composed, without control characters; lines end with \n, at most one is empty. */
export function cleanText(text: string): string {
  return text
    .replace(/\r\n?|[\v\f\x85\u2028\u2029]/g, '\n')
    .replaceAll('\t', ' ')
    .replace(unwanted, '')
    .replace(/(\p{M}{6})\p{M}+/gu, '$1')
    .normalize('NFC')
    .replace(/ *\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** The lines of a text in a column of `width` points; made as they are asked for, since a text may be long. */
export function* linesOf(
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

const sum = (pieces: readonly Piece[]): number => pieces.reduce((total, { width }) => total + width, 0);

const rtlCharacter = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** The level of each code unit (odd: right to left); undefined for a paragraph that runs from left to right throughout. */
function levelsOf(paragraph: string): { levels: Uint8Array; base: number } | undefined {
  if (!rtlCharacter.test(paragraph)) return undefined;
  const { levels, paragraphs } = bidi.getEmbeddingLevels(paragraph, 'auto');
  return { levels, base: paragraphs[0]?.level ?? 0 };
}

const space = ' \\u1680\\u2000-\\u2006\\u2008-\\u200b\\u205f';
/** Between these characters a line may end anywhere, but not before a closing nor after an opening one. */
const ideograph =
  '\\u2e80-\\u312f\\u3190-\\u4dbf\\u4e00-\\ua4cf\\uf900-\\ufaff\\ufe30-\\ufe4f\\uff00-\\uffef\\u{1f300}-\\u{3ffff}';
const opening = '\\u3008\\u300a\\u300c\\u300e\\u3010\\u3014\\uff08\\u201c\\u2018(\\[{';
const closing =
  '\\u3001\\u3002\\u3009\\u300b\\u300d\\u300f\\u3011\\u3015\\u30fc\\uff01\\uff09\\uff0c\\uff0e\\uff1a\\uff1b\\uff1f\\u201d\\u2019)\\]},.:;!?';
const hyphen = '\\-\\u2010\\u2012-\\u2014/\\\\';
/** What stays together on a line, with the spaces behind it. */
const unit = new RegExp(
  `[${opening}]*[${ideograph}]\\p{M}*[${closing}]*[${space}]*|[${hyphen}]*[^${space}${hyphen}${ideograph}]+[${hyphen}]*[${closing}]*[${space}]*|[${hyphen}]+[${space}]*|[${space}]+|.`,
  'gsu',
);
/** Units longer than this are cut without being measured whole. */
const longUnit = 200;

/** A base with its marks and joiners. */
const cluster = /.(?:\p{M}|\u200c|\u200d)*/gsu;

const clustersOf = (text: string): string[] => text.match(cluster) ?? [];

/** What stays together: a unit, or its clusters one by one where it is wider than the column. */
interface Atom {
  length: number;
  /** Without the spaces at its end, and with them. */
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

/** Where the lines of a paragraph begin and end, without the spaces at their ends; one empty line for an empty one. */
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

/** Clusters that no font has are shown as this. */
const unknown = '\u25a1';

interface Run {
  clusters: string[];
  face: Face;
  level: number;
}

/** A line's text as pieces from left to right. */
function piecesOf(text: string, levels: Uint8Array | undefined, { fonts, style }: Setting): Piece[] {
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
  return inVisualOrder(runs).map(({ clusters, face, level }): Piece => {
    const isRtl = level % 2 === 1;
    const shown = isRtl ? mirrored(clusters) : clusters.join('');
    return { text: shown, face, isRtl, width: face.widthOf(shown, style.size, isRtl) };
  });
}

const invisible = /\p{Cf}|\p{Variation_Selector}/gu;
const plain = /^[\p{P}\p{S}\p{Zs}]$/u;

/** The font of a cluster, or those of its characters where no font has them all. Signs stay in the font before them. */
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

/** Rule L2 of UAX 9: from the highest level to the lowest odd one, what is at it or above is reversed. */
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

/** A right-to-left run as it is handed to the shaping, which reverses what is of such a script, but not signs alone. */
function mirrored(clusters: readonly string[]): string {
  const turned = clusters.map((part) => bidi.getMirroredCharacter(part) ?? part);
  return turned.some((part) => rtlCharacter.test(part)) ? turned.join('') : turned.reverse().join('');
}
