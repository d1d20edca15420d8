import { type FieldReader, listField, wrong } from '../fields.js';
import type { LegendClass } from '../legend.js';
import { labelNumbers, type NumberLabel } from '../style/labels.js';

const numbers = listField((value, at) => {
  if (typeof value !== 'number' || Math.abs(value) > 1e100) throw wrong(at, 'a number');
  return value;
}, 21);

/** Class limits of a request. undefined: limits of the data apply. */
export const limits: FieldReader<number[] | undefined> = (value, at) => {
  const given = numbers(value, at);
  if (given && (given.length < 2 || given.some((limit, i) => i > 0 && limit <= given[i - 1]!)))
    throw wrong(at, 'two or more ascending numbers: one more than classes');
  return given;
};

/** Number of classes between the limits. */
export const classCount = (limits: readonly number[]): number => Math.max(0, limits.length - 1);

/** Legend entries of the classes between the limits, numbered from 1. */
export function limitClasses(
  limits: readonly number[],
  fills: readonly string[],
  opacity: number,
  label: NumberLabel = labelNumbers(limits),
): LegendClass[] {
  return Array.from({ length: classCount(limits) }, (_, i) => {
    const [from, to] = [limits[i]!, limits[i + 1]!];
    const text = (lng: string): string =>
      from === to ? label(from, lng) : `${label(from, lng)} – ${label(to, lng)}`;
    return { class: i + 1, value: from, fill: fills[i]!, isIcon: false, from, to, text, opacity };
  });
}
