import type { TestServer } from '@cartulary/server/support/server.js';
import { tilesOverLand } from '../data/tiles.js';
import { type Check, demand, demandTile, during, inParallel, openClient } from '../load.js';
import type { Figure } from '../measure.js';
import { atOnce } from '../service.js';
import { figuresOf } from './alone.js';
import type { Row } from './row.js';

type Alone = Omit<Figure, 'column'>;

/** The service alone, with the demo world. */
export const world: Row = {
  code: 'world',
  what: 'the demo world: start, tiles, lists',
  isLong: true,
  async measure(stage) {
    const { seconds, isQuick } = stage.options;
    const zooms = isQuick ? [2, 6, 10] : [2, 4, 6, 8, 10];
    return {
      figures: await figuresOf(stage, async ({ server, started }) => {
        const figures: Alone[] = [
          { work: 'start', unit: 's', value: started.ready },
          { work: 'start with the demo world complete', unit: 's', value: started.complete },
        ];
        for (const z of zooms) {
          const value = await perSecond(server, seconds, worldTile(z), demandTile);
          figures.push({ work: `demo world: tiles rendered, zoom ${z}`, unit: 'tiles/s', value });
        }
        for (const limit of [100, 1000]) {
          const value = await perSecond(server, seconds, cityList(limit), demand('application/json'));
          figures.push({ work: `demo world: lists of up to ${limit} in a box`, unit: 'lists/s', value });
        }
        return figures;
      }),
    };
  },
};

/** Returns paths of random tiles over land. */
function worldTile(z: number): () => string {
  const tiles = tilesOverLand(z);
  return () => {
    const { x, y } = tiles[Math.floor(Math.random() * tiles.length)]!;
    return `/tms/demo/world/?z=${z}&x=${x}&y=${2 ** z - 1 - y}`;
  };
}

/** Returns paths of lists of cities with geometry in random boxes. */
const cityList = (limit: number) => (): string => {
  const lat = 35 + Math.random() * 15;
  const lon = Math.random() * 60;
  const box = [lat, lon, lat + 5, lon + 5].map((value) => value.toFixed(4)).join(',');
  return `/api/2.8/demo/world/layers/cities/objects/?fields=name,population&returnGeom=1&limit=${limit}&fbbox=${box}`;
};

/** Requests per second over some seconds. Throws for a wrong response. */
async function perSecond(
  server: TestServer,
  seconds: number,
  next: () => string,
  check: Check,
): Promise<number> {
  const client = openClient(server.url, atOnce);
  const start = performance.now();
  let done = 0;
  await inParallel(during(seconds, next), atOnce, async (path) => {
    check(await client.get(path), path);
    done += 1;
  });
  client.close();
  return (done * 1000) / (performance.now() - start);
}
