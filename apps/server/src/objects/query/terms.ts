import type { Column, ValueLanguages } from '@cartulary/columns';
import { badRequest, type ServiceError } from '@cartulary/errors';
import type { Sql } from '@cartulary/sql';

/** The languages and options with which a filter becomes SQL. */
export interface FilterContext extends ValueLanguages {
  /** Repairs invalid geometries before they are compared. This is slower, and used after the database failed on one. */
  robust?: boolean;
}

/** A checked filter: gives its condition for a statement. */
export type Filter = (context: FilterContext) => Sql;

/** The coordinate system of the geometries in a filter. */
export interface LiteralCrs {
  /** Its number in the database. */
  readonly srid: number;
  /** Whether a position begins with the coordinate to the north. */
  readonly isNorthFirst: boolean;
}

/** The path of a term in the filter, such as `filter.args[1]`, and the columns that it may name. */
export interface TermPosition {
  readonly columns: readonly Column[];
  readonly path: string;
  /** Absent: longitude and latitude on WGS 84. */
  readonly crs?: LiteralCrs | undefined;
  /** Receives the geometries in `crs`, and then their values in longitude and latitude: EWKB in hexadecimal digits. */
  readonly transformed?: Map<string, string> | undefined;
}

export type Operator = (place: TermPosition, args: readonly unknown[]) => Filter;

export const wrongAt = ({ path }: TermPosition, why: string): ServiceError =>
  badRequest(`${path}: ${why}`, { parameters: ['filter'], path });

export const argumentOf = (place: TermPosition, index: number): TermPosition => ({
  ...place,
  path: `${place.path}.args[${index}]`,
});

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function demandCount(place: TermPosition, args: readonly unknown[], min: number, max = min): void {
  if (args.length >= min && args.length <= max) return;
  const count = min === max ? min : max === Number.POSITIVE_INFINITY ? `at least ${min}` : `${min} to ${max}`;
  throw wrongAt(place, `takes ${count} args`);
}

/** The column of `{"property": "code"}`; undefined for another term. Throws 400 for an unknown column. */
export function propertyOf(term: unknown, place: TermPosition): Column | undefined {
  if (!isObject(term) || !('property' in term)) return undefined;
  const { property } = term;
  const column = place.columns.find(({ code, type }) => code === property && type !== 'title');
  if (!column) {
    const shown = typeof property === 'string' ? `'${property.slice(0, 100)}'` : 'of that kind';
    throw wrongAt(place, `the layer has no column ${shown}`);
  }
  return column;
}
