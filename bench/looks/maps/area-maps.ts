import { areas } from '../data/areas.js';
import { districts } from '../data/districts.js';
import { iconFolder, patternSide, patterns } from '../icons.js';
import type { Look, LookLayer } from '../look.js';
import { fillStyle, mapClass, outline } from '../peers/map-text.js';
import { areaSymbol, categories, ranges } from '../peers/qgis-text.js';

const fills = ['#e8590c', '#2f9e44', '#1971c2', '#9c36b5'];
const dashed = { color: '#343a40', width: 1.5, dash: [6, 3] } as const;

/** Half transparent areas with dashed outlines, which show what they overlap. */
export const translucentLayer: LookLayer = {
  code: 'overlapping',
  data: areas,
  style: `polygon-opacity: 0.5; line-color: ${dashed.color}; line-width: ${dashed.width}; line-dasharray: ${dashed.dash};
  ${fills.map((fill, i) => `[class = ${i + 1}] { polygon-fill: ${fill}; }`).join(' ')}`,
  mapServer: [
    {
      text: `CLASSITEM "class"
      ${fills
        .map((fill, i) =>
          mapClass(
            [
              fillStyle(fill, 0.5),
              outline(dashed.color, dashed.width, `PATTERN ${dashed.dash.join(' ')} END`),
            ],
            i + 1,
          ),
        )
        .join('\n      ')}`,
    },
  ],
  qgis: {
    renderer: categories(
      'class',
      fills.map((fill) => areaSymbol({ fill, opacity: 0.5, stroke: dashed })),
    ),
  },
};

/** Overlapping areas. */
export const translucentAreas: Look = {
  code: 'translucent',
  what: 'half transparent polygons with dashed outlines',
  layers: [translucentLayer],
};

const grounds = ['#ebfbee', '#e7f5ff', '#fff4e6', '#f8f0fc', '#fff9db'];
const names = Object.keys(patterns);
const edge = { color: '#868e96', width: 1 };

/** Districts filled with pictures. */
export const patternedAreas: Look = {
  code: 'patterns',
  what: 'polygons filled with patterns',
  layers: [
    {
      code: 'districts',
      data: districts,
      style: `line-color: ${edge.color}; line-width: ${edge.width};
  ${grounds.map((ground, i) => `[class = ${i + 1}] { polygon-fill: ${ground}; ${names[i] ? `polygon-pattern-file: url(bench_${names[i]});` : ''} }`).join(' ')}`,
      mapServer: [
        {
          text: `CLASSITEM "class"
      ${grounds
        .map((ground, i) =>
          mapClass(
            [
              fillStyle(ground),
              ...(names[i] ? [`STYLE SYMBOL "${names[i]}" END`] : []),
              outline(edge.color, edge.width),
            ],
            i + 1,
          ),
        )
        .join('\n      ')}`,
        },
      ],
      qgis: {
        renderer: categories(
          'class',
          grounds.map((fill, i) =>
            areaSymbol({
              fill,
              stroke: edge,
              ...(names[i] ? { pattern: { file: `${iconFolder}/${names[i]}.png`, width: patternSide } } : {}),
            }),
          ),
        ),
      },
    },
  ],
};

/** Limits of the classes of `value`, and the colours that the service computes between the first and the last. */
const limits = [0, 20, 40, 60, 80, 100] as const;
const ramp = ['#fee5d9', '#fcbba1', '#fc9272', '#de5b46', '#a50f15'];
const border = { color: '#ffffff', width: 0.5 };

/** A thematic map of a column, with limits that all sides know. */
export const thematicAreas: Look = {
  code: 'thematic',
  what: 'a thematic layer: five classes of a number',
  layers: [
    {
      code: 'values',
      data: areas,
      style: '',
      visual: {
        visualSettings: {
          type: 1,
          columnCode: 'value',
          classesCount: 5,
          classesSettings: { minColor: ramp[0], midColor: ramp[2], maxColor: ramp[4], limits, opacity: 1 },
          borderSettings: border,
        },
      },
      mapServer: [
        {
          text: ramp
            .map((fill, i) => {
              const condition = `EXPRESSION ([value] >= ${limits[i]} AND [value] < ${limits[i + 1]})`;
              return mapClass([condition, fillStyle(fill), outline(border.color, border.width)]);
            })
            .join('\n      '),
        },
      ],
      qgis: {
        renderer: ranges(
          'value',
          limits,
          ramp.map((fill) => areaSymbol({ fill, stroke: border })),
        ),
      },
    },
  ],
};
