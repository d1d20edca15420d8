import iconv from 'iconv-lite';
import { areUtf8, isAscii } from './encodings.js';
import { type Language, languageOf } from './languages.js';

/** Confidence of a guess. */
export type Certainty = 'certain' | 'likely' | 'uncertain';

/** The encoding that was detected. */
export interface Guess {
  encoding: string;
  certainty: Certainty;
  /** The next likely encoding in which the texts would differ; undefined if there is none. */
  other: string | undefined;
  /** The encoding that the file declares, if it differs from the detected one. */
  against: string | undefined;
  /** Whether the file declares the detected one. */
  isDeclared: boolean;
}

const western = ['en', 'fr', 'de', 'es', 'pt', 'it', 'nl', 'sv', 'da', 'nb', 'fi', 'is', 'ca'];
const central = ['pl', 'cs', 'sk', 'hu', 'ro', 'hr', 'sl', 'de'];
const baltic = ['lt', 'lv', 'et', 'pl', 'en'];
const turkish = ['tr', 'de', 'en'];
const cyrillic = ['ru', 'uk', 'be', 'bg', 'sr', 'mk'];

/** Encodings that the texts themselves can identify: the languages written in them, and their prior (a natural logarithm). */
const candidates: readonly (readonly [encoding: string, languages: readonly string[], rarity: number])[] = [
  ['windows-1252', western, 0],
  ['iso-8859-15', western, 3],
  ['cp850', western, 6],
  ['cp437', western, 6.5],
  ['macintosh', western, 8],
  ['windows-1250', central, 1.5],
  ['iso-8859-2', central, 2.5],
  ['cp852', central, 7],
  ['windows-1257', baltic, 1.5],
  ['iso-8859-13', baltic, 3],
  ['cp775', baltic, 8],
  ['windows-1254', turkish, 1.5],
  ['cp857', turkish, 7],
  ['windows-1251', cyrillic, 0],
  ['cp866', cyrillic, 1],
  ['koi8-r', ['ru', 'bg'], 4],
  ['koi8-u', ['ru', 'uk'], 4.5],
  ['iso-8859-5', cyrillic, 2.5],
  ['cp855', cyrillic, 5],
  ['maccyrillic', cyrillic, 5],
  ['windows-1253', ['el'], 1],
  ['iso-8859-7', ['el'], 2],
  ['cp737', ['el'], 3],
  ['windows-1255', ['he'], 1.5],
  ['iso-8859-8', ['he'], 3],
  ['cp862', ['he'], 4],
  ['windows-1256', ['ar', 'fa'], 1.5],
  ['iso-8859-6', ['ar'], 3],
  ['windows-1258', ['vi'], 4],
  ['windows-874', ['th'], 2],
  ['gbk', ['zh'], 1.5],
  ['big5', ['zh-Hant'], 2],
  ['shift_jis', ['ja'], 1.5],
  ['euc-jp', ['ja'], 3],
  ['euc-kr', ['ko'], 1.5],
];

/** Lists of languages that are written in Latin letters. */
const latin: ReadonlySet<readonly string[]> = new Set([western, central, baltic, turkish]);

/** Penalty for letters of another script in a text of mostly Latin letters, and the number of texts for which it counts. */
const [amongLatin, mostAmong] = [-9, 4];

const isMostlyLatin = (text: string): boolean =>
  text.replace(/[^A-Za-z]/g, '').length >= text.replace(/[^\x80-\xff]/g, '').length;

/** Encodings that programs declare in files whatever the texts are. */
export const saidByHabit: ReadonlySet<string> = new Set(['windows-1252', 'iso-8859-1', 'cp437', 'cp850']);

/** Weight of the declared encoding relative to the texts: about as much as three words, or one word. */
const [said, habit] = [25, 5];

/** Maximum number of distinct words that are examined. */
const mostWords = 600;

/** Minimum distance from the next candidate (a natural logarithm of the likelihood ratio). */
const [certain, likely] = [10, 3];

/** Maximum distance of a declared encoding from the best candidate for which it is taken if the texts decide nothing. */
const possible = 8;

/** Minimum share of valid UTF-8 texts for which the file counts as UTF-8 with some damaged texts. */
const mostlyUtf8 = 0.95;

/**
 * Detects the encoding of texts (bytes as latin1) that are not all ASCII. Valid UTF-8 is taken as UTF-8, since texts of
 * a code page are hardly ever valid UTF-8 by chance. Otherwise the encoding wins in which the texts look most like words
 * of a language, by the frequency of letter pairs. `named` is the encoding that the file declares.
 */
export function sniffEncoding(texts: readonly string[], named?: string): Guess {
  // Files that declare ISO 8859-1 often contain the additional characters of Windows-1252.
  const hint = named === 'iso-8859-1' ? 'windows-1252' : named;
  if (isMostlyUtf8(texts)) {
    const against = hint === undefined || hint === 'utf-8' ? undefined : hint;
    const isDeclared = hint === 'utf-8';
    return { encoding: 'utf-8', certainty: 'certain', other: undefined, against, isDeclared };
  }
  const words = wordsOf(texts);
  const among = amongLatin * Math.min(mostAmong, texts.filter(isMostlyLatin).length);
  const tried = candidatesWith(hint).map(([encoding, languages, rarity]): Tried => {
    const decoded = words.map((word) => decodedWord(word, encoding));
    const failed = words.reduce(
      (sum, word, i) => sum + (decoded[i] === undefined ? impossible * word.length : 0),
      0,
    );
    const score = scoreOf(
      decoded.filter((word) => word !== undefined),
      languages.map(languageOf),
    );
    const strange = latin.has(languages) ? 0 : among;
    return { encoding, decoded, score: score + failed + strange - rarity + bonus(encoding, hint) };
  });
  tried.sort((a, b) => b.score - a.score);
  const { best, other } = bestOf(tried, hint);
  const distance = other ? best.score - other.score : Number.POSITIVE_INFINITY;
  const isAsSaid = hint !== undefined && isSameText(words, hint, best.decoded);
  return {
    encoding: isAsSaid ? hint : best.encoding,
    certainty: distance >= certain ? 'certain' : distance >= likely ? 'likely' : 'uncertain',
    other: other?.encoding,
    against: isAsSaid ? undefined : hint,
    isDeclared: isAsSaid,
  };
}

