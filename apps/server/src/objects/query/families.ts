import { acceptScalar, type Column } from '@cartulary/columns';
import { type Sql, sql } from '@cartulary/sql';
import { isObject } from './terms.js';

/** Families of types whose values compare with each other. */
export type Family = 'number' | 'text' | 'datetime' | 'bool';

/** The family of a column's type; undefined for a type without comparison. */
export const familyOf = ({ type }: Pick<Column, 'type'>): Family | undefined => families[type];

const families: Partial<Record<Column['type'], Family>> = {
  number: 'number',
  string: 'text',
  text: 'text',
  file: 'text',
  datetime: 'datetime',
  bool: 'bool',
};

/** Whether a column's values may be compared and sorted. */
export const isComparable = (column: Pick<Column, 'type'>): boolean => familyOf(column) !== undefined;

/** The SQL types in which values compare. */
export const familyTypes = {
  number: sql`double precision`,
  text: sql`text`,
  datetime: sql`timestamptz`,
  bool: sql`boolean`,
} as const;

/** Whether a column's values compare as texts. */
export const comparesAsText = (column: Pick<Column, 'type'>): boolean => familyOf(column) === 'text';

/** The SQL type in which values of a column compare. */
export const sqlTypeOf = (column: Pick<Column, 'type'>): Sql => familyTypes[familyOf(column) ?? 'text'];

/** `svc_id` is a bigint. Comparing it as a bigint lets the planner use its index. */
export const typeFor = (column: Column, values: readonly unknown[]): Sql =>
  column.code === 'svc_id' && values.every(Number.isSafeInteger) ? sql`bigint` : sqlTypeOf(column);

/**
 * Text is ordered by the root collation of Unicode (CLDR). Both database engines have it, so the order does not depend on the
 * installation.
 */
export const orderedText = (column: Pick<Column, 'type'>, value: Sql): Sql =>
  comparesAsText(column) ? sql`(${value}) collate "und-x-icu"` : value;

/** The column has one of the values, which are of its type. An empty list gives false. */
export const isAmong = (column: Column, value: Sql, values: readonly unknown[]): Sql =>
  sql`${value} = any(${[...values]}::${typeFor(column, values)}[])`;

/** The value of a literal of this family; undefined where the term is no such literal. */
export function literalValue(term: unknown, family: Family): unknown {
  switch (family) {
    case 'number':
      return Number.isFinite(term) ? term : undefined;
    case 'bool':
      return typeof term === 'boolean' ? term : undefined;
    case 'text':
      return typeof term === 'string' ? accepted('text', term) : undefined;
    case 'datetime': {
      const value = isObject(term) ? (term.timestamp ?? term.date) : term;
      return typeof value === 'string' || typeof value === 'number' ? accepted('datetime', value) : undefined;
    }
  }
}

function accepted(type: 'text' | 'datetime', value: unknown): unknown {
  try {
    return acceptScalar(type, value);
  } catch {
    return undefined;
  }
}
