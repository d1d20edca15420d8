import { join } from 'node:path';
import type { Config } from '../../config.js';
import type { Queryable } from '../../db/pool.js';
import type { Log } from '../../http/service.js';
import { createTileDisk, type TileDisk } from './disk.js';
import { createKeptTiles, type KeptTiles } from './kept-tiles.js';
import { bytesIn, createTileMemory, type TileCache } from './memory.js';
import { openTimeline } from './timeline.js';

/** All that is kept of tiles, in memory and on the disk. */
export interface TileStore {
  /** Whether anything is kept. */
  keeps: boolean;
  tiles: KeptTiles;
  /** Of the same memory. */
  bytes: TileCache;
  /** When all that was drawn so far is on the disk. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

const MiB = 1024 * 1024;

/** How often it is noted how far the database has come, ms. */
const notePeriod = 60_000;

export interface TileStoreParts {
  db: Queryable;
  config: Pick<Config, 'tileCache' | 'tileCacheDisk' | 'dataFolder'>;
  log: Log;
}

/** Opens the cache of tiles in the data folder. Where that cannot be written tiles are kept in memory alone. */
export async function openTileStore({ db, config, log }: TileStoreParts): Promise<TileStore> {
  const memory = createTileMemory(config.tileCache * MiB);
  const disk = await openDisk({ db, config, log });
  return {
    keeps: config.tileCache > 0 || disk !== undefined,
    tiles: createKeptTiles({ db, memory, disk }),
    bytes: bytesIn(memory),
    settled: async () => disk?.settled(),
    close: async () => disk?.close(),
  };
}

async function openDisk({
  db,
  config,
  log,
}: TileStoreParts): Promise<(TileDisk & { close(): Promise<void> }) | undefined> {
  if (!config.tileCacheDisk) return undefined;
  const root = join(config.dataFolder, 'tiles');
  try {
    const timeline = await openTimeline(db, root);
    const disk = createTileDisk({ root, scope: timeline.epoch, limit: config.tileCacheDisk * MiB }, log);
    const note = (): Promise<void> =>
      timeline.note().catch((error) => log.warn({ err: error }, 'the cache of tiles could not be marked'));
    const timer = setInterval(note, notePeriod).unref();
    return {
      ...disk,
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
