import { writeNumber } from '../expressions/expression.js';
import type { ArithmeticResult } from './arithmetic.js';
import {
  type Color,
  clamp,
  fromRgb,
  makeColor,
  type Rgb,
  toPerceptual,
  toRgb,
  toStandard,
} from './colors.js';
import { describeValue, type NumberValue, type StyleValue } from './values.js';

type ColorFunction = (args: readonly StyleValue[]) => ArithmeticResult;

/** A wrong argument, reported as the function's problem. */
class ArgumentFault extends Error {}

function numberAt(args: readonly StyleValue[], i: number): NumberValue {
  const value = args[i] as StyleValue;
  if (value.kind !== 'number')
    throw new ArgumentFault(`argument ${i + 1} must be a number, not ${describeValue(value)}`);
  return value;
}

function colorAt(args: readonly StyleValue[], i: number): Color {
  const value = args[i] as StyleValue;
  if (value.kind !== 'color')
    throw new ArgumentFault(`argument ${i + 1} must be a colour, not ${describeValue(value)}`);
  return value.color;
}

/** A fraction: 50% equals 0.5. */
const fractionAt = (args: readonly StyleValue[], i: number): number => {
  const { value, unit } = numberAt(args, i);
  return unit === '%' ? value / 100 : value;
};

/** An amount in percent: 50% equals 50. */
const amountAt = (args: readonly StyleValue[], i: number): number => numberAt(args, i).value / 100;

const channelAt = (args: readonly StyleValue[], i: number): number => {
  const { value, unit } = numberAt(args, i);
  return unit === '%' ? (value / 100) * 255 : value;
};

const color = (value: Color): ArithmeticResult => ({ value: { kind: 'color', color: value } });
const number = (value: number, unit: '' | '%' = ''): ArithmeticResult => ({
  value: { kind: 'number', value, unit, decimal: !Number.isInteger(value) },
});

const table = new Map<string, ColorFunction>();
const forms = new Map<string, string>();

/** `form`: the signature, which also determines the number of arguments. */
function define(form: string, work: ColorFunction): void {
  const [, name, list] = /^([\w%]+)\((.*)\)$/.exec(form) as unknown as [string, string, string];
  const count = list.split(',').length;
  forms.set(name, form);
  table.set(name, (args) => {
    if (args.length !== count) {
      return {
        fault: `${name}() takes ${count} argument${count > 1 ? 's' : ''}, not ${args.length}`,
        expected: form,
      };
    }
    try {
      return work(args);
    } catch (error) {
      if (error instanceof ArgumentFault) return { fault: `${name}(): ${error.message}`, expected: form };
      throw error;
    }
  });
}

const rgbOf = (args: readonly StyleValue[]): Rgb => [
  channelAt(args, 0),
  channelAt(args, 1),
  channelAt(args, 2),
];
define('rgb(red, green, blue)', (args) => color(fromRgb(rgbOf(args))));
define('rgba(red, green, blue, alpha)', (args) => color(fromRgb(rgbOf(args), fractionAt(args, 3))));

const components = (args: readonly StyleValue[], alpha: number, perceptual: boolean): ArithmeticResult =>
  color(makeColor(numberAt(args, 0).value, fractionAt(args, 1), fractionAt(args, 2), alpha, perceptual));
for (const [name, perceptual] of [
  ['hsl', false],
  ['hsluv', true],
  ['husl', true],
] as const) {
  define(`${name}(hue, saturation%, lightness%)`, (args) => components(args, 1, perceptual));
  define(`${name}a(hue, saturation%, lightness%, alpha)`, (args) =>
    components(args, fractionAt(args, 3), perceptual),
  );
}

const read: Record<string, (c: Color) => ArithmeticResult> = {
  hue: (c) => number(Math.round(c.h)),
  saturation: (c) => number(Math.round(c.s * 100), '%'),
  lightness: (c) => number(Math.round(c.l * 100), '%'),
};
for (const [name, get] of Object.entries(read)) {
  define(`${name}(color)`, (args) => get(toStandard(colorAt(args, 0))));
  define(`${name}p(color)`, (args) => get(toPerceptual(colorAt(args, 0))));
}
define('alpha(color)', (args) => number(colorAt(args, 0).alpha));

