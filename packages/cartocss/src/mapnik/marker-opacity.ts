/** Attributes of a symbolizer of Mapnik, by name. */
type Attributes = ReadonlyMap<string, string>;

/** Width of the outline that Mapnik gives a marker without one, pixels. */
const usualOutline = 0.5;
/** Side of a marker without a size, pixels. */
const usualSide = '10';
/** The inner disc reaches below the outline by half of this, pixels: beside each other their antialiased edges would let the ground through. */
const overlap = 0.25;

/**
 * The symbolizers that draw a marker with an opacity: those of its parts. Mapnik 4.2 draws the parts of such a marker on a transparent
 * picture of the size of the whole one, which takes 10 ms for each marker of a picture of 1,280 × 1,280 pixels. The outline covers the
 * outer half of its width outside of the fill, and the inner half above it; there both must have the opacity together:
 *
 * - a disc of the whole size, as far as the fill shows through a translucent outline;
 * - a disc within the outline, which makes up for the rest of the fill;
 * - the outline.
 *
 * One symbolizer if that is not needed, or if the parts would lie elsewhere: beside a line, or where there is room.
 */
export function markerParts(marker: Attributes): Attributes[] {
  const number = (name: string, usual: number): number =>
    marker.has(name) ? Number(marker.get(name)) : usual;
  const opacity = number('opacity', 1);
  const [fill, stroke] = [number('fill-opacity', 1), number('stroke-opacity', 1)];
  const outline = number('stroke-width', usualOutline);
  const isKnown = [opacity, fill, stroke, outline].every(Number.isFinite);
  if (!isKnown || opacity >= 1 || marker.has('file')) return [marker];
  const part = (own: Record<string, string | number>): Attributes => {
    const all = new Map(marker);
    all.delete('opacity');
    for (const [name, value] of Object.entries(own)) all.set(name, String(value));
    return all;
  };
  if (outline === 0 || stroke === 0) return [part({ 'fill-opacity': fill * opacity })];
  if (fill === 0) return [part({ 'stroke-opacity': stroke * opacity })];
  const isRound = (marker.get('marker-type') ?? 'ellipse') === 'ellipse';
  if (!isRound || marker.get('placement') === 'line' || marker.get('allow-overlap') !== 'true')
    return [marker];
  const [fillAlpha, strokeAlpha] = [alphaOf(marker.get('fill')), alphaOf(marker.get('stroke'))];
  const whole = opacity * fill * fillAlpha;
  const through = stroke * strokeAlpha;
  const below = (whole * (1 - through)) / (1 - opacity * through);
  const within = (whole - below) / (1 - below);
  const disc = (alpha: number, size: Record<string, string> = {}): Attributes =>
    part({
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
    part({ 'fill-opacity': 0, 'stroke-opacity': stroke * opacity }),
  ];
}

/** A length, or an expression for one, less a number of pixels; undefined: nothing is left. */
function lessened(length: string, by: number): string | undefined {
  const number = Number(length);
  if (!Number.isFinite(number)) return `max((${length}) - (${by}), 0)`;
  return number > by ? String(number - by) : undefined;
}

/** Alpha of a colour `rgba(r, g, b, a)`; 1 for others, and for expressions. */
const alphaOf = (color: string | undefined): number =>
  Number(/^rgba\([^)]*,\s*([\d.]+)\s*\)$/.exec(color ?? '')?.[1] ?? 1);
