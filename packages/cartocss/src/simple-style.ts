import { writeNumber } from './expressions/expression.js';
import { defaultFont, knownFonts } from './values/fonts.js';

/** A style as a form with colours and sizes, from which CartoCSS is generated. null: not drawn. Sizes are pixels, opacities 0 to 1. */
export interface SimpleStyle {
  /** Fill of areas. */
  fill: string | null;
  fillOpacity: number;
  /** Lines, and outlines of areas. */
  stroke: string | null;
  strokeWidth: number;
  strokeOpacity: number;
  /** Alternating lengths of dashes and gaps. Empty: a solid line. */
  strokeDash: number[];
  /** Symbol of points. */
  marker: SimpleMarker | null;
  label: SimpleLabel | null;
}

export interface SimpleMarker {
  shape: MarkerShape;
  /** The name of an icon, which replaces the shape. */
  icon: string;
  size: number;
  color: string;
  opacity: number;
  stroke: string | null;
  strokeWidth: number;
}

export interface SimpleLabel {
  /** The code of the column with the label text. */
  column: string;
  font: string;
  size: number;
  color: string;
  halo: string | null;
  haloWidth: number;
  minZoom: number;
}

/** Shapes of markers: `marker-type` of Mapnik, or a built-in icon. */
const shapes = {
  circle: 'marker-type: ellipse;',
  arrow: 'marker-type: arrow;',
  square: 'marker-file: url(square);',
  triangle: 'marker-file: url(triangle);',
  diamond: 'marker-file: url(diamond);',
  star: 'marker-file: url(star);',
  cross: 'marker-file: url(cross);',
  pin: 'marker-file: url(marker);',
} as const;
export type MarkerShape = keyof typeof shapes;

interface Rule {
  initial: unknown;
  isRight: (value: unknown) => boolean;
  expected: string;
}

const color = (initial: string | null): Rule => ({
  initial,
  isRight: (value) =>
    (value === null && initial === null) ||
    (typeof value === 'string' && /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(value)),
  expected: initial === null ? 'a colour (#rgb or #rrggbb), or null' : 'a colour (#rgb or #rrggbb)',
});
const number = (initial: number, min: number, max: number): Rule => ({
  initial,
  isRight: (value) => typeof value === 'number' && value >= min && value <= max,
  expected: `a number from ${min} to ${max}`,
});
const oneOf = (initial: string, values: readonly string[]): Rule => ({
  initial,
  isRight: (value) => typeof value === 'string' && values.includes(value),
  expected: `one of ${values.join(', ')}`,
});
const opacity = number(1, 0, 1);

type Rules = Readonly<Record<string, Rule>>;
const rules: Rules = {
  fill: color(null),
  fillOpacity: opacity,
  stroke: color(null),
  strokeWidth: number(1, 0, 100),
  strokeOpacity: opacity,
  strokeDash: {
    initial: [],
    isRight: (value) =>
      Array.isArray(value) &&
      value.length <= 20 &&
      value.every((one) => typeof one === 'number' && one >= 0.1 && one <= 1000),
    expected: 'an array of lengths from 0.1 to 1000',
  },
};
const markerRules: Rules = {
  shape: oneOf('circle', Object.keys(shapes)),
  icon: {
    initial: '',
    isRight: (value) => typeof value === 'string' && /^(?:[A-Za-z][\w-]{0,62})?$/.test(value),
    expected: 'the name of an icon, or empty',
  },
  size: number(10, 1, 500),
  color: color('#d9480f'),
  opacity,
  stroke: color(null),
  strokeWidth: number(1, 0, 100),
};
const labelRules: Rules = {
  column: {
    initial: undefined,
    isRight: (value) => typeof value === 'string' && /^[A-Za-z_]\w{0,62}$/.test(value),
    expected: 'the code of a column',
  },
  font: {
    initial: defaultFont,
    isRight: (value) => typeof value === 'string' && knownFonts().includes(value),
    expected: 'the name of a font that the service has, such as DejaVu Sans Bold',
  },
  size: number(12, 4, 200),
  color: color('#333333'),
  halo: color(null),
  haloWidth: number(1.5, 0, 20),
  minZoom: number(0, 0, 24),
};

