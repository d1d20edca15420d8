/** Attributes of a symbolizer of Mapnik, by name. */
type Attributes = ReadonlyMap<string, string>;

/** Width of the outline that Mapnik gives a marker without one, pixels. */
const usualOutline = 0.5;
/** Side of a marker without a size, pixels. */
const usualSide = '10';
/** The inner disc reaches below the outline by half of this, pixels: beside each other their antialiased edges would let the ground through. */
const overlap = 0.25;

/** Outlines up to this width, pixels, may have their opacity beside that of the fill: half of such a one is hardly seen. */
const thin = 1;

/**
 * The symbolizers that draw a marker with an opacity: those of its parts. Mapnik 4.2 draws the parts of such a marker on a transparent
 * picture of the size of the whole one, which takes 10 ms for each marker of a picture of 1,280 × 1,280 pixels. The outline covers the
 * outer half of its width outside of the fill, and the inner half above it; there both must have the opacity together:
 *
 * - a disc of the whole size, as far as the fill shows through a translucent outline;
 * - a disc within the outline, which makes up for the rest of the fill;
 * - the outline.
 *
 * One symbolizer where that is not needed, or where the parts would lie elsewhere: along a line, or only where there is room.
 */
export function markerParts(marker: Attributes): Attributes[] {
  const opacity = marker.get('opacity');
  const [fill, stroke] = [numberIn(marker, 'fill-opacity', 1), numberIn(marker, 'stroke-opacity', 1)];
  const outline = numberIn(marker, 'stroke-width', usualOutline);
  const isKnown = [fill, stroke, outline].every(Number.isFinite);
  if (opacity === undefined || Number(opacity) >= 1 || !isKnown || marker.has('file')) return [marker];
  const times = (share: number): string => (share === 1 ? opacity : `(${opacity}) * ${share}`);
  if (outline === 0 || stroke === 0) return [part(marker, { 'fill-opacity': times(fill) })];
  if (fill === 0) return [part(marker, { 'stroke-opacity': times(stroke) })];
  const isRound = (marker.get('marker-type') ?? 'ellipse') === 'ellipse';
  const isFree =
    marker.get('placement') !== 'line' &&
    marker.get('allow-overlap') === 'true' &&
    (marker.get('avoid-edges') ?? 'false') === 'false';
  if (isRound && isFree && Number.isFinite(Number(opacity)))
    return discs(marker, Number(opacity), { fill, stroke, outline });
  if (outline > thin) return [marker];
  return [part(marker, { 'fill-opacity': times(fill), 'stroke-opacity': times(stroke) })];
}

/** The discs and the outline of a round marker. */
function discs(
  marker: Attributes,
  opacity: number,
  { fill, stroke, outline }: Record<'fill' | 'stroke' | 'outline', number>,
): Attributes[] {
  const [fillAlpha, strokeAlpha] = [alphaOf(marker.get('fill')), alphaOf(marker.get('stroke'))];
  const whole = opacity * fill * fillAlpha;
  const through = stroke * strokeAlpha;
  const below = (whole * (1 - through)) / (1 - opacity * through);
  const within = (whole - below) / (1 - below);
  const disc = (alpha: number, size: Record<string, string> = {}): Attributes =>
    part(marker, {
      'fill-opacity': fillAlpha && alpha / fillAlpha,
      'stroke-width': 0,
      'ignore-placement': 'true',
      ...size,
    });
  const width = marker.get('width') ?? marker.get('height') ?? usualSide;
  const height = marker.get('height') ?? width;
  const [inner, innerHeight] = [lessened(width, outline - overlap), lessened(height, outline - overlap)];
  return [
    ...(below > 0 ? [disc(below)] : []),
    ...(inner && innerHeight ? [disc(within, { width: inner, height: innerHeight })] : []),
    part(marker, { 'fill-opacity': 0, 'stroke-opacity': stroke * opacity }),
  ];
}

/** The marker without an opacity, with other attributes. */
const part = (marker: Attributes, own: Record<string, string | number>): Attributes => {
  const all = new Map(marker);
  all.delete('opacity');
  for (const [name, value] of Object.entries(own)) all.set(name, String(value));
  return all;
};

/** A number; NaN for an expression. */
const numberIn = (marker: Attributes, name: string, usual: number): number =>
  marker.has(name) ? Number(marker.get(name)) : usual;

/** A length, or an expression for one, less a number of pixels; undefined: nothing is left. */
function lessened(length: string, by: number): string | undefined {
  const number = Number(length);
  if (!Number.isFinite(number)) return `max((${length}) - (${by}), 0)`;
  return number > by ? String(number - by) : undefined;
}

/** Alpha of a colour `rgba(r, g, b, a)`; 1 for others, and for expressions. */
const alphaOf = (color: string | undefined): number =>
  Number(/^rgba\([^)]*,\s*([\d.]+)\s*\)$/.exec(color ?? '')?.[1] ?? 1);
