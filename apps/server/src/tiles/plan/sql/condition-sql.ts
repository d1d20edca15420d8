import type { FilterTree } from '@cartulary/cartocss';
import { join, type Sql, sql } from '@cartulary/sql';

/** A style's filter as SQL over column values by code: true for every feature that a rule may draw. Throws for an unknown column. */
export function conditionSql(tree: FilterTree, columns: ReadonlyMap<string, Sql>): Sql {
  switch (tree.kind) {
    case 'or':
    case 'and':
      return sql`(${join(
        tree.terms.map((term) => conditionSql(term, columns)),
        ` ${tree.kind} `,
      )})`;
    case 'compare':
      // Without a value an object differs from every value but the empty text, as in Mapnik.
      if (tree.op === '!=' && tree.value !== '')
        return sql`${columnOf(tree.column, columns)} is distinct from ${tree.value}`;
      return sql`${columnOf(tree.column, columns)} ${operators[tree.op]} ${tree.value}`;
    case 'in':
      return sql`${columnOf(tree.column, columns)} in (${join(tree.values.map((value) => sql`${value}`))})`;
    case 'null':
      return sql`${columnOf(tree.column, columns)} is null`;
    case 'not-null':
      return sql`${columnOf(tree.column, columns)} is not null`;
  }
}

const operators = {
  '=': sql`=`,
  '!=': sql`<>`,
  '<': sql`<`,
  '<=': sql`<=`,
  '>': sql`>`,
  '>=': sql`>=`,
} as const;

function columnOf(code: string, columns: ReadonlyMap<string, Sql>): Sql {
  const column = columns.get(code);
  if (!column) throw new Error(`the filter reads the column '${code}', which the layer does not have`);
  return column;
}
