import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Layer, layerCode, look } from '../data/layer.js';
import type { Tile } from '../data/tiles.js';
import { folderOf, type Stage } from '../stage.js';
import { connectionText } from './connection.js';
import { startFastCgi } from './fastcgi.js';
import type { TileServer } from './tile-server.js';

export const font = createRequire(import.meta.url).resolve(
  '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
);

/** MapServer as FastCGI behind nginx over the layer's own table; tiles by its tile mode, in full colours. */
export const mapServer = (stage: Stage, layer: Layer): Promise<TileServer> =>
  stage.once('MapServer', async () => {
    const folder = await folderOf(stage, 'mapserver');
    const files = {
      map: join(folder, 'bench.map'),
      fonts: join(folder, 'fonts.list'),
      config: join(folder, 'mapserver.conf'),
    };
    await writeFile(files.fonts, `noto ${font}\n`);
    await writeFile(files.map, mapFile(layer, files.fonts));
    await writeFile(
      files.config,
      `CONFIG
  ENV
    MS_MAP_PATTERN "."
  END
  MAPS
    BENCH "${files.map}"
  END
END
`,
    );
    const base = await startFastCgi(stage, 'mapserver', {
      program: '/usr/bin/mapserv',
      env: { MAPSERVER_CONFIG_FILE: files.config },
    });
    const path = ({ z, x, y }: Tile): string =>
      `/?map=BENCH&mode=tile&tilemode=gmap&layers=${layerCode}&tile=${x}+${y}+${z}`;
    return { name: 'MapServer', base, path };
  });

/** Scale limit of labels: between the scales of two zoom levels at MapServer's 72 dots per inch. */
const labelScale = Math.round((443_744_033 * Math.SQRT2) / 2 ** look.labelsFrom);

const color = (hex: string): string => `"${hex}"`;

/**
 * Compression is at its lowest level, as in Cartulary. MapServer may cut labels at tile edges, which spares it a buffer
 * around the tile. Cartulary draws complete labels.
 */
function mapFile({ table, columns, database }: Layer, fonts: string): string {
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
  return `MAP
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
  LAYER
    NAME "${layerCode}"
    STATUS ON
    TYPE POLYGON
    CONNECTIONTYPE POSTGIS
    CONNECTION "${connectionText(database)}"
    DATA "geom from (select svc_id, geom, ${columns.class} as class, ${columns.name} as name from ${table}) as t using unique svc_id using srid=4326"
    PROCESSING "CLOSE_CONNECTION=DEFER"
    PROJECTION "init=epsg:4326" END
    EXTENT -180 -85 180 85
    CLASSITEM "class"
    LABELITEM "name"
    LABELMAXSCALEDENOM ${labelScale}
    ${fills.join('\n    ')}
  END
END
`;
}
