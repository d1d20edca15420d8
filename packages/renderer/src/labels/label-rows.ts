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
export function* readLabels(labels: unknown): Generator<LabelRow> {
  if (typeof labels !== 'string' || labels === '') return;
  for (const label of labels.split(between)) {
    const afterPlaces = label.indexOf(within);
    const afterLook = label.indexOf(within, afterPlaces + 1);
    const look = Number(label.slice(afterPlaces + 1, afterLook));
    const text = label.slice(afterLook + 1);
    const places = label.slice(0, afterPlaces);
    if (places.startsWith(onePoint)) {
      const space = places.indexOf(' ', onePoint.length);
      yield {
        x: Number(places.slice(onePoint.length, space)),
        y: Number(places.slice(space, -1)),
        look,
        text,
      };
    } else for (const [, x, y] of places.matchAll(point)) yield { x: Number(x), y: Number(y), look, text };
  }
}

/** Start of the WKT of one point, as PostGIS writes it: a pattern takes several times as long. */
const onePoint = 'POINT(';
