import { map } from '../data/layer.js';
import type { Tile, View } from '../data/tiles.js';
import { type Client, demandTile, inParallel, openClient } from '../load.js';
import { compare, type Finding, warmUpRounds } from '../measure.js';
import type { TileServer } from '../peers/tile-server.js';
import { atOnce, invalidateTiles, type Service } from '../service.js';
import type { Stage } from '../stage.js';

/** Concurrent requests for a view: all of its tiles over HTTP/2 behind a proxy; a browser sends six over HTTP/1.1. */
export const sixAtOnce = 6;
const allAtOnce = 20;

/** Cartulary as a tile server of the polygon map. */
export const ownTiles = ({ url }: Service): TileServer => ({
  name: 'Cartulary',
  base: url,
  path: ({ z, x, y }) => `/tms/demo/${map}/?z=${z}&x=${x}&y=${2 ** z - 1 - y}`,
});

export interface TileRace {
  service: Service;
  peer: TileServer;
  /** Views of a round, the same for both sides; their number makes a round last about as long as wanted. */
  views(round: number, count: number): readonly View[];
  /** Concurrent requests for a view; absent: all of its tiles. */
  connections?: number;
}

/** Compares views: the tiles of a view are requested concurrently, the next view follows after the last response. */
export async function raceTiles(
  stage: Stage,
  { service, peer, views, connections = allAtOnce }: TileRace,
): Promise<Pick<Finding, 'ours' | 'theirs' | 'values'>> {
  const [ours, theirs] = [openViewer(ownTiles(service), connections), openViewer(peer, connections)];
  try {
    const trial = views(0, 2 * atOnce);
    for (let twice = 0; twice < 2; twice++) await look(theirs, trial);
    // Warm-up after the start. A round takes us the seconds that are wanted: in a shorter one its beginning would count for more than the tiles.
    let count = 2 * atOnce;
    for (let more = 1; more <= warmUpRounds(stage.options); more++) {
      await invalidateTiles(service, map);
      const seen = views(100 + more, count);
      const { rate, tiles } = await look(ours, seen);
      count = Math.max(atOnce, Math.round((rate * stage.options.seconds * seen.length) / tiles));
    }
    const looks: { ours: Look[]; theirs: Look[] } = { ours: [], theirs: [] };
    const found = await compare(
      stage.options,
      async (round) => {
        await invalidateTiles(service, map);
        looks.ours[round] = await look(ours, views(round + 1, count));
        return looks.ours[round].rate;
      },
      async (round) => {
        looks.theirs[round] = await look(theirs, views(round + 1, count));
        return looks.theirs[round].rate;
      },
    );
    for (const [round, own] of looks.ours.entries()) demandSameBlanks(own, looks.theirs[round]!, peer);
    return found;
  } finally {
    for (const { connected } of [ours, theirs]) for (const client of connected) client.close();
  }
}

/** A client of a tile server. */
interface Viewer {
  server: TileServer;
  connected: readonly Client[];
}

/** A tile in the South Pacific without polygons. */
const nowhere: Tile = { z: 9, x: 60, y: 340 };

const openViewer = (server: TileServer, connections: number): Viewer => ({
  server,
  connected: Array.from({ length: atOnce }, () => openClient(server.base, connections)),
});

/** Size of an empty tile in bytes, which depends on the background. */
async function blankOf({ server, connected }: Viewer): Promise<number> {
  const answer = await connected[0]!.get(server.path(nowhere));
  demandTile(answer, server.path(nowhere));
  return answer.bytes.length;
}

interface Look {
  /** Tiles per second. */
  rate: number;
  tiles: number;
  /** Number of empty tiles. */
  empty: number;
}

async function look(viewer: Viewer, views: readonly View[]): Promise<Look> {
  const { server, connected } = viewer;
  const blank = await blankOf(viewer);
  const start = performance.now();
  let [tiles, empty] = [0, 0];
  await inParallel(views, atOnce, async (view, worker) => {
    const see = async (tile: Tile): Promise<void> => {
      const path = server.path(tile);
      const answer = await connected[worker]!.get(path);
      demandTile(answer, path);
      tiles += 1;
      if (answer.bytes.length === blank) empty += 1;
    };
    await Promise.all(view.map(see));
  });
  return { rate: (tiles * 1000) / (performance.now() - start), tiles, empty };
}

/** Throws if one side has clearly more empty tiles. */
function demandSameBlanks(own: Look, other: Look, { name }: TileServer): void {
  if (Math.abs(own.empty - other.empty) <= 2 + 0.05 * own.tiles) return;
  throw new Error(
    `of ${own.tiles} tiles ${own.empty} of Cartulary and ${other.empty} of ${name} have nothing in them`,
  );
}
