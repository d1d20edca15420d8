/**
 * HSLuv (hsluv.org, revision 4): hue in degrees, saturation and lightness from 0 to 1, red, green and blue from 0 to 1.
 * The matrices are those of sRGB with the D65 white point.
 */
type Triple = readonly [number, number, number];

const fromXyz: readonly Triple[] = [
  [3.240969941904521, -1.537383177570093, -0.498610760293],
  [-0.96924363628087, 1.87596750150772, 0.041555057407175],
  [0.055630079696993, -0.20397695888897, 1.056971514242878],
];
const toXyz: readonly Triple[] = [
  [0.41239079926595, 0.35758433938387, 0.18048078840183],
  [0.21263900587151, 0.71516867876775, 0.072192315360733],
  [0.019330818715591, 0.11919477979462, 0.95053215224966],
];
const whiteU = 0.19783000664283;
const whiteV = 0.46831999493879;
const kappa = 903.2962962;
const epsilon = 0.0088564516;

const dot = (a: Triple, b: Triple): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const times = (m: readonly Triple[], v: Triple): Triple => [dot(m[0]!, v), dot(m[1]!, v), dot(m[2]!, v)];

const toLinear = (c: number): number => (c > 0.04045 ? ((c + 0.055) / 1.055) ** 2.4 : c / 12.92);
const fromLinear = (c: number): number => (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055);

/** The maximum chroma within sRGB for a lightness (0 to 100) and a hue (radians). */
function maxChroma(l: number, hue: number): number {
  const sub1 = (l + 16) ** 3 / 1560896;
  const sub2 = sub1 > epsilon ? sub1 : l / kappa;
  let least = Number.POSITIVE_INFINITY;
  for (const [m1, m2, m3] of fromXyz) {
    for (const t of [0, 1]) {
      const top1 = (284517 * m1 - 94839 * m3) * sub2;
      const top2 = (838422 * m3 + 769860 * m2 + 731718 * m1) * l * sub2 - 769860 * t * l;
      const bottom = (632260 * m3 - 126452 * m2) * sub2 + 126452 * t;
      const length = top2 / bottom / (Math.sin(hue) - (top1 / bottom) * Math.cos(hue));
      if (length >= 0) least = Math.min(least, length);
    }
  }
  return least;
}

export function hsluvToRgb(h: number, s: number, lightness: number): Triple {
  const l = lightness * 100;
  if (l > 99.9999999) return [1, 1, 1];
  if (l < 0.00000001) return [0, 0, 0];
  const hue = (h * Math.PI) / 180;
  const chroma = maxChroma(l, hue) * s;
  const u = (Math.cos(hue) * chroma) / (13 * l) + whiteU;
  const v = (Math.sin(hue) * chroma) / (13 * l) + whiteV;
  const y = l <= 8 ? l / kappa : ((l + 16) / 116) ** 3;
  const x = -(9 * y * u) / ((u - 4) * v - u * v);
  const z = (9 * y - 15 * v * y - v * x) / (3 * v);
  const [r, g, b] = times(fromXyz, [x, y, z]);
  return [fromLinear(r), fromLinear(g), fromLinear(b)];
}

export function rgbToHsluv(r: number, g: number, b: number): Triple {
  const [x, y, z] = times(toXyz, [toLinear(r), toLinear(g), toLinear(b)]);
  const l = y <= epsilon ? y * kappa : 116 * y ** (1 / 3) - 16;
  if (l > 99.9999999) return [0, 0, 1];
  if (l < 0.00000001) return [0, 0, 0];
  const sum = x + 15 * y + 3 * z;
  const u = 13 * l * ((4 * x) / sum - whiteU);
  const v = 13 * l * ((9 * y) / sum - whiteV);
  const chroma = Math.hypot(u, v);
  if (chroma < 0.00000001) return [0, 0, l / 100];
  const hue = Math.atan2(v, u);
  const h = (hue * 180) / Math.PI;
  return [h < 0 ? h + 360 : h, chroma / maxChroma(l, hue), l / 100];
}
