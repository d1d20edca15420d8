import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import { cleanName, type JobFolder } from '@cartulary/runtime';
import { type ArchiveLimits, type Unpacked, unpack } from '../incoming/archive.js';
import { fileHead } from '../incoming/datasets.js';
import { prjText } from '../incoming/prj.js';
import { parseAuxFile } from './aux-file.js';
import { type GeoTransform, parseWorldFile, projectionOf } from './georeference.js';
import type { ImageFormat } from './image.js';
import { imageFormat } from './recognize.js';

/** Bytes that are read of an .aux.xml. */
const largestAux = 4 * 1024 * 1024;

/** An image in the folder of a job, and the content of the files beside it. */
export interface RasterSource {
  /** Name within the folder. */
  file: string;
  format: ImageFormat;
  /** Name as the user knows it. */
  name: string;
  /** Size in bytes. */
  size: number;
  world: GeoTransform | undefined;
  projection: string | undefined;
  /** The "no data" value that a file beside it gives. */
  nodata?: number | undefined;
  /** Name of its mask within the folder: another TIFF, whose zeros are transparent. */
  mask?: string | undefined;
  notes: readonly string[];
}

export interface Incoming {
  bytes: AsyncIterable<Buffer>;
  filename: string | undefined;
}

const failed = (message: string): ServiceError => new ServiceError('import_failed', message);

const extensions: Readonly<Record<string, ImageFormat>> = {
  tif: 'geotif',
  tiff: 'geotif',
  geotif: 'geotif',
  gtiff: 'geotif',
  png: 'png',
  jpg: 'jpg',
  jpeg: 'jpg',
};

/** Extensions of world files, specific ones before the general one. */
export const worldExtensions = ['tfw', 'tifw', 'tiffw', 'pgw', 'pngw', 'jgw', 'jpgw', 'jpegw', 'wld'];

const wanted: ReadonlySet<string> = new Set([
  ...Object.keys(extensions),
  ...worldExtensions,
  'prj',
  'msk',
  'xml',
]);

/**
 * Stores an upload in the folder of a job, and unpacks an archive, which must contain one image. The content decides,
 * not the name. Throws `import_failed`, `too_large`.
 */
export async function receiveRaster(
  { bytes, filename }: Incoming,
  folder: JobFolder,
  { limits, signal }: { limits: ArchiveLimits; signal: AbortSignal },
): Promise<RasterSource> {
  const path = join(folder.path, 'upload');
  await pipeline(bytes, createWriteStream(path, { mode: 0o600 }), { signal });
  const head = await fileHead(path);
  if (head.toString('latin1', 0, 2) !== 'PK') {
    const format = imageFormat(head);
    const { size } = await stat(path);
    // The upload was already decompressed from gzip.
    const name = cleanName(
      filename?.replace(/\.gz$/i, '') ?? `image.${format === 'geotif' ? 'tif' : format}`,
    );
    return { file: 'upload', format, name, size, world: undefined, projection: undefined, notes: [] };
  }
  const files = await unpack(path, folder.path, { extensions: wanted, limits, signal });
  return fromArchive(files, folder);
}

async function fromArchive(files: readonly Unpacked[], folder: JobFolder): Promise<RasterSource> {
  const images = files.filter(({ extension }) => extensions[extension]);
  const [image, second] = images;
  if (!image) throw failed(noteOf('noImageInArchive'));
  if (second) throw failed(noteOf('severalImages', { count: images.length }));
  const path = join(folder.path, image.file);
  const beside = files.filter(({ stem }) => stem === image.stem);
  const pathOf = (extension: string): string | undefined => {
    const found = beside.find((file) => file.extension === extension);
    return found && join(folder.path, found.file);
  };
  const named = (ending: string): Unpacked | undefined =>
    files.find(({ name }) => name.toLowerCase() === `${image.name}${ending}`.toLowerCase());
  const worldFile = worldExtensions.map(pathOf).find((path) => path !== undefined);
  const world = worldFile && (await fileHead(worldFile)).toString('latin1');
  const prjFile = pathOf('prj');
  const prj = prjFile && (await prjText(prjFile));
  const projection = prj === undefined ? undefined : projectionOf(prj);
  const auxFile = named('.aux.xml');
  const aux =
    auxFile && parseAuxFile((await fileHead(join(folder.path, auxFile.file), largestAux)).toString());
  return {
    file: image.file,
    format: imageFormat(await fileHead(path)),
    name: cleanName(image.name),
    size: (await stat(path)).size,
    world: aux?.transform ?? (world === undefined ? undefined : parseWorldFile(world)),
    projection: aux?.projection ?? projection,
    nodata: aux?.nodata,
    mask: named('.msk')?.file,
    notes: prj !== undefined && !projection ? [noteOf('prjNotUnderstood')] : [],
  };
}
