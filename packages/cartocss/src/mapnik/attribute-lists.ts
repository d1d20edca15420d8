import { addColumns, type Expression, writeExpression, writeNumber } from '../expressions/expression.js';
import type { StyleProperty } from '../properties.js';
import { didYouMean } from '../syntax/problems.js';
import { type Color, writeColor } from '../values/colors.js';
import {
  type ConvertedValue,
  type ConvertFault,
  expressionOf,
  fault,
  omitted,
  type Stop,
  textAttribute,
  toNumber,
} from '../values/convert.js';
import { colorOf } from '../values/data-colors.js';
import { parseLoneValue } from '../values/lone-value.js';
import { filterFunctions, transformFunctions } from '../values/property-functions.js';
import { describeValue, type StyleValue } from '../values/values.js';

/** The values of a list, separated by commas or spaces, quoted or not. */
function itemsOf(value: StyleValue): readonly StyleValue[] {
  if (value.kind === 'string') {
    const parsed = parseLoneValue(value.raw);
    return parsed === undefined || parsed.kind === 'string' ? [value] : itemsOf(parsed);
  }
  if (value.kind !== 'list' && value.kind !== 'words') return [value];
  return value.items.flatMap((item) => (item.kind === 'words' ? item.items : [item]));
}

const isNone = (value: StyleValue): boolean =>
  (value.kind === 'word' && value.name === 'none') || (value.kind === 'string' && value.raw === 'none');

const isFault = <T>(value: T | ConvertFault): value is ConvertFault =>
  typeof value === 'object' && value !== null && 'fault' in value;

const maxDashPx = 1000;
const minDashSumPx = 0.2;

/** Negative dashes make Mapnik loop forever, very short dashes make it slow. */
export function convertDashes(property: StyleProperty, value: StyleValue): ConvertedValue {
  if (isNone(value)) return { attribute: omitted };
  const expected = 'lengths of dashes and gaps: 5, 3';
  const lengths: number[] = [];
  for (const item of itemsOf(value)) {
    const length = toNumber(item, false);
    if (length === undefined)
      return fault(`${describeValue(item)} is no value of ${property.name}`, expected);
    if (length < 0 || length > maxDashPx) {
      return fault(`${property.name} must be from 0 to ${maxDashPx}, not ${writeNumber(length)}`, expected);
    }
    lengths.push(length);
  }
  if (lengths.length > 16) return fault(`${property.name} has too many lengths`, 'at most 16');
  const sum = lengths.reduce((total, length) => total + length, 0);
  if (sum < minDashSumPx) return fault(`the lengths of ${property.name} are too short together`, expected);
  return { attribute: textAttribute(lengths.map((length) => writeNumber(length)).join(',')) };
}

/** Largest absolute value of each argument. Dashes along a line that is scaled without limit would never end. */
const transformLimits: Record<string, (i: number) => number> = {
  matrix: (i) => (i < 4 ? 10 : 10_000),
  translate: () => 10_000,
  scale: () => 10,
  rotate: (i) => (i === 0 ? 3600 : 10_000),
  skewX: () => 80,
  skewY: () => 80,
};
const maxTransforms = 6;
const maxScalings = 2;

export function convertTransform(
  property: StyleProperty,
  rotateOnly: boolean,
  value: StyleValue,
): ConvertedValue {
  if (isNone(value)) return { attribute: omitted };
  const allowed = rotateOnly ? ['rotate'] : [...transformFunctions.keys()];
  const expected = rotateOnly ? 'rotate(degrees)' : 'rotate(degrees), scale(x, y), translate(x, y) …';
  const columns = new Set<string>();
  const parts: string[] = [];
  let scalings = 0;
  for (const item of itemsOf(value)) {
    if (item.kind !== 'call' || !allowed.includes(item.name)) {
      return fault(`${describeValue(item)} is no value of ${property.name}`, expected);
    }
    const args = transformArguments(item.name, item.args);
    if (isFault(args)) return args;
    for (const arg of args) addColumns(arg, columns);
    if (item.name !== 'rotate' && item.name !== 'translate') scalings++;
    parts.push(`${item.name}(${args.map(writeExpression).join(',')})`);
  }
  if (parts.length > maxTransforms || scalings > maxScalings) {
    return fault(
      `${property.name} has too many transforms`,
      `at most ${maxTransforms}, ${maxScalings} of them scaling`,
    );
  }
  return { attribute: { ...textAttribute(parts.join(', ')), columns: [...columns] } };
}

function transformArguments(name: string, args: readonly StyleValue[]): Expression[] | ConvertFault {
  const counts = transformFunctions.get(name) ?? [];
  if (!counts.includes(args.length))
    return fault(`${name}() takes ${counts.join(' or ')} arguments, not ${args.length}`);
  const result: Expression[] = [];
  for (const [i, arg] of args.entries()) {
    const limit = transformLimits[name]?.(i) ?? 0;
    const read = arg.kind === 'number' ? undefined : expressionOf(arg);
    if (isFault(read)) return read;
    const number = toNumber(read?.expression ?? arg, false);
    if (number === undefined && read === undefined)
      return fault(`${describeValue(arg)} is no argument of ${name}()`, 'a number');
    if (number !== undefined && Math.abs(number) > limit) {
      return fault(`an argument of ${name}() must be from ${-limit} to ${limit}, not ${writeNumber(number)}`);
    }
    const bound = (n: number): Expression => ({ kind: 'number', value: n, decimal: false });
    const clamped = (e: Expression): Expression => ({
      kind: 'call',
      name: 'max',
      args: [bound(-limit), { kind: 'call', name: 'min', args: [e, bound(limit)] }],
    });
    if (number !== undefined) result.push({ kind: 'number', value: number, decimal: false });
    else result.push(clamped((read as { expression: Expression }).expression));
  }
  return result;
}

