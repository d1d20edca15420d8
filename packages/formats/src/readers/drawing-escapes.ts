/** Stands for `%` and the backslash of a marked escape; texts of drawings have no control characters. */
export const escapeMark = '\u0001';

const symbols: Readonly<Record<string, string>> = { d: '°', p: '±', c: '⌀' };

const marked = new RegExp(`${escapeMark}{2}([dpc])|${escapeMark}U\\+([0-9a-f]{4})`, 'gi');

/** The characters that marked escapes name. A code that is no character gives U+FFFD. */
export function withSymbols(text: string): string {
  if (!text.includes(escapeMark)) return text;
  return text
    .replace(marked, (_, symbol?: string, code?: string) =>
      symbol ? symbols[symbol.toLowerCase()]! : String.fromCharCode(Number.parseInt(code!, 16)),
    )
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replaceAll('\0', '\ufffd');
}
