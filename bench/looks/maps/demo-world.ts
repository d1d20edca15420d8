import { readFileSync } from 'node:fs';
import { cities, countries } from '../data/world.js';
import type { Look, Zooms } from '../look.js';
import { fillStyle, label, mapClass, marker, outline } from '../peers/map-text.js';
import { areaSymbol, circleSymbol, labels, rules } from '../peers/qgis-text.js';

/** The style of the demo, with the font of the bench and numbers for yes and no. */
const sheet = (name: string): string =>
  readFileSync(`demo/${name}.mss`, 'utf8')
    .replaceAll(/DejaVu Sans (Book|Bold)/g, 'Noto Sans Regular')
    .replaceAll('capital = true', 'capital = 1');

const fills = ['#f5e7c4', '#dfead0', '#f5d9c8', '#dcdfee', '#eedcea', '#d3e7e2'];
const border = '#a39a90';
const named = { color: '#54504a', halo: '#ffffff' };

/** Borders and labelled countries by zoom level. */
const bands: readonly { zooms: Zooms; width: number; leastArea: number; size: number }[] = [
  { zooms: [0, 2], width: 0.3, leastArea: 2_500_000, size: 10 },
  { zooms: [3, 3], width: 0.5, leastArea: 700_000, size: 10 },
  { zooms: [4, 4], width: 0.5, leastArea: 150_000, size: 12 },
  { zooms: [5, 5], width: 0.8, leastArea: 30_000, size: 13 },
  { zooms: [6, 6], width: 0.8, leastArea: 3_000, size: 15 },
  { zooms: [7, 7], width: 0.8, leastArea: -1, size: 15 },
  { zooms: [8, 24], width: 1.2, leastArea: -1, size: 15 },
];

/** The least population of the cities of a zoom level, and the size of most names. */
const shown: readonly { zooms: Zooms; least: number; size: number }[] = [
  { zooms: [3, 3], least: 5_000_000, size: 9 },
  { zooms: [4, 4], least: 1_500_000, size: 10 },
  { zooms: [5, 5], least: 500_000, size: 10 },
  { zooms: [6, 6], least: 200_000, size: 10 },
  { zooms: [7, 7], least: 80_000, size: 11 },
  { zooms: [8, 8], least: 30_000, size: 11 },
  { zooms: [9, 9], least: 10_000, size: 11 },
  { zooms: [10, 10], least: 3_000, size: 11 },
  { zooms: [11, 24], least: -1, size: 11 },
];

/** Dots by population, the largest first. */
const dots = ({ zooms: [from] }: { zooms: Zooms }) => [
  ...(from >= 8 ? [{ above: 300_000, size: 9 }] : []),
  ...(from >= 5 && from < 8 ? [{ above: 3_000_000, size: 8 }] : []),
  ...(from >= 4 && from < 8 ? [{ above: 1_000_000, size: 6 }] : []),
  { above: -1, size: 4 },
];
const [dot, capital] = ['#6f655d', '#b1392c'];
const place = { color: '#3a3733', halo: '#ffffff' };

/** Countries and cities as the demo shows them. */
export const demoWorld: Look = {
  code: 'world',
  what: 'the demo world',
  layers: [
    {
      code: 'countries',
      data: countries,
      sheet: sheet('countries'),
      style: '',
      mapServer: bands.map(({ zooms, width, leastArea, size }) => ({
        zooms,
        text: `LABELITEM "name"
      ${fills
        .flatMap((fill, i) => {
          const drawn = [fillStyle(fill), outline(border, width)];
          const isOf = `[color] = ${i + 1}`;
          return [
            mapClass([
              `EXPRESSION (${isOf} AND [area_km2] > ${leastArea})`,
              ...drawn,
              label({ ...named, size }),
            ]),
            mapClass([`EXPRESSION (${isOf})`, ...drawn]),
          ];
        })
        .join('\n      ')}`,
      })),
      qgis: {
        renderer: rules(
          bands.flatMap(({ zooms, width }) =>
            fills.map((fill, i) => ({
              zooms,
              filter: `color = ${i + 1}`,
              symbol: areaSymbol({ fill, stroke: { color: border, width, cap: 'round' } }),
            })),
          ),
        ),
        labels: labels(
          ...bands.map(({ zooms, leastArea, size }) => ({
            column: 'name',
            ...named,
            size,
            zooms,
            filter: `area_km2 > ${leastArea}`,
            where: 'inside' as const,
          })),
        ),
      },
    },
    {
      code: 'cities',
      data: cities,
      sheet: sheet('cities'),
      style: '',
      mapServer: shown.map((band) => ({
        zooms: band.zooms,
        where: `population > ${band.least}`,
        text: `LABELITEM "name"
      ${dots(band)
        .flatMap(({ above, size }) =>
          [capital, dot].map((color, i) =>
            mapClass([
              `EXPRESSION ([population] > ${above} AND [capital] = ${1 - i})`,
              marker('circle', size, `COLOR "${color}" OUTLINECOLOR "#ffffff" OUTLINEWIDTH 0.8`),
              label({ ...place, size: band.size, position: 'auto' }),
            ]),
          ),
        )
        .join('\n      ')}`,
      })),
      qgis: {
        renderer: rules(
          shown.flatMap((band) =>
            dots(band).flatMap(({ above, size }, i, all) =>
              [capital, dot].map((color, no) => ({
                zooms: band.zooms,
                filter: `population > ${Math.max(above, band.least)} AND population <= ${i ? all[i - 1]!.above : 1e9} AND capital = ${1 - no}`,
                symbol: circleSymbol(size, color, { color: '#ffffff', width: 0.8 }),
              })),
            ),
          ),
        ),
        labels: labels(
          ...shown.map(({ zooms, least, size }) => ({
            column: 'name',
            ...place,
            size,
            zooms,
            filter: `population > ${least}`,
            where: 'around' as const,
          })),
        ),
      },
    },
  ],
};
