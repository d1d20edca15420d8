import { createWriteStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ServiceError } from '../../errors.js';
import { cleanName } from '../../http/file-names.js';
import type { JobFolder } from '../../jobs/folder.js';
import type { ImageFormat } from '../../rasters/store.js';
import { type ArchiveLimits, type Unpacked, unpack } from '../incoming/archive.js';
import { headOf } from '../incoming/datasets.js';
import { type GeoTransform, parseWorldFile, projectionOf } from './georeference.js';
import { imageFormat } from './recognize.js';

/** An image in the folder of a job, and what the files beside it say. */
export interface RasterSource {
  /** Within the folder. */
  file: string;
  format: ImageFormat;
  /** As the user knows it. */
  name: string;
  /** Bytes. */
  size: number;
  world: GeoTransform | undefined;
  projection: string | undefined;
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

/** Extensions of world files, the particular ones before those of any image. */
const worldExtensions = ['tfw', 'tifw', 'tiffw', 'pgw', 'pngw', 'jgw', 'jpgw', 'jpegw', 'wld'];

const wanted: ReadonlySet<string> = new Set([...Object.keys(extensions), ...worldExtensions, 'prj']);

/** Brings an upload into the folder of a job, an archive unpacked: one image, known by its content. Throws `import_failed`, `too_large`. */
export async function receiveRaster(
  { bytes, filename }: Incoming,
  folder: JobFolder,
  { limits, signal }: { limits: ArchiveLimits; signal: AbortSignal },
): Promise<RasterSource> {
  const path = join(folder.path, 'upload');
  await pipeline(bytes, createWriteStream(path, { mode: 0o600 }), { signal });
  const head = await headOf(path);
  if (head.toString('latin1', 0, 2) !== 'PK') {
    const format = imageFormat(head);
    const { size } = await stat(path);
    // gzip was unpacked on the way.
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
  if (!image) throw failed('The archive holds no image that is read (tif, png, jpg)');
  if (second) throw failed(`The archive holds ${images.length} images: a layer has one`);
  const path = join(folder.path, image.file);
  const beside = files.filter(({ stem }) => stem === image.stem);
  const textOf = async (extension: string): Promise<string | undefined> => {
    const found = beside.find((file) => file.extension === extension);
    return found && readFile(join(folder.path, found.file), 'latin1');
  };
  const worldFile = worldExtensions.find((extension) => beside.some((file) => file.extension === extension));
  const world = worldFile && (await textOf(worldFile));
  const prj = await textOf('prj');
  const projection = prj === undefined ? undefined : projectionOf(prj);
  return {
    file: image.file,
    format: imageFormat(await headOf(path)),
    name: cleanName(image.name),
    size: (await stat(path)).size,
    world: world === undefined ? undefined : parseWorldFile(world),
    projection,
    notes: prj !== undefined && !projection ? ['The projection in the .prj is not understood'] : [],
  };
}
