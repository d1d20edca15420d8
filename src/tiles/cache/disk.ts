import { appendFile } from 'node:fs';
import { type FileHandle, mkdir, open, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { LRUCache } from 'lru-cache';
import type { Log } from '../../http/service.js';
import { indexPart, type PackedTile, packed, unpacked } from './pack.js';
import { sweepFolder } from './sweep.js';

/** Where a tile lies: its own name and that of the pack of neighbours that are in one file, 64 hexadecimal digits each. */
export interface TileAddress {
  readonly pack: string;
  readonly name: string;
}

/** Files of tiles, which may be gone at any time. Nothing here ever fails: what cannot be read is not there, what cannot be written is not kept. */
export interface TileDisk {
  /** undefined: there is none. */
  read(at: TileAddress): Promise<Buffer | undefined>;
  /** Writes behind the caller; dropped where too much waits already. */
  write(at: TileAddress, file: () => Buffer): void;
  /** Says that a tile is in use, so that others leave before it and its pack. */
  touch(at: TileAddress): void;
  /** When all that was written so far is there. */
  settled(): Promise<void>;
}

/** How many packs are written at once, and how many tiles may wait. */
const atOnce = 4;
const mostWaiting = 2_000;

/** How long tiles wait for others of their pack, ms, and how many at most: the fewer the writings, the less they take of the time for drawing. */
const gathering = 500;
const gathered = 500;

/** How old the note of use of a file may be, ms. */
export const touchEvery = 3_600_000;

/** The part of the limit that may be written before the folder is looked through again. */
const sweepPart = 0.05;

/** A pack that is larger, bytes, holds much that was drawn anew since: it begins anew, too. */
const largestPack = 16 * 1024 * 1024;

/** Packs of which it is known what they hold, and how long nobody looks again for what was not in one, ms. */
const knownPacks = 1_000;
const lookEvery = 1_000;

export interface DiskPlace {
  /** The folder of all that is kept, which is held below the limit. */
  root: string;
  /** The folder in it of these files. */
  scope: string;
  /** Bytes. */
  limit: number;
}

/** What is known of a pack. */
interface PackIndex {
  /** Its tiles up to this byte. */
  end: number;
  tiles: Map<string, PackedTile>;
  /** When it was last looked at, ms. */
  looked: number;
}

/**
 * A folder of packs that is held below a limit; several processes may use it. To make a file takes five to ten times as long as to
 * append to one, and tiles that are drawn together are asked for together: so neighbours lie in one file.
 */
export function createTileDisk({ root, scope, limit }: DiskPlace, log: Log): TileDisk {
  const waiting = new Map<string, Map<string, () => Buffer>>();
  const running = new Map<string, Promise<void>>();
  const lookings = new Map<string, Promise<PackIndex | undefined>>();
  const indexes = new LRUCache<string, PackIndex>({ max: knownPacks });
  let countWaiting = 0;
  let writtenSince = Number.POSITIVE_INFINITY; // The first write looks through what is there.
  let sweeping: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let hasWarned = false;
  const pathOf = (pack: string): string => join(root, scope, pack.slice(0, 2), pack);

  function work(): void {
    clearTimeout(timer);
    timer = undefined;
    if (writtenSince > limit * sweepPart) sweep();
    for (const [pack, files] of waiting) {
      if (running.size >= atOnce) return;
      // Two writings of one pack come one after the other.
      if (running.has(pack)) continue;
      waiting.delete(pack);
      countWaiting -= files.size;
      const task = store(pack, files).finally(() => {
        running.delete(pack);
        work();
      });
      running.set(pack, task);
    }
  }

  async function store(pack: string, files: ReadonlyMap<string, () => Buffer>): Promise<void> {
    const path = pathOf(pack);
    try {
      const bytes = Buffer.concat([...files].map(([name, file]) => packed(name, file())));
      await append(path, bytes);
      writtenSince += bytes.length;
      const index = indexes.get(pack);
      if (index) index.looked = 0;
    } catch (error) {
      // Perhaps a part was written.
      await rm(path, { force: true }).catch(() => {});
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

  /** What a pack holds now; undefined for a file that is none or has grown too large, which is removed. */
  async function look(pack: string, handle: FileHandle): Promise<PackIndex | undefined> {
    const { size } = await handle.stat();
    if (size > largestPack) return drop(pack);
    const known = indexes.get(pack);
    const index = known && known.end <= size ? known : { end: 0, tiles: new Map(), looked: 0 };
    const { end } = index;
    const part = await bytesAt(handle, end, size - end);
    const whole = indexPart(index.tiles, part, end);
    if (whole === undefined) return drop(pack);
    // Who looked at the same time may have seen more.
    index.end = Math.max(index.end, whole);
    index.looked = Date.now();
    indexes.set(pack, index);
    return index;
  }

  /** The same for a pack that is not open; who asks meanwhile waits for it. */
  function lookAgain(pack: string): Promise<PackIndex | undefined> {
    const running = lookings.get(pack);
    if (running) return running;
    const looking = using(pack, (handle) => look(pack, handle)).finally(() => lookings.delete(pack));
    lookings.set(pack, looking);
    return looking;
  }

  /** What is found in a pack; undefined where there is none, which is noted, or it cannot be read. */
  async function using<T>(
    pack: string,
    work: (handle: FileHandle) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const handle = await open(pathOf(pack)).catch(() => undefined);
    if (!handle) {
      indexes.set(pack, { end: 0, tiles: new Map(), looked: Date.now() });
      return undefined;
    }
    return work(handle)
      .catch(() => undefined)
      .finally(() => handle.close());
  }

  async function drop(pack: string): Promise<undefined> {
    indexes.delete(pack);
    await rm(pathOf(pack), { force: true });
  }

  async function readFrom(handle: FileHandle, { pack, name }: TileAddress): Promise<Buffer | undefined> {
    const tile = (await look(pack, handle))?.tiles.get(name);
    const file = tile && unpacked(name, await bytesAt(handle, tile.start, tile.length));
    // Another pack took the place of the one that was looked at.
    if (tile && !file) indexes.delete(pack);
    return file;
  }

  return {
    async read(at) {
      const known = indexes.get(at.pack);
      if (!known?.tiles.has(at.name)) {
        if (known && Date.now() - known.looked < lookEvery) return undefined;
        if (!(await lookAgain(at.pack))?.tiles.has(at.name)) return undefined;
      }
      return using(at.pack, (handle) => readFrom(handle, at));
    },
    write({ pack, name }, file) {
      if (countWaiting >= mostWaiting) return;
      const files = waiting.get(pack) ?? new Map<string, () => Buffer>();
      if (!files.has(name)) countWaiting += 1;
      waiting.set(pack, files.set(name, file));
      if (countWaiting >= gathered) work();
      else timer ??= setTimeout(work, gathering).unref();
    },
    touch({ pack }) {
      const path = pathOf(pack);
      const now = new Date();
      stat(path)
        .then(({ mtimeMs }) => (mtimeMs < now.getTime() - touchEvery ? utimes(path, now, now) : undefined))
        .catch(() => {});
    },
    async settled() {
      do {
        work();
        await Promise.all([...running.values(), sweeping]);
      } while (waiting.size || running.size || sweeping);
    },
  };
}

const appendTo = promisify(appendFile);

/** Bytes are appended by one call, so that those of several processes do not mix. */
async function append(path: string, bytes: Buffer): Promise<void> {
  await appendTo(path, bytes, { mode: 0o600 }).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await appendTo(path, bytes, { mode: 0o600 });
  });
}

async function bytesAt(handle: FileHandle, start: number, length: number): Promise<Buffer> {
  if (!length) return Buffer.alloc(0);
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await handle.read(bytes, 0, length, start);
  return bytes.subarray(0, bytesRead);
}
