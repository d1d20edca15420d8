import { areas } from '../data/areas.js';
import type { Look } from '../look.js';
import { fillStyle, label, mapClass, outline } from '../peers/map-text.js';
import { areaSymbol, categories, labels } from '../peers/qgis-text.js';

const fills = ['#f2e6c9', '#cfe3c0', '#c3d7ea', '#ecc6bd'];
const line = '#6b5b4b';
const text = { size: 11, color: '#222222', halo: '#ffffff' };
const labelsFrom = 10;

/** Small polygons with classes, outlines and labels. */
export const smallAreas: Look = {
  code: 'small-areas',
  what: 'small polygons with classes and labels',
  layers: [
    {
      code: 'areas',
      data: areas,
      style: `line-color: ${line}; line-width: 1;
  ${fills.map((fill, i) => `[class = ${i + 1}] { polygon-fill: ${fill}; }`).join(' ')}
  [zoom >= ${labelsFrom}] { text-name: [name]; text-face-name: 'Noto Sans Regular'; text-size: ${text.size};
    text-fill: ${text.color}; text-halo-fill: ${text.halo}; text-halo-radius: 1; }`,
      mapServer: [
        {
          text: `CLASSITEM "class"
      ${fills.map((fill, i) => mapClass([fillStyle(fill), outline(line, 1)], i + 1)).join('\n      ')}`,
          zooms: [0, labelsFrom - 1],
        },
        {
          text: `CLASSITEM "class" LABELITEM "name"
      ${fills.map((fill, i) => mapClass([fillStyle(fill), outline(line, 1), label(text)], i + 1)).join('\n      ')}`,
          zooms: [labelsFrom, 24],
        },
      ],
      qgis: {
        renderer: categories(
          'class',
          fills.map((fill) => areaSymbol({ fill, stroke: { color: line, width: 1 } })),
        ),
        labels: labels({ column: 'name', ...text, where: 'over', zooms: [labelsFrom, 24] }),
      },
    },
  ],
};
