/** Between labels, and between the parts of one: control characters, which are left out of texts. */
export const [between, within] = ['\u001e', '\u001f'] as const;

/** A label at a point in degrees, and the index of its look. */
export interface LabelRow {
  x: number;
  y: number;
  look: number;
  text: string;
}

/** A point within WKT. */
const point = /(-?[\d.]+(?:e[+-]?\d+)?) (-?[\d.]+(?:e[+-]?\d+)?)/gi;

/** Decodes the `labels` column of a source; none for an empty value. */
export function readLabels(labels: unknown): LabelRow[] {
  if (typeof labels !== 'string' || labels === '') return [];
  return labels.split(between).flatMap((label) => {
    const [places, look, text] = label.split(within);
    return Array.from(places!.matchAll(point), ([, x, y]) => ({
      x: Number(x),
      y: Number(y),
      look: Number(look),
      text: text!,
    }));
  });
}
