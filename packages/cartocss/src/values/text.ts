/**
 * Resolves backslashes in strings as Mapnik's expressions do: `\n`, `\t`, `\\`, `\'`, `\"`, `\x41`, `\u0416`. Before any
 * other character a backslash is literal.
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

/** Resolves only `\'`, `\"` and `\\`: in a pattern, `\d` and `\b` belong to the pattern. */
export const unescapePattern = (raw: string): string => raw.replace(/\\([\\'"])/g, '$1');
