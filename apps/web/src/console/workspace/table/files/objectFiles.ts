import type { FileDetails } from '@cartulary/client';
import { address } from '../../../../common/base.js';
import type { RowSource } from '../rows/source.js';

/** The column of an object that has files. */
export interface FilePlace {
  object: number;
  /** Code of the column. */
  field: string;
}

const filesPath = '/api/2.8/{project}/{map}/layers/{layer}/objects/{object}/files/';

/** Reads the files of a column of an object. */
export const readFiles = (
  { client, path, lng }: RowSource,
  { object, field }: FilePlace,
  signal?: AbortSignal,
): Promise<FileDetails[]> =>
  client.get(filesPath, { params: { path: { ...path, object }, query: { field, lng } }, signal });

/** Deletes a file of an object. */
export async function deleteFile(
  { client, path, lng }: RowSource,
  { object, field }: FilePlace,
  file: number,
): Promise<void> {
  const params = { path: { ...path, object, file }, query: { field, lng } };
  await client.delete(`${filesPath}{file}/`, { params });
}

const imageTypes = /^image\/(jpeg|png|webp|gif|avif|tiff)$/;

/** The address of a small picture of a file; null: it is no picture. */
export const thumbnailOf = (project: string, { uuid, mime }: FileDetails, heightPx: number): string | null =>
  imageTypes.test(mime)
    ? address(['api', '2.8', project, 'image', uuid], {
        h: heightPx,
        f: mime === 'image/tiff' ? 'png' : undefined,
      })
    : null;

export const fileAddress = (project: string, { uuid }: FileDetails): string =>
  address(['api', '2.8', project, 'files', uuid]);
