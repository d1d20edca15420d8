/**
 * How numbers that stand beside each other are written: with as many decimals as tell them apart, two digits of the least
 * distance between them; whole ones without. By language.
 */
export function labelNumbers(numbers: readonly number[]): (value: number, lng: string) => string {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b);
  const gaps = sorted.slice(1).map((value, i) => value - sorted[i]!);
  const least = gaps.length ? Math.min(...gaps) : Math.abs(sorted[0] ?? 1) || 1;
  const isWhole = sorted.every(Number.isInteger);
  const decimals = isWhole ? 0 : Math.min(15, Math.max(0, 1 - Math.floor(Math.log10(least))));
  return (value, lng) => formatOf(lng, decimals).format(value === 0 ? 0 : value);
}

const formats = new Map<string, Intl.NumberFormat>();

function formatOf(lng: string, decimals: number): Intl.NumberFormat {
  const key = `${lng}/${decimals}`;
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.NumberFormat(Intl.NumberFormat.supportedLocalesOf(lng)[0] ?? 'en', {
    maximumFractionDigits: decimals,
  });
  if (formats.size < 1000) formats.set(key, made);
  return made;
}
