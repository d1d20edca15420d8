import { type Layer, layerCode, map, polygonLayer } from '../data/layer.js';
import { boxOf, storePlaces } from '../data/places.js';
import { randomTiles, type Tile } from '../data/tiles.js';
import { demand, during, inParallel, openClient } from '../load.js';
import { compare } from '../measure.js';
import { pgbench } from '../peers/pgbench.js';
import { atOnce, forgetTiles, serviceOf } from '../service.js';
import type { Row } from './row.js';

const zooms = [6, 12] as const;

/** Row 5: vector tiles beside the database alone. */
export const vectors: Row = {
  code: 'vectors',
  what: 'vector tiles, zoom 6 to 12, made anew',
  async measure(stage) {
    const layer = await polygonLayer(stage);
    const service = await serviceOf(stage);
    const { seconds, features } = stage.options;
    const tiles = randomTiles(Math.min(20_000, 5 * features), { polygons: features, zooms, seed: 5_000 });
    await storePlaces(
      layer.database,
      'tiles',
      tiles.map((tile) => ({ tile, box: boxOf(tile) })),
    );
    const script = statement(layer, tiles.length);
    const client = openClient(service.url, atOnce);
    const path = ({ z, x, y }: Tile): string => `/mvt/demo/${map}/${z}/${x}/${y}.pbf?fields=name`;
    const check = demand('application/vnd.mapbox-vector-tile');
    const our = async (round: number): Promise<number> => {
      await forgetTiles(service, map);
      // None twice, and others in each round.
      const left = shifted(tiles, round * 3_571)[Symbol.iterator]();
      const [start, next] = [performance.now(), () => left.next().value];
      let done = 0;
      await inParallel(during(seconds, next), atOnce, async (tile) => {
        if (!tile) return;
        check(await client.get(path(tile)), path(tile));
        done += 1;
      });
      return (done * 1000) / (performance.now() - start);
    };
    const their = (): Promise<number> => pgbench(stage, { database: layer.database, script, seconds });
    const found = await compare(stage.options, our, their);
    client.close();
    return {
      findings: [{ work: this.what, unit: 'tiles/s', peer: 'pgbench', target: { atLeast: 0.9 }, ...found }],
    };
  },
};

const shifted = <T>(list: readonly T[], by: number): T[] => {
  const from = by % list.length;
  return [...list.slice(from), ...list.slice(0, from)];
};

/** What a vector tile of the layer holds: ids and names, and shapes with a margin of a sixteenth of the tile. */
const statement = ({ table, columns }: Layer, tiles: number): string => `\\set i random(1, ${tiles})
select st_asmvt(q, '${layerCode}', 4096, 'shape', 'svc_id') from (
  select t.svc_id, t.${columns.name} as name,
    st_asmvtgeom(st_transform(t.geom, 3857), (select tile from bench.tiles where i = :i), 4096, 256) as shape
  from ${table} t where t.geom && (select box from bench.tiles where i = :i)) q;
`;
