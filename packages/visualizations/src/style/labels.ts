import { type Sql, sql } from '@cartulary/sql';

/**
 * A formatter, by language, for numbers shown side by side. Decimals show two digits of the smallest difference between
 * them; integers have no decimals.
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
