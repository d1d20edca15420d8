import { type Expression, functionArity } from '../expressions/expression.js';
import { makeCall } from '../expressions/expression-parse.js';
import { didYouMean, type Problems } from '../syntax/problems.js';
import { findForbidden } from '../syntax/tokens.js';
import type { Stylesheet, ValueNode } from '../syntax/tree.js';
import { operate } from './arithmetic.js';
import { namedColors } from './color-names.js';
import { fromHex } from './colors.js';
import { colorFunctions } from './functions.js';
import { filterFunctions, transformFunctions } from './property-functions.js';
import { isTooLarge, type StyleValue, shorten, toExpression } from './values.js';

/** The variables of a text, evaluated on first use. */
export interface Scope {
  readonly problems: Problems;
  readonly variables: Map<string, Variable>;
  /** Number of variables under evaluation. */
  depth: number;
}

/** Depth of variables that reference later definitions. */
const maxVariableDepth = 50;

interface Variable {
  readonly at: number;
  readonly node: ValueNode;
  state: 'new' | 'open' | 'done';
  value: StyleValue | undefined;
}

/** Variables are global. The last definition applies in the whole text. */
export function makeScope(sheet: Stylesheet, problems: Problems): Scope {
  const variables = new Map<string, Variable>();
  for (const item of sheet.items) {
    if (item.kind === 'variable-definition') {
      variables.set(item.name, { at: item.at, node: item.value, state: 'new', value: undefined });
    }
  }
  const scope = { problems, variables, depth: 0 };
  for (const name of variables.keys()) if (!problems.full) variableValue(scope, name, 0);
  return scope;
}

function variableValue(scope: Scope, name: string, at: number): StyleValue | undefined {
  const variable = scope.variables.get(name);
  if (variable === undefined) {
    const names = [...scope.variables.keys()];
    const near = didYouMean(name, names).replace('mean ', 'mean @');
    scope.problems.add(at, `the variable @${shorten(name)} is not defined${near}`);
    return undefined;
  }
  if (variable.state === 'open') {
    scope.problems.add(variable.at, `the variable @${shorten(name)} is defined by itself`);
    return undefined;
  }
  if (variable.state === 'new' && scope.depth >= maxVariableDepth) {
    scope.problems.add(
      variable.at,
      'too many variables lean on each other',
      'define variables before they are used',
    );
    return undefined;
  }
  if (variable.state === 'new') {
    variable.state = 'open';
    scope.depth++;
    variable.value = evaluate(scope, variable.node);
    scope.depth--;
    variable.state = 'done';
  }
  return variable.value;
}

/** Evaluates a value. undefined: a problem was reported. */
export function evaluate(scope: Scope, node: ValueNode): StyleValue | undefined {
  const value = evaluateNode(scope, node);
  if (value === undefined || !isTooLarge(value)) return value;
  scope.problems.add(node.at, 'the value is too large');
  return undefined;
}

function evaluateNode(scope: Scope, node: ValueNode): StyleValue | undefined {
  switch (node.kind) {
    case 'number':
      return evaluateNumber(scope, node);
    case 'hex-color':
      return { kind: 'color', color: fromHex(node.digits) };
    case 'string':
      return { kind: 'string', raw: node.raw, at: node.at + 1 };
    case 'word':
      return evaluateWord(node.name);
    case 'variable':
      return variableValue(scope, node.name, node.at);
    case 'column':
      return evaluateColumn(scope, node);
    case 'url':
      return evaluateUrl(scope, node.name);
    case 'call':
      return evaluateCall(scope, node);
    case 'operation':
      return evaluateOperation(scope, node);
    case 'negation':
      return evaluateNegation(scope, node);
    case 'words':
    case 'list':
      return evaluateItems(scope, node);
  }
}

/** A pixel is 0.28 mm wide, as in Mapnik and in the standards of OGC. */
const pixelsPerInch = 25.4 / 0.28;

/** Lengths on paper: how many of them are an inch. */
const lengthsPerInch: ReadonlyMap<string, number> = new Map([
  ['in', 1],
  ['m', 0.0254],
  ['cm', 2.54],
  ['mm', 25.4],
  ['pt', 72],
  ['pc', 6],
]);

type Node<K extends ValueNode['kind']> = Extract<ValueNode, { kind: K }>;

function evaluateNumber(scope: Scope, node: Node<'number'>): StyleValue | undefined {
  const { value, unit, decimal } = node;
  if (unit === '' || unit === 'px' || unit === '%') return { kind: 'number', value, unit, decimal };
  const perInch = lengthsPerInch.get(unit);
  if (perInch !== undefined)
    return { kind: 'number', value: (value / perInch) * pixelsPerInch, unit: 'px', decimal: true };
  scope.problems.add(node.at, `unknown unit '${shorten(unit)}'`, 'px, %, mm, cm, in, pt, pc or no unit');
  return undefined;
}

