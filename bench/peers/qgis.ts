import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { tileExtent } from '@cartulary/geo';
import { type Layer, layerCode } from '../data/layer.js';
import type { Tile } from '../data/tiles.js';
import { folderOf, type Stage } from '../stage.js';
import { type FastCgi, startFastCgi } from './fastcgi.js';
import { font } from './mapserver.js';
import { qgisProject } from './qgis-project.js';
import type { TileServer } from './tile-server.js';

/** A box in degrees. */
export type Degrees = readonly [west: number, south: number, east: number, north: number];

export interface QgisServer extends TileServer {
  /** Path of a GeoJSON list of features in a box. */
  features(box: Degrees, most: number): string;
  /** Path of the first features with all columns. */
  page(most: number): string;
  /** Path of the WFS. */
  door: string;
  /** Path of OGC API Features. */
  api: string;
}

const parameters = (values: Record<string, string | number>): string =>
  `/?${new URLSearchParams(Object.entries(values).map(([key, value]): [string, string] => [key, String(value)]))}`;

/** QGIS Server as FastCGI behind nginx. It draws any project that a request names. */
const startQgisServer = (stage: Stage): Promise<FastCgi & { folder: string }> =>
  stage.once('QGIS Server program', async () => {
    const folder = await folderOf(stage, 'qgis');
    const fonts = join(folder, 'fonts.conf');
    await writeFile(
      fonts,
      `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${dirname(font)}</dir><cachedir>${folder}/fonts</cachedir></fontconfig>\n`,
    );
    const program = await startFastCgi(stage, 'qgis', {
      program: '/usr/lib/cgi-bin/qgis_mapserv.fcgi',
      env: {
        QT_QPA_PLATFORM: 'offscreen',
        QGIS_SERVER_LOG_LEVEL: '2',
        FONTCONFIG_FILE: fonts,
        XDG_RUNTIME_DIR: folder,
        HOME: folder,
      },
    });
    return { folder, ...program };
  });

/** QGIS Server's tiles of a project, by WMS. `layers`: names of the visible layers, from the bottom of the map. */
export const qgisServerOf = (
  stage: Stage,
  name: string,
  { project, layers }: { project: string; layers: readonly string[] },
): Promise<TileServer & { file: string }> =>
  stage.once(`QGIS Server ${name}`, async () => {
    const { folder, base, restart } = await startQgisServer(stage);
    const file = join(folder, `${name}.qgs`);
    await writeFile(file, project);
    const path = ({ z, x, y }: Tile): string =>
      parameters({
        MAP: file,
        SERVICE: 'WMS',
        VERSION: '1.3.0',
        REQUEST: 'GetMap',
        LAYERS: layers.join(','),
        STYLES: '',
        CRS: 'EPSG:3857',
        BBOX: tileExtent(z, x, y).join(','),
        WIDTH: 256,
        HEIGHT: 256,
        FORMAT: 'image/png',
        TILED: 'TRUE',
      });
    return { name: 'QGIS Server', base, path, restart, file };
  });

/** QGIS Server over the layer's own table; tiles by WMS, features by WFS. */
export async function qgisServer(stage: Stage, layer: Layer): Promise<QgisServer> {
  const { file, ...tiles } = await qgisServerOf(stage, 'bench', {
    project: qgisProject(layer),
    layers: [layerCode],
  });
  const door = { MAP: file, SERVICE: 'WFS', VERSION: '1.1.0' };
  const list = (most: number) => ({
    ...{ ...door, REQUEST: 'GetFeature', TYPENAME: layerCode, OUTPUTFORMAT: 'GeoJSON' },
    ...{ SRSNAME: 'EPSG:4326', MAXFEATURES: most },
  });
  return {
    ...tiles,
    door: parameters(door),
    // Its links to the next page lose percent-encodings.
    api: `/wfs3/?MAP=${file}`,
    page: (most) => parameters(list(most)),
    features: ([west, south, east, north], most) =>
      parameters({
        ...list(most),
        PROPERTYNAME: 'name,value,geometry',
        BBOX: `${west},${south},${east},${north}`,
      }),
  };
}