const maxFilters = 8;

export function convertFilters(property: StyleProperty, value: StyleValue): ConvertedValue {
  if (isNone(value)) return { attribute: omitted };
  const parts: string[] = [];
  let blur = 0;
  for (const item of itemsOf(value)) {
    const word = item.kind === 'word' ? item.name : item.kind === 'color' ? item.word : undefined;
    const call = word === undefined ? item : { name: word, args: [] };
    const count = 'args' in call ? filterFunctions.get(call.name) : undefined;
    if (!('args' in call) || count === undefined) {
      const names = [...filterFunctions.keys()];
      const hint = word === undefined ? '' : didYouMean(word, names);
      return fault(`${describeValue(item)} is no value of ${property.name}${hint}`, names.join(', '));
    }
    if (count === -1 ? call.args.length === 0 || call.args.length > 20 : call.args.length !== count) {
      return fault(
        `${call.name}() takes ${count === -1 ? '1 to 20' : count} arguments, not ${call.args.length}`,
      );
    }
    const args = filterArguments(call.name, call.args);
    if (isFault(args)) return args;
    if (call.name === 'agg-stack-blur') blur = Math.max(blur, Number(args[0]), Number(args[1]));
    parts.push(args.length === 0 ? call.name : `${call.name}(${args.join(',')})`);
  }
  if (parts.length > maxFilters)
    return fault(`${property.name} has too many filters`, `at most ${maxFilters}`);
  return { attribute: { ...textAttribute(parts.join(',')), number: blur } };
}

function filterArguments(name: string, args: readonly StyleValue[]): string[] | ConvertFault {
  const result: string[] = [];
  for (const arg of args) {
    const text = name.startsWith('color') ? colorStop(name, arg) : filterNumber(name, arg);
    if (isFault(text)) return text;
    result.push(text);
  }
  return result;
}

function filterNumber(name: string, value: StyleValue): string | ConvertFault {
  const number = toNumber(value, true);
  const [min, max] = name === 'agg-stack-blur' ? [0, 100] : [-10, 10];
  if (number === undefined) return fault(`${describeValue(value)} is no argument of ${name}()`, 'a number');
  if (number < min || number > max) {
    return fault(`an argument of ${name}() must be from ${min} to ${max}, not ${writeNumber(number)}`);
  }
  return writeNumber(min === 0 ? Math.round(number) : number);
}

const valueColor = (value: StyleValue | undefined): Color | undefined =>
  value?.kind === 'color' ? value.color : value?.kind === 'string' ? colorOf(value.raw) : undefined;

/** A colour, in `colorize-alpha` with an optional position: `cyan 30%`. */
function colorStop(name: string, value: StyleValue): string | ConvertFault {
  const [first, second, ...rest] = value.kind === 'words' ? value.items : [value];
  const color = valueColor(first);
  const offset = second === undefined ? undefined : toNumber(second, true);
  const wrong =
    second !== undefined && (offset === undefined || offset < 0 || offset > 1 || name !== 'colorize-alpha');
  if (color === undefined || wrong || rest.length > 0) {
    return fault(
      `${describeValue(value)} is no argument of ${name}()`,
      name === 'colorize-alpha' ? 'a colour, or a colour and 0% to 100%' : 'a colour',
    );
  }
  return offset === undefined ? writeColor(color) : `${writeColor(color)} ${writeNumber(offset)}`;
}

const stopModes = ['discrete', 'linear', 'exact'];

/** `stop(10, red) stop(20, blue, linear)` */
export function convertStops(property: StyleProperty, value: StyleValue): ConvertedValue {
  const stops: Stop[] = [];
  const expected = 'stop(value, colour) stop(value, colour, discrete | linear | exact)';
  for (const item of itemsOf(value)) {
    if (item.kind !== 'call' || item.name !== 'stop')
      return fault(`${describeValue(item)} is no value of ${property.name}`, expected);
    const [at, color, mode, ...rest] = item.args;
    const number = at === undefined ? undefined : toNumber(at, false);
    const paint = valueColor(color);
    const word = mode?.kind === 'word' ? mode.name : undefined;
    if (number === undefined || (color !== undefined && paint === undefined) || rest.length > 0)
      return fault('stop() is not complete', expected);
    if (mode !== undefined && !stopModes.includes(word ?? ''))
      return fault(`${describeValue(mode)} is no mode of stop()`, stopModes.join(', '));
    const before = stops.at(-1)?.value;
    if (before !== undefined && Number(before) > number)
      return fault(
        `the stops of ${property.name} do not ascend: ${writeNumber(number)} after ${before}`,
        'the least value first',
      );
    const stop: Stop = { value: writeNumber(number) };
    stops.push({ ...stop, ...(paint && { color: writeColor(paint) }), ...(word && { mode: word }) });
  }
  if (stops.length > 500) return fault(`${property.name} has too many stops`, 'at most 500');
  return { attribute: { form: 'stops', text: '', columns: [], stops } };
}
