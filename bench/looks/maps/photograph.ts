import { relief } from '../data/relief.js';
import type { Look } from '../look.js';

/** One image, smoothed. */
export const photograph: Look = {
  code: 'raster',
  what: 'a raster',
  layers: [
    {
      code: 'relief',
      data: relief,
      style: 'raster-opacity: 1; raster-scaling: bilinear;',
      mapServer: [{ text: 'PROCESSING "RESAMPLE=BILINEAR"' }],
      qgis: {
        renderer: `<pipe><rasterrenderer type="multibandcolor" opacity="1" alphaBand="-1" redBand="1" greenBand="2" blueBand="3"/>
  <rasterresampler zoomedInResampler="bilinear" zoomedOutResampler="bilinear" maxOversampling="2"/></pipe>`,
      },
    },
  ],
};
