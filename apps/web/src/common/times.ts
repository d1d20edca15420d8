const units = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** How long ago a time was, in words: `2 hours ago`, `yesterday`. */
export function timeAgo(iso: string, language: string, nowMs = Date.now()): string {
  const seconds = (Date.parse(iso) - nowMs) / 1000;
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  for (const [unit, length] of units)
    if (Math.abs(seconds) >= length) return format.format(Math.trunc(seconds / length), unit);
  return format.format(0, 'second');
}

/** A time with its date, as people write it. */
export const dateAndTime = (language: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
