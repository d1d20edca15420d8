import { randomTiles } from '../../data/tiles.js';
import { demandTile, inParallel, openClient } from '../../load.js';
import { compare, type Finding, warmUpRounds } from '../../measure.js';
import { ogrExport } from '../../peers/ogr2ogr.js';
import { wrk } from '../../peers/wrk.js';
import { perProcessorSecond } from '../../processor.js';
import {
  atOnce,
  type Caches,
  importFile,
  invalidateTiles,
  otherService,
  type Running,
  readers,
  type Service,
  serviceOf,
} from '../../service.js';
import { folderOf, type Stage, say } from '../../stage.js';
import { atRest } from '../imports.js';
import type { Row } from '../row.js';
import { zipOf } from '../transfer.js';
import { farViews, type KindName, kindLayer, kindMap, type Views, viewsAt } from './kinds.js';

/** The service with all fast paths, and one of which a setting turns one off. */
interface Sides {
  fast: Service;
  general: Running;
}

/** A measurement of both sides on one kind of data. Returns units of work per second of processor time. */
type Measure = (
  stage: Stage,
  sides: Sides,
  kind: KindName,
) => Promise<Pick<Finding, 'ours' | 'theirs' | 'values'>>;

interface FastPath {
  setting: string;
  /** The value that turns the path off. */
  off: string;
  unit: string;
  /** Absent: caches are off. With `kept` each round draws a new version of the map. */
  caches?: Caches;
  /** The kinds of data, each with what is measured on it. */
  kinds: readonly (readonly [KindName, what: string, Measure])[];
}

const near: readonly [number, number] = [8, 12];

const drawn =
  (views: (stage: Stage) => Views): Measure =>
  (stage, sides, kind) =>
    raceViews(stage, sides, { kind, views: views(stage) });
const nearby = drawn((stage) => viewsAt(stage, near));
const far = drawn(farViews);

const everyKind: readonly KindName[] = [
  'areas',
  'areas with labels',
  'lines',
  'lines with labels along them',
  'points',
  'points with labels',
];
const labelled = everyKind.filter((kind) => kind.includes('labels'));
const all = (kinds: readonly KindName[], what: string, measure: Measure) =>
  kinds.map((kind) => [kind, what, measure] as const);

const zooms = (from: number, to: number): string => `zoom ${from} to ${to}`;

const paths: readonly FastPath[] = [
  {
    setting: 'CARTULARY_SMALL_FEATURES_FROM',
    off: '0',
    unit: 'tiles/CPU s',
    // Its cache belongs to the tile cache.
    caches: 'kept',
    kinds: all(['areas', 'lines', 'points'], zooms(2, 5), far),
  },
  {
    setting: 'CARTULARY_SHAPE_PIECES_FROM',
    off: '0',
    unit: 'tiles/CPU s',
    kinds: all(['huge areas', 'huge areas with labels'], zooms(...near), nearby),
  },
  {
    setting: 'CARTULARY_FAST_LABELS',
    off: '0',
    unit: 'tiles/CPU s',
    kinds: all(labelled, zooms(...near), nearby),
  },
  {
    setting: 'CARTULARY_TILES_TOGETHER',
    off: '1',
    unit: 'tiles/CPU s',
    kinds: all(everyKind, zooms(...near), nearby),
  },
  ...['CARTULARY_FAST_VECTOR_TILES', 'CARTULARY_FAST_VECTOR_ENCODING'].map((setting) => ({
    setting,
    off: '0',
    unit: 'tiles/CPU s',
    kinds: all(['areas', 'lines', 'points'], `vector tiles, ${zooms(6, 12)}`, raceVectorTiles),
  })),
  {
    setting: 'CARTULARY_FAST_IMPORT',
    off: '0',
    unit: 'features/CPU s',
    kinds: all(['areas', 'lines', 'points'], 'import of a shapefile', raceImports),
  },
];

/** Each fast path beside the general path that its setting turns on, over several kinds of data. */
export const fastPaths: Row = {
  code: 'fast-paths',
  what: 'each fast path beside the general one, by kind of data',
  isExtra: true,
  isWithoutPeers: true,
  async measure(stage) {
    const findings: Finding[] = [];
    for (const path of paths) findings.push(...(await measurePath(stage, path)));
    return { findings };
  },
};

