import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { polygonLayer } from '../data/layer.js';
import { randomTiles, type Tile } from '../data/tiles.js';
import { demandTile, inParallel, openClient } from '../load.js';
import { compare, type Finding } from '../measure.js';
import { startNginx } from '../peers/nginx.js';
import { type Load, wrk } from '../peers/wrk.js';
import { atOnce, readers, serviceOf } from '../service.js';
import { folderOf, type Stage } from '../stage.js';
import type { Row } from './row.js';
import { ownTiles } from './tiles.js';

/** Connections of ten users with six each, as browsers open them. */
const connectionCount = 64;

/** Row 4: cached tiles, beside nginx with the same bytes in files. */
export const cached: Row = {
  code: 'cached',
  what: 'cached tiles',
  async measure(stage) {
    await polygonLayer(stage);
    const own = ownTiles(await serviceOf(stage));
    const files = await folderOf(stage, 'kept');
    const nginx = await startNginx(stage, 'nginx', { workers: 1, locations: `root ${files};` });
    const count = stage.options.isQuick ? 20 : 200;
    const tiles = randomTiles(count, { polygons: stage.options.features, zooms: [8, 12], seed: 4_000 });
    await keep(own.base, own.path, files, tiles);
    await demandThere(nginx, tiles);
    const { seconds } = stage.options;
    const ours = { base: own.base, paths: tiles.map(own.path), seconds };
    const theirs = { base: nginx, paths: tiles.map(pathOf), seconds };
    const race = async (connections: number): Promise<Finding> => ({
      work: `${this.what}, one process, ${connections} connections`,
      unit: 'tiles/s',
      peer: 'nginx',
      target: { atLeast: 0.4 },
      ...(await compare(
        stage.options,
        async () => (await wrk(stage, { ...ours, connections })).perSecond,
        async () => (await wrk(stage, { ...theirs, connections })).perSecond,
      )),
    });
    // Warm-up after the start.
    await wrk(stage, { ...ours, connections: readers });
    const [few, many] = [await race(readers), await race(connectionCount)];
    return { findings: [few, many, await atHalfLoad(stage, { ...ours, connections: readers }, few.ours!)] };
  },
};

const pathOf = ({ z, x, y }: Tile): string => `/${z}-${x}-${y}.png`;

/** Requests all tiles once, which fills the cache, and writes them as files. */
async function keep(
  base: string,
  path: (tile: Tile) => string,
  folder: string,
  tiles: readonly Tile[],
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const client = openClient(base, atOnce);
  await inParallel(tiles, atOnce, async (tile) => {
    const answer = await client.get(path(tile));
    demandTile(answer, path(tile));
    await writeFile(join(folder, pathOf(tile)), answer.bytes);
  });
  client.close();
}

/** Throws unless nginx serves all tiles. */
async function demandThere(base: string, tiles: readonly Tile[]): Promise<void> {
  const client = openClient(base, 1);
  for (const tile of tiles) demandTile(await client.get(pathOf(tile)), pathOf(tile));
  client.close();
}

/** The 99th percentile of latency at half of the maximum rate. */
async function atHalfLoad(stage: Stage, load: Load, most: number): Promise<Finding> {
  const wanted = most / 2;
  const rates: number[] = [];
  const values: number[] = [];
  let rest = (load.connections * 1000) / wanted;
  for (let round = 0; round <= stage.options.rounds; round++) {
    const { perSecond, p99 } = await wrk(stage, { ...load, rest });
    // The first run determines the pause of connections.
    if (round) {
      rates.push(perSecond);
      values.push(p99);
    }
    rest = Math.max(1, rest + load.connections * 1000 * (1 / wanted - 1 / perSecond));
  }
  const rate = Math.round(rates.reduce((sum, value) => sum + value, 0) / rates.length);
  const work = `cached tiles, 99th percentile at ${rate} tiles/s, ${load.connections} connections`;
  return { work, unit: 'tiles/s', values, valueUnit: 'ms', target: { below: 5 } };
}
