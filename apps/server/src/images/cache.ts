import { LRUCache } from 'lru-cache';
import type { Picture } from './resize.js';

export interface PictureCache {
  get(key: string): Picture | undefined;
  set(key: string, picture: Picture): void;
}

/** Resized pictures in memory, the least recently used leave first; `bytes` 0 keeps none. None is ever stale: a file does not change under its uuid. */
export function createPictureCache(bytes: number): PictureCache {
  if (!bytes) return { get: () => undefined, set: () => {} };
  const cache = new LRUCache<string, Picture>({
    maxSize: bytes,
    sizeCalculation: (picture, key) => picture.bytes.length + 2 * key.length + 200,
  });
  return { get: (key) => cache.get(key), set: (key, picture) => void cache.set(key, picture) };
}
