import { map } from '../data/layer.js';
import type { Tile, View } from '../data/tiles.js';
import { type Client, demandTile, inParallel, openClient } from '../load.js';
import { compare, type Finding } from '../measure.js';
import type { TileServer } from '../peers/tile-server.js';
import { forgetTiles, type Service } from '../service.js';
import type { Stage } from '../stage.js';

/** Clients that look at the map at once, and connections of each: what a browser has. */
const [clients, connections] = [2, 6];

/** Cartulary as a server of tiles of the map of polygons. */
export const ownTiles = ({ url }: Service): TileServer => ({
  name: 'Cartulary',
  base: url,
  path: ({ z, x, y }) => `/tms/demo/${map}/?z=${z}&x=${x}&y=${2 ** z - 1 - y}`,
});

export interface TileRace {
  service: Service;
  peer: TileServer;
  /** The views of a round, the same for both; so many take about as long as is wanted. */
  views(round: number, count: number): readonly View[];
}

/** Views in turns: their tiles are asked for at once, and the next view when the last of them has come. */
export async function raceTiles(
  stage: Stage,
  { service, peer, views }: TileRace,
): Promise<Pick<Finding, 'ours' | 'theirs' | 'values'>> {
  const { seconds } = stage.options;
  const own = ownTiles(service);
  const [ours, theirs] = [await seen(own), await seen(peer)];
  try {
    const trial = views(0, 2 * clients);
    await look(ours, trial);
    await look(theirs, trial);
    const { rate } = await look(theirs, trial);
    const size = trial.reduce((sum, view) => sum + view.length, 0) / trial.length;
    const count = Math.max(clients, Math.round((rate * seconds) / size));
    const blank: number[][] = [];
    const found = await compare(
      stage.options,
      async (round) => {
        await forgetTiles(service, map);
        const { rate, empty } = await look(ours, views(round + 1, count));
        blank.push([round, empty]);
        return rate;
      },
      async (round) => {
        const list = views(round + 1, count);
        const { rate, empty } = await look(theirs, list);
        blank.push([round, empty, list.reduce((sum, view) => sum + view.length, 0)]);
        return rate;
      },
    );
    demandSameBlanks(blank, peer);
    return found;
  } finally {
    for (const { clients } of [ours, theirs]) for (const client of clients) client.close();
  }
}

interface Seen {
  server: TileServer;
  clients: readonly Client[];
  /** Bytes of a tile with nothing in it. */
  blank: number;
}

/** A tile in the South Pacific, where no polygon lies. */
const nowhere: Tile = { z: 9, x: 60, y: 340 };

async function seen(server: TileServer): Promise<Seen> {
  const list = Array.from({ length: clients }, () => openClient(server.base, connections));
  const answer = await list[0]!.get(server.path(nowhere));
  demandTile(answer, server.path(nowhere));
  return { server, clients: list, blank: answer.bytes.length };
}

/** Looks at views: tiles in a second, and how many had nothing in them. */
async function look(
  { server, clients, blank }: Seen,
  views: readonly View[],
): Promise<{ rate: number; empty: number }> {
  const start = performance.now();
  let [done, empty] = [0, 0];
  await inParallel(views, clients.length, async (view, worker) => {
    const tile = async (tile: Tile): Promise<void> => {
      const path = server.path(tile);
      const answer = await clients[worker]!.get(path);
      demandTile(answer, path);
      done += 1;
      if (answer.bytes.length === blank) empty += 1;
    };
    await Promise.all(view.map(tile));
  });
  return { rate: (done * 1000) / (performance.now() - start), empty };
}

/** Throws when one of the sides has clearly more tiles with nothing in them. */
function demandSameBlanks(blank: readonly (readonly number[])[], peer: TileServer): void {
  for (const [round, empty, all] of blank) {
    if (all === undefined) continue;
    const own = blank.find(([other, , isTheirs]) => other === round && isTheirs === undefined)![1]!;
    if (Math.abs(own - empty!) > 2 + 0.05 * all)
      throw new Error(
        `of ${all} tiles ${own} of Cartulary and ${empty} of ${peer.name} have nothing in them`,
      );
  }
}
