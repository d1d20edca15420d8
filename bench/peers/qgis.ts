import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { tileExtent } from '@cartulary/geo';
import { type Layer, layerCode } from '../data/layer.js';
import { folderOf, type Stage } from '../stage.js';
import { startFastCgi } from './fastcgi.js';
import { font } from './mapserver.js';
import { qgisProject } from './qgis-project.js';
import type { TileServer } from './tile-server.js';

/** A box in degrees. */
export type Degrees = readonly [west: number, south: number, east: number, north: number];

export interface QgisServer extends TileServer {
  /** Path of a GeoJSON list of features in a box. */
  features(box: Degrees, most: number): string;
}

const parameters = (values: Record<string, string | number>): string =>
  `/?${new URLSearchParams(Object.entries(values).map(([key, value]): [string, string] => [key, String(value)]))}`;

/** QGIS Server as FastCGI behind nginx over the layer's own table; tiles by WMS, features by WFS. */
export const qgisServer = (stage: Stage, layer: Layer): Promise<QgisServer> =>
  stage.once('QGIS Server', async () => {
    const folder = await folderOf(stage, 'qgis');
    const project = join(folder, 'bench.qgs');
    await writeFile(project, qgisProject(layer));
    const fonts = join(folder, 'fonts.conf');
    await writeFile(
      fonts,
      `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${dirname(font)}</dir><cachedir>${folder}/fonts</cachedir></fontconfig>\n`,
    );
    const base = await startFastCgi(stage, 'qgis', {
      program: '/usr/lib/cgi-bin/qgis_mapserv.fcgi',
      env: {
        QT_QPA_PLATFORM: 'offscreen',
        QGIS_PROJECT_FILE: project,
        QGIS_SERVER_LOG_LEVEL: '2',
        FONTCONFIG_FILE: fonts,
        XDG_RUNTIME_DIR: folder,
        HOME: folder,
      },
    });
    return {
      name: 'QGIS Server',
      base,
      path: ({ z, x, y }) =>
        parameters({
          SERVICE: 'WMS',
          VERSION: '1.3.0',
          REQUEST: 'GetMap',
          LAYERS: layerCode,
          STYLES: '',
          CRS: 'EPSG:3857',
          BBOX: tileExtent(z, x, y).join(','),
          WIDTH: 256,
          HEIGHT: 256,
          FORMAT: 'image/png',
          TILED: 'TRUE',
        }),
      features: ([west, south, east, north], most) =>
        parameters({
          SERVICE: 'WFS',
          VERSION: '1.1.0',
          REQUEST: 'GetFeature',
          TYPENAME: layerCode,
          OUTPUTFORMAT: 'GeoJSON',
          SRSNAME: 'EPSG:4326',
          PROPERTYNAME: 'name,value,geometry',
          BBOX: `${west},${south},${east},${north}`,
          MAXFEATURES: most,
        }),
    };
  });
