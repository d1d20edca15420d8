import { type Expression, writeExpression } from '../expressions/expression.js';
import type { Comparison } from '../syntax/tree.js';

/** One comparison of a filter. */
export interface Condition {
  /** The comparison in Mapnik's language. Equal texts mean equal conditions. */
  readonly text: string;
  readonly expression: Expression;
  /** The left side. Conditions with equal keys are comparable. */
  readonly key: string;
  readonly op: Comparison;
  /** The right side if it is constant. */
  readonly constant: string | number | boolean | null | undefined;
}

export function makeCondition(key: Expression, op: Comparison, value: Expression): Condition {
  const expression: Expression =
    op === '=~'
      ? { kind: 'match', target: key, pattern: value.kind === 'text' ? value.value : '' }
      : { kind: 'binary', op, left: key, right: value };
  return {
    text: writeExpression(expression),
    expression,
    key: writeExpression(key),
    op,
    constant: constantOf(value),
  };
}

function constantOf(e: Expression): Condition['constant'] {
  if (e.kind === 'number' || e.kind === 'text') return e.value;
  if (e.kind === 'unary' && e.op === '-' && e.operand.kind === 'number') return -e.operand.value;
  if (e.kind !== 'constant') return undefined;
  const geometries: Record<string, number> = { point: 1, linestring: 2, polygon: 3, collection: 4 };
  if (e.name in geometries) return geometries[e.name];
  return e.name === 'null' ? null : e.name === 'true' ? true : e.name === 'false' ? false : undefined;
}

export type ConditionRelation = 'implied' | 'contradicted' | 'open';

/** The truth of `other` if `known` holds. `open` is always correct. */
export function relate(known: Condition, other: Condition): ConditionRelation {
  if (known.text === other.text) return 'implied';
  const { constant: a } = known;
  const { constant: b } = other;
  if (known.key !== other.key || a === undefined || b === undefined) return 'open';
  if (known.op === '=~' || other.op === '=~') return 'open';
  if (known.op === '!=') return a === b && other.op === '=' ? 'contradicted' : 'open';
  if (a === null || b === null) return relateNull(known, other);
  if (typeof a === 'number' && typeof b === 'number') return relateNumbers(known, other);
  if (typeof a === typeof b && known.op === '=') return relateEqual(a === b, other.op);
  // A value that equals or exceeds a number is not a text. Booleans are excluded, since true equals 1.
  const mixed = typeof a !== typeof b && typeof a !== 'boolean' && typeof b !== 'boolean';
  if (mixed) return other.op === '!=' ? 'implied' : 'contradicted';
  return 'open';
}

/** `known` is an equality with a value of the same kind. The order of texts is not used. */
function relateEqual(same: boolean, op: Comparison): ConditionRelation {
  if (op === '=') return same ? 'implied' : 'contradicted';
  if (op === '!=') return same ? 'contradicted' : 'implied';
  return 'open';
}

/** null equals only null, is neither less nor greater than any value, and differs from every value but the empty text. */
function relateNull(known: Condition, other: Condition): ConditionRelation {
  if (known.constant === '' || other.constant === '') return 'open';
  if (known.constant === null && known.op !== '=') return 'open';
  if (other.constant === null && other.op !== '=' && other.op !== '!=') return 'open';
  if (known.constant === other.constant) return relateEqual(true, other.op);
  return other.op === '!=' ? 'implied' : 'contradicted';
}

interface Interval {
  readonly low: number;
  readonly high: number;
  readonly lowOpen: boolean;
  readonly highOpen: boolean;
}

function intervalOf(op: Comparison, value: number): Interval {
  const low = op === '=' || op === '>' || op === '>=' ? value : Number.NEGATIVE_INFINITY;
  const high = op === '=' || op === '<' || op === '<=' ? value : Number.POSITIVE_INFINITY;
  return { low, high, lowOpen: op === '>', highOpen: op === '<' };
}

/** Whether the intervals overlap. */
function overlap(a: Interval, b: Interval): boolean {
  const low = Math.max(a.low, b.low);
  const high = Math.min(a.high, b.high);
  if (low !== high) return low < high;
  const excluded = (i: Interval): boolean => (i.lowOpen && i.low === low) || (i.highOpen && i.high === low);
  return !excluded(a) && !excluded(b);
}

function within(a: Interval, b: Interval): boolean {
  const above = a.low > b.low || (a.low === b.low && (!b.lowOpen || a.lowOpen));
  const below = a.high < b.high || (a.high === b.high && (!b.highOpen || a.highOpen));
  return above && below;
}

function relateNumbers(known: Condition, other: Condition): ConditionRelation {
  const value = other.constant as number;
  const a = intervalOf(known.op, known.constant as number);
  const b = intervalOf(other.op === '!=' ? '=' : other.op, value);
  if (other.op === '!=') {
    if (!overlap(a, b)) return 'implied';
    return known.op === '=' ? 'contradicted' : 'open';
  }
  if (!overlap(a, b)) return 'contradicted';
  return within(a, b) ? 'implied' : 'open';
}

/** The truth of a condition if all known conditions hold. */
export function relateAll(known: readonly Condition[], other: Condition): ConditionRelation {
  for (const condition of known) {
    const relation = relate(condition, other);
    if (relation !== 'open') return relation;
  }
  return 'open';
}

/** The conjunction of both lists without implied conditions. undefined: they exclude each other. */
export function conjoin(
  known: readonly Condition[],
  added: readonly Condition[],
): readonly Condition[] | undefined {
  let result = known;
  for (const condition of added) {
    const relation = relateAll(result, condition);
    if (relation === 'contradicted') return undefined;
    if (relation === 'open')
      result = [...result.filter((c) => relate(condition, c) !== 'implied'), condition];
  }
  return result;
}
