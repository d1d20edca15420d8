import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import type { ImageFormat } from './image.js';

/** Signatures of the formats. BigTIFF has 43 where TIFF has 42. */
const starts: readonly [start: string, format: ImageFormat][] = [
  ['II*\0', 'geotif'],
  ['MM\0*', 'geotif'],
  ['II+\0', 'geotif'],
  ['MM\0+', 'geotif'],
  ['\x89PNG\r\n\x1a\n', 'png'],
  ['\xff\xd8\xff', 'jpg'],
];

const formatOf = (head: Buffer): ImageFormat | undefined => {
  const text = head.toString('latin1', 0, 8);
  return starts.find(([start]) => text.startsWith(start))?.[1];
};

export const isTiff = (head: Buffer): boolean => formatOf(head) === 'geotif';

/** The format of an image by its first bytes, whatever its name is. Throws `import_failed` for any other file. */
export function imageFormat(head: Buffer): ImageFormat {
  const found = formatOf(head);
  if (found) return found;
  throw new ServiceError('import_failed', noteOf('noImage'));
}
