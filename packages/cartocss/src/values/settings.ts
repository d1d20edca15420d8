import { numbersOfTexts } from '../expressions/number-texts.js';
import { convert } from '../mapnik/attributes.js';
import { properties, type StyleProperty } from '../properties.js';
import { nearNames } from '../syntax/problems.js';
import type { Declaration, ValueNode } from '../syntax/tree.js';
import type { Attribute, ConvertContext } from './convert.js';
import { evaluate, type Scope } from './evaluate.js';
import { shorten } from './values.js';

/** One checked declaration: its value, its symbolizer and its place (later declarations win). */
export interface Setting {
  readonly property: StyleProperty;
  /** `a` in `a/line-width`. Empty without an instance. */
  readonly instance: string;
  /** Instance and symbolizer: settings with the same key are drawn together. */
  readonly key: string;
  readonly at: number;
  readonly attribute: Attribute;
}

/** Reads one declaration. undefined: a problem was reported. */
export function readSetting(
  scope: Scope,
  declaration: Declaration,
  context: ConvertContext,
): Setting | undefined {
  const { problems } = scope;
  if (problems.full) return undefined;
  const { name, at, instance = '' } = declaration;
  const property = properties.get(name);
  const value = evaluate(scope, declaration.value);
  if (property === undefined) {
    problems.add(at, ...unknownProperty(name));
    return undefined;
  }
  if (value === undefined) return undefined;
  const converted = convert(property, value, context);
  if ('fault' in converted) {
    problems.add(converted.at ?? declaration.value.at, converted.message, converted.expected);
    return undefined;
  }
  const { attribute } = converted;
  for (const column of attribute.columns)
    checkColumn(scope, numbersOfTexts(column) ?? column, declaration.value, context);
  return { property, instance, key: `${instance}/${property.symbolizer}`, at, attribute };
}

function unknownProperty(name: string): [message: string, expected?: string] {
  const [near] = nearNames(name, properties.keys(), 1);
  const message = `unknown property ${shorten(name)}`;
  return near === undefined ? [message] : [`${message}; did you mean ${near}?`, near];
}

/** Reports a column that the layer does not have. */
export function checkColumn(scope: Scope, column: string, node: ValueNode, context: ConvertContext): void {
  if (context.columns === undefined || context.columns.has(column)) return;
  const near = nearNames(column, context.columns.keys(), 5);
  const names = near.length > 0 ? near : [...context.columns.keys()].slice(0, 10);
  const hint = near[0] === undefined ? '' : `; did you mean ${near[0]}?`;
  const message = `the layer has no column '${shorten(column)}'${hint}`;
  scope.problems.add(
    locate(node, column) ?? node.at,
    message,
    names.join(', ') || 'the layer has no columns',
  );
}

/** The offset of a column's name in a value. */
function locate(node: ValueNode, column: string): number | undefined {
  switch (node.kind) {
    case 'column':
      return node.name === column ? node.at : undefined;
    case 'string': {
      const found = node.raw.indexOf(`[${column}]`);
      return found < 0 ? undefined : node.at + 1 + found;
    }
    case 'operation':
      return locate(node.left, column) ?? locate(node.right, column);
    case 'negation':
      return locate(node.operand, column);
    case 'call':
      return first(node.args, column);
    case 'words':
    case 'list':
      return first(node.items, column);
    default:
      return undefined;
  }
}

function first(nodes: readonly ValueNode[], column: string): number | undefined {
  for (const node of nodes) {
    const at = locate(node, column);
    if (at !== undefined) return at;
  }
  return undefined;
}
