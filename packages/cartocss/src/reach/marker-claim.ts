import type { Symbolizer } from '../rules/rules.js';
import { avoidsOthers, claimsPlace, isPlainMarker, reachOfMarker } from './paint-reach.js';

/** The place around its point that a marker keeps free of later labels and markers, pixels. */
export interface MarkerClaim {
  /** Absent: those of an icon. */
  readonly size?: { readonly width: number; readonly height: number };
  /** Whether the label of the feature comes first. */
  readonly isAfterLabel: boolean;
  /** Whether the marker is drawn only where its place is free; else it is drawn with the shapes, wherever it lies. */
  readonly avoidsOthers: boolean;
  /** Of a marker that is drawn with the labels, or is measured. */
  readonly marker?: MarkerAlone;
}

export interface MarkerAlone {
  /** Equal markers have equal keys. */
  readonly key: string;
  /** Pixels around its point that it colours, of an icon probably. */
  readonly reach: number;
}

/** The claim of a marker that is drawn at its point, or that of each part, and whose size follows from the style. */
export function claimOf(marker: Symbolizer, isAfterLabel: boolean): MarkerClaim | undefined {
  const { settings } = marker;
  const text = (property: string) => settings.get(`marker-${property}`)?.attribute.text;
  const isAtPoint = (text('placement') ?? 'point') === 'point' && (text('multi-policy') ?? 'each') === 'each';
  const isIcon = settings.has('marker-file');
  const size = isIcon ? undefined : sizeOf(marker);
  if (!isPlainMarker(marker) || !isAtPoint || !(size || isIcon)) return undefined;
  const claim = { ...(size ? { size } : {}), isAfterLabel, avoidsOthers: avoidsOthers(marker) };
  if (!claim.avoidsOthers && !isIcon) return claim;
  // What is not seen cannot be measured.
  if (isIcon && settings.get('marker-opacity')?.attribute.number === 0) return undefined;
  const alone = aloneOf(marker);
  return alone && { ...claim, marker: alone };
}

/** Reach of a marker beyond which it is left to Mapnik, pixels: it is kept at each position within a pixel. */
const maxReachPx = 64;

/** undefined: it depends on the data, is too large, or others need not avoid it. */
function aloneOf(marker: Symbolizer): MarkerAlone | undefined {
  const reach = claimsPlace(marker) ? reachOfMarker(marker) : undefined;
  return reach === undefined || reach > maxReachPx ? undefined : { key: keyOfMarker(marker), reach };
}

/** The properties of a marker without its place. */
export const keyOfMarker = ({ settings }: Symbolizer): string =>
  JSON.stringify([...settings].map(([name, { attribute }]) => [name, attribute.text]));

/** Width and height of a marker without a size. */
const usualMarkerPx = 10;

/** Width and height of a marker without a file; its outline counts. undefined: they depend on the data. */
function sizeOf({ settings }: Symbolizer): MarkerClaim['size'] {
  const side = (name: string) => settings.get(`marker-${name}`)?.attribute;
  const [width, height, stroke] = [side('width'), side('height'), side('line-width')];
  const whole = (one: typeof width): number => (one ? (one.number ?? Number.NaN) : usualMarkerPx);
  const outline = stroke ? (stroke.number ?? Number.NaN) : 0;
  const sides = [whole(width ?? height), whole(height ?? width)] as const;
  const [wide, high] = width || height ? ellipseBox(...sides) : sides;
  const size = { width: wide + outline, height: high + outline };
  return size.width >= 0 && size.height >= 0 ? size : undefined;
}

/** The box of the polygon that AGG draws for an ellipse (agg_ellipse.h): its corners do not reach each side. NaN gives NaN. */
function ellipseBox(width: number, height: number): readonly [number, number] {
  const radius = (width + height) / 4;
  const corners = Math.round(Math.PI / Math.acos(radius / (radius + 0.125)));
  const angles = Array.from({ length: corners }, (_, i) => (2 * Math.PI * i) / corners);
  const spread = (of: (angle: number) => number): number => {
    const all = angles.map(of);
    return Math.max(...all) - Math.min(...all);
  };
  return [(width / 2) * spread(Math.cos), (height / 2) * spread(Math.sin)];
}
