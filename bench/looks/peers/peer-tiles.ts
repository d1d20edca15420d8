import { mapServerOf, postgisSource } from '../../peers/mapserver.js';
import { qgisServerOf } from '../../peers/qgis.js';
import { postgresSource, projectOf, type QgisProjectLayer } from '../../peers/qgis-project.js';
import type { TileServer } from '../../peers/tile-server.js';
import type { Stage } from '../../stage.js';
import { iconFolder, makeIcons, mapSymbols } from '../icons.js';
import type { MapServerLayer, PeerName } from '../look.js';
import { type OwnMap, queryOf, type StoredLayer } from '../own-map.js';
import { scales } from './map-text.js';

/** The tiles of a look by each peer, which reads the tables of the service. */
export const peerTiles: Readonly<
  Record<PeerName, (stage: Stage, own: OwnMap) => Promise<TileServer & { file: string }>>
> = {
  MapServer: async (stage, { map, layers }) => {
    const drawn = layers.flatMap((stored) =>
      stored.layer.mapServer.map((one, i) => mapServerLayer(stored, one, i)),
    );
    return mapServerOf(stage, map, [mapSymbols(await makeIcons(stage)), ...drawn].join('\n  '));
  },
  'QGIS Server': async (stage, { map, layers }) => {
    const folder = await makeIcons(stage);
    const drawn = layers.flatMap(({ layer, stored, image }): QgisProjectLayer[] => {
      const { qgis, data, code } = layer;
      const geometry = ({ POLYGON: 'Polygon', LINE: 'LineString', POINT: 'Point' } as const)[
        data.geometry as 'POLYGON'
      ];
      const source = postgresSource(stored.database, queryOf({ layer, stored }), geometry);
      if (image && qgis) return [{ name: code, provider: 'gdal', source: image, look: qgis.renderer }];
      const look = qgis && `${qgis.renderer}\n${qgis.labels ?? ''}`;
      return look ? [{ name: code, provider: 'postgres', source, geometry, look }] : [];
    });
    const project = projectOf(drawn).replaceAll(iconFolder, folder);
    return qgisServerOf(stage, map, { project, layers: drawn.map(({ name }) => name) });
  },
};

function mapServerLayer(
  stored: StoredLayer,
  { where, zooms, text, density }: MapServerLayer,
  i: number,
): string {
  const { code, data } = stored.layer;
  const name = `${code}_${i}`;
  if (stored.image)
    return `LAYER NAME "${name}" STATUS DEFAULT TYPE RASTER DATA "${stored.image}" PROJECTION "init=epsg:3857" END ${text} END`;
  const source = postgisSource(stored.stored.database, queryOf(stored, where));
  if (density) {
    // The points are read by the layer of their density.
    return `LAYER NAME "${name}_points" STATUS OFF TYPE POINT ${source} END
  LAYER
    NAME "${name}" STATUS DEFAULT TYPE RASTER CONNECTIONTYPE KERNELDENSITY CONNECTION "${name}_points"
    ${text}
  END`;
  }
  return `LAYER
    NAME "${name}"
    STATUS DEFAULT
    TYPE ${data.geometry}
    ${zooms ? scales(zooms) : ''}
    ${source}
    ${text}
  END`;
}
