/** The symbols of deflate (RFC 1951, 3.2.5): bytes, the end of a block, and the lengths of runs. */

export const symbolCount = 286;
export const endOfBlock = 256;

export const [shortestRun, longestRun] = [3, 258];

interface LengthSymbol {
  symbol: number;
  /** Extra bits behind the symbol, which select the length, and their number. */
  extra: number;
  extraBits: number;
}

/** Number of extra bits behind a symbol. */
export const extraBitsOf = (symbol: number): number =>
  symbol < 265 || symbol === 285 ? 0 : (symbol - 261) >> 2;

/** Indexed by run length. */
export const lengthSymbols: readonly LengthSymbol[] = tabulate();

function tabulate(): LengthSymbol[] {
  const table: LengthSymbol[] = [];
  for (let symbol = 257; symbol < 285; symbol++) {
    const extraBits = extraBitsOf(symbol);
    const first = Math.max(shortestRun, table.length);
    for (let extra = 0; extra < 1 << extraBits; extra++) table[first + extra] = { symbol, extra, extraBits };
  }
  table[longestRun] = { symbol: 285, extra: 0, extraBits: 0 };
  return table;
}
