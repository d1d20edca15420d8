import { points } from '../data/towns.js';
import type { Look } from '../look.js';
import { density } from '../peers/qgis-text.js';

const radius = 20;
const [cold, hot] = ['#ffd43b', '#c92a2a'];

/** The density of points. MapServer and QGIS scale the colours by the densest place of each picture. */
export const heatMap: Look = {
  code: 'heat',
  what: 'a heat map',
  layers: [
    {
      code: 'heat',
      data: points,
      style: '',
      visual: {
        visualSettings: {
          type: 7,
          classesSettings: { markerSize: radius, colors: [cold, hot], layerOpacity: 1 },
        },
      },
      mapServer: [
        {
          density: true,
          text: `PROCESSING "KERNELDENSITY_RADIUS=${radius}" PROCESSING "KERNELDENSITY_COMPUTE_BORDERS=ON" PROCESSING "KERNELDENSITY_NORMALIZATION=AUTO"
    OFFSITE 0 0 0
    CLASS STYLE COLORRANGE "${cold}00" "${cold}ff" DATARANGE 0 16 END STYLE COLORRANGE "${cold}ff" "${hot}ff" DATARANGE 16 255 END END`,
        },
      ],
      qgis: { renderer: density(radius, cold, hot) },
    },
  ],
};

/** Points counted in hexagons. */
export const hexagonMap: Look = {
  code: 'hexagons',
  what: 'hexagons coloured by the number of points',
  layers: [
    {
      code: 'hexagons',
      data: points,
      style: '',
      visual: { visualCustomSettings: { type: 'hexbin', columns: {}, settings: { zoom: 7, cellSize: 24 } } },
      mapServer: [],
    },
  ],
  impossible: { MapServer: 'has no hexagons', 'QGIS Server': 'has no hexagons without a processing step' },
};
