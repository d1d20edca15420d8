/** Pixels per unit of a length (https://www.w3.org/TR/css-values-4/#absolute-lengths). */
const units: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  mm: 96 / 25.4,
  cm: 960 / 25.4,
  in: 96,
};

/** An SVG length in pixels; undefined when it is absent, relative (`%`, `em`) or invalid. */
export function pixelsOf(length: string | undefined): number | undefined {
  const [, value, unit] = /^([-+.\deE]*\d\.?)([a-z%]*)$/.exec(length?.trim() ?? '') ?? [];
  const scale = unit === undefined ? undefined : units[unit];
  return scale === undefined ? undefined : Number(value) * scale;
}
