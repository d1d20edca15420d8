import { type Client, demandTile, inParallel, openClient } from '../load.js';
import { median } from '../measure.js';
import type { TileServer } from '../peers/tile-server.js';
import { atOnce } from '../service.js';
import type { Pass } from './passes.js';

/** A server that takes part in a race. */
export interface Runner {
  server: TileServer;
  /** Makes sure that no cache holds tiles. */
  forget?: (() => Promise<unknown>) | undefined;
}

/** Rates of a runner by round, tiles per second. */
export type Rates = ReadonlyMap<string, readonly number[]>;

export interface RaceResult {
  /** By name of the server; without those that failed. */
  rates: Rates;
  /** Why a peer did not finish, by its name. */
  failures: ReadonlyMap<string, string>;
}

export interface RaceOptions {
  rounds: number;
  /** Least duration of a runner's turn. */
  seconds: number;
  /** After it no further round begins. */
  mostSeconds: number;
}

/** Connections of one user. */
const connections = 20;

/**
 * Measures all runners in each round, the first one in rotation. Each gets the same passes, as many as fit in its time:
 * at least one. A peer that fails takes no further part.
 */
export async function race(
  runners: readonly Runner[],
  passes: (round: number) => () => Pass,
  { rounds, seconds, mostSeconds }: RaceOptions,
): Promise<RaceResult> {
  const rates = new Map<string, number[]>(runners.map(({ server }) => [server.name, []]));
  const clients = new Map(runners.map(({ server }) => [server, usersOf(server)]));
  const failures = new Map<string, string>();
  const take = async (runner: Runner, round: number, least: number): Promise<void> => {
    const { name } = runner.server;
    if (failures.has(name)) return;
    try {
      const rate = await turn(runner, clients.get(runner.server)!, passes(round), least);
      if (round) rates.get(name)!.push(rate);
    } catch (error) {
      if (runner.forget) throw error;
      failures.set(name, (error as Error).message);
      rates.delete(name);
      // What it still draws would slow the others down.
      await runner.server.restart?.();
    }
  };
  try {
    for (const runner of runners) await take(runner, 0, runner.forget ? seconds : 0);
    const start = performance.now();
    for (let round = 1; round <= rounds; round++) {
      const spent = (performance.now() - start) / 1000;
      if (round > 1 && (spent * round) / (round - 1) > mostSeconds) break;
      for (let i = 0; i < runners.length; i++)
        await take(runners[(i + round) % runners.length]!, round, seconds);
    }
  } finally {
    for (const users of clients.values()) for (const user of users) user.close();
  }
  return { rates, failures };
}

const usersOf = ({ base }: TileServer): Client[] =>
  Array.from({ length: atOnce }, () => openClient(base, connections));

/** Runs passes for some seconds without a measurement: until its code is compiled, the service takes twice as long. */
export async function warmUp({ server, forget }: Runner, next: () => Pass, seconds: number): Promise<void> {
  const users = usersOf(server);
  await turn({ server, forget }, users, next, seconds);
  for (const user of users) user.close();
}

/** Tiles per second over passes until the time is over. */
async function turn(
  { server, forget }: Runner,
  users: readonly Client[],
  next: () => Pass,
  seconds: number,
): Promise<number> {
  let [tiles, spent] = [0, 0];
  do {
    const { views, isFresh } = next();
    if (isFresh) await forget?.();
    const start = performance.now();
    await inParallel(views, atOnce, async (view, user) => {
      await Promise.all(
        view.map(async (tile) => {
          const path = server.path(tile);
          demandTile(await users[user]!.get(path), path);
        }),
      );
      tiles += view.length;
    });
    spent += (performance.now() - start) / 1000;
  } while (spent < seconds);
  return tiles / spent;
}

/** Median over the rounds of the ratio of one runner's rate to another's. */
export const ratioOf = (rates: Rates, ours: string, theirs: string): number =>
  median(rates.get(ours)!.map((rate, round) => rate / rates.get(theirs)![round]!));
