import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { parseConfig } from '../../src/config.js';
import { statement as statementOf } from '../../src/db/sql.js';
import { layerTileSql } from '../../src/tiles/vector/features.js';
import { numbers } from '../../test/support/hexagons.js';
import { type Layer, layerCode, map, polygonLayer } from '../data/layer.js';
import { storeValues } from '../data/places.js';
import { randomTiles, type Tile } from '../data/tiles.js';
import { type Client, demand, openClient } from '../load.js';
import { compare, warmingRounds } from '../measure.js';
import { pgbench } from '../peers/pgbench.js';
import { wrk } from '../peers/wrk.js';
import { forgetTiles, readers, serviceOf } from '../service.js';
import { run } from '../stage.js';
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
    const tiles = mixed(
      randomTiles(Math.min(20_000, 5 * features), { polygons: features, zooms, seed: 5_000 }),
    );
    const values = tiles.map((tile) => ofService(layer, tile).values);
    await storeValues(layer.database, 'tiles', values);
    const client = openClient(service.url, 1);
    await demandSame(client, layer, tiles.slice(0, 20));
    client.close();
    const load = { base: service.url, paths: tiles.map(pathOf), connections: readers, seconds };
    const our = async (): Promise<number> => {
      await forgetTiles(service, map);
      return (await wrk(stage, load)).perSecond;
    };
    // What has just been started is not measured.
    for (let more = 0; more < warmingRounds; more++) await our();
    const script = `\\set i random(1, ${tiles.length})\n${statement(layer, ':i')};\n`;
    const their = (): Promise<number> => pgbench(stage, { database: layer.database, script, seconds });
    const found = await compare(stage.options, our, their);
    return {
      findings: [{ work: this.what, unit: 'tiles/s', peer: 'pgbench', target: { atLeast: 0.9 }, ...found }],
    };
  },
};

const isVectorTile = demand('application/vnd.mapbox-vector-tile');

/** As the database makes it: not packed. */
const pathOf = ({ z, x, y }: Tile): string => `/mvt/demo/${map}/${z}/${x}/${y}.pbf?fields=name`;

async function ownTile(client: Client, tile: Tile): Promise<Buffer> {
  const path = pathOf(tile);
  const answer = await client.get(path);
  isVectorTile(answer, path);
  return answer.bytes;
}

/** In another order, the same each time: those of low zooms, which are few and heavy, come first, and both sides should get as many. */
function mixed<T>(list: readonly T[]): T[] {
  const next = numbers(5_100);
  const places = new Map(list.map((item) => [item, next()]));
  return list.toSorted((a, b) => places.get(a)! - places.get(b)!);
}

/** The statement by which the service makes a tile of the layer. */
const ofService = ({ id, columns }: Layer, tile: Tile): { text: string; values: unknown[] } =>
  statementOf(
    layerTileSql({
      ...tile,
      layer: {
        id,
        code: layerCode,
        columns: [
          { id: Number(columns.name!.slice(1)), code: 'name', type: 'string', localized_value: false },
        ],
      },
      fields: ['name'],
      lng: 'en',
      main: 'en',
      limit: parseConfig({}).vectorTileFeatures,
    }),
  );

/** The same for pgbench: what is alike for all tiles as constants, the rest out of the table of tiles. */
function statement(layer: Layer, i: string): string {
  const { text, values } = ofService(layer, { z: 6, x: 10, y: 20 });
  const others = ofService(layer, { z: 7, x: 30, y: 50 }).values;
  return text.replace(/\$(\d+)/g, (_, n) => {
    const value = values[Number(n) - 1];
    if (typeof value === 'string') return `'${value}'`;
    return value === others[Number(n) - 1]
      ? String(value)
      : `(select v[${n}] from bench.tiles where i = ${i})`;
  });
}

/** Throws when the two do not have as many features in some tiles. */
async function demandSame(client: Client, layer: Layer, tiles: readonly Tile[]): Promise<void> {
  for (const [i, tile] of tiles.entries()) {
    const own = countOf(await ownTile(client, tile));
    const hexadecimal = `select encode(bytes, 'hex') from (${statement(layer, String(i + 1))}) q`;
    const { stdout } = await run('psql', [layer.database, '-Atc', hexadecimal], { maxBuffer: 1 << 28 });
    const other = countOf(Buffer.from(stdout.trim(), 'hex'));
    if (own === 0 || Math.abs(own - other) > 0.02 * own + 1)
      throw new Error(`the vector tile ${tile.z}/${tile.x}/${tile.y} has ${own} and ${other} features`);
  }
}

const countOf = (tile: Buffer): number => new VectorTile(new PbfReader(tile)).layers[layerCode]?.length ?? 0;
