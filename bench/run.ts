/**
 * `npm run bench`: how fast the service is over the demo world, on the embedded database and, when
 * TEST_DATABASE_URL names a PostgreSQL where databases may be made, on that one too. Figures are for this machine
 * and this moment: compare them with each other, not with another day's.
 *
 * Options: --seconds N  how long each row is measured (default 5)   --clients N  requests at once (default 4)
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { startServer, type TestServer } from '../test/support/server.js';
import { measureSearch } from './search.js';
import { printTable, type Row } from './table.js';
import { tilesOverLand } from './tiles.js';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '5' }, clients: { type: 'string', default: '4' } },
});
const seconds = Number(values.seconds);
const clients = Number(values.clients);

/** Sends requests from `clients` clients for some seconds; throws when one is not answered 200. */
async function perSecond(server: TestServer, next: () => { path: string; body?: unknown }): Promise<number> {
  const end = Date.now() + seconds * 1000;
  const start = performance.now();
  let done = 0;
  const client = async (): Promise<void> => {
    while (Date.now() < end) {
      const { path, body } = next();
      const { status, text } = await server.request(body ? 'POST' : 'GET', path, { body });
      if (status !== 200) throw new Error(`${path}: ${status} ${text.slice(0, 200)}`);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return (done * 1000) / (performance.now() - start);
}

/** Uncached tiles, random ones over land, each zoom apart. */
async function measureTiles(server: TestServer): Promise<Row[]> {
  const rows: Row[] = [];
  for (let z = 2; z <= 10; z++) {
    const tiles = tilesOverLand(z);
    const tile = (): { path: string } => {
      const { x, y } = tiles[Math.floor(Math.random() * tiles.length)]!;
      return { path: `//tms/demo/world/?z=${z}&x=${x}&y=${2 ** z - 1 - y}` };
    };
    rows.push({ work: `uncached tiles, zoom ${z}`, unit: 'tiles/s', value: await perSecond(server, tile) });
  }
  return rows;
}

/** Lists of cities with geometry in random boxes. */
async function measureLists(server: TestServer): Promise<Row[]> {
  const list = (limit: number) => () => {
    const lat = 35 + Math.random() * 15;
    const lon = Math.random() * 60;
    const box = [lat, lon, lat + 5, lon + 5].map((value) => value.toFixed(4)).join(',');
    return {
      path: `/world/layers/cities/objects/?fields=name,population&returnGeom=1&limit=${limit}&fbbox=${box}`,
    };
  };
  const rows: Row[] = [];
  for (const limit of [100, 1000]) {
    rows.push({
      work: `object lists, up to ${limit} in a box`,
      unit: 'lists/s',
      value: await perSecond(server, list(limit)),
    });
  }
  return rows;
}

/** A file into a fresh layer, three times: the median. */
async function measureImport(
  server: TestServer,
  features: number,
  { format, body, type }: { format: string; body: string; type: string },
): Promise<Row[]> {
  const rates: number[] = [];
  for (const code of ['a', 'b', 'c'].map((letter) => `${format.toLowerCase()}_${letter}`)) {
    await server.admin('POST', '/bench/layers/', { code });
    const start = performance.now();
    const answer = await server.request('POST', `/bench/layers/${code}/import/`, {
      token: (
        await server.request('POST', '/login/', {
          body: { login: 'admin', password: 'correct-horse-battery' },
        })
      ).json.token,
      body,
      headers: { 'content-type': type, 'x-filename': `x.${format.toLowerCase()}` },
    });
    if (answer.status !== 200) throw new Error(`import: ${answer.status} ${answer.text.slice(0, 300)}`);
    rates.push((features * 1000) / (performance.now() - start));
  }
  return [
    {
      work: `${format} import of ${features} polygons`,
      unit: 'features/s',
      value: rates.sort((a, b) => a - b)[1]!,
    },
  ];
}

const polygons = (count: number) =>
  Array.from({ length: count }, (_, i) => {
    const lon = ((i * 7919) % 34_000) / 100 - 170;
    const lat = ((i * 104_729) % 14_000) / 100 - 70;
    const ring = Array.from({ length: 17 }, (_, k) => {
      const angle = ((k % 16) * Math.PI) / 8;
      return [lon + 0.01 * Math.cos(angle), lat + 0.01 * Math.sin(angle)];
    });
    const properties = { name: `Polygon ${i}`, value: i / 3, kind: `kind ${i % 7}` };
    return { type: 'Feature', properties, geometry: { type: 'Polygon', coordinates: [ring] } };
  });

async function measureImports(server: TestServer, count: number): Promise<Row[]> {
  await server.admin('POST', '/', { code: 'bench' });
  const features = polygons(count);
  const lines = features.map(({ properties: { name, value, kind }, geometry }) => {
    const ring = geometry.coordinates[0]!.map((position) => position.join(' ')).join(',');
    return `${name},${value},${kind},"POLYGON((${ring}))"`;
  });
  return [
    ...(await measureImport(server, count, {
      format: 'GeoJSON',
      body: JSON.stringify({ type: 'FeatureCollection', features }),
      type: 'application/geo+json',
    })),
    ...(await measureImport(server, count, {
      format: 'CSV',
      body: ['name,value,kind,wkt', ...lines].join('\n'),
      type: 'text/csv',
    })),
  ];
}

async function measure(database: string): Promise<Row[]> {
  const start = performance.now();
  const server = await startServer({
    CARTULARY_DEMO: '1',
    CARTULARY_TILE_CACHE: '0',
    CARTULARY_RENDERERS: String(availableParallelism()),
  });
  try {
    const ready = (performance.now() - start) / 1000;
    await server.server.demo;
    const rows: Row[] = [
      { work: 'start', unit: 's', value: ready },
      { work: 'start with the demo world complete', unit: 's', value: (performance.now() - start) / 1000 },
      ...(await measureTiles(server)),
      ...(await measureLists(server)),
      ...(await measureImports(server, 50_000)),
      ...(await measureSearch(server)),
    ];
    return rows.map((row) => ({ ...row, database }));
  } finally {
    await server.stop();
  }
}

const postgresUrl = process.env.TEST_DATABASE_URL;
delete process.env.TEST_DATABASE_URL;
const columns = [await measure('embedded')];
if (postgresUrl) {
  process.env.TEST_DATABASE_URL = postgresUrl;
  columns.push(await measure('PostgreSQL'));
}
printTable(columns);
