import { setTimeout as sleep } from 'node:timers/promises';
import { numbers } from '@cartulary/server/support/hexagons.js';
import { describe } from '../data/layer.js';
import { boxOf } from '../data/places.js';
import { fillEvenly } from '../data/points.js';
import type { Tile } from '../data/tiles.js';
import { type Answer, type Check, type Client, demand, demandTile, openClient } from '../load.js';
import { type Figure, type Finding, median } from '../measure.js';
import { makeMap, type Service, serviceOf } from '../service.js';
import { run } from '../stage.js';
import type { Row } from './row.js';

const map = 'growth';
/** At this zoom level a tile holds 500 points in layers of all sizes. */
const zoom = 8;
const inTile = 500;
/** Kilometres in EPSG:3857. */
const tileSide = 40_075.016 / 2 ** zoom;
/** Number of measured requests of each kind, and of warm-up requests before them. */
const [samples, warmUp] = [25, 3];

/** Row 11: the same number of objects in view from layers of growing size. */
export const growth: Row = {
  code: 'growth',
  what: 'a constant number of objects in view in layers of growing size',
  async measure(stage) {
    const service = await serviceOf(stage, 'unkept');
    await makeMap(service, map);
    const sizes = Array.from({ length: stage.options.growth - 3 }, (_, i) => 10 ** (i + 4));
    const layers: Points[] = [];
    for (const size of sizes) layers.push({ size, id: await pointLayer(service, size) });
    const client = openClient(service.url, 1);
    const figures: Figure[] = [];
    for (const kind of kinds) {
      if (kind.isIndexed) await indexed(service, client, kind, layers);
      const times = await measured(client, kind, layers);
      for (const [i, { size }] of layers.entries())
        figures.push({
          work: kind.work,
          unit: 'ms',
          column: `${shown(size)} objects`,
          value: median(times[i]!),
        });
    }
    client.close();
    return { findings: kinds.map(({ work }) => grown(work, figures)), figures };
  },
};

const shown = (size: number): string => size.toLocaleString('en');

/** Ratio of the time for the largest layer to that for the smallest. */
function grown(work: string, figures: readonly Figure[]): Finding {
  const own = figures.filter((figure) => figure.work === work);
  const [first, last] = [own[0]!, own.at(-1)!];
  const values = [last.value / first.value];
  return {
    work: `${work}: time with ${last.column}, relative to ${first.column}`,
    unit: '',
    values,
    target: { below: 2 },
  };
}

interface Points {
  size: number;
  /** Of the layer. */
  id: number;
}

interface Kind {
  work: string;
  path(tile: Tile, layer: Points): string;
  check: Check;
  /** The first request for a large layer creates the index that the measured requests use. */
  isIndexed?: boolean;
}

function demandHundred(answer: Answer, path: string): void {
  demand('application/json')(answer, path);
  const listed = answer.bytes.toString().split('"Point"').length - 1;
  if (listed !== 100) throw new Error(`${path}: ${listed} objects`);
}

const kinds: readonly Kind[] = [
  {
    work: `a tile with ${inTile} objects`,
    path: ({ z, x, y }, { id }) => `/tms/demo/${map}/?z=${z}&x=${x}&y=${2 ** z - 1 - y}&layers=${id}`,
    check: demandTile,
  },
  {
    work: `a list of 100 of the ${inTile} objects in a box`,
    path: (tile, { size }) => {
      const [west, south, east, north] = boxOf(tile);
      return `/api/2.8/demo/${map}/layers/points_${size}/objects/?fields=name&returnGeom=1&limit=100&fbbox=${[south, west, north, east]}`;
    },
    check: demandHundred,
  },
  {
    work: 'a list of the 100 largest values of all objects',
    path: (_tile, { size }) =>
      `/api/2.8/demo/${map}/layers/points_${size}/objects/?fields=name,size&returnGeom=1&limit=100&sort=size,d`,
    check: demandHundred,
    isIndexed: true,
  },
  {
    work: `a vector tile with ${inTile} objects`,
    path: ({ z, x, y }, { id }) => `/mvt/demo/${map}/${z}/${x}/${y}.pbf?layers=${id}`,
    check: demand('application/vnd.mapbox-vector-tile'),
  },
];

async function pointLayer(service: Service, size: number): Promise<number> {
  const code = `points_${size}`;
  const { id } = await service.admin('POST', `/${map}/layers/`, {
    code,
    css_style: `#${code} { marker-width: 4; marker-fill: #b03030; marker-allow-overlap: true; }`,
  });
  for (const [column, type] of [
    ['name', 'string'],
    ['size', 'number'],
  ])
    await service.admin('POST', `/${map}/layers/${code}/structure/`, { code: column, type });
  const layer = await describe(service, `/${map}/layers/${code}`, id);
  const density = inTile / tileSide ** 2;
  await fillEvenly(service.database, {
    table: layer.table,
    text: layer.columns.name!,
    number: layer.columns.size!,
    count: size,
    density,
  });
  return id;
}

/** Requests each layer once and waits until no index is under construction. */
async function indexed(
  service: Service,
  client: Client,
  kind: Kind,
  layers: readonly Points[],
): Promise<void> {
  for (const layer of layers) await client.get(kind.path({ z: 0, x: 0, y: 0 }, layer));
  for (let isBusy = true; isBusy; ) {
    await sleep(500);
    const { stdout } = await run('psql', [
      service.database,
      '-Atc',
      'select count(*) from pg_stat_progress_create_index where datname = current_database()',
    ]);
    isBusy = stdout.trim() !== '0';
  }
}

/** Milliseconds per request at random positions within the smallest layer, by layer. The layers alternate. */
async function measured(
  client: Client,
  { path, check }: Kind,
  layers: readonly Points[],
): Promise<number[][]> {
  const next = numbers(11_000);
  const middle = 2 ** (zoom - 1);
  const place = (): number => middle - 2 + Math.floor(next() * 4);
  const times: number[][] = layers.map(() => []);
  for (let i = 0; i < warmUp + samples; i++) {
    const tile = { z: zoom, x: place(), y: place() };
    for (const [which, layer] of layers.entries()) {
      const asked = path(tile, layer);
      const start = performance.now();
      check(await client.get(asked), asked);
      if (i >= warmUp) times[which]!.push(performance.now() - start);
    }
  }
  return times;
}