/** The first of the candidates, unless the second is about as likely and the file declares one that is possible. */
function bestOf(
  tried: readonly Tried[],
  hint: string | undefined,
): { best: Tried; other: Tried | undefined } {
  const differsFrom = (one: Tried) => (another: Tried) =>
    another.decoded.some((word, i) => word !== one.decoded[i]);
  const best = tried[0]!;
  const other = tried.find(differsFrom(best));
  const declared = tried.find(({ encoding }) => encoding === hint);
  const isOpen = other !== undefined && best.score - other.score < likely;
  return isOpen && declared && differsFrom(best)(declared) && best.score - declared.score < possible
    ? { best: declared, other: best }
    : { best, other };
}

/** Includes an encoding that is in no list if the file declares it. */
const candidatesWith = (hint: string | undefined): typeof candidates =>
  hint === undefined || hint === 'utf-8' || candidates.some(([encoding]) => encoding === hint)
    ? candidates
    : [...candidates, [hint, western, 2]];

interface Tried {
  encoding: string;
  decoded: readonly (string | undefined)[];
  score: number;
}

function isMostlyUtf8(texts: readonly string[]): boolean {
  if (areUtf8(texts)) return true;
  if (texts.length < 20) return false;
  const valid = texts.filter((text) => areUtf8([text])).length;
  return valid >= mostlyUtf8 * texts.length;
}

const isSameText = (words: readonly string[], encoding: string, decoded: Tried['decoded']): boolean =>
  words.every((word, i) => decodedWord(word, encoding) === decoded[i]);

const bonus = (encoding: string, hint: string | undefined): number =>
  encoding !== hint ? 0 : saidByHabit.has(encoding) ? habit : said;

/** Distinct words with a byte beyond ASCII, cut at characters that belong to no letter in any encoding. */
function wordsOf(texts: readonly string[]): string[] {
  const words = new Set<string>();
  for (const text of texts) {
    for (const word of text.match(/[\x40-\x7e\x80-\xff]+/g) ?? [])
      if (!isAscii(word)) words.add(word.slice(0, 60));
    if (words.size >= mostWords) break;
  }
  return [...words];
}

/** Decodes a word; returns undefined if the encoding lacks some of its bytes. */
function decodedWord(word: string, encoding: string): string | undefined {
  const text = iconv.decode(Buffer.from(word, 'latin1'), encoding);
  return /[\ufffd\x80-\x9f\p{Co}]/u.test(text) ? undefined : text.normalize('NFC');
}

/** Penalty for a byte in a word that the encoding cannot contain. */
const impossible = -12;

/** Share of the words that belong to the dominant language. */
const ofOneLanguage = 0.8;

/** Likelihood of the words in the language that fits best, with some words of the other languages. */
function scoreOf(words: readonly string[], languages: readonly Language[]): number {
  const table = words.map((word) => languages.map((language) => wordScore(word, language)));
  const sums = languages.map((_, i) => table.reduce((sum, scores) => sum + scores[i]!, 0));
  const main = sums.indexOf(Math.max(...sums));
  return table.reduce((sum, scores) => {
    const best = Math.max(...scores);
    const share = ofOneLanguage * Math.exp(scores[main]! - best) + (1 - ofOneLanguage) / languages.length;
    return sum + best + Math.log(share);
  }, 0);
}

/** Characters of texts other than letters: common ones and rare ones. */
const common = /[«»„“”‘’‚–—…№°§·\u00a0®©™²³½´€]/;
const [everyday, odd] = [-5, -11];
/** Characters that occur directly beside letters. */
const besideLetters = /[«»„“”‘’‚²³´°]/;
/**
 * Penalty for a symbol within a word or beside it, a capital letter, or a letter of another script, where words normally
 * have none.
 */
const [signWithin, signBeside, capitalWithin, otherScript] = [-6, -3, -5, -7];

const isLetter = /[\p{L}\p{M}]/u;
const isUpper = /\p{Lu}/u;
const isLower = /\p{Ll}/u;
const isLatin = /\p{Script=Latin}/u;

function wordScore(word: string, language: Language): number {
  let score = 0;
  let before = ' ';
  const letters = [...word];
  for (const [i, letter] of letters.entries()) {
    if (!isLetter.test(letter)) {
      score += before === ' ' ? 0 : language.likelihood(before, ' ');
      if (letter >= '\x80') {
        score += common.test(letter) ? everyday : odd;
        const [isAfter, isBefore] = [before !== ' ', isLetter.test(letters[i + 1] ?? ' ')];
        if (isAfter && isBefore && letter !== '’') score += signWithin;
        else if ((isAfter || isBefore) && !besideLetters.test(letter)) score += signBeside;
      }
      before = ' ';
      continue;
    }
    const small = letter.toLowerCase();
    score += language.likelihood(before.toLowerCase(), small);
    if (before !== ' ' && (letter >= '\x80' || before >= '\x80')) {
      if (isUpper.test(letter) && isLower.test(before)) score += capitalWithin;
      if (isLatin.test(letter) !== isLatin.test(before)) score += otherScript;
    }
    before = letter;
  }
  return score + (before === ' ' ? 0 : language.likelihood(before.toLowerCase(), ' '));
}
