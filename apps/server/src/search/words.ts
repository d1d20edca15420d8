/**
 * How texts are compared: the same as the function cartulary.search_text of the database, by which it finds what is
 * ranked here. Pure.
 */

/** Characters of a value that take part in the search. */
export const comparedCharacters = 1_000;
/** Most different words of a phrase that are looked for. */
const wordLimit = 20;

/** Letters that are no other letter with a sign on it, but are typed as one. */
const plain = { ø: 'o', đ: 'd', ð: 'd', ħ: 'h', ı: 'i', ł: 'l', ŧ: 't', ŋ: 'n', ς: 'σ' };
const pairs = { ß: 'ss', ẞ: 'ss', æ: 'ae', œ: 'oe', þ: 'th' };

/** Capitals without signs of Latin, Greek, Cyrillic and Armenian, and the letters above, to what they are compared as. */
const letters = ((): ReadonlyMap<string, string> => {
  const map = new Map<string, string>(Object.entries({ ...plain, ...pairs }));
  for (let code = 0x41; code <= 0x556; code++) {
    const capital = String.fromCharCode(code);
    const small = capital.toLowerCase();
    if (small !== capital && capital.normalize('NFKD') === capital) map.set(capital, map.get(small) ?? small);
  }
  return map;
})();

/** Apostrophes, signs upon letters and what is not seen: they are as if they were not there. */
const silent = new RegExp(
  `[${[
    "'`\\u00ad\\u02b9-\\u02bd\\u0300-\\u036f\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0640",
    '\\u064b-\\u065f\\u0670\\u200b-\\u200f\\u2018\\u2019\\u201b\\u202a-\\u202e\\u2060-\\u2064\\ufeff',
  ].join('')}]+`,
  'gu',
);

/** What stands between words, and what is no text. */
const between =
  /[\0-/:-@[-`{-\u00bf\u00d7\u00f7\u02c2-\u02df\u055a-\u055f\u0589\u058a\u05be\u05c0\u05c3\u05f3\u05f4\u060c\u061b\u061f\u066a-\u066d\u06d4\u0964\u0965\u2000-\u2bff\u3000-\u3004\u3008-\u3020\u3030\u30fb\u{d800}-\u{dfff}\ufffd\u{1f000}-\u{1faff}]+/gu;

/** Characters of scripts that put no space between words: each is a word. */
const lone =
  /[\u3005-\u3007\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u4dbf\u4e00-\u9fff\u{20000}-\u{3ffff}][\u3099\u309a]?/gu;
const startsLone = new RegExp(`^(?:${lone.source})`, 'u');
const endsLone = new RegExp(`(?:${lone.source})$`, 'u');

/** Without capitals, signs upon letters (but й is no и) and apostrophes. */
const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[A-Z\u00c0-\u0556ẞ]/g, (letter) => letters.get(letter) ?? letter)
    .replaceAll('\u0438\u0306', '\u0439')
    .replace(silent, '');

const spaced = (text: string): string => text.replace(lone, ' $& ');

const wordsOf = (text: string): string[] => text.split(between).filter((word) => word !== '');

/** A text as it is compared: small letters without diacritics, one space between the words, before and after. Two spaces where there is no word. */
export function searchText(text: string): string {
  const compared = text.length > comparedCharacters ? [...text].slice(0, comparedCharacters).join('') : text;
  return ` ${wordsOf(spaced(folded(compared))).join(' ')} `;
}

export interface Phrase {
  /** The `searchText` of a value that matches exactly. */
  exact: string;
  /** For each word what a `searchText` holds that has it. */
  needles: readonly string[];
}

/**
 * The words of a phrase; undefined when it has none. A word is found anywhere in a word, one of one or two letters only
 * at its start. What is written without spaces between words is found as it stands.
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

/** Priorities of the interface: the phrase and the data are the same, all of its words are there, some are. */
export type Priority = 30 | 20 | 10;

/** How the values of one object, as they are compared, match a phrase, and the index of the one that does best; undefined: no word is there. */
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
