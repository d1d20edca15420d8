import { hsluvToRgb, rgbToHsluv } from './hsluv.js';

/**
 * A colour for computations: hue in degrees (0 to 360), other components from 0 to 1. `perceptual`: HSLuv instead of HSL.
 * The formulas are the definitions of HSL and HSLuv. The order of steps and roundings follows carto, so that styles for
 * carto keep their colours.
 */
export interface Color {
  readonly h: number;
  readonly s: number;
  readonly l: number;
  readonly alpha: number;
  readonly perceptual: boolean;
}

export type Rgb = readonly [red: number, green: number, blue: number];

export const clamp = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, value));

/** Clamps components to their range. */
export const makeColor = (h: number, s: number, l: number, alpha: number, perceptual = false): Color => ({
  h: clamp(h, 0, 360),
  s: clamp(s, 0, 1),
  l: clamp(l, 0, 1),
  alpha: clamp(alpha, 0, 1),
  perceptual,
});

/** `rgb`: 0 to 255, clamped. */
export function fromRgb(rgb: Rgb, alpha = 1, perceptual = false): Color {
  const [r, g, b] = rgb.map((c) => clamp(c, 0, 255) / 255) as [number, number, number];
  const [h, s, l] = perceptual ? rgbToHsluv(r, g, b) : rgbToHsl(r, g, b);
  return makeColor(h, s, l, alpha, perceptual);
}

/** Integers from 0 to 255. */
export function toRgb(color: Color): Rgb {
  const { h, s, l } = color;
  const rgb = color.perceptual ? hsluvToRgb(h, s, l) : hslToRgb(h, s, l);
  return rgb.map((c) => Math.round(clamp(c, 0, 1) * 255)) as [number, number, number];
}

export function toPerceptual(color: Color): Color {
  return color.perceptual ? color : fromRgb(toRgb(color), color.alpha, true);
}

export function toStandard(color: Color): Color {
  return color.perceptual ? fromRgb(toRgb(color), color.alpha) : color;
}

/** `#rrggbb` or `rgba(r, g, b, a)`, for Mapnik and browsers. */
export function writeColor(color: Color): string {
  const [r, g, b] = toRgb(color);
  if (color.alpha >= 1) return `#${[r, g, b].map((c) => c.toString(16).padStart(2, '0')).join('')}`;
  return `rgba(${r}, ${g}, ${b}, ${Number(color.alpha.toFixed(4))})`;
}

/** `fff`, `ffff`, `ffffff` or `ffffffff`, without the `#`. */
export function fromHex(digits: string): Color {
  const long = digits.length < 6 ? [...digits].map((digit) => digit + digit).join('') : digits;
  const part = (at: number): number => Number.parseInt(long.slice(at, at + 2), 16);
  return fromRgb([part(0), part(2), part(4)], long.length === 8 ? part(6) / 255 : 1);
}

function rgbToHsl(r: number, g: number, b: number): Rgb {
  const least = Math.min(r, g, b);
  const most = Math.max(r, g, b);
  const l = (most + least) / 2;
  const range = most - least;
  if (range === 0) return [0, 0, l];
  const s = l < 0.5 ? range / (most + least) : range / (2 - most - least);
  const sixths = r === most ? (g - b) / range : g === most ? 2 + (b - r) / range : 4 + (r - g) / range;
  return [sixths < 0 ? sixths * 60 + 360 : sixths * 60, s, l];
}

function hslToRgb(h: number, s: number, l: number): Rgb {
  if (s === 0) return [l, l, l];
  const high = l < 0.5 ? l * (1 + s) : l + s - l * s;
  const low = 2 * l - high;
  const channel = (turn: number): number => {
    const t = turn < 0 ? turn + 1 : turn > 1 ? turn - 1 : turn;
    if (6 * t < 1) return low + (high - low) * 6 * t;
    if (2 * t < 1) return high;
    return 3 * t < 2 ? low + (high - low) * (2 / 3 - t) * 6 : low;
  };
  const turn = h / 360;
  return [channel(turn + 1 / 3), channel(turn), channel(turn - 1 / 3)];
}
