import { areUtf8, decoderOf } from './encodings.js';

/** Encodings that are told apart by the texts themselves. */
const candidates = ['windows-1251', 'cp866', 'windows-1252'] as const;

/** Encodings that programs write into files whatever the texts are. */
const unreliable = new Set(['windows-1252', 'iso-8859-1', 'cp437', 'cp850']);

/**
 * The encoding of texts (bytes as latin1) that are not all ASCII: UTF-8 where they are valid UTF-8, which texts of a
 * code page hardly ever are by chance; else what the file says (`hint`), unless programs say it without looking; else
 * the code page in which they look most like words.
 */
export function sniffEncoding(texts: readonly string[], hint?: string): string {
  if (areUtf8(texts)) return 'utf-8';
  if (hint && hint !== 'utf-8' && !unreliable.has(hint)) return hint;
  const tried = candidates;
  let best: { encoding: string; score: number } = { encoding: tried[0], score: Number.NEGATIVE_INFINITY };
  for (const encoding of tried) {
    const score = scoreOf(texts, encoding);
    if (score > best.score) best = { encoding, score };
  }
  return best.encoding;
}

function scoreOf(texts: readonly string[], encoding: string): number {
  const decode = decoderOf(encoding);
  let score = 0;
  for (const text of texts) {
    try {
      score += likeness(decode(text));
    } catch {
      score -= 10;
    }
  }
  return score;
}

const common = new Set('оеаинтсрвлкмдпу');
const isCyrillic = /^[\u0400-\u04ff]$/;
const isRussian = /^[А-Яа-яЁё]$/;
const isLatinLetter = /^[\u00c0-\u024fŒœŠšŽžŸ]$/;
const isAsciiLetter = /^[A-Za-z]$/;
const isLower = /^\p{Ll}$/u;
const isUpper = /^\p{Lu}$/u;
const isPunctuation = /^[«»„“”‘’‚–—…№°§·\u00a0®©™±²³€]$/;

/** How much a text looks like words: points for each of its characters beyond ASCII by the one before it and the one after it. */
export function likeness(text: string): number {
  let score = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!;
    if (character < '\x80') continue;
    score += points(character, text[i - 1] ?? ' ', text[i + 1] ?? ' ');
  }
  return score;
}

function points(character: string, before: string, after: string): number {
  if (isCyrillic.test(character)) return cyrillicPoints(character, before);
  if (isLatinLetter.test(character)) {
    // A Latin word has some letters with marks among many without.
    if (isAsciiLetter.test(before) || isAsciiLetter.test(after))
      return isUpper.test(character) && isLower.test(before) ? -1 : 3;
    return isLatinLetter.test(before) || isLatinLetter.test(after) ? -3 : 0;
  }
  if (isPunctuation.test(character)) return isCyrillic.test(before) && isCyrillic.test(after) ? -2 : 0;
  return -4;
}

function cyrillicPoints(character: string, before: string): number {
  if (isAsciiLetter.test(before)) return -2;
  if (isUpper.test(character) && isLower.test(before)) return -2;
  if (common.has(character.toLowerCase())) return 3;
  return isRussian.test(character) ? 2 : 0;
}
