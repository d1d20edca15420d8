import { roads } from '../data/roads.js';
import type { Look, Zooms } from '../look.js';
import { label, mapClass, stroke } from '../peers/map-text.js';
import { labels, lineSymbol, type QgisRule, rules } from '../peers/qgis-text.js';

/** Roads of a class at some zoom levels: widths with and without casing. */
interface Width {
  class: number;
  zooms: Zooms;
  casing: number;
  fill: number;
}

const colors = ['#e8833a', '#f2b84b', '#fbe28a', '#ffffff'];
const casing = '#8d7b6a';
const text = { size: 10, color: '#3a3733', halo: '#ffffff' };

const widths: readonly Width[] = [
  { class: 1, zooms: [2, 5], casing: 2, fill: 1 },
  { class: 1, zooms: [6, 9], casing: 4, fill: 2.5 },
  { class: 2, zooms: [6, 9], casing: 2.5, fill: 1.5 },
  { class: 3, zooms: [8, 9], casing: 1.5, fill: 0.8 },
  { class: 1, zooms: [10, 24], casing: 8, fill: 6 },
  { class: 2, zooms: [10, 24], casing: 6, fill: 4 },
  { class: 3, zooms: [10, 24], casing: 4.5, fill: 3 },
  { class: 4, zooms: [12, 24], casing: 3.5, fill: 2 },
];

/** Labelled classes by zoom level. */
const labelled: readonly { zooms: Zooms; most: number }[] = [
  { zooms: [8, 9], most: 1 },
  { zooms: [10, 12], most: 2 },
  { zooms: [13, 24], most: 4 },
];

const zoomed = ([from, to]: Zooms): string => `[zoom >= ${from}]${to < 24 ? `[zoom <= ${to}]` : ''}`;

const lines = (of: 'casing' | 'fill'): string =>
  widths
    .map(
      (width) =>
        `[class = ${width.class}]${zoomed(width.zooms)} { line-color: ${of === 'casing' ? casing : colors[width.class - 1]}; line-width: ${width[of]}; line-cap: round; line-join: round; }`,
    )
    .join('\n    ');

/** Bands of zoom levels in which the same roads are drawn. */
const bands: readonly Zooms[] = [
  [2, 5],
  [6, 7],
  [8, 9],
  [10, 11],
  [12, 12],
  [13, 24],
];

/** A LAYER for each band: its classes, the less important first. It draws all casings before the fills. */
const mapServer = bands.map((zooms) => {
  const drawn = widths.filter((width) => width.zooms[0] <= zooms[0] && width.zooms[1] >= zooms[1]);
  const most = labelled.find((one) => one.zooms[0] <= zooms[0] && one.zooms[1] >= zooms[1])?.most ?? 0;
  const classes = drawn.map((width) =>
    mapClass(
      [
        stroke(casing, width.casing, 'LINECAP round LINEJOIN round'),
        stroke(colors[width.class - 1]!, width.fill, 'LINECAP round LINEJOIN round'),
        ...(width.class <= most ? [label({ ...text, follows: true })] : []),
      ],
      width.class,
    ),
  );
  return {
    zooms,
    where: `class <= ${Math.max(...drawn.map((width) => width.class))}`,
    text: `CLASSITEM "class" LABELITEM "name"\n      ${classes.join('\n      ')}`,
  };
});

const drawnRules: QgisRule[] = widths.map(({ class: of, zooms, casing: outer, fill }) => ({
  filter: `class = ${of}`,
  zooms,
  symbol: lineSymbol(
    { color: casing, width: outer, cap: 'round', pass: 0 },
    { color: colors[of - 1]!, width: fill, cap: 'round', pass: 1 },
  ),
}));

/** Roads with casing, by class and zoom level, and names along them. */
export const roadMap: Look = {
  code: 'roads',
  what: 'roads with casing and labels along lines, by class and zoom',
  layers: [
    {
      code: 'roads',
      data: roads,
      style: `::casing {
    ${lines('casing')} }
  ::fill {
    ${lines('fill')} }
  ${labelled
    .map(
      ({
        zooms,
        most,
      }) => `[class <= ${most}]${zoomed(zooms)} { ::label { text-name: [name]; text-face-name: 'Noto Sans Regular';
    text-size: ${text.size}; text-fill: ${text.color}; text-halo-fill: ${text.halo}; text-halo-radius: 1; text-placement: line; } }`,
    )
    .join('\n  ')}`,
      mapServer,
      qgis: {
        renderer: rules(drawnRules, true),
        labels: labels(
          ...labelled.map(({ zooms, most }) => ({
            column: 'name',
            ...text,
            where: 'along' as const,
            zooms,
            filter: `class <= ${most}`,
          })),
        ),
      },
    },
  ],
};
