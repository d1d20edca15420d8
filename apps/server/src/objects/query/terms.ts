import type { Sql } from '../db/sql.js';
import { badRequest, type ServiceError } from '../errors.js';
import type { Column } from '../layers/layers.js';
import type { Reading } from '../layers/types.js';

/** How a filter is put into a statement. */
export interface FilterContext extends Reading {
  /** Geometries that are not valid are made valid before they are compared: slower, for when the database stumbles over one. */
  robust?: boolean;
}

/** A checked filter: the condition for a statement. */
export type Filter = (context: FilterContext) => Sql;

/** Where in the filter: `filter.args[1]`, and the columns that may be named there. */
export interface Place {
  readonly columns: readonly Column[];
  readonly path: string;
}

export type Operator = (place: Place, args: readonly unknown[]) => Filter;

export const wrongAt = ({ path }: Place, why: string): ServiceError =>
  badRequest(`${path}: ${why}`, { parameters: ['filter'], path });

export const argumentOf = (place: Place, index: number): Place => ({
  ...place,
  path: `${place.path}.args[${index}]`,
});

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function demandCount(place: Place, args: readonly unknown[], min: number, max = min): void {
  if (args.length >= min && args.length <= max) return;
  const count = min === max ? min : max === Number.POSITIVE_INFINITY ? `at least ${min}` : `${min} to ${max}`;
  throw wrongAt(place, `takes ${count} args`);
}

/** The column of `{"property": "code"}`; undefined when the term is something else. Throws when there is no such column. */
export function propertyOf(term: unknown, place: Place): Column | undefined {
  if (!isObject(term) || !('property' in term)) return undefined;
  const { property } = term;
  const column = place.columns.find(({ code, type }) => code === property && type !== 'title');
  if (!column) {
    const shown = typeof property === 'string' ? `'${property.slice(0, 100)}'` : 'of that kind';
    throw wrongAt(place, `the layer has no column ${shown}`);
  }
  return column;
}
