import { addColumns, type Expression, writeExpression, writeNumber } from '../expressions/expression.js';
import type { PropertyType, StyleProperty } from '../properties.js';
import { didYouMean } from '../syntax/problems.js';
import { namedColors } from '../values/color-names.js';
import { writeColor } from '../values/colors.js';
import {
  type ConvertContext,
  type ConvertedValue,
  expressionOf,
  fault,
  textAttribute,
  toNumber,
} from '../values/convert.js';
import { colorOf, guardColor } from '../values/data-colors.js';
import { unescapeText } from '../values/text.js';
import { describeValue, type StyleValue } from '../values/values.js';
import { convertDashes, convertFilters, convertStops, convertTransform } from './attribute-lists.js';
import {
  convertFeatures,
  convertFont,
  convertIcon,
  convertLabel,
  convertPlacements,
} from './attribute-texts.js';

/**
 * Converts the value of a property for Mapnik and checks its type and range. The result contains only parsed and rewritten
 * parts of the style's text.
 */
export function convert(property: StyleProperty, value: StyleValue, context: ConvertContext): ConvertedValue {
  const { type } = property;
  if ((value.kind === 'words' || value.kind === 'list') && !takesLists.has(type.kind)) {
    return fault(`${property.name} takes one value, not several`, describeType(property));
  }
  switch (type.kind) {
    case 'number':
      return convertNumber(property, type, value);
    case 'boolean':
      return convertBoolean(property, value);
    case 'color':
      return convertColor(property, value);
    case 'keyword':
      return convertKeyword(property, type.values, value);
    case 'presence':
      return convertPresence(property, type.values, value);
    case 'dashes':
      return convertDashes(property, value);
    case 'transform':
      return convertTransform(property, type.rotateOnly === true, value);
    case 'filters':
      return convertFilters(property, value);
    case 'stops':
      return convertStops(property, value);
    case 'label':
      return convertLabel(property, value, context);
    case 'font':
      return convertFont(property, value, context);
    case 'icon':
      return convertIcon(property, value, context);
    case 'character':
      return convertCharacter(property, value);
    case 'placements':
      return convertPlacements(property, value);
    case 'font-features':
      return convertFeatures(property, value);
  }
}

const takesLists: ReadonlySet<PropertyType['kind']> = new Set([
  'dashes',
  'transform',
  'filters',
  'stops',
  'font',
]);

type NumberType = Extract<PropertyType, { kind: 'number' }>;

function convertNumber(property: StyleProperty, type: NumberType, value: StyleValue): ConvertedValue {
  const { min, max } = type;
  const expected = `a number from ${writeNumber(min)} to ${writeNumber(max)}`;
  const read = expressionOf(value);
  if (read !== undefined && 'fault' in read) return read;
  const constant = read === undefined ? toNumber(value, max === 1) : toNumber(read.expression, max === 1);
  if (constant !== undefined) {
    const number = type.integer ? Math.round(constant) : constant;
    if (number < min || number > max) {
      return fault(
        `${property.name} must be from ${writeNumber(min)} to ${writeNumber(max)}, not ${writeNumber(constant)}`,
        expected,
      );
    }
    return { attribute: { ...textAttribute(writeNumber(number)), number } };
  }
  if (read === undefined || read.expression.kind === 'text' || read.expression.kind === 'constant') {
    return wrongType(property, value, expected);
  }
  return convertExpression(property, (e) => clampExpression(e, min, max), read.expression);
}

/**
 * The order matters: Mapnik's `max(min, NaN)` is `min`. A NaN, such as of a logarithm, as the spacing of markers would make
 * Mapnik loop forever.
 */
const clampExpression = (e: Expression, min: number, max: number): Expression => {
  const bound = (value: number): Expression => ({ kind: 'number', value, decimal: !Number.isInteger(value) });
  const upper: Expression = { kind: 'call', name: 'min', args: [e, bound(max)] };
  return { kind: 'call', name: 'max', args: [bound(min), upper] };
};

