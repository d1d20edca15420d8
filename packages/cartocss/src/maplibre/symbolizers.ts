import type { SymbolizerName } from '../properties.js';
import type { MapLibreExpression } from './expressions.js';
import { Inexpressible } from './inexpressible.js';
import type { MapLibrePicture, SettingsReader } from './settings.js';

type Properties = Record<string, MapLibreExpression>;

/** The part of a MapLibre layer that a symbolizer says. */
export interface MapLibreSymbol {
  type: 'fill' | 'line' | 'circle' | 'symbol';
  layout?: Properties;
  paint: Properties;
  /** The picture that the layer names. */
  picture?: MapLibrePicture;
}

/** `hasPoints`: the features are points. */
type Convert = (read: SettingsReader, hasPoints: boolean) => MapLibreSymbol;

/** Symbolizers that MapLibre has, by name. */
const converters: Partial<Record<SymbolizerName, Convert>> = {
  polygon: (read) => ({
    type: 'fill',
    paint: {
      'fill-color': read.value('polygon-fill', '#808080'),
      'fill-opacity': read.value('polygon-opacity', 1),
    },
  }),
  line: lineSymbol,
  markers: (read, hasPoints) =>
    read.has('marker-file') ? markerPicture(read, hasPoints) : circleSymbol(read, hasPoints),
  point: pointPicture,
  dot: (read, hasPoints) => {
    if (!hasPoints) throw new Inexpressible('dots at lines and areas');
    const width = read.value('dot-width', 1);
    if (read.has('dot-height') && !isSame(read.value('dot-height', 1), width))
      throw new Inexpressible('ellipses');
    return {
      type: 'circle',
      paint: {
        'circle-color': read.value('dot-fill', '#808080'),
        'circle-opacity': read.value('dot-opacity', 1),
        'circle-radius': half(width),
      },
    };
  },
  text: labelSymbol,
};

/** The MapLibre symbol of a symbolizer. Throws `Inexpressible`. */
export function symbolOf(name: SymbolizerName, read: SettingsReader, hasPoints: boolean): MapLibreSymbol {
  const convert = converters[name];
  if (!convert) throw new Inexpressible(`${name} symbols`);
  return convert(read, hasPoints);
}

const isSame = (a: MapLibreExpression, b: MapLibreExpression): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

const half = (value: MapLibreExpression): MapLibreExpression =>
  typeof value === 'number' ? value / 2 : ['/', value, 2];

const negative = (value: MapLibreExpression): MapLibreExpression =>
  typeof value === 'number' ? 0 - value : ['-', value];

function lineSymbol(read: SettingsReader): MapLibreSymbol {
  const width = read.value('line-width', 1);
  const dashes = read.numbers('line-dasharray');
  if (dashes && typeof width !== 'number')
    throw new Inexpressible('dashes of lines whose width depends on the data');
  const join = read.keyword('line-join', 'miter');
  const cap = read.keyword('line-cap', 'butt');
  const paint: Properties = {
    'line-color': read.value('line-color', '#000000'),
    'line-width': width,
    'line-opacity': read.value('line-opacity', 1),
  };
  // MapLibre counts dashes in widths of the line, and an uneven list does not alternate.
  const even = dashes && dashes.length % 2 ? [...dashes, ...dashes] : dashes;
  if (even) paint['line-dasharray'] = even.map((dash) => dash / Math.max(Number(width), 0.01));
  // To the left in CartoCSS, to the right in MapLibre.
  if (read.has('line-offset')) paint['line-offset'] = negative(read.value('line-offset', 0));
  return {
    type: 'line',
    layout: {
      'line-join': join === 'miter-revert' ? 'miter' : join,
      'line-cap': cap,
      ...(join.startsWith('miter') ? { 'line-miter-limit': read.constant('line-miterlimit', 4) } : {}),
    },
    paint,
  };
}

/** A marker that is a circle. The border of CartoCSS lies over the edge, that of MapLibre outside of it. */
function circleSymbol(read: SettingsReader, hasPoints: boolean): MapLibreSymbol {
  // MapLibre draws circles at each vertex of a line or an area.
  if (!hasPoints) throw new Inexpressible('markers at lines and areas');
  if (read.keyword('marker-type', 'ellipse') !== 'ellipse') throw new Inexpressible('arrows');
  const placement = read.keyword('marker-placement', 'point');
  if (!['point', 'interior'].includes(placement)) throw new Inexpressible(`marker-placement: ${placement}`);
  const width = read.has('marker-width') ? read.value('marker-width', 10) : read.value('marker-height', 10);
  if (read.has('marker-height') && !isSame(read.value('marker-height', 10), width))
    throw new Inexpressible('ellipses');
  // Circles of MapLibre neither avoid each other nor take room from labels.
  for (const name of ['marker-allow-overlap', 'marker-ignore-placement'])
    if (read.keyword(name, 'false') !== 'true') read.leaveOut(name);
  const border = read.value('marker-line-width', 0.5);
  const opacity = read.has('marker-opacity') ? read.value('marker-opacity', 1) : undefined;
  const radius =
    typeof width === 'number' && typeof border === 'number'
      ? Math.max(0, (width - border) / 2)
      : (['max', 0, ['/', ['-', width, border], 2]] as const);
  const fillOpacity = read.value('marker-fill-opacity', 1);
  const lineOpacity = read.value('marker-line-opacity', 1);
  return {
    type: 'circle',
    paint: {
      'circle-radius': radius,
      'circle-color': read.value('marker-fill', '#0000ff'),
      'circle-opacity': opacity ?? fillOpacity,
      'circle-stroke-color': read.value('marker-line-color', '#000000'),
      'circle-stroke-width': border,
      'circle-stroke-opacity': opacity ?? lineOpacity,
    },
  };
}

