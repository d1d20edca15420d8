import { districts, municipalities, regions } from '../data/districts.js';
import type { Look, LookLayer, Zooms } from '../look.js';
import { fillStyle, label, mapClass, outline } from '../peers/map-text.js';
import { areaSymbol, labels, rules } from '../peers/qgis-text.js';

const fills = ['#f6efe1', '#e9f0df', '#e3ecf3', '#f3e4e0', '#ece6f1'];
const thin = { color: '#b5aca2', width: 0.6 };
const text = { color: '#4a4640', halo: '#ffffff' };

/** A level of the division above the municipalities: its borders, and its names at some zoom levels. */
function upper(
  level: Pick<LookLayer, 'code' | 'data'>,
  line: { color: string; width: number },
  named: Zooms,
  size: number,
): LookLayer {
  const written = { ...text, size };
  return {
    ...level,
    style: `line-color: ${line.color}; line-width: ${line.width}; line-join: round;
  [zoom >= ${named[0]}][zoom <= ${named[1]}] { ::label { text-name: [name]; text-face-name: 'Noto Sans Regular'; text-size: ${size};
    text-fill: ${text.color}; text-halo-fill: ${text.halo}; text-halo-radius: 1; text-placement: interior; } }`,
    mapServer: [
      { text: mapClass([outline(line.color, line.width)]), zooms: [0, named[0] - 1] },
      {
        text: `LABELITEM "name" ${mapClass([outline(line.color, line.width), label(written)])}`,
        zooms: named,
      },
      { text: mapClass([outline(line.color, line.width)]), zooms: [named[1] + 1, 24] },
    ],
    qgis: {
      renderer: rules([{ symbol: areaSymbol({ stroke: { ...line, cap: 'round' } }) }]),
      labels: labels({ column: 'name', ...written, where: 'inside', zooms: named }),
    },
  };
}

const lowest: LookLayer = {
  code: 'municipalities',
  data: municipalities,
  style: `${fills.map((fill, i) => `[class = ${i + 1}] { polygon-fill: ${fill}; }`).join(' ')}
  [zoom >= 6] { line-color: ${thin.color}; line-width: ${thin.width}; }
  [zoom >= 9] { ::label { text-name: [name]; text-face-name: 'Noto Sans Regular'; text-size: 10;
    text-fill: ${text.color}; text-halo-fill: ${text.halo}; text-halo-radius: 1; text-placement: interior; } }`,
  mapServer: (
    [
      [[0, 5], []],
      [[6, 8], [outline(thin.color, thin.width)]],
      [
        [9, 24],
        [outline(thin.color, thin.width), label({ ...text, size: 10 })],
      ],
    ] as const
  ).map(([zooms, parts]) => ({
    zooms,
    text: `CLASSITEM "class" LABELITEM "name"
      ${fills.map((fill, i) => mapClass([fillStyle(fill), ...parts], i + 1)).join('\n      ')}`,
  })),
  qgis: {
    renderer: rules(
      fills.flatMap((fill, i) => [
        { filter: `class = ${i + 1}`, zooms: [0, 5] as const, symbol: areaSymbol({ fill }) },
        { filter: `class = ${i + 1}`, zooms: [6, 24] as const, symbol: areaSymbol({ fill, stroke: thin }) },
      ]),
    ),
    labels: labels({ column: 'name', ...text, size: 10, where: 'inside', zooms: [9, 24] }),
  },
};

/** Municipalities, districts and regions, whose borders coincide. */
export const nestedDistricts: Look = {
  code: 'nested-districts',
  what: 'nested districts with shared borders',
  layers: [
    lowest,
    upper({ code: 'districts', data: districts }, { color: '#9a8f86', width: 1.2 }, [6, 8], 11),
    upper({ code: 'regions', data: regions }, { color: '#75685f', width: 2 }, [3, 5], 12),
  ],
};
