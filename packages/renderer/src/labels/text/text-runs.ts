import makeBidi from 'bidi-js';
import type { LabelFont } from './label-fonts.js';

const bidi = makeBidi();

/** Limit of the characters of a label; the rest is cut off. */
export const maxCharacters = 1_000;

/** Control characters and lone surrogates. */
const unwanted = /[\p{Cc}\p{Cs}\ufeff]/gu;

/** The lines of a text without blanks at their ends; none for a text of blanks. */
export function textLines(text: string): string[] {
  if (simple.test(text) && text.length <= maxCharacters) return [text];
  const lines = text
    .slice(0, maxCharacters)
    .replaceAll('\t', ' ')
    .split(/\r?\n/)
    .map((line) => line.replace(unwanted, '').normalize('NFC').trim());
  while (lines.length > 0 && lines[0] === '') lines.shift();
  while (lines.at(-1) === '') lines.pop();
  return lines;
}

/** One line of Latin letters, digits and signs. */
const simple =
  /^[!-~\u00a1-\u00ac\u00ae-\u024f](?:[ -~\u00a0-\u00ac\u00ae-\u024f]*[!-~\u00a1-\u00ac\u00ae-\u024f])?$/;

/** A part of a line in one font, script and direction. */
export interface TextRun {
  readonly start: number;
  end: number;
  readonly font: LabelFont;
  /** undefined while it has only characters of all scripts. */
  script: string | undefined;
  /** Bidi level; odd: right to left. */
  readonly level: number;
}

/** The fonts of a text: for a cluster, the first font that has all of it; undefined where none does. */
export interface FontChoice {
  readonly first: LabelFont;
  fontOf(cluster: string): LabelFont | undefined;
}

/** The runs of a line, from left to right. */
export function runsOf(line: string, fonts: FontChoice): TextRun[] {
  const levels = rtlCharacter.test(line) ? bidi.getEmbeddingLevels(line, 'auto').levels : undefined;
  if (!levels && simple.test(line) && hasAll(fonts.first, line))
    return [{ start: 0, end: line.length, font: fonts.first, script: 'Latin', level: 0 }];
  const runs: TextRun[] = [];
  for (const { 0: cluster, index } of line.matchAll(clusters)) {
    const last = runs.at(-1);
    const [level, script] = [levels?.[index] ?? 0, scriptOf(cluster)];
    const font =
      last && script === undefined && hasAll(last.font, cluster) ? last.font : fontOf(fonts, cluster);
    const end = index + cluster.length;
    if (last && last.font === font && last.level === level && joins(last.script, script)) {
      last.end = end;
      last.script ??= script;
    } else runs.push({ start: index, end, font, script, level });
  }
  return inVisualOrder(runs);
}

const rtlCharacter = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A base character with its marks and joiners. */
const clusters = /.(?:\p{M}|\u200c|\u200d)*/gsu;

const fontOf = ({ first, fontOf }: FontChoice, cluster: string): LabelFont => fontOf(cluster) ?? first;

/** Characters without a glyph of their own; fonts need not have them. */
const invisible = /[\p{Cf}\p{Variation_Selector}]/u;

/** Whether a font has all characters of a text. */
export function hasAll(font: LabelFont, text: string): boolean {
  for (const character of text)
    if (!font.has(character.codePointAt(0)!) && !invisible.test(character)) return false;
  return true;
}

const joins = (a: string | undefined, b: string | undefined): boolean =>
  a === undefined || b === undefined || a === b;

/** Scripts with their own shaping rules; Chinese and Japanese share `Han`. */
const scriptNames = [
  'Latin',
  'Greek',
  'Cyrillic',
  'Armenian',
  'Georgian',
  'Hebrew',
  'Arabic',
  'Syriac',
  'Thaana',
  'Nko',
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Oriya',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
  'Thai',
  'Lao',
  'Tibetan',
  'Myanmar',
  'Khmer',
  'Mongolian',
  'Ethiopic',
  'Hangul',
] as const;
const scripts = scriptNames.map((name) => [name, new RegExp(`\\p{Script=${name}}`, 'u')] as const);
const han = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}]/u;
const common = /[\p{Script=Common}\p{Script=Inherited}]/u;

const knownScripts = new Map<number, string | undefined>();

/** Script of the first character of a cluster; undefined for characters of all scripts. */
function scriptOf(cluster: string): string | undefined {
  const codePoint = cluster.codePointAt(0)!;
  if (!knownScripts.has(codePoint)) knownScripts.set(codePoint, findScript(String.fromCodePoint(codePoint)));
  return knownScripts.get(codePoint);
}

function findScript(character: string): string | undefined {
  if (common.test(character)) return undefined;
  if (han.test(character)) return 'Han';
  return scripts.find(([, pattern]) => pattern.test(character))?.[0] ?? 'other';
}

/** Rule L2 of the Unicode Bidirectional Algorithm: from the highest level down to 1, reverse all runs at or above it. */
function inVisualOrder(runs: readonly TextRun[]): TextRun[] {
  const ordered = [...runs];
  const highest = ordered.reduce((most, { level }) => Math.max(most, level), 0);
  for (let level = highest; level > 0; level--)
    for (let from = 0; from < ordered.length; from++) {
      let to = from;
      while (to < ordered.length && ordered[to]!.level >= level) to++;
      ordered.splice(from, to - from, ...ordered.slice(from, to).reverse());
      from = Math.max(from, to);
    }
  return ordered;
}
