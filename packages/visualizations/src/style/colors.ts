/** Perceptual mixing of colours: sRGB as `#rrggbb` ↔ OKLab (B. Ottosson, "A perceptual color space for image processing", 2020). */
type Triple = readonly [number, number, number];

const toLinear = (c: number): number => (c > 0.04045 ? ((c + 0.055) / 1.055) ** 2.4 : c / 12.92);
const fromLinear = (c: number): number => (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055);

/** Red, green and blue, 0 to 255, of `#rrggbb`. */
export const channels = (color: string): Triple => [
  Number.parseInt(color.slice(1, 3), 16),
  Number.parseInt(color.slice(3, 5), 16),
  Number.parseInt(color.slice(5, 7), 16),
];

function toOklab(color: string): Triple {
  const [r, g, b] = channels(color).map((c) => toLinear(c / 255)) as [number, number, number];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** The nearest `#rrggbb`. Channels outside of sRGB are clipped. */
function fromOklab([L, a, b]: Triple): string {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const bytes = linear.map((c) => Math.round(255 * Math.min(1, Math.max(0, fromLinear(Math.max(0, c))))));
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** The colour at `t` (0 to 1) of a ramp over equidistant `stops`. At a stop it is the stop's exact colour. */
function rampColor(stops: readonly string[], t: number): string {
  const at = Math.min(1, Math.max(0, t)) * (stops.length - 1);
  const i = Math.min(stops.length - 1, Math.floor(at));
  const [from, to] = [stops[i]!, stops[i + 1]];
  const part = at - i;
  if (part === 0 || to === undefined) return from;
  const [a, b] = [toOklab(from), toOklab(to)];
  return fromOklab(a.map((c, k) => c + (b[k]! - c) * part) as unknown as Triple);
}

/** `count` colours from the first stop to the last. A single colour is that of the middle. */
export const ramp = (stops: readonly string[], count: number): string[] =>
  Array.from({ length: count }, (_, i) => rampColor(stops, count === 1 ? 0.5 : i / (count - 1)));

/** Relative luminance, 0 to 1 (WCAG 2.2). */
const luminance = (color: string): number => {
  const [r, g, b] = channels(color).map((c) => toLinear(c / 255)) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

const inks = ['#222222', '#ffffff'] as const;

/** The text colour, dark or light, with the higher contrast on a colour (WCAG 2.2). */
export function inkOn(color: string): string {
  const own = luminance(color);
  const [dark, light] = inks.map(luminance) as [number, number];
  return (own + 0.05) / (dark + 0.05) >= (light + 0.05) / (own + 0.05) ? inks[0] : inks[1];
}

/** Colours of categories: ColorBrewer "Paired" (C. Brewer), saturated colours first. */
const paired = [
  '#1f78b4',
  '#33a02c',
  '#e31a1c',
  '#ff7f00',
  '#6a3d9a',
  '#b15928',
  '#a6cee3',
  '#b2df8a',
  '#fb9a99',
  '#fdbf6f',
  '#cab2d6',
  '#ffff99',
];

/** The colour of category `i` from 0. After the twelfth, hues are a golden angle apart in three lightnesses. */
export function paletteColor(i: number): string {
  const known = paired[i];
  if (known !== undefined) return known;
  const hue = (i * 137.507764 * Math.PI) / 180;
  return fromOklab([[0.58, 0.7, 0.8][i % 3]!, 0.11 * Math.cos(hue), 0.11 * Math.sin(hue)]);
}
