import { randomBytes } from 'node:crypto';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PlaceTable, type SegmentPlace } from './place-table.js';
import { appendAt, bytesAt } from './segment-file.js';
import { indexOf } from './sweep.js';

/** Length of a name, before a tile and in the index: a hash, one byte per character. */
const nameLength = 32;
/** Length of an index entry: name, first byte (4), number of bytes (4). */
const entryLength = nameLength + 8;

/** Size at which a segment is closed; smaller when the limit is low. */
const segmentLimitBytes = 32 * 1024 * 1024;
const minSegments = 16;

/** Plausible limits of an index: more entries are read later, larger tiles are ignored as damage. */
const maxEntriesPerRead = 100_000;
const tileLimitBytes = 2 ** 27;

/** A process that wrote nothing for this time begins a new segment. Others stop looking at a segment after twice this time. */
const idleMs = 1_800_000;

const indexForm = /^([0-9a-f]{64})\.index$/;

interface Segment {
  readonly number: number;
  readonly id: string;
  /** Bytes of its tiles, and of its index as far as it was read. */
  bytes: number;
  indexed: number;
  /** Time of the last append, ms since 1970. */
  grownAt: number;
  leavesSoon: boolean;
}

/**
 * The segments of a folder: files of many tiles. One process appends to a segment; the index beside it tells the other
 * processes what it contains. What cannot be read counts as missing.
 */
export class Segments {
  readonly #folder: string;
  readonly #limitBytes: number;
  readonly #segmentLimitBytes: number;
  readonly #byNumber = new Map<number, Segment>();
  readonly #byId = new Map<string, Segment>();
  readonly #places = new PlaceTable((number) => this.#byNumber.has(number));
  #count = 0;
  /** The segment to which this process appends. */
  #own: Segment | undefined;

  /** `limitBytes`: of everything in the folder; the half written last stays. */
  constructor(folder: string, limitBytes: number) {
    this.#folder = folder;
    this.#limitBytes = limitBytes;
    this.#segmentLimitBytes = Math.min(segmentLimitBytes, limitBytes / minSegments);
  }

  /** Whether a tile is known. */
  has(name: string): boolean {
    return this.#find(name) !== undefined;
  }

  /** Whether a tile is known and not among the oldest, which are swept soon. */
  stays(name: string): boolean {
    return this.#find(name)?.segment.leavesSoon === false;
  }

  async read(name: string): Promise<Buffer | undefined> {
    const found = this.#find(name);
    if (!found) return undefined;
    const { segment, place } = found;
    const bytes = await bytesAt(this.#fileOf(segment), place.start, place.length).catch(() => undefined);
    if (!bytes) this.#forget(segment);
    return bytes?.toString('latin1', 0, nameLength) === name ? bytes.subarray(nameLength) : undefined;
  }

  /** Looks for tiles that other processes wrote, and for deleted segments. */
  async look(): Promise<void> {
    const known = [...this.#byNumber.values()].filter(({ indexed }) => indexed);
    const names = await readdir(this.#folder).catch((): string[] => []);
    const ids = new Set(names.flatMap((name) => indexForm.exec(name)?.[1] ?? []));
    for (const segment of known) if (!ids.has(segment.id)) this.#forget(segment);
    const grown: { id: string; size: number; mtimeMs: number }[] = [];
    for (const id of ids) {
      const segment = this.#byId.get(id);
      if (segment && (segment === this.#own || Date.now() - segment.grownAt > 2 * idleMs)) continue;
      const found = await stat(indexOf(this.#fileOf({ id }))).catch(() => undefined);
      if (found && found.size >= (segment?.indexed ?? 0) + entryLength) grown.push({ id, ...found });
    }
    // Of two tiles with one name the later one counts.
    for (const { id, size, mtimeMs } of grown.toSorted((a, b) => a.mtimeMs - b.mtimeMs)) {
      const segment = this.#byId.get(id) ?? this.#add(id);
      segment.grownAt = mtimeMs;
      await this.#readIndex(segment, size).catch(() => this.#forget(segment));
    }
    this.#markLeaving();
  }

  /** Appends tiles in two writes; returns the number of bytes. Throws when nothing can be written; then no tile is kept. */
  async append(tiles: ReadonlyMap<string, Buffer>): Promise<number> {
    const own = this.#own;
    if (own && (own.bytes >= this.#segmentLimitBytes || Date.now() - own.grownAt > idleMs))
      this.#own = undefined;
    for (let isAgain = false; ; isAgain = true) {
      const segment = this.#own ?? (await this.#begin());
      this.#own = segment;
      try {
        return await this.#appendTo(segment, tiles);
      } catch (error) {
        const isFirst = segment.bytes === 0;
        this.#forget(segment);
        if (isFirst || isAgain) throw error;
      }
    }
  }

  #fileOf({ id }: Pick<Segment, 'id'>): string {
    return join(this.#folder, id);
  }

  #add(id: string): Segment {
    this.#count += 1;
    const segment = {
      number: this.#count,
      id,
      bytes: 0,
      indexed: 0,
      grownAt: Date.now(),
      leavesSoon: false,
    };
    this.#byNumber.set(this.#count, segment);
    this.#byId.set(id, segment);
    return segment;
  }

  #forget(segment: Segment): void {
    this.#byNumber.delete(segment.number);
    this.#byId.delete(segment.id);
    if (segment === this.#own) this.#own = undefined;
  }

  #find(name: string): { segment: Segment; place: SegmentPlace } | undefined {
    const place = this.#places.get(name);
    const segment = place && this.#byNumber.get(place.segment);
    return segment && { segment, place };
  }

  /** Reads the new entries of another process's index. */
  async #readIndex(segment: Segment, size: number): Promise<void> {
    const more = Math.min(size - segment.indexed, maxEntriesPerRead * entryLength);
    const index = indexOf(this.#fileOf(segment));
    const entries = await bytesAt(index, segment.indexed, more - (more % entryLength));
    for (let at = 0; at + entryLength <= entries.length; at += entryLength) {
      const name = entries.toString('latin1', at, at + nameLength);
      const [start, length] = [nameLength, nameLength + 4].map((field) => entries.readUInt32LE(at + field));
      if (length! > tileLimitBytes) continue;
      this.#places.set(name, { segment: segment.number, start: start!, length: length! });
      segment.bytes += length!;
    }
    segment.indexed += entries.length;
  }

  /** Marks the oldest segments, beyond half of the limit. */
  #markLeaving(): void {
    let bytes = 0;
    for (const segment of [...this.#byNumber.values()].toSorted((a, b) => b.grownAt - a.grownAt)) {
      bytes += segment.bytes;
      segment.leavesSoon = segment !== this.#own && bytes > this.#limitBytes / 2;
    }
  }

  async #begin(): Promise<Segment> {
    this.#markLeaving();
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    return this.#add(randomBytes(32).toString('hex'));
  }

  async #appendTo(segment: Segment, tiles: ReadonlyMap<string, Buffer>): Promise<number> {
    const entries = Buffer.alloc(entryLength * tiles.size);
    const parts: Buffer[] = [];
    const added: (readonly [string, SegmentPlace])[] = [];
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
    await appendAt(this.#fileOf(segment), segment.bytes, Buffer.concat(parts));
    await appendAt(indexOf(this.#fileOf(segment)), segment.indexed, entries);
    for (const [name, place] of added) this.#places.set(name, place);
    segment.bytes = start;
    segment.indexed += entries.length;
    segment.grownAt = Date.now();
    return written;
  }
}