/** Writes an expression as the value of an attribute, if the property accepts expressions. */
function convertExpression(
  property: StyleProperty,
  change: (e: Expression) => Expression,
  expression: Expression,
): ConvertedValue {
  if (!property.expression)
    return fault(`${property.name} cannot depend on the data`, describeType(property));
  const columns = new Set<string>();
  addColumns(expression, columns);
  const changed = change(expression);
  return {
    attribute: { ...textAttribute(writeExpression(changed)), columns: [...columns], expression: changed },
  };
}

const same = (e: Expression): Expression => e;

function convertBoolean(property: StyleProperty, value: StyleValue): ConvertedValue {
  const name = value.kind === 'word' ? value.name : value.kind === 'string' ? value.raw : undefined;
  if (name === 'true' || name === 'false') return { attribute: textAttribute(name) };
  if (value.kind === 'word') return wrongType(property, value, 'true or false');
  const read = expressionOf(value);
  if (read === undefined) return wrongType(property, value, 'true or false');
  if ('fault' in read) return read;
  if (read.expression.kind === 'text' || read.expression.kind === 'number')
    return wrongType(property, value, 'true or false');
  return convertExpression(property, same, read.expression);
}

function convertColor(property: StyleProperty, value: StyleValue): ConvertedValue {
  const color = value.kind === 'string' ? colorOf(unescapeText(value.raw)) : undefined;
  if (value.kind === 'color') return { attribute: textAttribute(writeColor(value.color)) };
  if (color !== undefined) return { attribute: textAttribute(writeColor(color)) };
  const read = expressionOf(value);
  if (read === undefined) return wrongType(property, value, 'a colour');
  if ('fault' in read) return read;
  const { kind } = read.expression;
  if (kind === 'text' || kind === 'number' || kind === 'constant')
    return wrongType(property, value, 'a colour');
  return convertExpression(property, guardColor, read.expression);
}

function convertKeyword(
  property: StyleProperty,
  values: readonly string[],
  value: StyleValue,
): ConvertedValue {
  const name = value.kind === 'word' ? value.name : value.kind === 'string' ? value.raw : undefined;
  if (name !== undefined && values.includes(name)) return { attribute: textAttribute(name) };
  const expected = values.join(', ');
  if (value.kind === 'word') return wrongType(property, value, expected);
  const read = expressionOf(value);
  if (read === undefined) return wrongType(property, value, expected);
  if ('fault' in read) return read;
  if (['text', 'number', 'constant'].includes(read.expression.kind))
    return wrongType(property, value, expected);
  return convertExpression(property, same, read.expression);
}

function convertPresence(
  property: StyleProperty,
  values: readonly string[],
  value: StyleValue,
): ConvertedValue {
  if (value.kind !== 'word' || !values.includes(value.name))
    return wrongType(property, value, values.join(' or '));
  return { attribute: { form: value.name === 'none' ? 'absent' : 'default', text: '', columns: [] } };
}

function convertCharacter(property: StyleProperty, value: StyleValue): ConvertedValue {
  const text = value.kind === 'string' ? unescapeText(value.raw) : '';
  if ([...text].length !== 1 || text < ' ') return wrongType(property, value, 'one character in quotes');
  // Mapnik first parses a path expression, in which a bracket starts a column.
  if (text === '[' || text === ']') return fault(`${property.name} cannot be a bracket`, 'another character');
  return { attribute: textAttribute(text) };
}

/** The accepted values of a property, for messages and for an editor. */
function describeType(property: StyleProperty): string {
  const { type } = property;
  switch (type.kind) {
    case 'number':
      return `a number from ${writeNumber(type.min)} to ${writeNumber(type.max)}`;
    case 'boolean':
      return 'true or false';
    case 'color':
      return 'a colour';
    case 'keyword':
    case 'presence':
      return type.values.join(', ');
    default:
      return type.kind;
  }
}

function wrongType(property: StyleProperty, value: StyleValue, expected: string): ConvertedValue {
  const { type } = property;
  const words = 'values' in type ? type.values : type.kind === 'color' ? namedColors.keys() : [];
  const hint = value.kind === 'word' ? didYouMean(value.name, words) : '';
  return fault(`${describeValue(value)} is no value of ${property.name}${hint}`, expected);
}
