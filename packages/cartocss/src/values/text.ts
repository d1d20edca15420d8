/**
 * Backslashes in strings mean what Mapnik's expressions make of them: `\n`, `\t`, `\\`, `\'`, `\"`, `\x41`, `\u0416`;
 * before anything else a backslash stands for itself.
 */
export function unescapeText(raw: string): string {
  return raw.replace(
    /\\(?:([abfnrtv\\'"])|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))/g,
    (_, letter, hex2, hex4) => {
      if (letter !== undefined) return escapes.get(letter) ?? letter;
      return String.fromCharCode(Number.parseInt(hex2 ?? hex4, 16));
    },
  );
}

const escapes = new Map([
  ['a', '\u0007'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
]);

/** In a pattern only quotes and the backslash itself are escaped; `\d` and `\b` belong to the pattern. */
export const unescapePattern = (raw: string): string => raw.replace(/\\([\\'"])/g, '$1');
