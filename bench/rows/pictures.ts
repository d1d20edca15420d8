import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { polygonLayer } from '../data/layer.js';
import { placeOf } from '../data/polygons.js';
import { tileAt, viewAt } from '../data/tiles.js';
import { demandTile, openClient } from '../load.js';
import { mapServer } from '../peers/mapserver.js';
import { qgisServer } from '../peers/qgis.js';
import { serviceOf } from '../service.js';
import type { Row } from './row.js';
import { ownTiles } from './tiles.js';

/** Not part of the table: writes the same tiles of each side into a folder for visual comparison. */
export const pictures: Row = {
  code: 'pictures',
  what: 'the same tiles of each side as files (with --pictures)',
  async measure(stage) {
    const folder = stage.options.pictures;
    if (!folder) return {};
    await mkdir(folder, { recursive: true });
    const layer = await polygonLayer(stage);
    const servers = [
      ownTiles(await serviceOf(stage)),
      await mapServer(stage, layer),
      await qgisServer(stage, layer),
    ];
    for (const z of [2, 3, 5, 8, 10, 11, 12]) {
      const { x, y } = tileAt(z, ...placeOf(4_711 % stage.options.features));
      for (const server of servers) {
        const client = openClient(server.base, 2);
        for (const tile of viewAt(z, x, y).filter((tile) => tile.x <= x + 1 && tile.y <= y + 1)) {
          const answer = await client.get(server.path(tile));
          demandTile(answer, server.path(tile));
          const name = `${z}-${tile.x}-${tile.y} ${server.name}.png`.replaceAll(' ', '-');
          await writeFile(join(folder, name), answer.bytes);
        }
        client.close();
      }
    }
    return {};
  },
};
