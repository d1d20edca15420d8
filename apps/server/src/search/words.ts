/**
 * The comparison of texts. It equals the function cartulary.search_text of the database, which finds the objects that are
 * ranked here. Pure.
 */

/** Characters of a value that take part in the search. */
export const comparedCharacters = 1_000;
/** Most different words of a phrase that are looked for. */
const wordLimit = 20;

/** Letters that have no decomposition, and the letters that users type for them. */
const plain = { ø: 'o', đ: 'd', ð: 'd', ħ: 'h', ı: 'i', ł: 'l', ŧ: 't', ŋ: 'n', ς: 'σ' };
const pairs = { ß: 'ss', ẞ: 'ss', æ: 'ae', œ: 'oe', þ: 'th' };

/** Maps capital and accented letters of Latin, Greek, Cyrillic and Armenian, and the letters above, to their compared form. */
const letters = ((): ReadonlyMap<string, string> => {
  const map = new Map<string, string>(Object.entries({ ...plain, ...pairs }));
  for (let code = 0x41; code <= 0x556; code++) {
    const capital = String.fromCharCode(code);
    const small = capital.toLowerCase();
    if (small !== capital && capital.normalize('NFKD') === capital) map.set(capital, map.get(small) ?? small);
  }
  return map;
})();

/** Ignored characters: apostrophes, combining marks and invisible characters. */
const ignoredCharacters = new RegExp(
  `[${[
    "'`\\u00ad\\u02b9-\\u02bd\\u0300-\\u036f\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0640",
    '\\u064b-\\u065f\\u0670\\u200b-\\u200f\\u2018\\u2019\\u201b\\u202a-\\u202e\\u2060-\\u2064\\ufeff',
  ].join('')}]+`,
  'gu',
);

/** Separators of words, and characters that are no text. */
const separators =
  /[\0-/:-@[-`{-\u00bf\u00d7\u00f7\u02c2-\u02df\u055a-\u055f\u0589\u058a\u05be\u05c0\u05c3\u05f3\u05f4\u060c\u061b\u061f\u066a-\u066d\u06d4\u0964\u0965\u2000-\u2bff\u3000-\u3004\u3008-\u3020\u3030\u30fb\u{d800}-\u{dfff}\ufffd\u{1f000}-\u{1faff}]+/gu;

/** Characters of scripts without spaces between words: each is a word. */
const singleCharacterWord =
  /[\u3005-\u3007\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u4dbf\u4e00-\u9fff\u{20000}-\u{3ffff}][\u3099\u309a]?/gu;
const startsLone = new RegExp(`^(?:${singleCharacterWord.source})`, 'u');
const endsLone = new RegExp(`(?:${singleCharacterWord.source})$`, 'u');

/** Lower case without combining marks and apostrophes; й stays different from и. */
const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[A-Z\u00c0-\u0556ẞ]/g, (letter) => letters.get(letter) ?? letter)
    .replaceAll('\u0438\u0306', '\u0439')
    .replace(ignoredCharacters, '');

const spaced = (text: string): string => text.replace(singleCharacterWord, ' $& ');

const wordsOf = (text: string): string[] => text.split(separators).filter((word) => word !== '');

/**
 * A text in its compared form: lower case without diacritics, one space between words, before and after. Two spaces where
 * there is no word.
 */
export function searchText(text: string): string {
  const compared = text.length > comparedCharacters ? [...text].slice(0, comparedCharacters).join('') : text;
  return ` ${wordsOf(spaced(folded(compared))).join(' ')} `;
}

export interface Phrase {
  /** The `searchText` of a value that matches exactly. */
  exact: string;
  /** For each word, a part that a `searchText` with this word contains. */
  needles: readonly string[];
}

/**
 * Parses a phrase; undefined when it has no words. A word is found anywhere in a word, one of one or two letters only at its
 * start. Text without spaces between words is found as it stands.
 */
export function readPhrase(text: string): Phrase | undefined {
  const words = wordsOf(folded(text));
  if (!words.length) return undefined;
  const needles = words.map((word) => needle(word));
  return {
    exact: ` ${wordsOf(spaced(words.join(' '))).join(' ')} `,
    needles: [...new Set(needles)].slice(0, wordLimit),
  };
}

function needle(word: string): string {
  const before = startsLone.test(word) || [...word].length < 3 ? ' ' : '';
  const after = endsLone.test(word) ? ' ' : '';
  return `${before}${wordsOf(spaced(word)).join(' ')}${after}`;
}

/** Priorities of the interface: the value equals the phrase, has all of its words, has some. */
export type Priority = 30 | 20 | 10;

/** How the compared values of one object match a phrase, and the index of the best value; undefined: no word occurs. */
export function rank(
  { exact, needles }: Phrase,
  texts: readonly string[],
): { priority: Priority; best: number } | undefined {
  const same = texts.indexOf(exact);
  if (same >= 0) return { priority: 30, best: same };
  const counts = texts.map((text) => needles.filter((one) => text.includes(one)).length);
  const most = Math.max(...counts);
  if (most <= 0) return undefined;
  const hasAll = needles.every((one) => texts.some((text) => text.includes(one)));
  return { priority: hasAll ? 20 : 10, best: counts.indexOf(most) };
}
