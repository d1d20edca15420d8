/** Between labels, and between the parts of one: control characters, which are left out of texts. */
export const [between, within] = ['\u001e', '\u001f'] as const;

/** Before the TWKB of a shape, in base64: a polygon in whose interior a label lies, or lines along which it lies. */
export const shapeMark = '@';

/** Longitude and latitude, or the offset from the corner of a picture in pixels. */
export type LabelPoint = readonly [x: number, y: number];

/** A label, the index of its kind, and its places in degrees as text, for `pointsOf` or a TWKB after `shapeMark`. */
export interface LabelRow {
  places: string;
  kind: number;
  text: string;
  /** Where its markers lie, if elsewhere. */
  claims: string;
}

/** A point within WKT. */
const point = /(-?[\d.]+(?:e[+-]?\d+)?) (-?[\d.]+(?:e[+-]?\d+)?)/gi;

/** Decodes the `labels` column of a source; none for an empty value. */
export function* readLabels(labels: unknown): Generator<LabelRow> {
  if (typeof labels !== 'string' || labels === '') return;
  for (const label of labels.split(between)) {
    const afterPlaces = label.indexOf(within);
    const afterKind = label.indexOf(within, afterPlaces + 1);
    const kind = Number(label.slice(afterPlaces + 1, afterKind));
    const [text = '', claims = ''] = label.slice(afterKind + 1).split(within);
    yield { places: label.slice(0, afterPlaces), kind, text, claims };
  }
}

/** The points of places. `interiorOf`: a point in the polygon of a TWKB. */
export function pointsOf(places: string, interiorOf: (twkb: string) => LabelPoint | undefined): LabelPoint[] {
  if (places.startsWith(onePoint)) {
    const space = places.indexOf(' ', onePoint.length);
    return [[Number(places.slice(onePoint.length, space)), Number(places.slice(space, -1))]];
  }
  if (places.startsWith(shapeMark)) {
    const interior = interiorOf(places.slice(shapeMark.length));
    return interior ? [interior] : [];
  }
  return Array.from(places.matchAll(point), ([, x, y]): LabelPoint => [Number(x), Number(y)]);
}

/** Start of the WKT of one point, as PostGIS writes it: a pattern takes several times as long. */
const onePoint = 'POINT(';
