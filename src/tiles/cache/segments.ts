import { randomBytes } from 'node:crypto';
import { constants, mkdir, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createPlaceTable, type Place } from './place-table.js';
import { indexOf } from './sweep.js';

/**
 * The files of tiles of a folder, segments: each is appended to by one process, and has an index beside it by which the others
 * know what is in it. What cannot be read is not there.
 */
export interface Segments {
  /** Whether the tile is known to be there. */
  has(name: string): boolean;
  /** Whether it is there, and not among those that were written longest ago, which leave soon. */
  stays(name: string): boolean;
  read(name: string): Promise<Buffer | undefined>;
  /** Looks for what others have written, and what is gone. */
  look(): Promise<void>;
  /** Appends tiles by two calls; how many bytes that were. Throws where nothing can be written: then none is kept. */
  append(tiles: ReadonlyMap<string, Buffer>): Promise<number>;
}

/** A tile before its file, and in the index: its name, which is a hash with its bytes as characters. */
const nameLength = 32;
/** The name, the first byte and the number of bytes. */
const entryLength = nameLength + 8;

/** Bytes of a segment at most but for what is written at once; less where the limit is so low that few would fit. */
const largestSegment = 32 * 1024 * 1024;
const fewestSegments = 16;

/** Entries that are read at once, and bytes of a tile: an index that says more is broken. */
const mostEntries = 100_000;
const mostBytes = 2 ** 27;

/** Who has written nothing for so long begins another segment, and nobody looks for more in one that has not grown for twice as long, ms. */
const rest = 1_800_000;

const appends = constants.O_WRONLY | constants.O_APPEND;

const indexForm = /^([0-9a-f]{64})\.index$/;

interface Segment {
  readonly number: number;
  readonly id: string;
  /** Of the tiles, and of the index as far as it was read. */
  bytes: number;
  indexed: number;
  /** When it last grew, ms. */
  grown: number;
  leavesSoon: boolean;
}

