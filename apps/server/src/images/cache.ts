import { LRUCache } from 'lru-cache';
import type { ResizedPicture } from './resize.js';

export interface PictureCache {
  get(key: string): ResizedPicture | undefined;
  set(key: string, picture: ResizedPicture): void;
}

/**
 * Caches resized pictures in memory and evicts the least recently used. 0 bytes cache nothing. Entries are
 * never stale, since the content of a file does not change under its uuid.
 */
export function createPictureCache(bytes: number): PictureCache {
  if (!bytes) return { get: () => undefined, set: () => {} };
  const cache = new LRUCache<string, ResizedPicture>({
    maxSize: bytes,
    sizeCalculation: (picture, key) => picture.bytes.length + 2 * key.length + 200,
  });
  return { get: (key) => cache.get(key), set: (key, picture) => void cache.set(key, picture) };
}
