import type { ExpressionSpecification } from 'maplibre-gl';

/** Which objects of a layer are shown: those with some values of a column, or with values between two ends. */
export interface ColumnFilter {
  /** Code of the column. */
  column: string;
  /** Absent: the ends count. */
  values?: readonly (string | number | boolean)[];
  /** The ends themselves are shown, too. Dates are texts as the service sends them. */
  from?: number | string;
  to?: number | string;
}

/** Layer code → its filter. */
export type Filters = Readonly<Record<string, ColumnFilter>>;

/** A filter as CQL2-JSON, for lists. */
export function cqlOf({ column, values, from, to }: ColumnFilter): unknown {
  const property = { property: column };
  if (values) return values.length ? { op: 'in', args: [property, values] } : false;
  const ends = [
    ...(from === undefined ? [] : [{ op: '>=', args: [property, from] }]),
    ...(to === undefined ? [] : [{ op: '<=', args: [property, to] }]),
  ];
  return ends.length ? { op: 'and', args: ends } : true;
}

/** The same filter for features of vector tiles. Their dates are texts in UTC, whose order is that of time. */
export function expressionOf({ column, values, from, to }: ColumnFilter): ExpressionSpecification {
  const value: ExpressionSpecification = ['get', column];
  if (values) return ['in', ['to-string', value], ['literal', values.map(String)]];
  const typed = (end: number | string): ExpressionSpecification =>
    typeof end === 'number' ? ['to-number', value] : ['to-string', value];
  return [
    'all',
    ['has', column],
    ...(from === undefined ? [] : [['>=', typed(from), from] as ExpressionSpecification]),
    ...(to === undefined ? [] : [['<=', typed(to), to] as ExpressionSpecification]),
  ];
}

const isEnd = (value: unknown): boolean =>
  value === undefined || typeof value === 'string' || Number.isFinite(value);
const isValue = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** The filters in a text of an address; invalid ones are left out. */
export function parseFilters(text: string | null): Filters {
  if (!text) return {};
  try {
    const entries = Object.entries(JSON.parse(text) as Record<string, Partial<ColumnFilter>>);
    return Object.fromEntries(
      entries.flatMap(([layer, filter]) => {
        const { column, values, from, to } = filter ?? {};
        const isValid =
          typeof column === 'string' &&
          (values === undefined || (Array.isArray(values) && values.every(isValue))) &&
          isEnd(from) &&
          isEnd(to);
        return isValid ? [[layer, filter as ColumnFilter]] : [];
      }),
    );
  } catch {
    return {};
  }
}
