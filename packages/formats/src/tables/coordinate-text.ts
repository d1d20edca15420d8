import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import { numberOf, numberReading, withComma } from './numbers.js';
import type { Decimal } from './rules.js';

/** A coordinate in a cell. */
export interface Coordinate {
  value: number;
  /** The axis that its letters name; undefined: none. */
  axis: 'x' | 'y' | undefined;
}

const noValue = /^(?:#?n\/?a|nan|null|none|\\n|[-–—?]+)$/i;

/** Whether a cell is what programs write where there is no value. */
export const isNoValue = (cell: string | number): boolean => typeof cell === 'string' && noValue.test(cell);

/** Letters of directions in English and Russian: the axis, and whether the value is negative. */
const directions: Readonly<Record<string, readonly ['x' | 'y', number]>> = {
  n: ['y', 1],
  s: ['y', -1],
  e: ['x', 1],
  w: ['x', -1],
  север: ['y', 1],
  юг: ['y', -1],
  восток: ['x', 1],
  запад: ['x', -1],
  сш: ['y', 1],
  юш: ['y', -1],
  вд: ['x', 1],
  зд: ['x', -1],
  с: ['y', 1],
  ю: ['y', -1],
  в: ['x', 1],
  з: ['x', -1],
};

const direction = String.raw`(?:север|юг|восток|запад|[сюСЮ]\.?\s?[шШ]\.?|[взВЗ]\.?\s?[дД]\.?|[сювзСЮВЗ]|[nsewNSEW])`;
const number = String.raw`\d+(?:[.,]\d+)?`;
const degrees = String.raw`\s*(?:°|º|˚|deg|гр(?:ад)?\.?|d)?\s*`;
const minutes = String.raw`\s*(?:['′’‘´]|мин\.?|m)?\s*`;
const seconds = String.raw`\s*(?:["″”“„]|['′’‘´]{2}|сек\.?)?\s*`;
const sexagesimal = new RegExp(
  `^(${direction})?\\s*([+-−]?)\\s*(${number})${degrees}(?:(${number})${minutes}(?:(${number})${seconds})?)?(${direction})?$`.replace(
    '[+-−]',
    '[+\\-−]',
  ),
  'iu',
);

/** Parses a coordinate: a number with point or comma, or degrees, minutes and seconds. Undefined for other texts. */
export function coordinateOf(text: string, decimal?: Decimal): Coordinate | undefined {
  const plain = numberReading(text, decimal);
  // An ambiguous comma is a decimal separator, since degrees have no thousands.
  if (plain) {
    const sign = decimal ?? (plain.can & withComma && text.includes(',') ? ',' : '.');
    return { value: numberOf(text, sign), axis: undefined };
  }
  return text.length <= 60 ? degreesOf(text) : undefined;
}

function degreesOf(text: string): Coordinate | undefined {
  const match = sexagesimal.exec(text);
  if (!match) return undefined;
  const [, before, sign, ...rest] = match;
  const parts = rest.slice(0, 3).map((part) => Number((part ?? '0').replace(',', '.')));
  const [d, m, s] = parts as [number, number, number];
  const after = rest[3];
  if (m >= 60 || s >= 60 || (before && after)) return undefined;
  // Only the last part may have a fraction.
  if ((rest[1] !== undefined && d % 1) || (rest[2] !== undefined && m % 1)) return undefined;
  const letters = (before ?? after)?.toLowerCase().replace(/[.\s]/g, '');
  const [axis, factor] = letters === undefined ? [undefined, 1] : directions[letters]!;
  if (sign && letters !== undefined) return undefined;
  const isNegative = sign === '-' || sign === '−';
  return { value: (isNegative ? -1 : factor) * (d + m / 60 + s / 3600), axis };
}

const wrong = (why: string): ServiceError =>
  new ServiceError('value_invalid', noteOf('ofGeometry', { reason: why }), { columns: ['geom'] });

/** Parses a coordinate along an axis. Throws `value_invalid`. */
export function coordinateAlong(axis: 'x' | 'y', cell: string | number, decimal?: Decimal): number {
  if (typeof cell === 'number') return cell;
  const found = coordinateOf(cell, decimal);
  if (!found) throw wrong(noteOf('noCoordinate', { text: cell.slice(0, 50) }));
  if (found.axis && found.axis !== axis) {
    throw wrong(
      noteOf(found.axis === 'y' ? 'latitudeMisplaced' : 'longitudeMisplaced', { text: cell.slice(0, 50) }),
    );
  }
  return found.value;
}

/** Characters of a pair of coordinates; a longer text is not searched for separators, in whatever runs of blanks it has. */
const longestPair = 200;

/** Divides a cell into the two texts of a pair of coordinates; undefined if it is no pair. */
export function pairOf(text: string, decimal?: Decimal): [Coordinate, Coordinate] | undefined {
  if (text.length > longestPair) return undefined;
  const bare = text.replace(/^[([]\s*|\s*[)\]]$/g, '');
  for (const separator of [
    /\s*;\s*/,
    /,\s+/,
    /\s*,\s*/,
    /(?<=[a-zа-я.])\s+(?=\d)|(?<=\d)\s+(?=-?\d+[.,])|\s+(?=[nsew]\s?\d)/iu,
  ]) {
    const parts = bare.split(separator);
    if (parts.length !== 2) continue;
    const [first, second] = parts.map((part) => coordinateOf(part.trim(), decimal));
    if (first && second) return [first, second];
  }
  return undefined;
}
