import { layerTileSql, parseConfig } from '@cartulary/server';
import { numbers } from '@cartulary/server/support/hexagons.js';
import { statement as statementOf } from '@cartulary/sql';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { type Layer, layerCode, map, polygonLayer } from '../data/layer.js';
import { storeValues } from '../data/places.js';
import { randomTiles, type Tile } from '../data/tiles.js';
import { type Client, demand, openClient } from '../load.js';
import { compare, warmUpRounds } from '../measure.js';
import { pgbench } from '../peers/pgbench.js';
import { wrk } from '../peers/wrk.js';
import { invalidateTiles, readers, serviceOf } from '../service.js';
import { run } from '../stage.js';
import type { Row } from './row.js';

const zooms = [6, 12] as const;

/** Row 5: vector tiles beside the database alone. */
export const vectors: Row = {
  code: 'vectors',
  what: 'vector tiles, zoom 6 to 12, not cached',
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
      await invalidateTiles(service, map);
      return (await wrk(stage, load)).perSecond;
    };
    // Warm-up after the start.
    for (let more = 0; more < warmUpRounds(stage.options); more++) await our();
    const script = `\\set i random(1, ${tiles.length})\n${statement(layer, ':i')};\n`;
    const their = (): Promise<number> => pgbench(stage, { database: layer.database, script, seconds });
    const found = await compare(stage.options, our, their);
    return {
      findings: [{ work: this.what, unit: 'tiles/s', peer: 'pgbench', target: { atLeast: 0.9 }, ...found }],
    };
  },
};

const isVectorTile = demand('application/vnd.mapbox-vector-tile');

/** The path of an uncompressed tile, as the database makes it. */
const pathOf = ({ z, x, y }: Tile): string => `/mvt/demo/${map}/${z}/${x}/${y}.pbf?fields=name`;

async function ownTile(client: Client, tile: Tile): Promise<Buffer> {
  const path = pathOf(tile);
  const answer = await client.get(path);
  isVectorTile(answer, path);
  return answer.bytes;
}

/** Shuffles a list, always in the same way: the few expensive tiles of low zoom levels would come first otherwise. */
function mixed<T>(list: readonly T[]): T[] {
  const next = numbers(5_100);
  const places = new Map(list.map((item) => [item, next()]));
  return list.toSorted((a, b) => places.get(a)! - places.get(b)!);
}

/** The service's statement for a tile of the layer. */
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

/** The statement for pgbench: values that all tiles share are constants, others come from the table of tiles. */
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

/** Throws if tiles of both sides differ in their number of features. */
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
