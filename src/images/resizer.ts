import type { Config } from '../config.js';
import type { StoredFile } from '../files/store.js';
import { etagOf } from '../http/reply.js';
import { createTurns } from '../http/turns.js';
import type { FileStorage } from '../storage/storage.js';
import { createPictureCache } from './cache.js';
import { type Picture, prepareResizing, type Resizing, resize } from './resize.js';

/**
 * A stored picture in another size: from memory, or made when its turn comes. Throws `busy`, `timeout`, `too_large`, 400
 * for what is no picture, 404 when its bytes are lost, and the signal's reason when it is aborted while waiting.
 */
export type ResizePicture = (
  file: StoredFile,
  wanted: Resizing,
  how: { owner: string; signal: AbortSignal },
) => Promise<Picture>;

/** What of a picture in a size: the key of its answer. */
export const pictureKey = (file: Pick<StoredFile, 'uuid'>, wanted: Resizing): string =>
  etagOf(file.uuid, wanted);

/** One cache and one queue for all who ask for pictures. */
export function createResizer(config: Config, storage: FileStorage): ResizePicture {
  prepareResizing();
  const cache = createPictureCache(config.imageCache * 1024 * 1024);
  const turns = createTurns(config.imagesAtOnce, {
    waiting: config.imageQueue,
    patience: config.imageWait,
  });
  const limits = { pixels: config.imagePixels, seconds: config.imageTimeout };

  const make = ({ content, mime }: StoredFile, wanted: Resizing): Promise<Picture> =>
    resize({ path: storage.path(content), mime }, wanted, limits);

  return async (file, wanted, { owner, signal }) => {
    const key = pictureKey(file, wanted);
    const picture = cache.get(key) ?? (await turns.for(owner)(() => make(file, wanted), signal));
    cache.set(key, picture);
    return picture;
  };
}
