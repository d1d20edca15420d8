import { points } from '../data/towns.js';
import { iconFolder, iconSide, icons } from '../icons.js';
import type { Look, LookLayer } from '../look.js';
import { label, mapClass, marker } from '../peers/map-text.js';
import { categories, circleSymbol, labels, single, svgSymbol } from '../peers/qgis-text.js';

const fills = ['#c92a2a', '#1971c2', '#2f9e44', '#f08c00'];
const size = 8;

const markers: LookLayer = {
  code: 'markers',
  data: points,
  style: `marker-width: ${size}; marker-line-color: #ffffff; marker-line-width: 1; marker-allow-overlap: true;
  ${fills.map((fill, i) => `[class = ${i + 1}] { marker-fill: ${fill}; }`).join(' ')}`,
  mapServer: [
    {
      text: `CLASSITEM "class"
      ${fills.map((fill, i) => mapClass([marker('circle', size, `COLOR "${fill}" OUTLINECOLOR "#ffffff" OUTLINEWIDTH 1`)], i + 1)).join('\n      ')}`,
    },
  ],
  qgis: {
    renderer: categories(
      'class',
      fills.map((fill) => circleSymbol(size, fill, { color: '#ffffff', width: 1 })),
    ),
  },
};

const opacity = 0.6;

/** Dense points through which others show. */
export const translucentPoints: Look = {
  code: 'translucent-points',
  what: 'half transparent points with white outlines in four classes',
  layers: [
    {
      ...markers,
      code: 'translucent',
      style: `${markers.style} marker-opacity: ${opacity};`,
      mapServer: [
        {
          text: `CLASSITEM "class"
      ${fills.map((fill, i) => mapClass([marker('circle', size, `COLOR "${fill}" OUTLINECOLOR "#ffffff" OUTLINEWIDTH 1 OPACITY ${100 * opacity}`)], i + 1)).join('\n      ')}`,
        },
      ],
      qgis: {
        renderer: categories(
          'class',
          fills.map((fill) => circleSymbol(size, fill, { color: '#ffffff', width: 1 }, opacity)),
        ),
      },
    },
  ],
};

/** Dense points, all drawn. */
export const densePoints: Look = {
  code: 'markers',
  what: 'dense points with markers in four classes',
  layers: [markers],
};

const names = Object.keys(icons);

/** Dense points as pictures of their categories, all drawn. */
export const iconPoints: Look = {
  code: 'icons',
  what: 'points with SVG icons by category',
  layers: [
    {
      code: 'icons',
      data: points,
      style: `marker-allow-overlap: true;
  ${names.map((name, i) => `[class = ${i + 1}] { marker-file: url(bench_${name}); }`).join(' ')}`,
      mapServer: [
        {
          text: `CLASSITEM "class"
      ${names.map((name, i) => mapClass([marker(name, iconSide, '')], i + 1)).join('\n      ')}`,
        },
      ],
      qgis: {
        renderer: categories(
          'class',
          names.map((name) => svgSymbol(`${iconFolder}/${name}.svg`, iconSide)),
        ),
      },
    },
  ],
};

const dot = { size: 4, fill: '#5f3dc4' };
const text = { size: 11, color: '#222222', halo: '#ffffff' };

/** QGIS Server needs minutes for the names of all points of the world. */
const namesFrom = 6;
const drawnDot = marker('circle', dot.size, `COLOR "${dot.fill}"`);

/** Points with names above them, of which only some have room. */
export const labelledPoints: LookLayer = {
  code: 'names',
  data: points,
  style: `::dot { marker-width: ${dot.size}; marker-fill: ${dot.fill}; marker-line-width: 0; marker-allow-overlap: true; marker-ignore-placement: true; }
  [zoom >= ${namesFrom}] { ::name { text-name: [name]; text-face-name: 'Noto Sans Regular'; text-size: ${text.size}; text-dy: -5;
    text-fill: ${text.color}; text-halo-fill: ${text.halo}; text-halo-radius: 1; } }`,
  mapServer: [
    { zooms: [0, namesFrom - 1], text: mapClass([drawnDot]) },
    {
      zooms: [namesFrom, 24],
      text: `LABELITEM "name" ${mapClass([drawnDot, label({ ...text, position: 'uc' })])}`,
    },
  ],
  qgis: {
    renderer: single(circleSymbol(dot.size, dot.fill)),
    labels: labels({ column: 'name', ...text, where: 'above', zooms: [namesFrom, 24] }),
  },
};

/** More names than there is room for. */
export const crowdedNames: Look = {
  code: 'point-labels',
  what: 'points with labels and no room for all',
  layers: [labelledPoints],
};

/** The markers of dense points. */
export const markerLayer = markers;
