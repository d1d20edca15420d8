import { join } from 'node:path';
import type { Queryable } from '@cartulary/database';
import type { Log } from '@cartulary/runtime';
import type { Config } from '../../config.js';
import { DiskTileCache } from './disk-cache.js';
import { KeptTiles } from './kept-tiles.js';
import { type BytesCache, bytesIn, MemoryTileCache } from './memory-cache.js';
import { openTimeline } from './timeline.js';

/** The cache of tiles, in memory and on the disk. */
export interface TileCaches {
  /** Whether it keeps anything. */
  keeps: boolean;
  tiles: Pick<KeptTiles, 'find' | 'keep'>;
  /** Bytes in the same memory. */
  bytes: BytesCache;
  /** Resolves when all tiles drawn so far are on the disk. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

const MiB = 1024 * 1024;

/** Interval at which the timeline notes the database's latest transaction. */
const noteIntervalMs = 60_000;

export interface TileCachesParts {
  db: Queryable;
  config: Pick<Config, 'tileCacheMiB' | 'tileCacheDiskMiB' | 'dataFolder'>;
  log: Log;
}

/** The limit of the memory for tiles, bytes: half of the setting, since public answers have the other half. */
export const memoryLimitBytes = ({ tileCacheMiB }: Pick<Config, 'tileCacheMiB'>): number =>
  (tileCacheMiB * MiB) / 2;

/** Opens the cache of tiles in the data folder. Without write access tiles are kept in memory alone. */
export async function openTileCaches({ db, config, log }: TileCachesParts): Promise<TileCaches> {
  const memory = new MemoryTileCache(memoryLimitBytes(config));
  const opened = await openDisk({ db, config, log });
  const disk = opened?.disk;
  return {
    keeps: config.tileCacheMiB > 0 || disk !== undefined,
    tiles: new KeptTiles({ db, memory, disk }),
    bytes: bytesIn(memory),
    settled: async () => disk?.settled(),
    close: async () => opened?.close(),
  };
}

async function openDisk({
  db,
  config,
  log,
}: TileCachesParts): Promise<{ disk: DiskTileCache; close(): Promise<void> } | undefined> {
  if (!config.tileCacheDiskMiB) return undefined;
  const root = join(config.dataFolder, 'tiles');
  try {
    const timeline = await openTimeline(db, root);
    const limitBytes = config.tileCacheDiskMiB * MiB;
    const disk = new DiskTileCache({ root, scope: timeline.epoch, limitBytes }, log);
    const note = (): Promise<void> =>
      timeline.note().catch((error) => log.warn({ err: error }, 'the cache of tiles could not be marked'));
    const timer = setInterval(note, noteIntervalMs).unref();
    return {
      disk,
      async close() {
        clearInterval(timer);
        await disk.settled();
        await note();
      },
    };
  } catch (error) {
    log.warn({ err: error }, 'tiles cannot be kept on the disk');
    return undefined;
  }
}
