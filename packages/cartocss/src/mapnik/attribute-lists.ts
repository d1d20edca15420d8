import { type Color, writeColor } from './colors.js';
import {
  type Converted,
  type ConvertFault,
  expressionOf,
  fault,
  omitted,
  type Stop,
  textOf,
  toNumber,
} from './convert.js';
import { colorOf } from './data-colors.js';
import { addColumns, type Expression, writeExpression, writeNumber } from './expression.js';
import { parseLoneValue } from './lone-value.js';
import { didYouMean } from './problems.js';
import type { Property } from './properties.js';
import { filterFunctions, transformFunctions } from './property-functions.js';
import { describeValue, type Value } from './values.js';

/** The values of a list, whether commas or blanks stand between them, or quotes around them. */
function itemsOf(value: Value): readonly Value[] {
  if (value.kind === 'string') {
    const parsed = parseLoneValue(value.raw);
    return parsed === undefined || parsed.kind === 'string' ? [value] : itemsOf(parsed);
  }
  if (value.kind !== 'list' && value.kind !== 'words') return [value];
  return value.items.flatMap((item) => (item.kind === 'words' ? item.items : [item]));
}

const isNone = (value: Value): boolean =>
  (value.kind === 'word' && value.name === 'none') || (value.kind === 'string' && value.raw === 'none');

const isFault = <T>(value: T | ConvertFault): value is ConvertFault =>
  typeof value === 'object' && value !== null && 'fault' in value;

const maxDash = 1000;
const minDashes = 0.2;

/** Negative dashes make Mapnik run without end, very short ones make it slow. */
export function convertDashes(property: Property, value: Value): Converted {
  if (isNone(value)) return { attribute: omitted };
  const expected = 'lengths of dashes and gaps: 5, 3';
  const lengths: number[] = [];
  for (const item of itemsOf(value)) {
    const length = toNumber(item, false);
    if (length === undefined)
      return fault(`${describeValue(item)} is no value of ${property.name}`, expected);
    if (length < 0 || length > maxDash) {
      return fault(`${property.name} must be from 0 to ${maxDash}, not ${writeNumber(length)}`, expected);
    }
    lengths.push(length);
  }
  if (lengths.length > 16) return fault(`${property.name} has too many lengths`, 'at most 16');
  const sum = lengths.reduce((total, length) => total + length, 0);
  if (sum < minDashes) return fault(`the lengths of ${property.name} are too short together`, expected);
  return { attribute: textOf(lengths.map((length) => writeNumber(length)).join(',')) };
}

/** How large each argument may be: dashes along a line that was scaled up without limit never end. */
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

export function convertTransform(property: Property, rotateOnly: boolean, value: Value): Converted {
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
  return { attribute: { ...textOf(parts.join(', ')), columns: [...columns] } };
}

function transformArguments(name: string, args: readonly Value[]): Expression[] | ConvertFault {
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

export function convertFilters(property: Property, value: Value): Converted {
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
  return { attribute: { ...textOf(parts.join(',')), number: blur } };
}

function filterArguments(name: string, args: readonly Value[]): string[] | ConvertFault {
  const result: string[] = [];
  for (const arg of args) {
    const text = name.startsWith('color') ? colorStop(name, arg) : filterNumber(name, arg);
    if (isFault(text)) return text;
    result.push(text);
  }
  return result;
}

function filterNumber(name: string, value: Value): string | ConvertFault {
  const number = toNumber(value, true);
  const [least, most] = name === 'agg-stack-blur' ? [0, 100] : [-10, 10];
  if (number === undefined) return fault(`${describeValue(value)} is no argument of ${name}()`, 'a number');
  if (number < least || number > most) {
    return fault(`an argument of ${name}() must be from ${least} to ${most}, not ${writeNumber(number)}`);
  }
  return writeNumber(least === 0 ? Math.round(number) : number);
}

const valueColor = (value: Value | undefined): Color | undefined =>
  value?.kind === 'color' ? value.color : value?.kind === 'string' ? colorOf(value.raw) : undefined;

/** A colour, and in `colorize-alpha` where it stands: `cyan 30%`. */
function colorStop(name: string, value: Value): string | ConvertFault {
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
export function convertStops(property: Property, value: Value): Converted {
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
    const stop: Stop = { value: writeNumber(number) };
    stops.push({ ...stop, ...(paint && { color: writeColor(paint) }), ...(word && { mode: word }) });
  }
  if (stops.length > 500) return fault(`${property.name} has too many stops`, 'at most 500');
  return { attribute: { form: 'stops', text: '', columns: [], stops } };
}
