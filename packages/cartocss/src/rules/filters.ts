import { addColumns, type Expression, geometryType } from '../expressions/expression.js';
import { checkPattern } from '../expressions/pattern.js';
import { findForbidden } from '../syntax/tokens.js';
import type { FilterNode, ZoomNode } from '../syntax/tree.js';
import type { ColumnKind, ConvertContext } from '../values/convert.js';
import { evaluate, type Scope } from '../values/evaluate.js';
import { checkColumn } from '../values/settings.js';
import { unescapePattern, unescapeText } from '../values/text.js';
import { describeValue, type StyleValue, toExpression } from '../values/values.js';
import { type Condition, makeCondition } from './conditions.js';
import { maxStyleZoom, type ZoomSet, zoomsWhere } from './zoom.js';

/** Reads one filter. undefined: a problem was reported. */
export function readFilter(scope: Scope, node: FilterNode, context: ConvertContext): Condition | undefined {
  if (scope.problems.full) return undefined;
  const keyValue = evaluate(scope, node.key);
  const value = evaluate(scope, node.value);
  if (keyValue === undefined || value === undefined) return undefined;
  const key = readKey(keyValue);
  if (key === undefined) {
    scope.problems.add(node.key.at, `${describeValue(keyValue)} cannot be compared`, 'a column');
    return undefined;
  }
  const right = node.op === '=~' ? readPattern(value) : readRight(node, key, value);
  if ('fault' in right) {
    scope.problems.add(node.value.at, right.fault, right.expected);
    return undefined;
  }
  const mismatch = checkKinds(node, key, right.expression, context.columns);
  if (mismatch !== undefined) {
    scope.problems.add(node.value.at, mismatch.fault, mismatch.expected);
    return undefined;
  }
  for (const [part, expression] of [
    [node.key, key],
    [node.value, right.expression],
  ] as const) {
    const columns = new Set<string>();
    addColumns(expression, columns);
    for (const column of columns) checkColumn(scope, column, part, context);
  }
  return makeCondition(key, node.op, right.expression);
}

/** A text on the left side (from a variable) is the name of a column. */
function readKey(value: StyleValue): Expression | undefined {
  if (value.kind !== 'string') return value.kind === 'word' ? undefined : toExpression(value);
  const name = unescapeText(value.raw);
  return /[[\]\n\r\t]/.test(name) || name === '' || findForbidden(name) >= 0
    ? undefined
    : { kind: 'column', name };
}

type Right = { expression: Expression } | { fault: string; expected: string };

function readPattern(value: StyleValue): Right {
  if (value.kind !== 'string')
    return { fault: `=~ cannot compare with ${describeValue(value)}`, expected: 'a pattern in quotes' };
  const pattern = unescapePattern(value.raw);
  const fault = checkPattern(pattern);
  return fault === undefined
    ? { expression: { kind: 'text', value: pattern } }
    : { fault, expected: 'a pattern of letters, classes, groups and few repetitions' };
}

const geometryWords = ['point', 'linestring', 'polygon', 'collection'];
const isGeometry = (key: Expression): boolean => key.kind === 'column' && key.name === geometryType;

function readRight(node: FilterNode, key: Expression, value: StyleValue): Right {
  if (isGeometry(key)) return readGeometry(node, value);
  if (value.kind === 'word' && !['true', 'false', 'null'].includes(value.name)) {
    return {
      fault: `the word ${value.name} is neither true, false nor null`,
      expected: `'${value.name}' or [${value.name}]`,
    };
  }
  const expression = toExpression(value);
  if (expression === undefined) {
    const quoted = node.value.kind === 'word' ? `'${node.value.name}'` : 'a number, a text or a column';
    return { fault: `${describeValue(value)} cannot be compared`, expected: quoted };
  }
  if (expression.kind === 'constant' && node.op !== '=' && node.op !== '!=') {
    return {
      fault: `${node.op} cannot compare with ${expression.name}`,
      expected: 'a number, a text or a column',
    };
  }
  return { expression };
}

function readGeometry(node: FilterNode, value: StyleValue): Right {
  const name =
    value.kind === 'word' ? value.name : value.kind === 'number' ? geometryWords[value.value - 1] : undefined;
  const kind = geometryWords.find((word) => word === name);
  if (kind === undefined || (node.op !== '=' && node.op !== '!=')) {
    return {
      fault: `a kind of geometry cannot be compared so`,
      expected: `= or != and ${geometryWords.join(', ')}`,
    };
  }
  return { expression: { kind: 'constant', name: kind as 'point' } };
}

/** Reports comparisons of different types: they are always false, so the mistake would be hidden. */
function checkKinds(
  node: FilterNode,
  key: Expression,
  right: Expression,
  columns: ReadonlyMap<string, ColumnKind> | undefined,
): { fault: string; expected: string } | undefined {
  const kind = key.kind === 'column' ? columns?.get(key.name) : undefined;
  if (kind === undefined || key.kind !== 'column' || node.op === '=~') return undefined;
  if (kind === 'number' && right.kind === 'text') {
    const number = right.value.trim() !== '' && Number.isFinite(Number(right.value));
    return {
      fault: `the column '${key.name}' holds numbers`,
      expected: number ? right.value.trim() : 'a number',
    };
  }
  if (kind === 'text' && right.kind === 'number') {
    return { fault: `the column '${key.name}' holds texts`, expected: `'${right.value}'` };
  }
  if (
    kind === 'boolean' &&
    (right.kind === 'text' || (right.kind === 'number' && ![0, 1].includes(right.value)))
  ) {
    return { fault: `the column '${key.name}' holds true and false`, expected: 'true or false' };
  }
  return undefined;
}

/** The levels of `[zoom >= 5]`. undefined: a problem was reported. */
export function readZoom(scope: Scope, node: ZoomNode): ZoomSet | undefined {
  const value = evaluate(scope, node.value);
  if (value === undefined) return undefined;
  const expected = `a whole number from 0 to ${maxStyleZoom}`;
  if (node.op === '=~') {
    scope.problems.add(node.at, 'zoom cannot be compared with =~', '= != < <= > >=');
    return undefined;
  }
  if (value.kind !== 'number' || value.unit !== '') {
    scope.problems.add(node.value.at, `${describeValue(value)} is no zoom level`, expected);
    return undefined;
  }
  if (!Number.isInteger(value.value) || value.value < 0 || value.value > maxStyleZoom) {
    scope.problems.add(node.value.at, `there is no zoom level ${value.value}`, expected);
    return undefined;
  }
  return zoomsWhere(node.op, value.value);
}