/** Settings of the look of a marker with an icon. Its opacity may depend on the data. */
const markerLook = [
  'fill',
  'fill-opacity',
  'line-color',
  'line-width',
  'line-opacity',
  'width',
  'height',
  'transform',
];

function markerPicture(read: SettingsReader, hasPoints: boolean): MapLibreSymbol {
  if (!hasPoints) throw new Inexpressible('markers at lines and areas');
  const placement = read.keyword('marker-placement', 'point');
  if (!['point', 'interior'].includes(placement)) throw new Inexpressible(`marker-placement: ${placement}`);
  const picture = read.picture(
    'marker-file',
    markerLook.map((name) => `marker-${name}`),
  );
  return pictureSymbol(read, 'marker', picture);
}

function pointPicture(read: SettingsReader, hasPoints: boolean): MapLibreSymbol {
  if (!hasPoints) throw new Inexpressible('icons at lines and areas');
  read.keyword('point-placement', 'centroid');
  return pictureSymbol(read, 'point', read.picture('point-file', ['point-transform']));
}

const pictureSymbol = (
  read: SettingsReader,
  prefix: 'marker' | 'point',
  picture: MapLibrePicture,
): MapLibreSymbol => ({
  type: 'symbol',
  layout: {
    'icon-image': picture.name,
    'icon-padding': 0,
    'icon-allow-overlap': read.keyword(`${prefix}-allow-overlap`, 'false') === 'true',
    'icon-ignore-placement': read.keyword(`${prefix}-ignore-placement`, 'false') === 'true',
  },
  paint: { 'icon-opacity': read.value(`${prefix}-opacity`, 1) },
  picture,
});

const horizontal: Readonly<Record<string, string>> = { left: 'right', right: 'left' };
const vertical: Readonly<Record<string, string>> = { top: 'bottom', bottom: 'top' };

/** The side of the label that is at its point. In CartoCSS the displacement decides it. */
function anchorOf(read: SettingsReader, dx: number, dy: number): string {
  const across = read.keyword('text-horizontal-alignment', 'auto');
  const down = read.keyword('text-vertical-alignment', 'auto');
  const x = across === 'auto' ? (dx > 0 ? 'right' : dx < 0 ? 'left' : 'middle') : across;
  const y = down === 'auto' ? (dy > 0 ? 'bottom' : dy < 0 ? 'top' : 'middle') : down;
  return [vertical[y], horizontal[x]].filter(Boolean).join('-') || 'center';
}

/** The side of a label at its point, by the direction in which the label lies. */
const anchors: Readonly<Record<string, string>> = {
  ...{ N: 'bottom', S: 'top', E: 'left', W: 'right', X: 'center' },
  ...{ NE: 'bottom-left', SE: 'top-left', NW: 'bottom-right', SW: 'top-right' },
};

/** Alternative places of a label, or its one place. */
function anchorsOf(read: SettingsReader, dx: number, dy: number): Properties {
  const placements = read.keyword('text-placements', '');
  const isSimple = read.keyword('text-placement-type', 'dummy') === 'simple';
  const found = placements.split(',').flatMap((direction) => anchors[direction] ?? []);
  return isSimple && found.length
    ? { 'text-variable-anchor': found }
    : { 'text-anchor': anchorOf(read, dx, dy) };
}

function labelSymbol(read: SettingsReader, hasPoints: boolean): MapLibreSymbol {
  const size = read.value('text-size', 10);
  const em = typeof size === 'number' ? size : 10;
  const [dx, dy] = [read.constant('text-dx', 0), read.constant('text-dy', 0)];
  const placement = read.keyword('text-placement', 'point');
  if (!['point', 'interior', 'line'].includes(placement))
    throw new Inexpressible(`text-placement: ${placement}`);
  const isLine = placement === 'line';
  // MapLibre labels each part of an area.
  if (!isLine && !hasPoints && read.keyword('text-largest-bbox-only', 'true') === 'true')
    read.leaveOut('text-largest-bbox-only');
  const wrap = read.constant('text-wrap-width', 0);
  const transform = read.keyword('text-transform', 'none');
  if (!['none', 'uppercase', 'lowercase'].includes(transform))
    throw new Inexpressible(`text-transform: ${transform}`);
  const layout: Properties = {
    'text-field': read.label('text-name'),
    'text-font': [...(read.faces('text-face-name') ?? ['DejaVu Sans Book'])].slice(0, 1),
    'text-size': size,
    'symbol-placement': isLine ? 'line' : 'point',
    'text-allow-overlap': read.keyword('text-allow-overlap', 'false') === 'true',
    'text-max-width': wrap ? wrap / em : 1000,
    'text-letter-spacing': read.constant('text-character-spacing', 0) / em,
    'text-transform': transform,
    ...(isLine
      ? { 'symbol-spacing': Math.max(1, read.constant('text-spacing', 0) || 10_000) }
      : anchorsOf(read, dx, dy)),
    'text-offset': [dx / em, dy / em],
  };
  if (isLine) layout['text-max-angle'] = read.constant('text-max-char-angle-delta', 22.5);
  return { type: 'symbol', layout, paint: labelPaint(read) };
}

function labelPaint(read: SettingsReader): Properties {
  const haloOpacity = read.constant('text-halo-opacity', 1);
  const radius = read.value('text-halo-radius', 0);
  const halo = read.value('text-halo-fill', '#ffffff');
  return {
    'text-color': read.value('text-fill', '#000000'),
    'text-opacity': read.value('text-opacity', 1),
    ...(radius === 0
      ? {}
      : { 'text-halo-color': haloOpacity === 0 ? 'transparent' : halo, 'text-halo-width': radius }),
  };
}
