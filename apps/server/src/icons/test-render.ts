import { compileLayerStyle, mapXml } from '@cartulary/cartocss';
import type { RenderJob } from '@cartulary/renderer';

/** A style that uses a picture in every possible way. */
const style = `#trial {
  marker-file: url(icon); marker-allow-overlap: true;
  a/marker-file: url(icon); a/marker-width: 40; a/marker-fill: #345; a/marker-allow-overlap: true;
  polygon-pattern-file: url(icon); line-pattern-file: url(icon); point-file: url(icon); point-allow-overlap: true;
}`;

const area = {
  type: 'Feature',
  properties: {},
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [8, 8],
        [56, 8],
        [56, 56],
        [8, 56],
        [8, 8],
      ],
    ],
  },
};

/** A small render that draws an icon in every way in which a style can use it. */
export function testRenderJob(file: string): RenderJob {
  const layer = { code: 'trial', classes: [], columns: undefined };
  const compiled = compileLayerStyle(style, layer, { icons: new Map([['icon', file]]) });
  const datasource = { type: 'geojson', inline: JSON.stringify(area) };
  const xml = mapXml({
    layers: [{ name: 'trial', srs: 'epsg:3857', datasource, compiled }],
    bufferSizePx: 0,
  });
  const shape = { extent: [0, 0, 64, 64], columns: 1, rows: 1, size: 64, scale: 1 } as const;
  return { xml, xmlKey: `icon ${file}`, ...shape, extent: [0, 0, 64, 64], bufferSize: 0, format: 'png' };
}
