const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** A number of bytes in the largest unit that it fills: `12 MB`. */
export function bytesText(bytes: number, language: string): string {
  let [value, step] = [bytes, 0];
  while (value >= 1000 && step < units.length - 1) [value, step] = [value / 1000, step + 1];
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: units[step]!,
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: step === 0 || value >= 10 ? 0 : 1,
  }).format(value);
}