type Change = (c: Color, amount: number) => Color;
const changed = (c: Color, part: Partial<Color>): Color => {
  const { h, s, l, alpha, perceptual } = { ...c, ...part };
  return makeColor(h, s, l, alpha, perceptual);
};
const change: Record<string, Change> = {
  saturate: (c, amount) => changed(c, { s: c.s + amount }),
  desaturate: (c, amount) => changed(c, { s: c.s - amount }),
  lighten: (c, amount) => changed(c, { l: c.l + amount }),
  darken: (c, amount) => changed(c, { l: c.l - amount }),
  fadein: (c, amount) => changed(c, { alpha: c.alpha + amount }),
  fadeout: (c, amount) => changed(c, { alpha: c.alpha - amount }),
  fade: (c, amount) => changed(c, { alpha: amount }),
};
for (const [name, apply] of Object.entries(change)) {
  define(`${name}(color, amount%)`, (args) => color(apply(colorAt(args, 0), amountAt(args, 1))));
  define(`${name}p(color, amount%)`, (args) =>
    color(apply(toPerceptual(colorAt(args, 0)), amountAt(args, 1))),
  );
}

const spin: Change = (c, degrees) => changed(c, { h: (((c.h + degrees) % 360) + 360) % 360 });
define('spin(color, degrees)', (args) => color(spin(colorAt(args, 0), numberAt(args, 1).value)));
define('spinp(color, degrees)', (args) =>
  color(spin(toPerceptual(colorAt(args, 0)), numberAt(args, 1).value)),
);

define('greyscale(color)', (args) => color(changed(colorAt(args, 0), { s: 0 })));
define('greyscalep(color)', (args) => color(changed(toPerceptual(colorAt(args, 0)), { s: 0 })));

/** Mixes `share` of the first colour with the second, weighted by their opacities (formula of Sass and Less). */
function mix(first: Color, second: Color, share: number): Color {
  const weight = clamp(share, 0, 1) * 2 - 1;
  const difference = first.alpha - second.alpha;
  const joined = weight * difference === -1 ? weight : (weight + difference) / (1 + weight * difference);
  const w1 = (joined + 1) / 2;
  const a = toRgb(first);
  const b = toRgb(second);
  const rgb = a.map((channel, i) => channel * w1 + (b[i] as number) * (1 - w1)) as unknown as Rgb;
  const alpha = first.alpha * share + second.alpha * (1 - share);
  return fromRgb(rgb, alpha, first.perceptual || second.perceptual);
}
define('mix(color, color, share%)', (args) =>
  color(mix(colorAt(args, 0), colorAt(args, 1), amountAt(args, 2))),
);
const towards =
  (other: Color): ColorFunction =>
  (args) =>
    color(mix(other, colorAt(args, 0), amountAt(args, 1)));
define('tint(color, amount%)', towards(makeColor(0, 0, 1, 1)));
define('shade(color, amount%)', towards(makeColor(0, 0, 0, 1)));

/** `%("%s and %d", a, b)`: each %s, %d or %a takes the next argument. */
table.set('%', (args) => {
  const [format, ...rest] = args;
  if (format?.kind !== 'string')
    return { fault: '%(): the first argument must be a text', expected: '%("%s", value)' };
  if (rest.some((value) => value.kind !== 'string' && value.kind !== 'number' && value.kind !== 'word')) {
    return { fault: '%(): only texts, numbers and words can be put into a text' };
  }
  let next = 0;
  const raw = format.raw.replace(/%([sda%])/g, (form, letter: string) => {
    const value = letter === '%' ? undefined : rest[next++];
    if (letter === '%') return '%';
    if (value?.kind === 'string') return value.raw;
    if (value?.kind === 'number') return writeNumber(value.value);
    return value?.kind === 'word' ? value.name : form;
  });
  return { value: { kind: 'string', raw } };
});

/** Name → function. */
export const colorFunctions: ReadonlyMap<string, ColorFunction> = table;

/** Name → signature, for help in an editor. */
export const colorFunctionForms: ReadonlyMap<string, string> = forms;
