import type { ColumnKind } from '../values/convert.js';
import type { Expression } from './expression.js';

/** The id of an object is a whole number, which Mapnik writes with all its digits. */
const idColumn = 'svc_id';

/** No code of a column has colons. */
const suffix = '::text';

/** The name of the column with the numbers of another one as texts. */
const textsOf = (column: string): string => column + suffix;

/** The column whose numbers a column shows as texts; undefined: it shows its own values. */
export const numbersOfTexts = (column: string): string | undefined =>
  column.endsWith(suffix) ? column.slice(0, -suffix.length) : undefined;

/**
 * The expression of a label, in which columns of numbers that are shown as they are become columns of texts: Mapnik writes a number with six
 * digits, 1234567 as `1.23457e+06`. What is calculated stays a number.
 */
export function withTexts(e: Expression, kinds: ReadonlyMap<string, ColumnKind>): Expression {
  switch (e.kind) {
    case 'column':
      return kinds.get(e.name) === 'number' && e.name !== idColumn
        ? { kind: 'column', name: textsOf(e.name) }
        : e;
    case 'binary':
      if (e.op !== '+' || (isNumber(e.left, kinds) && isNumber(e.right, kinds))) return e;
      return { ...e, left: withTexts(e.left, kinds), right: withTexts(e.right, kinds) };
    case 'match':
    case 'replace':
      return { ...e, target: withTexts(e.target, kinds) };
    default:
      return e;
  }
}

/** Whether an expression gives a number. */
function isNumber(e: Expression, kinds: ReadonlyMap<string, ColumnKind>): boolean {
  switch (e.kind) {
    case 'column':
      return kinds.get(e.name) === 'number';
    case 'number':
      return true;
    case 'unary':
      return e.op === '-';
    case 'binary':
      return '-*/%'.includes(e.op) || (e.op === '+' && isNumber(e.left, kinds) && isNumber(e.right, kinds));
    case 'call':
      return true;
    default:
      return false;
  }
}
