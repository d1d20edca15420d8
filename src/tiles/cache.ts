import { LRUCache } from 'lru-cache';

export interface TileCache {
  get(key: string): Uint8Array | undefined;
  set(key: string, tile: Uint8Array): void;
}

/**
 * Tiles in memory, the least recently used leave first; `bytes` 0 keeps none. Nothing is ever taken out because it is
 * stale: keys hold the versions of all that a tile shows. A write raises them before it is acknowledged, a request reads
 * them before it looks here, and the drawing reads the data after that. So a tile under a key is as new as the key or
 * newer, and a key that is older than an acknowledged write is one that nobody asks for any more.
 */
export function createTileCache(bytes: number): TileCache {
  if (!bytes) return { get: () => undefined, set: () => {} };
  const cache = new LRUCache<string, Uint8Array>({
    maxSize: bytes,
    sizeCalculation: (tile, key) => tile.length + 2 * key.length + 200,
  });
  return {
    get: (key) => cache.get(key),
    set: (key, tile) => void cache.set(key, tile),
  };
}