/** `limit`: bytes of all that is kept, half of which may be older than what stays. */
export function openSegments(folder: string, limit: number): Segments {
  const byNumber = new Map<number, Segment>();
  const byId = new Map<string, Segment>();
  const places = createPlaceTable((number) => byNumber.has(number));
  const largest = Math.min(largestSegment, limit / fewestSegments);
  let count = 0;
  let own: Segment | undefined;

  const fileOf = ({ id }: Pick<Segment, 'id'>): string => join(folder, id);

  function add(id: string): Segment {
    count += 1;
    const segment = { number: count, id, bytes: 0, indexed: 0, grown: Date.now(), leavesSoon: false };
    byNumber.set(count, segment);
    byId.set(id, segment);
    return segment;
  }

  function forget(segment: Segment): void {
    byNumber.delete(segment.number);
    byId.delete(segment.id);
    if (segment === own) own = undefined;
  }

  function find(name: string): { segment: Segment; place: Place } | undefined {
    const place = places.get(name);
    const segment = place && byNumber.get(place.segment);
    return segment && { segment, place };
  }

  /** Reads what was added to the index of another. */
  async function learn(segment: Segment, size: number): Promise<void> {
    const more = Math.min(size - segment.indexed, mostEntries * entryLength);
    const entries = await bytesAt(indexOf(fileOf(segment)), segment.indexed, more - (more % entryLength));
    for (let at = 0; at + entryLength <= entries.length; at += entryLength) {
      const name = entries.toString('latin1', at, at + nameLength);
      const [start, length] = [nameLength, nameLength + 4].map((field) => entries.readUInt32LE(at + field));
      if (length! > mostBytes) continue;
      places.set(name, { segment: segment.number, start: start!, length: length! });
      segment.bytes += length!;
    }
    segment.indexed += entries.length;
  }

  /** Those that are written last stay, as many as half of the limit holds. */
  function order(): void {
    let bytes = 0;
    for (const segment of [...byNumber.values()].toSorted((a, b) => b.grown - a.grown)) {
      bytes += segment.bytes;
      segment.leavesSoon = segment !== own && bytes > limit / 2;
    }
  }

  async function look(): Promise<void> {
    const known = [...byNumber.values()].filter(({ indexed }) => indexed);
    const names = await readdir(folder).catch((): string[] => []);
    const ids = new Set(names.flatMap((name) => indexForm.exec(name)?.[1] ?? []));
    for (const segment of known) if (!ids.has(segment.id)) forget(segment);
    const grown: { id: string; size: number; mtimeMs: number }[] = [];
    for (const id of ids) {
      const segment = byId.get(id);
      if (segment && (segment === own || Date.now() - segment.grown > 2 * rest)) continue;
      const found = await stat(indexOf(fileOf({ id }))).catch(() => undefined);
      if (found && found.size >= (segment?.indexed ?? 0) + entryLength) grown.push({ id, ...found });
    }
    // Of two tiles of one name the last counts.
    for (const { id, size, mtimeMs } of grown.toSorted((a, b) => a.mtimeMs - b.mtimeMs)) {
      const segment = byId.get(id) ?? add(id);
      segment.grown = mtimeMs;
      await learn(segment, size).catch(() => forget(segment));
    }
    order();
  }

  async function begin(): Promise<Segment> {
    order();
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return add(randomBytes(32).toString('hex'));
  }

  async function appendTo(segment: Segment, tiles: ReadonlyMap<string, Buffer>): Promise<number> {
    const entries = Buffer.alloc(entryLength * tiles.size);
    const parts: Buffer[] = [];
    const added: (readonly [string, Place])[] = [];
    let start = segment.bytes;
    for (const [name, file] of tiles) {
      const length = nameLength + file.length;
      const entry = entryLength * added.length;
      entries.write(name, entry, 'latin1');
      entries.writeUInt32LE(start, entry + nameLength);
      entries.writeUInt32LE(length, entry + nameLength + 4);
      parts.push(Buffer.from(name, 'latin1'), file);
      added.push([name, { segment: segment.number, start, length }]);
      start += length;
    }
    const written = start - segment.bytes;
    await appendAt(fileOf(segment), segment.bytes, Buffer.concat(parts));
    await appendAt(indexOf(fileOf(segment)), segment.indexed, entries);
    for (const [name, place] of added) places.set(name, place);
    segment.bytes = start;
    segment.indexed += entries.length;
    segment.grown = Date.now();
    return written;
  }

  return {
    has: (name) => find(name) !== undefined,
    stays: (name) => find(name)?.segment.leavesSoon === false,
    look,
    async read(name) {
      const found = find(name);
      if (!found) return undefined;
      const { segment, place } = found;
      const bytes = await bytesAt(fileOf(segment), place.start, place.length).catch(() => undefined);
      if (!bytes) forget(segment);
      return bytes?.toString('latin1', 0, nameLength) === name ? bytes.subarray(nameLength) : undefined;
    },
    async append(tiles) {
      if (own && (own.bytes >= largest || Date.now() - own.grown > rest)) own = undefined;
      for (let isAgain = false; ; isAgain = true) {
        own ??= await begin();
        try {
          return await appendTo(own, tiles);
        } catch (error) {
          const isFirst = own.bytes === 0;
          forget(own);
          if (isFirst || isAgain) throw error;
        }
      }
    },
  };
}

/** Throws unless the file ends at this byte: one that was deleted is not made again, and what others have changed is left. */
async function appendAt(path: string, end: number, bytes: Buffer): Promise<void> {
  const handle = await open(path, end ? appends : 'ax', 0o600);
  try {
    const { size } = await handle.stat();
    if (size !== end) throw new Error('a file of tiles was changed by somebody else');
    await handle.appendFile(bytes);
  } finally {
    await handle.close();
  }
}

async function bytesAt(path: string, start: number, length: number): Promise<Buffer> {
  const handle = await open(path);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, start);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
