import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import { fileHead } from '../incoming/datasets.js';
import { type ImageHeader, type PixelLimits, readImageHeader } from './header.js';
import { isTiff } from './recognize.js';

const failed = (message: string): ServiceError => new ServiceError('import_failed', message);

/**
 * Gives the mask beside an image the name by which GDAL finds it. `file`: the name of the image in the folder. Returns
 * notes for the report. Throws `import_failed`, `too_large`.
 */
export async function placeMask(
  folder: string,
  { mask, file }: { mask: string | undefined; file: string },
  { width, height }: ImageHeader,
  limits: PixelLimits,
): Promise<string[]> {
  if (mask === undefined) return [];
  const path = join(folder, mask);
  if (!isTiff(await fileHead(path))) return [noteOf('maskLeftOut')];
  const header = await readImageHeader(path, 'geotif', limits);
  if (header.width !== width || header.height !== height) throw failed(noteOf('maskSize'));
  if (!header.isRead) throw failed(noteOf('maskCompression'));
  await rename(path, join(folder, `${file}.msk`));
  return [];
}
