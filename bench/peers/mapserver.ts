import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Layer, layerCode, look } from '../data/layer.js';
import type { Tile } from '../data/tiles.js';
import { folderOf, type Stage } from '../stage.js';
import { connectionText } from './connection.js';
import { type FastCgi, startFastCgi } from './fastcgi.js';
import type { TileServer } from './tile-server.js';

export const font = createRequire(import.meta.url).resolve(
  '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
);

/** MapServer as FastCGI behind nginx. It draws any MAP file that a request names. */
const startMapServer = (stage: Stage): Promise<FastCgi & { folder: string; fonts: string }> =>
  stage.once('MapServer program', async () => {
    const folder = await folderOf(stage, 'mapserver');
    const [fonts, config] = [join(folder, 'fonts.list'), join(folder, 'mapserver.conf')];
    await writeFile(fonts, `noto ${font}\n`);
    await writeFile(config, `CONFIG\n  ENV\n    MS_MAP_PATTERN "."\n  END\nEND\n`);
    const program = await startFastCgi(stage, 'mapserver', {
      program: '/usr/bin/mapserv',
      env: { MAPSERVER_CONFIG_FILE: config },
    });
    return { folder, fonts, ...program };
  });

/** MapServer's tiles of a map, by its tile mode, in full colours. `layers`: the text of the LAYERs and SYMBOLs of the MAP file. */
export const mapServerOf = (
  stage: Stage,
  map: string,
  layers: string,
): Promise<TileServer & { file: string }> =>
  stage.once(`MapServer ${map}`, async () => {
    const { folder, fonts, base, restart } = await startMapServer(stage);
    const file = join(folder, `${map}.map`);
    await writeFile(file, mapFile(layers, fonts));
    const path = ({ z, x, y }: Tile): string =>
      `/?map=${file}&mode=tile&tilemode=gmap&layers=all&tile=${x}+${y}+${z}`;
    return { name: 'MapServer', base, path, restart, file };
  });

/** MapServer's tiles over the layer's own table. */
export const mapServer = (stage: Stage, layer: Layer): Promise<TileServer> =>
  mapServerOf(stage, 'bench', polygonText(layer));

/** Scale limit of labels: between the scales of two zoom levels at MapServer's 72 dots per inch. */
const labelScale = Math.round((443_744_033 * Math.SQRT2) / 2 ** look.labelsFrom);

const color = (hex: string): string => `"${hex}"`;

/**
 * Compression is at its lowest level, as in Cartulary. MapServer may cut labels at tile edges, which spares it a buffer
 * around the tile. Cartulary draws complete labels.
 */
const mapFile = (layers: string, fonts: string): string => `MAP
  NAME "bench"
  SIZE 256 256
  MAXSIZE 4096
  FONTSET "${fonts}"
  IMAGECOLOR ${color(look.background)}
  IMAGETYPE png24
  PROJECTION "init=epsg:3857" END
  OUTPUTFORMAT
    NAME "png24" DRIVER AGG/PNG MIMETYPE "image/png" IMAGEMODE RGB EXTENSION "png" TRANSPARENT OFF
    FORMATOPTION "COMPRESSION=1"
  END
  WEB METADATA "ows_enable_request" "*" END END
  ${layers}
END
`;

/** The lines of a LAYER that draws a selection of a table or query with `svc_id` and `geom` (EPSG:4326). */
export const postgisSource = (database: string, query: string): string => `CONNECTIONTYPE POSTGIS
    CONNECTION "${connectionText(database)}"
    DATA "geom from (${query}) as t using unique svc_id using srid=4326"
    PROCESSING "CLOSE_CONNECTION=DEFER"
    PROJECTION "init=epsg:4326" END
    EXTENT -180 -85 180 85`;

function polygonText({ table, columns, database }: Layer): string {
  const fills = look.fills.map(
    (fill, i) => `CLASS
      EXPRESSION "${i + 1}"
      STYLE COLOR ${color(fill)} END
      STYLE OUTLINECOLOR ${color(look.line)} WIDTH ${look.lineWidth} END
      LABEL
        FONT "noto" TYPE truetype SIZE ${(look.textSize * 0.75).toFixed(2)} COLOR ${color(look.text)}
        OUTLINECOLOR ${color(look.halo)} OUTLINEWIDTH 2 POSITION cc PARTIALS TRUE
      END
    END`,
  );
  const query = `select svc_id, geom, ${columns.class} as class, ${columns.name} as name from ${table}`;
  return `LAYER
    NAME "${layerCode}"
    STATUS DEFAULT
    TYPE POLYGON
    ${postgisSource(database, query)}
    CLASSITEM "class"
    LABELITEM "name"
    LABELMAXSCALEDENOM ${labelScale}
    ${fills.join('\n    ')}
  END`;
}