/** A mistake in a simple style: the key and its expected values. */
export class SimpleStyleFault extends Error {
  constructor(
    readonly key: string,
    readonly expected: string,
  ) {
    super(`${key} is ${expected}`);
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a complete style with defaults. Unknown keys are dropped. Throws `SimpleStyleFault`. */
export function readSimpleStyle(given: Readonly<Record<string, unknown>>): SimpleStyle {
  const part = (key: string, table: Rules): unknown => {
    const value = given[key] ?? null;
    if (value === null) return null;
    if (!isObject(value)) throw new SimpleStyleFault(key, 'an object, or null');
    return read(value, table, `${key}.`);
  };
  return {
    ...read(given, rules, ''),
    marker: part('marker', markerRules),
    label: part('label', labelRules),
  } as SimpleStyle;
}

function read(
  given: Readonly<Record<string, unknown>>,
  table: Rules,
  within: string,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(table).map(([key, { initial, isRight, expected }]) => {
      const value = Object.hasOwn(given, key) && given[key] !== undefined ? given[key] : initial;
      if (!isRight(value)) throw new SimpleStyleFault(within + key, expected);
      return [key, value];
    }),
  );
}

/** Generates CartoCSS for a layer. It draws every kind of geometry. */
export function simpleCss(style: SimpleStyle, code: string): string {
  const kind = (name: string, body: readonly string[]): string =>
    body.length ? `#${code}["mapnik::geometry_type" = ${name}] {\n${indented(body)}\n}\n` : '';
  const area = [...fillOf(style), ...strokeOf(style)];
  const marker = style.marker ? markerOf(style.marker) : [];
  const parts = [
    kind('polygon', area),
    kind('linestring', strokeOf(style)),
    kind('point', marker),
    // Geometry collections.
    kind('collection', [...area, ...marker]),
    style.label ? labelOf(style.label, style.marker, code) : '',
  ];
  return parts.filter(Boolean).join('\n');
}

const indented = (lines: readonly string[]): string => lines.map((line) => `  ${line}`).join('\n');

const fillOf = ({ fill, fillOpacity }: SimpleStyle): string[] =>
  fill === null ? [] : [`polygon-fill: ${fill};`, `polygon-opacity: ${writeNumber(fillOpacity)};`];

const strokeOf = ({ stroke, strokeWidth, strokeOpacity, strokeDash }: SimpleStyle): string[] =>
  stroke === null || strokeWidth === 0
    ? []
    : [
        `line-color: ${stroke};`,
        `line-width: ${writeNumber(strokeWidth)};`,
        `line-opacity: ${writeNumber(strokeOpacity)};`,
        'line-join: round;',
        // Round caps would fill short gaps.
        ...(strokeDash.length ? [`line-dasharray: ${dashes(strokeDash)};`] : ['line-cap: round;']),
      ];

/** An odd number of lengths is repeated, as in SVG. */
const dashes = (lengths: readonly number[]): string =>
  (lengths.length % 2 ? [...lengths, ...lengths] : lengths).map((length) => writeNumber(length)).join(', ');

const markerOf = ({
  shape,
  icon,
  size,
  color: fill,
  opacity: part,
  stroke,
  strokeWidth,
}: SimpleMarker): string[] => [
  icon ? `marker-file: url(${icon});` : shapes[shape],
  `marker-width: ${writeNumber(size)};`,
  `marker-fill: ${fill};`,
  `marker-opacity: ${writeNumber(part)};`,
  ...(stroke === null
    ? ['marker-line-width: 0;']
    : [`marker-line-color: ${stroke};`, `marker-line-width: ${writeNumber(strokeWidth)};`]),
  'marker-allow-overlap: true;',
];

function labelOf(label: SimpleLabel, marker: SimpleMarker | null, code: string): string {
  // Below the marker.
  const under = marker ? marker.size / 2 + (marker.stroke === null ? 0 : marker.strokeWidth) + 3 : 0;
  const zoom = label.minZoom > 0 ? `[zoom >= ${Math.ceil(label.minZoom)}]` : '';
  const lines = [
    `text-name: [${label.column}];`,
    `text-face-name: "${label.font}";`,
    `text-size: ${writeNumber(label.size)};`,
    `text-fill: ${label.color};`,
    ...(label.halo === null
      ? []
      : [`text-halo-fill: ${label.halo};`, `text-halo-radius: ${writeNumber(label.haloWidth)};`]),
  ];
  const body = (own: readonly string[]): string => indented([...lines, ...own]);
  return [
    `#${code}::label${zoom}["mapnik::geometry_type" = linestring] {\n${body(['text-placement: line;'])}\n}\n`,
    `#${code}::label${zoom}["mapnik::geometry_type" = polygon] {\n${body(['text-placement: interior;'])}\n}\n`,
    `#${code}::label${zoom}["mapnik::geometry_type" = point] {\n${body([`text-dy: ${writeNumber(under)};`])}\n}\n`,
  ].join('\n');
}
