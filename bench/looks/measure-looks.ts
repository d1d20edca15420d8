import { join } from 'node:path';
import { tileAt } from '../data/tiles.js';
import { warmUpRounds } from '../measure.js';
import { countFor } from '../memory.js';
import type { Options } from '../options.js';
import type { TileServer } from '../peers/tile-server.js';
import { invalidateTiles, otherService, type Service, serviceOf } from '../service.js';
import { type Stage, say } from '../stage.js';
import { type Look, type PeerName, peerNames, type Zooms } from './look.js';
import { looks } from './looks.js';
import { makeOwnMap, type OwnMap, ownTilesOf } from './own-map.js';
import { type Asking, passesOf } from './passes.js';
import { peerTiles } from './peers/peer-tiles.js';
import { type RaceResult, type Runner, race, warmUp } from './race.js';
import { compareTiles, isAlike, type Likeness, likenessText } from './similarity.js';

/** Zoom levels of the columns of the table. */
export const bands: readonly Zooms[] = [
  [2, 5],
  [6, 9],
  [10, 14],
];

/** A cell of the table. */
export interface Cell extends RaceResult {
  zooms: Zooms;
  asking: Asking;
}

/** Pictures of the service and a peer that differ more than they may. */
export interface Difference {
  peer: PeerName;
  zoom: number;
  likeness: Likeness;
}

export interface MeasuredLook {
  look: Look;
  cells: readonly Cell[];
  differences: readonly Difference[];
  seconds: number;
}

/** Least duration of a look is that of one round; after this time no further rounds begin. */
const mostSecondsPerLook = 130;

/** Cells of a look after which a peer that failed in them is measured no more: each can take a minute. */
const mostFailedCells = 2;

/** The looks that the options choose. Throws for an unknown code. */
export const chosenLooks = ({ looks: chosen }: Pick<Options, 'looks'>): readonly Look[] =>
  chosen === 'all' || !chosen ? looks : chosenFrom(chosen);

/** The looks with these codes. Throws for an unknown one. */
export function chosenFrom(chosen: ReadonlySet<string>): readonly Look[] {
  const unknown = [...chosen].find((code) => !looks.some((look) => look.code === code));
  if (unknown) throw new Error(`There is no look '${unknown}'; --rows lists them`);
  return looks.filter(({ code }) => chosen.has(code));
}

/** Measures looks beside the chosen peers. */
export async function measureLooks(stage: Stage, chosen: readonly Look[]): Promise<MeasuredLook[]> {
  const measured: MeasuredLook[] = [];
  for (const look of chosen) {
    say(`${look.code}: ${look.what}`);
    countFor(stage, look.code);
    measured.push(await measureLook(stage, look));
  }
  return measured;
}

/** Least duration of a turn; in a quick run that of one pass. */
const turnSeconds = ({ options }: Stage): number => (options.isQuick ? 0 : options.seconds);

/** The service for views, and one that draws each tile alone. */
const servicesOf = async (stage: Stage): Promise<Record<Asking, Service>> => ({
  views: await serviceOf(stage),
  singles: await stage.once('service for single tiles', () =>
    otherService(stage, 'kept', {
      CARTULARY_TILES_TOGETHER: '1',
      // Icons and images are files of the first service.
      CARTULARY_DATA: join(stage.folder, 'service'),
      CARTULARY_TILE_CACHE_DISK: '0',
    }),
  ),
});

const isChosen = ({ options }: Stage, peer: PeerName): boolean =>
  !options.looksPeers || options.looksPeers.has(peer.toLowerCase().split(' ')[0]!);

async function measureLook(stage: Stage, look: Look): Promise<MeasuredLook> {
  const start = performance.now();
  const services = await servicesOf(stage);
  const own = await makeOwnMap(stage, look);
  const peers: { name: PeerName; server: TileServer }[] = [];
  for (const name of peerNames)
    if (isChosen(stage, name) && !look.impossible?.[name])
      peers.push({ name, server: await peerTiles[name](stage, own) });
  const secondsSoFar = (): number => (performance.now() - start) / 1000;
  say(`  made in ${secondsSoFar().toFixed(0)} s`);
  const cells: Cell[] = [];
  const failedCells = new Map<string, number>();
  const count = bands.length * 2;
  for (const zooms of bands)
    for (const asking of ['views', 'singles'] as const) {
      const service = services[asking];
      const forget = () => invalidateTiles(service, own.map);
      const ours: Runner = { server: ownTilesOf(service, own.map), forget };
      const runners = [ours, ...peers.filter(({ name }) => (failedCells.get(name) ?? 0) < mostFailedCells)];
      const passes = (round: number) => passesOf(own.places, asking, { zooms, seed: 20_000 + 7 * round });
      await stage.once(`warm-up for ${asking}`, () =>
        warmUp(ours, passes(100), turnSeconds(stage) * warmUpRounds(stage.options)),
      );
      const mostSeconds = (mostSecondsPerLook - secondsSoFar()) / (count - cells.length);
      const { rates, failures } = await race(runners, passes, {
        rounds: stage.options.rounds,
        seconds: turnSeconds(stage),
        mostSeconds,
      });
      cells.push({ zooms, asking, rates, failures });
      const shown = [...rates].map(
        ([name, list]) => `${name} ${list.map((rate) => rate.toFixed(0)).join(' ')}`,
      );
      for (const [name, message] of failures) {
        failedCells.set(name, (failedCells.get(name) ?? 0) + 1);
        say(`  ${name}: ${message.split('\n')[0]!.slice(0, 200)}`);
      }
      say(`  zoom ${zooms.join(' to ')}, ${asking}: ${shown.join(' | ')} tiles/s`);
    }
  const differences: Difference[] = [];
  for (const peer of peers)
    try {
      differences.push(...(await differencesOf(stage, own, services.views, peer)));
    } catch (error) {
      // A peer that fails on a look is told in the table already.
      say(`  ${peer.name}: no picture to compare: ${(error as Error).message.slice(0, 200)}`);
      await peer.server.restart?.();
    }
  say(`  ${secondsSoFar().toFixed(0)} s`);
  return { look, cells, differences, seconds: secondsSoFar() };
}

/** Zoom levels and numbers of places of the compared pictures. */
const compared = [3, 5, 7, 9, 11, 13] as const;

async function differencesOf(
  stage: Stage,
  { map, places }: OwnMap,
  service: Service,
  { name, server }: { name: PeerName; server: TileServer },
): Promise<Difference[]> {
  const differences: Difference[] = [];
  for (const [i, zoom] of compared.entries()) {
    const place = places[Math.floor(((i + 0.5) * places.length) / compared.length)]!;
    const tile = tileAt(zoom, ...place);
    const likeness = await compareTiles([ownTilesOf(service, map), server], tile, {
      folder: stage.options.pictures,
      name: `${map}-${zoom}`,
    });
    if (isAlike(likeness)) continue;
    say(`  zoom ${zoom}: Cartulary and ${name} differ: ${likenessText(likeness)}`);
    differences.push({ peer: name, zoom, likeness });
  }
  return differences;
}
