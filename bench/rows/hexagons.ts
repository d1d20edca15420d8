import type { TestServer } from '@cartulary/server/support/server.js';
import { ident, sql } from '@cartulary/sql';
import { demandTile, openClient } from '../load.js';
import { median } from '../measure.js';
import { figuresOf } from './alone.js';
import type { Row } from './row.js';

const map = 'hexagons';
/** Share of points in the embedded database, which blocks all requests during an import. */
const embeddedPart = 0.3;

/** The service alone: objects in hexagons. */
export const hexagons: Row = {
  code: 'hexagons',
  what: 'hexagons of very many points',
  isLong: true,
  async measure(stage) {
    const { points } = stage.options;
    const named = `${points.toLocaleString('en')} points (embedded: ${(Math.round(points * embeddedPart)).toLocaleString('en')})`;
    return {
      figures: await figuresOf(stage, async ({ server, column }) => {
        await fill(server, column === 'embedded' ? Math.round(points * embeddedPart) : points);
        const figures = [];
        for (const z of [0, 2, 5, 8]) {
          const value = await middleTile(server, z);
          figures.push({ work: `hexagons of ${named}, a tile of zoom ${z}`, unit: 'ms', value });
        }
        return figures;
      }),
    };
  },
};

/** A layer of points with a density that decreases from the centre of the map. */
async function fill(server: TestServer, points: number): Promise<void> {
  await server.admin('POST', '/', { code: map });
  const layer = await server.admin<{ id: number }>('POST', `/${map}/layers/`, { code: 'points' });
  const table = ident('cartulary_data', `layer_${layer.id}`);
  for (let from = 0; from < points; from += 100_000)
    await server.db.transaction((tx) =>
      tx.query(sql`
        insert into ${table} (geom)
        select st_setsrid(st_makepoint(160 * (sin(i) + sin(i * 1.618)) / 2 + (i % 997) / 100.0, 70 * (sin(i * 2.414) + sin(i * 0.577)) / 2), 4326)
        from generate_series(${from + 1}::integer, ${Math.min(points, from + 100_000)}::integer) i`),
    );
  await server.admin('PATCH', `/${map}/layers/points/`, {
    visualCustomSettings: { type: 'hexbin', columns: {}, settings: { zoom: 3, cellSize: 22 } },
  });
}

/** Milliseconds per tile at the centre of the map, without caches. */
async function middleTile(server: TestServer, z: number): Promise<number> {
  const client = openClient(server.url, 1);
  const side = 2 ** z;
  const path = `/tms/demo/${map}/?z=${z}&x=${Math.floor(side / 2)}&y=${Math.floor(side / 2)}`;
  const times: number[] = [];
  for (let i = 0; i < 6; i++) {
    const start = performance.now();
    demandTile(await client.get(path), path);
    // The first request computes the colour classes.
    if (i) times.push(performance.now() - start);
  }
  client.close();
  return median(times);
}
