import { coasts } from '../data/coasts.js';
import type { Look } from '../look.js';
import { fillStyle, label, mapClass, outline } from '../peers/map-text.js';
import { areaSymbol, categories, labels } from '../peers/qgis-text.js';

const fills = ['#f5e7c4', '#dfead0', '#f5d9c8', '#dcdfee', '#eedcea', '#d3e7e2'];
const line = '#8a8078';
const text = { size: 13, color: '#54504a', halo: '#ffffff' };
const labelsFrom = 3;

/** Few and huge polygons with borders and labels inside. */
export const hugeAreas: Look = {
  code: 'huge-areas',
  what: 'huge polygons with borders and interior labels',
  layers: [
    {
      code: 'coasts',
      data: coasts,
      style: `${fills.map((fill, i) => `[color = ${i + 1}] { polygon-fill: ${fill}; }`).join(' ')}
  line-color: ${line}; line-width: 1; line-join: round;
  [zoom >= ${labelsFrom}] { ::label { text-name: [name]; text-face-name: 'Noto Sans Regular'; text-size: ${text.size};
    text-fill: ${text.color}; text-halo-fill: ${text.halo}; text-halo-radius: 1; text-placement: interior; } }`,
      mapServer: [
        {
          text: `CLASSITEM "color" LABELITEM "name" LABELMAXSCALEDENOM ${Math.round((443_744_033 * Math.SQRT2) / 2 ** labelsFrom)}
      ${fills.map((fill, i) => mapClass([fillStyle(fill), outline(line, 1), label(text)], i + 1)).join('\n      ')}`,
        },
      ],
      qgis: {
        renderer: categories(
          'color',
          fills.map((fill) => areaSymbol({ fill, stroke: { color: line, width: 1, cap: 'round' } })),
        ),
        labels: labels({ column: 'name', ...text, where: 'inside', zooms: [labelsFrom, 24] }),
      },
    },
  ],
};
