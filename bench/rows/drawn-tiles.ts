import { polygonLayer } from '../data/layer.js';
import { placeOf } from '../data/polygons.js';
import { randomTiles, randomViews, tileAt, type View, viewAt } from '../data/tiles.js';
import { mapServer } from '../peers/mapserver.js';
import { qgisServer } from '../peers/qgis.js';
import type { TileServer } from '../peers/tile-server.js';
import { serviceOf } from '../service.js';
import type { Row } from './row.js';
import { raceTiles, sixAtOnce } from './tiles.js';

const unit = 'tiles/s';
const zooms = [8, 12] as const;
const seeds = { views: 1_000, singles: 2_000, low: 3_000 };

/** Row 1: map views that no cache holds. */
export const views: Row = {
  code: 'views',
  what: 'tiles of map views, zoom 8 to 12, rendered',
  async measure(stage) {
    const layer = await polygonLayer(stage);
    const service = await serviceOf(stage);
    const race = async (work: string, peer: TileServer, atLeast: number, connections?: number) => ({
      work,
      unit,
      peer: peer.name,
      target: { atLeast },
      ...(await raceTiles(stage, {
        service,
        peer,
        views: (round, count) =>
          randomViews(count, { polygons: stage.options.features, zooms, seed: seeds.views + round }),
        ...(connections ? { connections } : {}),
      })),
    });
    const others = await mapServer(stage, layer);
    return {
      findings: [
        await race(this.what, others, 3),
        await race(this.what, await qgisServer(stage, layer), 4.5),
        await race(`${this.what}, six of a view at once`, others, 3, sixAtOnce),
      ],
    };
  },
};

/** Row 2: single tiles without caches. */
export const singles: Row = {
  code: 'singles',
  what: 'single random tiles, zoom 8 to 12, rendered',
  async measure(stage) {
    const peer = await mapServer(stage, await polygonLayer(stage));
    const service = await serviceOf(stage, 'unkept');
    // As many concurrent requests as a view has tiles, at random positions.
    const apart = (round: number, count: number): View[] => {
      const tiles = randomTiles(20 * count, {
        polygons: stage.options.features,
        zooms,
        seed: seeds.singles + round,
      });
      return Array.from({ length: Math.ceil(tiles.length / 20) }, (_, i) => tiles.slice(20 * i, 20 * i + 20));
    };
    const found = await raceTiles(stage, { service, peer, views: apart });
    return { findings: [{ work: this.what, unit, peer: peer.name, target: { atLeast: 1.4 }, ...found }] };
  },
};

/** Row 3: one view at each zoom level at which the map shows all polygons. */
export const low: Row = {
  code: 'low-zooms',
  what: 'tiles of map views, zoom 2 to 5, rendered',
  async measure(stage) {
    const peer = await mapServer(stage, await polygonLayer(stage));
    const service = await serviceOf(stage);
    const atZooms = (round: number): View[] =>
      [2, 3, 4, 5].map((z) => {
        const { x, y } = tileAt(z, ...placeOf((seeds.low + round * 7_919) % stage.options.features));
        return viewAt(z, x - 2, y - 2);
      });
    const found = await raceTiles(stage, { service, peer, views: atZooms });
    return { findings: [{ work: this.what, unit, peer: peer.name, target: { atLeast: 5 }, ...found }] };
  },
};