async function measurePath(
  stage: Stage,
  { setting, off, unit, caches = 'unkept', kinds }: FastPath,
): Promise<Finding[]> {
  for (const [kind] of kinds) await kindLayer(stage, kind);
  const peer = `${setting}=${off}`;
  const fast = await serviceOf(stage, caches);
  const general = await otherService(stage, caches, { [setting]: off });
  const findings: Finding[] = [];
  try {
    for (const [kind, what, measure] of kinds) {
      const found = await measure(stage, { fast, general }, kind);
      findings.push({ work: `${kind}, ${what}`, unit, peer, ...found });
      say(`  ${peer} | ${kind}, ${what} | ${found.values.map((value) => value.toFixed(2)).join(' ')}`);
    }
  } finally {
    await general.stop();
  }
  return findings;
}

/** Compares rendered views. All tiles of a view are requested at once. */
async function raceViews(
  stage: Stage,
  { fast, general }: Sides,
  { kind, views }: { kind: KindName; views: Views },
): Promise<Pick<Finding, 'ours' | 'theirs' | 'values'>> {
  const { id } = await kindLayer(stage, kind);
  const open = (service: Service) => Array.from({ length: atOnce }, () => openClient(service.url, 20));
  const clients = { fast: open(fast), general: open(general) };
  /** Tiles per second of processor time. */
  const look = async (side: keyof Sides, round: number, count: number): Promise<number> => {
    await invalidateTiles(fast, kindMap);
    return perProcessorSecond(side === 'fast' ? fast : general, async () => {
      const seen = views(round, count);
      await inParallel(seen, atOnce, async (view, worker) => {
        await Promise.all(
          view.map(async ({ z, x, y }) => {
            const path = `/tms/demo/${kindMap}/?z=${z}&x=${x}&y=${2 ** z - 1 - y}&layers=${id}`;
            demandTile(await clients[side][worker]!.get(path), path);
          }),
        );
      });
      return seen.reduce((sum, view) => sum + view.length, 0);
    });
  };
  try {
    // Warm-up, which also finds how many views take the wanted time. Both sides get the same number.
    let count = 2 * atOnce;
    for (let round = 101; round <= 100 + warmUpRounds(stage.options); round++) {
      await look('fast', round, count);
      const rate = await look('general', round, count);
      count = Math.max(atOnce, Math.round((rate * stage.options.seconds) / 20));
    }
    return await compare(
      stage.options,
      (round) => look('fast', round + 1, count),
      (round) => look('general', round + 1, count),
    );
  } finally {
    for (const client of [...clients.fast, ...clients.general]) client.close();
  }
}

/** Compares vector tiles that no cache holds, requested by many clients. */
async function raceVectorTiles(stage: Stage, { fast, general }: Sides, kind: KindName) {
  const { id } = await kindLayer(stage, kind);
  const { features: polygons, seconds } = stage.options;
  const tiles = randomTiles(Math.min(20_000, 5 * polygons), { polygons, zooms: [6, 12], seed: 17_000 });
  const paths = tiles.map(
    ({ z, x, y }) => `/mvt/demo/${kindMap}/${z}/${x}/${y}.pbf?fields=name&layers=${id}`,
  );
  const load = (service: Service): Promise<number> =>
    perProcessorSecond(service, async () => {
      const { perSecond } = await wrk(stage, { base: service.url, paths, connections: readers, seconds });
      return perSecond * seconds;
    });
  for (let round = 0; round < warmUpRounds(stage.options); round++)
    for (const side of [fast, general]) await load(side);
  return compare(
    stage.options,
    () => load(fast),
    () => load(general),
  );
}

/** Compares imports of a shapefile that replace all objects of a layer. */
async function raceImports(stage: Stage, { fast, general }: Sides, kind: KindName) {
  const { table, database } = await kindLayer(stage, kind);
  const folder = await folderOf(stage, `shapefile-${kind.replaceAll(' ', '-')}`);
  await ogrExport(database, table, `${folder}/${kind}.shp`, 'shp');
  const file = await zipOf(folder);
  const { features } = stage.options;
  const code = `imported_${kind}`;
  await fast.admin('POST', `/${kindMap}/layers/`, { code });
  const load = async (service: Service): Promise<number> => {
    const rate = await perProcessorSecond(service, async () => {
      const stored = await importFile(service, `/${kindMap}/layers/${code}`, file);
      if (stored !== features) throw new Error(`${stored} of ${features} features of ${file} were stored`);
      return stored;
    });
    await atRest(database);
    return rate;
  };
  for (const side of [fast, general]) await load(side);
  const found = await compare(
    stage.options,
    () => load(fast),
    () => load(general),
  );
  await fast.admin('DELETE', `/${kindMap}/layers/${code}/`);
  return found;
}
