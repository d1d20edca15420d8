import type { MapLibreExpression } from '@cartulary/cartocss';
import type { DataValue } from '../column.js';

const isNumber = (value: MapLibreExpression): MapLibreExpression => ['==', ['typeof', value], 'number'];

/** Whether a number is in a class, as `classByLimits` has it, in MapLibre's language. */
export function isInLimitClass(
  value: MapLibreExpression,
  limits: readonly number[],
  number: number,
): MapLibreExpression {
  const count = Math.max(0, limits.length - 1);
  if (number === 0) return count ? ['!', isNumber(value)] : true;
  if (number > count) return false;
  const [from, to] = [
    number > 1 ? limits[number - 1]! : undefined,
    number < count ? limits[number]! : undefined,
  ];
  const bounds: MapLibreExpression[] = [
    ...(from === undefined ? [] : [['>=', ['number', value], from]]),
    ...(to === undefined ? [] : [['<', ['number', value], to]]),
  ];
  return ['all', isNumber(value), ...bounds];
}

/** Whether a value is of a class, as `classByValues` has it, in MapLibre's language. Values are unique. */
export function isInValueClass(
  value: MapLibreExpression,
  values: readonly (DataValue | null)[],
  number: number,
): MapLibreExpression {
  if (number > values.length) return false;
  if (number > 0) return ['==', value, values[number - 1]!];
  const others: MapLibreExpression[] = values.map((one) => ['!=', value, one]);
  return others.length ? ['all', ...others] : true;
}
