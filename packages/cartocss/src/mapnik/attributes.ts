import { convertDashes, convertFilters, convertStops, convertTransform } from './attribute-lists.js';
import {
  convertFeatures,
  convertFont,
  convertIcon,
  convertLabel,
  convertPlacements,
} from './attribute-texts.js';
import { namedColors } from './color-names.js';
import { writeColor } from './colors.js';
import { type ConvertContext, type Converted, expressionOf, fault, textOf, toNumber } from './convert.js';
import { colorOf, guardColor } from './data-colors.js';
import { addColumns, type Expression, writeExpression, writeNumber } from './expression.js';
import { didYouMean } from './problems.js';
import type { Property, PropertyType } from './properties.js';
import { unescapeText } from './text.js';
import { describeValue, type Value } from './values.js';

/**
 * The value of a property as Mapnik takes it, its type and range checked; or what is wrong with it. Nothing of the
 * style's text gets into the result but what was understood and written again.
 */
export function convert(property: Property, value: Value, context: ConvertContext): Converted {
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

function convertNumber(property: Property, type: NumberType, value: Value): Converted {
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
    return { attribute: { ...textOf(writeNumber(number)), number } };
  }
  if (read === undefined || read.expression.kind === 'text' || read.expression.kind === 'constant') {
    return wrongType(property, value, expected);
  }
  return convertExpression(property, (e) => clampExpression(e, min, max), read.expression);
}

/**
 * The order matters: Mapnik's `max(least, NaN)` is `least`, and a NaN (of a logarithm) as the spacing of markers makes
 * it run without end.
 */
const clampExpression = (e: Expression, min: number, max: number): Expression => {
  const bound = (value: number): Expression => ({ kind: 'number', value, decimal: !Number.isInteger(value) });
  const upper: Expression = { kind: 'call', name: 'min', args: [e, bound(max)] };
  return { kind: 'call', name: 'max', args: [bound(min), upper] };
};

/** An expression as the value of an attribute, when the property takes one. */
function convertExpression(
  property: Property,
  change: (e: Expression) => Expression,
  expression: Expression,
): Converted {
  if (!property.expression)
    return fault(`${property.name} cannot depend on the data`, describeType(property));
  const columns = new Set<string>();
  addColumns(expression, columns);
  return { attribute: { ...textOf(writeExpression(change(expression))), columns: [...columns] } };
}

const same = (e: Expression): Expression => e;

function convertBoolean(property: Property, value: Value): Converted {
  const name = value.kind === 'word' ? value.name : value.kind === 'string' ? value.raw : undefined;
  if (name === 'true' || name === 'false') return { attribute: textOf(name) };
  if (value.kind === 'word') return wrongType(property, value, 'true or false');
  const read = expressionOf(value);
  if (read === undefined) return wrongType(property, value, 'true or false');
  if ('fault' in read) return read;
  if (read.expression.kind === 'text' || read.expression.kind === 'number')
    return wrongType(property, value, 'true or false');
  return convertExpression(property, same, read.expression);
}

function convertColor(property: Property, value: Value): Converted {
  const color = value.kind === 'string' ? colorOf(unescapeText(value.raw)) : undefined;
  if (value.kind === 'color') return { attribute: textOf(writeColor(value.color)) };
  if (color !== undefined) return { attribute: textOf(writeColor(color)) };
  const read = expressionOf(value);
  if (read === undefined) return wrongType(property, value, 'a colour');
  if ('fault' in read) return read;
  const { kind } = read.expression;
  if (kind === 'text' || kind === 'number' || kind === 'constant')
    return wrongType(property, value, 'a colour');
  return convertExpression(property, guardColor, read.expression);
}

function convertKeyword(property: Property, values: readonly string[], value: Value): Converted {
  const name = value.kind === 'word' ? value.name : value.kind === 'string' ? value.raw : undefined;
  if (name !== undefined && values.includes(name)) return { attribute: textOf(name) };
  const expected = values.join(', ');
  if (value.kind === 'word') return wrongType(property, value, expected);
  const read = expressionOf(value);
  if (read === undefined) return wrongType(property, value, expected);
  if ('fault' in read) return read;
  if (['text', 'number', 'constant'].includes(read.expression.kind))
    return wrongType(property, value, expected);
  return convertExpression(property, same, read.expression);
}

function convertPresence(property: Property, values: readonly string[], value: Value): Converted {
  if (value.kind !== 'word' || !values.includes(value.name))
    return wrongType(property, value, values.join(' or '));
  return { attribute: { form: value.name === 'none' ? 'absent' : 'default', text: '', columns: [] } };
}

function convertCharacter(property: Property, value: Value): Converted {
  const text = value.kind === 'string' ? unescapeText(value.raw) : '';
  if ([...text].length !== 1 || text < ' ') return wrongType(property, value, 'one character in quotes');
  // Mapnik tries a path of attributes first: a bracket would be taken for a column.
  if (text === '[' || text === ']') return fault(`${property.name} cannot be a bracket`, 'another character');
  return { attribute: textOf(text) };
}

/** What a property takes, for messages and for an editor. */
export function describeType(property: Property): string {
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

function wrongType(property: Property, value: Value, expected: string): Converted {
  const { type } = property;
  const words = 'values' in type ? type.values : type.kind === 'color' ? namedColors.keys() : [];
  const hint = value.kind === 'word' ? didYouMean(value.name, words) : '';
  return fault(`${describeValue(value)} is no value of ${property.name}${hint}`, expected);
}
