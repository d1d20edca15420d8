import type { CommonSettings, Pattern } from '../common.js';
import type { VisualSettings } from '../kind.js';

/** The computed column with the class number of an object. */
export const classColumn = 'visual.class';

/** The appearance of a class. Sizes are pixels. */
export interface Look {
  color: string;
  opacity: number;
  lineWidth: number;
  linePattern: Pattern;
  /** Width of markers. */
  size: number;
  icon?: string | undefined;
}

type Declarations = Record<string, string | number | boolean | undefined>;

/** A rule for `#layer` with these conditions. Declarations without a value are omitted. */
export function rule(selector: string, declarations: Declarations): string {
  const lines = Object.entries(declarations).flatMap(([name, value]) =>
    value === undefined ? [] : [`  ${name}: ${typeof value === 'number' ? decimal(value) : value};`],
  );
  return `#layer${selector} {\n${lines.join('\n')}\n}\n`;
}

/** A number without an exponent. */
const decimal = (value: number): string => String(Number(value.toFixed(6)));

const shapes = {
  point: '["mapnik::geometry_type" = point]',
  line: '["mapnik::geometry_type" = linestring]',
  polygon: '["mapnik::geometry_type" = polygon]',
  collection: '["mapnik::geometry_type" = collection]',
};
export const ofClass = (number: number): string => `["${classColumn}" = ${number}]`;
const notOf = (numbers: readonly number[]): string =>
  numbers.map((number) => `["${classColumn}" != ${number}]`).join('');

/** Dashes and gaps as multiples of the line width. */
const dashes: Record<Pattern, readonly number[]> = {
  solid: [],
  dash: [4, 3],
  dot: [1, 2],
  dashdot: [5, 2, 1, 2],
};
function dashArray(pattern: Pattern, width: number): string | undefined {
  const parts = dashes[pattern].map((part) => decimal(Math.max(1, part * Math.max(width, 1))));
  return parts.length ? parts.join(', ') : undefined;
}

/** Rules of a class for areas, lines, points and collections. */
export function classRules(number: number, look: Look, settings: CommonSettings): string {
  const area = { 'polygon-fill': look.color, 'polygon-opacity': look.opacity };
  const line = {
    'line-color': look.color,
    'line-opacity': look.opacity,
    'line-width': look.lineWidth,
    'line-dasharray': dashArray(look.linePattern, look.lineWidth),
    'line-join': 'round',
    'line-cap': look.linePattern === 'solid' ? 'round' : 'butt',
  };
  const marker = markerOf(look, look.size, settings);
  return (
    rule(ofClass(number) + shapes.polygon, area) +
    rule(ofClass(number) + shapes.line, line) +
    rule(ofClass(number) + shapes.point, marker) +
    rule(ofClass(number) + shapes.collection, { ...area, ...line, ...marker })
  );
}

/** Declarations of a marker. `size`: pixels or an expression. */
export function markerOf(look: Look, size: number | string, settings: CommonSettings): Declarations {
  const { showBorder, borderSettings: border, pointSettings } = settings;
  return {
    'marker-file': look.icon === undefined ? undefined : `url(${JSON.stringify(look.icon)})`,
    'marker-width': size,
    'marker-height': look.icon === undefined ? size : undefined,
    'marker-opacity': look.icon === undefined ? undefined : look.opacity,
    'marker-fill': look.icon === undefined ? look.color : undefined,
    'marker-fill-opacity': look.icon === undefined ? look.opacity : undefined,
    ...(look.icon === undefined
      ? {
          'marker-line-color': border.color,
          'marker-line-width': showBorder ? border.width : 0,
          'marker-line-opacity': border.opacity,
        }
      : {}),
    'marker-allow-overlap': pointSettings.allowOverlap,
    'marker-ignore-placement': pointSettings.allowOverlap || undefined,
  };
}

/** Rules for borders, below lines and above areas. `hidden`: classes that are not drawn. */
export function borderRules(
  settings: CommonSettings,
  lineWidth: number,
  hidden: readonly number[],
): { below: string; above: string } {
  const { showBorder, borderSettings: border } = settings;
  if (!showBorder || border.width === 0) return { below: '', above: '' };
  const line = (width: number): Declarations => ({
    'line-color': border.color,
    'line-opacity': border.opacity,
    'line-width': width,
    'line-join': 'round',
  });
  return {
    below: rule(`::casing${shapes.line}${notOf(hidden)}`, {
      ...line(lineWidth + 2 * border.width),
      'line-cap': 'round',
    }),
    above: rule(`::border${shapes.polygon}${notOf(hidden)}`, {
      ...line(border.width),
      'line-dasharray': dashArray(border.pattern, border.width),
    }),
  };
}

/** Rules for labels. `below`: default offset of a label below its point, pixels or an expression. `only`: a condition. */
export function textRules(
  settings: CommonSettings,
  below: number | string,
  hidden: readonly number[] = [],
  only = '',
): string {
  const { showText, textSettings: text } = settings;
  if (!showText || text.column === null) return '';
  const declarations: Declarations = {
    'text-name': `[${text.column}]`,
    'text-face-name': JSON.stringify(text.fontFamily),
    'text-size': text.fontSize,
    'text-fill': text.fontColor,
    'text-opacity': text.fontOpacity,
    'text-halo-fill': text.halo ? text.haloColor : undefined,
    'text-halo-radius': text.halo ? text.haloWidth : undefined,
    'text-halo-opacity': text.halo ? text.haloOpacity : undefined,
    'text-allow-overlap': text.allowOverlap,
    'text-wrap-width': 100,
  };
  const offset = text.offsetEnabled ? text.textOffset : undefined;
  const conditions = only + notOf(hidden);
  return (
    rule(`::text${shapes.point}${conditions}`, { ...declarations, 'text-dy': offset ?? below }) +
    rule(`::text${shapes.line}${conditions}`, {
      ...declarations,
      'text-placement': 'line',
      'text-wrap-width': undefined,
      'text-dy': offset,
      'text-spacing': 300,
    }) +
    rule(`::text${shapes.polygon}${conditions}`, {
      ...declarations,
      'text-placement': 'interior',
      'text-dy': offset,
    })
  );
}

/** Width of point markers in pixels. */
export const pointSize = ({ pointSettings }: Pick<VisualSettings, 'pointSettings'>): number =>
  pointSettings.sizeEnabled ? pointSettings.size : 10;

/** Distance in pixels from the point to the edge of a marker with its border. */
export const markerReach = (size: number, { showBorder, borderSettings }: CommonSettings): number =>
  Math.ceil(size / 2 + (showBorder ? borderSettings.width : 0)) + 1;

/** Width in pixels of legend images that fit a marker and a line of these widths. */
export const legendSide = (marker: number, line: number, settings: CommonSettings): number =>
  Math.min(512, Math.max(24, 2 * markerReach(marker, settings), Math.ceil(4 * line)));
