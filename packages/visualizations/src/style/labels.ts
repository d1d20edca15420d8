import { type Sql, sql } from '@cartulary/sql';

export type NumberLabel = (value: number, lng: string) => string;

/**
 * A formatter, by language, for numbers shown side by side. Decimals show two digits of the smallest difference between
 * them; integers have no decimals.
 */
export function labelNumbers(numbers: readonly number[]): NumberLabel {
  const decimals = decimalsOf(numbers);
  const isWhole = numbers.every(Number.isInteger);
  const shown = isWhole ? 0 : Math.max(0, decimals);
  return (value, lng) => formatOf(lng, shown).format(value === 0 ? 0 : value);
}

/** As `labelNumbers`, but rounds integers too: two digits of the smallest difference, for numbers that are only computed. */
export function labelRounded(numbers: readonly number[]): NumberLabel {
  const label = labelNumbers(numbers);
  const decimals = decimalsOf(numbers);
  const unit = 10 ** -decimals;
  return (value, lng) => label(decimals < 0 ? Math.round(value / unit) * unit : value, lng);
}

/** Decimals that show two digits of the smallest difference; negative: digits before the decimal point that are rounded. */
function decimalsOf(numbers: readonly number[]): number {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b);
  const gaps = sorted.slice(1).map((value, i) => value - sorted[i]!);
  const least = gaps.length ? Math.min(...gaps) : Math.abs(sorted[0] ?? 1) || 1;
  return Math.min(15, 1 - Math.floor(Math.log10(least)));
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

/** SQL expression for a short label of a number, by language: three significant digits and a suffix (k, M, G, T). */
export function compactNumber(value: Sql, lng: string): Sql {
  const thousands = sql`least(4, greatest(0, floor(log(abs(v.v)::numeric) / 3)))::integer`;
  const point = formatOf(lng, 1).formatToParts(1.5)[1]!.value;
  return sql`(
    select case when v.v = 0 then '0' else
      replace(trim_scale(round(m.m::numeric, greatest(0, 2 - floor(log(abs(m.m)::numeric)))::integer))::text, '.', ${point}::text)
        || (array['', 'k', 'M', 'G', 'T'])[1 + t.t] end
    from (select ${value} as v offset 0) v
    cross join lateral (select case when v.v = 0 then 0 else ${thousands} end as t offset 0) t
    cross join lateral (select v.v / 10 ^ (3 * t.t) as m offset 0) m)`;
}
