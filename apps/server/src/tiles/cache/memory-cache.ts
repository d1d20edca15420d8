import type { Block } from '@cartulary/geo';
import { digestOf } from '@cartulary/runtime';
import { LRUCache } from 'lru-cache';

/** A kept picture. */
export interface KeptTile {
  readonly bytes: Uint8Array;
  /** Hash of the bytes. */
  readonly tag: string;
  /** Data versions of its layers, up to which no change touched it. */
  versions: readonly number[];
  /** The block of the job that drew it. */
  readonly drawn: Block;
  /** `versions` of the file on the disk; undefined: there is none. */
  stored?: readonly number[];
  /** Time of the last check of its file, ms since 1970. */
  checkedAt?: number;
}

/** Bytes by keys that contain everything on which the bytes depend. */
export interface BytesCache {
  get(key: string): Uint8Array | undefined;
  set(key: string, tile: Uint8Array): void;
}

export const tagOf = (bytes: Uint8Array): string => digestOf(bytes);

/** Limit of the bytes of a tile of one colour. */
const solidLimitBytes = 1_024;

/** Tiles in memory; the least recently used leave first. */
export class MemoryTileCache {
  readonly #solids = new LRUCache<string, Uint8Array>({ max: 500 });
  readonly #tiles: LRUCache<string, KeptTile> | undefined;

  /** `limitBytes` 0: nothing is kept. */
  constructor(limitBytes: number) {
    if (!limitBytes) return;
    this.#tiles = new LRUCache({
      maxSize: limitBytes,
      sizeCalculation: (tile, key) =>
        (tile.bytes.length <= solidLimitBytes ? 0 : tile.bytes.length) +
        2 * key.length +
        16 * tile.versions.length +
        300,
    });
  }

  get(key: string): KeptTile | undefined {
    return this.#tiles?.get(key);
  }

  set(key: string, tile: KeptTile): void {
    this.#tiles?.set(key, tile);
  }

  /** The bytes with their tag. Equal small pictures share one array: many tiles have one colour. */
  shared(picture: Uint8Array): Pick<KeptTile, 'bytes' | 'tag'> {
    const tag = tagOf(picture);
    const known = picture.length <= solidLimitBytes ? this.#solids.get(tag) : undefined;
    if (known) return { bytes: known, tag };
    // A copy: the pictures of a block share one buffer, which any of them would keep in memory.
    const own = new Uint8Array(picture);
    if (own.length <= solidLimitBytes) this.#solids.set(tag, own);
    return { bytes: own, tag };
  }
}

const noBlock: Block = { x: 0, y: 0, columns: 0, rows: 0 };

/** The same memory for bytes that never become invalid: their keys contain all versions. */
export const bytesIn = (memory: MemoryTileCache): BytesCache => ({
  get: (key) => memory.get(key)?.bytes,
  set: (key, tile) => memory.set(key, { bytes: tile, tag: '', versions: [], drawn: noBlock }),
});