/** Checks the name of a column: a quoted name, `["…" = 1]`, may contain characters that expressions do not allow. */
function evaluateColumn(scope: Scope, node: Node<'column'>): StyleValue | undefined {
  const { name } = node;
  if (name !== '' && !/[[\]\n\r\t]/.test(name) && findForbidden(name) < 0) {
    return { kind: 'expression', expression: { kind: 'column', name } };
  }
  scope.problems.add(node.at, 'this name of a column is empty or holds a bracket or a line break');
  return undefined;
}

function evaluateWord(name: string): StyleValue {
  const color = namedColors.get(name.toLowerCase());
  return color === undefined ? { kind: 'word', name } : { kind: 'color', color, word: name };
}

function evaluateUrl(scope: Scope, name: string | ValueNode): StyleValue | undefined {
  if (typeof name === 'string') return { kind: 'url', name };
  const value = evaluate(scope, name);
  if (value === undefined) return undefined;
  if (value.kind === 'string') return { kind: 'url', name: value.raw };
  if (value.kind === 'url') return value;
  scope.problems.add(name.at, 'url() takes a name', "url(name) or url('name')");
  return undefined;
}

function evaluateOperation(scope: Scope, node: Node<'operation'>): StyleValue | undefined {
  const left = evaluate(scope, node.left);
  const right = evaluate(scope, node.right);
  if (left === undefined || right === undefined) return undefined;
  const result = operate(node.op, left, right);
  if ('value' in result) return result.value;
  scope.problems.add(node.at, result.fault);
  return undefined;
}

function evaluateNegation(scope: Scope, node: Node<'negation'>): StyleValue | undefined {
  const value = evaluate(scope, node.operand);
  if (value === undefined) return undefined;
  if (value.kind === 'number') return { ...value, value: -value.value };
  if (value.kind === 'expression') {
    return { kind: 'expression', expression: { kind: 'unary', op: '-', operand: value.expression } };
  }
  scope.problems.add(node.at, 'only numbers and columns have a minus');
  return undefined;
}

/** Flattens a list within a list, which comes from a variable. */
function evaluateItems(scope: Scope, node: Node<'words' | 'list'>): StyleValue | undefined {
  const items: StyleValue[] = [];
  let faulty = false;
  let size = 0;
  for (const item of node.items) {
    const value = evaluate(scope, item);
    if (value === undefined) faulty = true;
    else if (value.kind === node.kind) items.push(...value.items);
    else items.push(value);
    size += value?.kind === node.kind ? value.items.length : 1;
    if (size > 1000) {
      scope.problems.add(node.at, 'the list is too long', 'at most 1000 values');
      return undefined;
    }
  }
  return faulty ? undefined : { kind: node.kind, items };
}

function evaluateCall(scope: Scope, node: Node<'call'>): StyleValue | undefined {
  const args = node.args.map((arg) => evaluate(scope, arg));
  if (args.includes(undefined)) return undefined;
  const values = args as StyleValue[];
  const { name } = node;
  const color = colorFunctions.get(name);
  if (color !== undefined) {
    const called = color(values);
    if ('value' in called) return called.value;
    scope.problems.add(node.at, called.fault, called.expected);
    return undefined;
  }
  if (functionArity.has(name)) return evaluateExpressionCall(scope, node, values);
  if (name === 'stop' || filterFunctions.has(name) || transformFunctions.has(name)) {
    return { kind: 'call', name, args: values };
  }
  const known = [
    ...colorFunctions.keys(),
    ...functionArity.keys(),
    ...filterFunctions.keys(),
    ...transformFunctions.keys(),
  ];
  scope.problems.add(node.at, `unknown function ${shorten(name)}()${didYouMean(name, known)}`);
  return undefined;
}

function evaluateExpressionCall(
  scope: Scope,
  node: Node<'call'>,
  values: StyleValue[],
): StyleValue | undefined {
  const args: Expression[] = [];
  for (const [i, value] of values.entries()) {
    const expression = toExpression(value);
    if (expression === undefined) {
      scope.problems.add(node.args[i]?.at ?? node.at, `${node.name}() takes numbers and columns`);
      return undefined;
    }
    args.push(expression);
  }
  const called = makeCall(node.name, args);
  if ('expression' in called) return { kind: 'expression', expression: called.expression };
  scope.problems.add(node.at, called.fault.message, called.fault.expected);
  return undefined;
}
