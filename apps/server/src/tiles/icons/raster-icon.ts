import { type CompiledStyle, compileLayerStyle, type MapLayer } from '@cartulary/cartocss';
import type { Queryable } from '@cartulary/database';
import { type Extent, toMercator } from '@cartulary/geo';
import { drawnXml } from '@cartulary/renderer';
import { type Raster, readRaster } from '../../rasters/store.js';
import { ownStyle } from '../plan/layer-style.js';
import { rasterSource } from '../plan/raster-source.js';
import type { DrawJob } from '../render/draw-job.js';
import { pictureJob } from '../render/jobs.js';
import type { IconRequest } from './icon-request.js';

/** The job for the icon of a raster layer: its image in its own style, or a plain area before the first import. */
export async function rasterIconJob(
  db: Queryable,
  { layer, storage, size, icons }: Pick<IconRequest, 'layer' | 'storage' | 'size' | 'icons'>,
): Promise<DrawJob> {
  const raster = await readRaster(db, layer.id);
  const extent: Extent = raster ? squareAround(raster) : [0, 0, 1, 1];
  const drawn: Omit<MapLayer, 'name'> = raster
    ? {
        ...rasterSource(raster, (key) => storage.path(key)),
        compiled: atAnyZoom(ownStyle({ ...layer, raster }, icons)),
      }
    : blank;
  const xml = drawnXml({ bufferSizePx: 0, layers: [{ name: 'icon', ...drawn }] });
  return pictureJob(xml, { extent, size });
}

/** The smallest square of EPSG:3857 that contains the image. */
function squareAround({ west, south, east, north }: Raster): Extent {
  const [x0, y0] = toMercator(west, south);
  const [x1, y1] = toMercator(east, north);
  const half = Math.max(x1 - x0, y1 - y0) / 2;
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  return [x - half, y - half, x + half, y + half];
}

/** The style without zoom limits: a whole image seldom has the scale for which a style is made. */
function atAnyZoom(compiled: CompiledStyle): CompiledStyle {
  const limits = /<(M(?:ax|in)ScaleDenominator)>[^<]*<\/\1>/g;
  return {
    ...compiled,
    styles: compiled.styles.map(({ name, xml }) => ({ name, xml: xml.replace(limits, '') })),
  };
}

const area = {
  type: 'Polygon',
  coordinates: [
    [
      [0.12, 0.12],
      [0.88, 0.12],
      [0.88, 0.88],
      [0.12, 0.88],
      [0.12, 0.12],
    ],
  ],
};

/** Placeholder before the first import. */
const blank: Omit<MapLayer, 'name'> = {
  srs: 'epsg:3857',
  datasource: {
    type: 'geojson',
    inline: JSON.stringify({ type: 'Feature', properties: {}, geometry: area }),
  },
  compiled: compileLayerStyle('#icon { polygon-fill: #ced4da; }', {
    code: 'icon',
    classes: [],
    columns: undefined,
  }),
};
