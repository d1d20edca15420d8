import { join } from 'node:path';
import type { Log } from '../../http/service.js';
import { openSegments } from './segments.js';
import { sweepFolder } from './sweep.js';

/** Files of tiles, by names of 32 bytes (hashes, a byte a character), which may be gone at any time. Nothing here ever fails: what cannot be read is not there, what cannot be written is not kept. */
export interface TileDisk {
  /** undefined: there is none. */
  read(name: string): Promise<Buffer | undefined>;
  /** Writes behind the caller; dropped where too much waits already. */
  write(name: string, file: () => Buffer): void;
  /** Whether a tile is there and will be for some time: one in use that is not is written again, so that others leave before it. */
  stays(name: string): boolean;
  /** When all that was written so far is there. */
  settled(): Promise<void>;
}

/** How many tiles may wait. */
const mostWaiting = 2_000;

/** How long tiles wait for others that are written with them, ms, and how many at most: the fewer the writings, the less they take of the time for drawing. */
const gathering = 500;
const gathered = 500;

/** How long nobody looks again for what others have written, ms. */
const lookEvery = 1_000;

/** The part of the limit that may be written before the folder is looked through again. */
const sweepPart = 0.05;

export interface DiskPlace {
  /** The folder of all that is kept, which is held below the limit. */
  root: string;
  /** The folder in it of these files. */
  scope: string;
  /** Bytes. */
  limit: number;
}

/** A folder of segments that is held below a limit; several processes may use it. */
export function createTileDisk({ root, scope, limit }: DiskPlace, log: Log): TileDisk {
  const segments = openSegments(join(root, scope), limit);
  let waiting = new Map<string, () => Buffer>();
  let writing: Promise<void> | undefined;
  let sweeping: Promise<void> | undefined;
  let looking: Promise<void> | undefined;
  let looked = Number.NEGATIVE_INFINITY;
  let writtenSince = Number.POSITIVE_INFINITY; // The first write looks through what is there.
  let timer: NodeJS.Timeout | undefined;
  let hasWarned = false;

  function work(): void {
    clearTimeout(timer);
    timer = undefined;
    if (!waiting.size || writing) return;
    if (writtenSince > limit * sweepPart) sweep();
    const tiles = waiting;
    waiting = new Map();
    writing = store(tiles).finally(() => {
      writing = undefined;
      work();
    });
  }

  async function store(tiles: ReadonlyMap<string, () => Buffer>): Promise<void> {
    try {
      writtenSince += await segments.append(new Map([...tiles].map(([name, file]) => [name, file()])));
    } catch (error) {
      if (!hasWarned) log.warn({ err: error }, 'tiles cannot be kept on the disk');
      hasWarned = true;
    }
  }

  function sweep(): void {
    if (sweeping) return;
    writtenSince = 0;
    sweeping = sweepFolder(root, limit)
      .catch((error) => log.warn({ err: error }, 'the folder of tiles could not be looked through'))
      .finally(() => {
        sweeping = undefined;
      });
  }

  /** Who asks meanwhile waits for it. */
  function look(): Promise<void> {
    looking ??= segments.look().finally(() => {
      looking = undefined;
      looked = performance.now();
    });
    return looking;
  }

  return {
    async read(name) {
      if (!segments.has(name) && performance.now() - looked > lookEvery) await look();
      return segments.read(name);
    },
    write(name, file) {
      if (waiting.size >= mostWaiting) return;
      waiting.set(name, file);
      if (waiting.size >= gathered) work();
      else timer ??= setTimeout(work, gathering).unref();
    },
    stays: segments.stays,
    async settled() {
      do {
        work();
        await Promise.all([writing, sweeping]);
      } while (waiting.size || writing || sweeping);
    },
  };
}
