import { type Expression, writeExpression } from '../expressions/expression.js';
import { type Condition, relateAll } from './conditions.js';

/** A filter in Mapnik's language: all conditions hold, and no refused list holds completely. Empty: no filter. */
export function writeConditions(
  conditions: readonly Condition[],
  refused: readonly (readonly Condition[])[],
): string {
  const parts = conditions.map((condition) => condition.expression);
  for (const list of refused) {
    const relations = list.map((condition) => relateAll(conditions, condition));
    if (relations.includes('contradicted')) continue;
    const open = list.filter((_, i) => relations[i] === 'open').map((condition) => condition.expression);
    const operand = join(open);
    if (operand !== undefined) parts.push({ kind: 'unary', op: 'not', operand });
  }
  const all = join(parts);
  return all === undefined ? '' : writeExpression(all);
}

function join(parts: readonly Expression[]): Expression | undefined {
  if (parts.length === 0) return undefined;
  return parts.reduce((left, right) => ({ kind: 'binary', op: 'and', left, right }));
}
