import { join } from 'node:path';
import type { Log } from '@cartulary/runtime';
import { Segments } from './segments.js';
import { sweepFolder } from './sweep.js';

/** Limit of the tiles that wait to be written. */
const maxWaiting = 2_000;

/** Limits of a batch of writes: larger batches take less time from drawing. */
const batchWindowMs = 500;
const maxBatchTiles = 500;

/** Minimum time between two looks for tiles that other processes wrote. */
const lookIntervalMs = 1_000;

/** Share of the limit that is written between two sweeps of the folder. */
const sweepShare = 0.05;

export interface DiskPlace {
  /** The folder of all kept files; the limit holds for all of it. */
  root: string;
  /** The folder of this database's files in it. */
  scope: string;
  limitBytes: number;
}

/**
 * Tile files in a folder of segments, by names of 32 bytes (hashes, one byte per character). Several processes may share the folder.
 * No method fails: an unreadable file counts as missing, and an unwritable one is not kept.
 */
export class DiskTileCache {
  readonly #place: DiskPlace;
  readonly #log: Log;
  readonly #segments: Segments;
  #waiting = new Map<string, () => Buffer>();
  #writing: Promise<void> | undefined;
  #sweeping: Promise<void> | undefined;
  #looking: Promise<void> | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** Infinity: the first write sweeps the existing files. */
  #writtenSinceSweep = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #hasWarned = false;

  constructor(place: DiskPlace, log: Log) {
    this.#place = place;
    this.#log = log;
    this.#segments = new Segments(join(place.root, place.scope), place.limitBytes);
  }

  /** undefined: there is no such file. */
  async read(name: string): Promise<Buffer | undefined> {
    if (!this.#segments.has(name) && performance.now() - this.#lookedAt > lookIntervalMs) await this.#look();
    return this.#segments.read(name);
  }

  /** Writes in the background; dropped when too many files wait. */
  write(name: string, file: () => Buffer): void {
    if (this.#waiting.size >= maxWaiting) return;
    this.#waiting.set(name, file);
    if (this.#waiting.size >= maxBatchTiles) this.#writeBatch();
    else this.#timer ??= setTimeout(() => this.#writeBatch(), batchWindowMs).unref();
  }

  /** Whether the file exists and will not be swept soon. The caller writes others again, so that unused files leave first. */
  stays(name: string): boolean {
    return this.#segments.stays(name);
  }

  /** Resolves when everything written so far is on the disk. */
  async settled(): Promise<void> {
    do {
      this.#writeBatch();
      await Promise.all([this.#writing, this.#sweeping]);
    } while (this.#waiting.size || this.#writing || this.#sweeping);
  }

  #writeBatch(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#waiting.size || this.#writing) return;
    if (this.#writtenSinceSweep > this.#place.limitBytes * sweepShare) this.#sweep();
    const tiles = this.#waiting;
    this.#waiting = new Map();
    this.#writing = this.#store(tiles).finally(() => {
      this.#writing = undefined;
      this.#writeBatch();
    });
  }

  async #store(tiles: ReadonlyMap<string, () => Buffer>): Promise<void> {
    try {
      const files = new Map([...tiles].map(([name, file]) => [name, file()]));
      this.#writtenSinceSweep += await this.#segments.append(files);
    } catch (error) {
      if (!this.#hasWarned) this.#log.warn({ err: error }, 'tiles cannot be kept on the disk');
      this.#hasWarned = true;
    }
  }

  #sweep(): void {
    if (this.#sweeping) return;
    this.#writtenSinceSweep = 0;
    this.#sweeping = sweepFolder(this.#place.root, this.#place.limitBytes)
      .catch((error) => this.#log.warn({ err: error }, 'the folder of tiles could not be swept'))
      .finally(() => {
        this.#sweeping = undefined;
      });
  }

  /** Concurrent calls share one look. */
  #look(): Promise<void> {
    this.#looking ??= this.#segments.look().finally(() => {
      this.#looking = undefined;
      this.#lookedAt = performance.now();
    });
    return this.#looking;
  }
}
