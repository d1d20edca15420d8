import { createSemaphore, type Semaphore } from '@cartulary/runtime';
import type { Config } from '../config.js';
import type { StoredFile } from '../files/store.js';
import { etagOf } from '../http/reply.js';
import type { FileStorage } from '../storage/storage.js';
import { createPictureCache, type PictureCache } from './cache.js';
import { prepareResizing, type ResizedPicture, type ResizeLimits, type Resizing, resize } from './resize.js';

/** The cache key of a picture in a size, and the ETag of its response. */
export const resizedPictureKey = (file: Pick<StoredFile, 'uuid'>, wanted: Resizing): string =>
  etagOf(file.uuid, wanted);

/** Resizes stored pictures, with one cache and one queue for all requests. */
export class PictureResizer {
  readonly #storage: FileStorage;
  readonly #cache: PictureCache;
  readonly #semaphore: Semaphore;
  readonly #limits: ResizeLimits;

  constructor(config: Config, storage: FileStorage) {
    prepareResizing();
    this.#storage = storage;
    this.#cache = createPictureCache(config.imageCacheMiB * 1024 * 1024);
    this.#semaphore = createSemaphore(config.imagesAtOnce, {
      maxWaiting: config.imageQueue,
      maxWaitMs: config.imageWaitMs,
    });
    this.#limits = { pixels: config.imagePixels, seconds: config.imageTimeoutS };
  }

  /**
   * A stored picture in another size, from the cache or made in the queue of the owner. Throws `busy`, `timeout`, `too_large`,
   * 400 for a file that is no picture, 404 when its bytes are lost, and the reason of the signal when it is aborted while the
   * request waits.
   */
  async resize(
    file: StoredFile,
    wanted: Resizing,
    { owner, signal }: { owner: string; signal: AbortSignal },
  ): Promise<ResizedPicture> {
    const key = resizedPictureKey(file, wanted);
    const picture =
      this.#cache.get(key) ??
      (await this.#semaphore.for(owner)(() => {
        const source = { path: this.#storage.path(file.content), mime: file.mime };
        return resize(source, wanted, this.#limits);
      }, signal));
    this.#cache.set(key, picture);
    return picture;
  }
}
