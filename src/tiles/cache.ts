import { LRUCache } from 'lru-cache';

export interface TileCache {
  get(key: string): Uint8Array | undefined;
  set(key: string, tile: Uint8Array): void;
}

/**
 * Tiles in memory, the least recently used leave first; `bytes` 0 keeps none. Nothing is ever taken out because it is
 * stale: keys hold the versions of all that a tile shows, so a stale tile is one that nobody can ask for.
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
