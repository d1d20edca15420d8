import { addColumns, type Expression, writeExpression } from '../expressions/expression.js';
import { withTexts } from '../expressions/number-texts.js';
import type { StyleProperty } from '../properties.js';
import { nearNames } from '../syntax/problems.js';
import {
  type ConvertContext,
  type ConvertedValue,
  expressionOf,
  fault,
  omitted,
  textAttribute,
} from '../values/convert.js';
import { unescapeText } from '../values/text.js';
import { describeValue, type StyleValue, shorten } from '../values/values.js';

/** The text of a label: an expression over columns and texts. */
export function convertLabel(
  property: StyleProperty,
  value: StyleValue,
  context: ConvertContext,
): ConvertedValue {
  const expected = `[column] or "[column] + ' text'"`;
  if (value.kind === 'word' && value.name === 'none') return fault(`${property.name} needs a text`, expected);
  if (value.kind === 'word')
    return fault(`${describeValue(value)} is no value of ${property.name}`, `[${value.name}]`);
  if (value.kind === 'number' && value.unit !== '%')
    return label({ kind: 'text', value: String(value.value) }, context);
  // An empty text is not an expression, but an empty label is harmless.
  if (value.kind === 'string' && value.raw.trim() === '') return label({ kind: 'text', value: '' }, context);
  const read = expressionOf(value);
  if (read === undefined) return fault(`${describeValue(value)} is no value of ${property.name}`, expected);
  if ('fault' in read) return read;
  const { expression } = read;
  const forgotten = expression.kind === 'text' && value.kind === 'string' && !/['"]/.test(value.raw);
  if (forgotten && context.columns?.has(expression.value)) {
    return fault(`'${shorten(expression.value)}' is a column and needs brackets`, `[${expression.value}]`);
  }
  return label(expression, context);
}

function label(expression: Expression, { columns: kinds }: ConvertContext): ConvertedValue {
  const drawn = kinds ? withTexts(expression, kinds) : expression;
  const columns = new Set<string>();
  addColumns(drawn, columns);
  return {
    attribute: { form: 'label', text: writeExpression(drawn), columns: [...columns], expression },
  };
}

const maxFaces = 200;

/** A font or a list of fonts in order of preference. */
export function convertFont(
  property: StyleProperty,
  value: StyleValue,
  context: ConvertContext,
): ConvertedValue {
  const items = value.kind === 'list' ? value.items : [value];
  const faces: string[] = [];
  for (const item of items) {
    if (item.kind !== 'string')
      return fault(`${describeValue(item)} is no value of ${property.name}`, 'the name of a font in quotes');
    const face = unescapeText(item.raw);
    if (context.fonts && !context.fonts.includes(face)) return unknownFont(face, context.fonts);
    faces.push(face);
  }
  if (faces.length > maxFaces) return fault(`${property.name} has too many fonts`, `at most ${maxFaces}`);
  return { attribute: { form: 'fonts', text: '', columns: [], faces } };
}

function unknownFont(face: string, fonts: readonly string[]): ConvertedValue {
  const lower = face.toLowerCase();
  const near = nearNames(face, fonts, 5);
  const family = fonts.filter(
    (font) => font.toLowerCase().startsWith(lower) || lower.startsWith(font.toLowerCase()),
  );
  const names = [...new Set([...near, ...family])].slice(0, 5);
  return fault(`unknown font '${shorten(face)}'`, (names.length > 0 ? names : fonts.slice(0, 5)).join(', '));
}

/** A key of the icon registry. Paths, addresses and expressions are refused. */
export function convertIcon(
  property: StyleProperty,
  value: StyleValue,
  context: ConvertContext,
): ConvertedValue {
  if (value.kind === 'word' && value.name === 'none' && !property.required) return { attribute: omitted };
  if (value.kind !== 'url' && value.kind !== 'string') {
    return fault(`${property.name} takes the name of an icon, not ${describeValue(value)}`, 'url(name)');
  }
  const name = value.kind === 'url' ? value.name : value.raw;
  const file = context.icons ? context.icons.get(name) : name;
  // Mapnik reads brackets in a file name as columns.
  if (file === undefined || /[[\]]/.test(file)) {
    const near = nearNames(name, context.icons?.keys() ?? [], 3);
    return fault(
      `unknown icon '${shorten(name)}'`,
      near.length > 0 ? near.join(', ') : 'the name of an icon',
    );
  }
  return { attribute: { ...textAttribute(file), icon: name } };
}

const placement = /^(?:[NSEWX]|NE|NW|SE|SW|\d{1,3}(?:\.\d{1,2})?)$/;

/** `E,NE,SE,12,10`: alternative positions, then sizes. */
export function convertPlacements(property: StyleProperty, value: StyleValue): ConvertedValue {
  const expected = '"E,NE,SE,12,10": positions, then sizes';
  if (value.kind !== 'string')
    return fault(`${describeValue(value)} is no value of ${property.name}`, expected);
  const parts = value.raw.split(',').map((part) => part.trim());
  const sizes = parts.filter((part) => /^\d/.test(part));
  const ordered = parts.slice(parts.length - sizes.length).every((part) => /^\d/.test(part));
  const sized = sizes.every((size) => Number(size) >= 1 && Number(size) <= 256);
  if (parts.length > 30 || !ordered || !sized || !parts.every((part) => placement.test(part))) {
    return fault(`'${shorten(value.raw)}' is no value of ${property.name}`, expected);
  }
  return { attribute: textAttribute(parts.join(',')) };
}

const feature = /^[+-]?[A-Za-z0-9]{4}(?:=\d{1,3})?$/;

/** `liga=0, smcp`: OpenType features. */
export function convertFeatures(property: StyleProperty, value: StyleValue): ConvertedValue {
  const expected = '"liga=0, smcp=1"';
  if (value.kind !== 'string')
    return fault(`${describeValue(value)} is no value of ${property.name}`, expected);
  const parts = value.raw.split(',').map((part) => part.trim());
  if (parts.length > 20 || !parts.every((part) => feature.test(part))) {
    return fault(`'${shorten(value.raw)}' is no value of ${property.name}`, expected);
  }
  return { attribute: textAttribute(parts.join(',')) };
}
