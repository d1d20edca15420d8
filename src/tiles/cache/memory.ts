import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Block } from '../../geo/tile.js';

/** A picture that is kept. */
export interface KeptTile {
  readonly bytes: Uint8Array;
  /** Hash of the bytes. */
  readonly tag: string;
  /** The data versions of its layers up to which nothing has touched it. */
  versions: readonly number[];
  /** What was drawn at once. */
  readonly drawn: Block;
  /** `versions` as they are on the disk; undefined: it is not there. */
  stored?: readonly number[];
  /** When it was last seen to that it stays on the disk, ms. */
  tended?: number;
}

/** Tiles in memory. */
export interface TileMemory {
  get(key: string): KeptTile | undefined;
  set(key: string, tile: KeptTile): void;
  /** The bytes, or equal ones that are kept already: of the many tiles of one colour one is enough. */
  shared(bytes: Uint8Array): Pick<KeptTile, 'bytes' | 'tag'>;
}

/** Bytes alone, under keys that say all that they depend on. */
export interface TileCache {
  get(key: string): Uint8Array | undefined;
  set(key: string, tile: Uint8Array): void;
}

export const tagOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64url');

/** Tiles of one colour have a few hundred bytes. */
const small = 1_024;

/** The least recently used leave first; `bytes` 0 keeps none. */
export function createTileMemory(bytes: number): TileMemory {
  const solid = new LRUCache<string, Uint8Array>({ max: 500 });
  const shared = (picture: Uint8Array): Pick<KeptTile, 'bytes' | 'tag'> => {
    const tag = tagOf(picture);
    const known = picture.length <= small ? solid.get(tag) : undefined;
    if (known) return { bytes: known, tag };
    // A copy, because the pictures of a block lie in one buffer, which the last of them would keep alive.
    const own = new Uint8Array(picture);
    if (own.length <= small) solid.set(tag, own);
    return { bytes: own, tag };
  };
  if (!bytes) return { get: () => undefined, set: () => {}, shared };
  const tiles = new LRUCache<string, KeptTile>({
    maxSize: bytes,
    sizeCalculation: (tile, key) =>
      (tile.bytes.length <= small ? 0 : tile.bytes.length) + 2 * key.length + 16 * tile.versions.length + 300,
  });
  return { get: (key) => tiles.get(key), set: (key, tile) => void tiles.set(key, tile), shared };
}

const nothing: Block = { x: 0, y: 0, columns: 0, rows: 0 };

/** The same memory for tiles that are never stale: their keys hold the versions of all that they show. */
export const bytesIn = (memory: TileMemory): TileCache => ({
  get: (key) => memory.get(key)?.bytes,
  set: (key, tile) => memory.set(key, { bytes: tile, tag: '', versions: [], drawn: nothing }),
});
