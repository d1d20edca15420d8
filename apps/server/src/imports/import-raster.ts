import { randomUUID } from 'node:crypto';
import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database, Transaction } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import {
  type Band,
  cogFile,
  type Data,
  decodeTiff,
  type Engine,
  type ImageHeader,
  type Incoming,
  type PixelLimits,
  parseRasterBox,
  placeMask,
  planWarp,
  type RasterLayout,
  type RasterSource,
  type RasterTarget,
  rasterLayoutOf,
  rasterPlaceOf,
  readImageHeader,
  readRasterInfo,
  receiveRaster,
  withNoData,
  writeCog,
} from '@cartulary/formats';
import { parseSrs } from '@cartulary/geo';
import { openProjection } from '@cartulary/renderer';
import { createJobFolder, type JobFolder, readStream } from '@cartulary/runtime';
import type { Config } from '../config.js';
import { touchMap } from '../containers/containers.js';
import { isNamed } from '../files/store.js';
import { isOn } from '../http/params.js';
import { type Layer, lockLayer, touchData } from '../layers/layers.js';
import { type Raster, replaceRaster } from '../rasters/store.js';
import type { FileStorage } from '../storage/storage.js';
import {
  planned,
  projectionName,
  type RasterReport,
  rasterPixelOf,
  refused,
  report,
  type Told,
} from './raster-report.js';

/** Services of the functions of this file. */
export interface RasterImportServices {
  readonly db: Database;
  readonly storage: FileStorage;
  readonly engine: Engine;
  readonly config: Config;
}

interface RasterImport extends RasterImportServices {
  /** Nothing is stored. */
  isDryRun: boolean;
  signal: AbortSignal;
  /** Runs at the end of the transaction that stores the image, with the report. */
  beforeCommit?: ((tx: Transaction, report: object) => Promise<void> | undefined) | undefined;
}

/**
 * Puts an image in the place of the one that a raster layer has, all or nothing; with the parameter `dry_run` nothing is
 * stored. Throws `import_failed`, `import_georeference_missing`, `too_large`, `busy`, 400 for wrong parameters.
 */
export async function importRaster(
  work: RasterImportServices,
  layer: Layer,
  incoming: Incoming,
  {
    parameters,
    signal,
    beforeCommit,
  }: { parameters: Record<string, unknown> } & Pick<RasterImport, 'signal' | 'beforeCommit'>,
): Promise<RasterReport> {
  const { srs: system, raster_bbox, dry_run } = parameters as Record<string, string | undefined>;
  const srs = system ? parseSrs(system) : undefined;
  const bbox = raster_bbox ? parseRasterBox(raster_bbox) : undefined;
  if (srs) (await openProjection(srs)).close();
  const order: RasterImport = { ...work, isDryRun: isOn(dry_run), signal, beforeCommit };
  const { dataFolder, archiveEntries, temporaryLimitBytes, archiveRatio } = work.config;
  const limits = { entries: archiveEntries, bytes: temporaryLimitBytes, ratio: archiveRatio };
  const folder = await createJobFolder(dataFolder);
  try {
    const source = await receiveRaster(incoming, folder, { limits, signal });
    const given = { srs, bbox, world: source.world, projection: source.projection };
    return await carryOut(layer, { folder, source, given }, order);
  } catch (error) {
    if (order.isDryRun) return refused(error);
    throw error;
  } finally {
    await folder.remove();
  }
}

interface Received {
  folder: JobFolder;
  source: RasterSource;
  given: Parameters<typeof rasterPlaceOf>[1];
}

async function carryOut(layer: Layer, received: Received, order: RasterImport): Promise<RasterReport> {
  const { folder, source, given } = received;
  const header = await readImageHeader(join(folder.path, source.file), source.format, limitsOf(order.config));
  const data = await readable(folder, source, header, order);
  const ofMask = await placeMask(
    folder.path,
    { mask: source.mask, file: data.file },
    header,
    limitsOf(order.config),
  );
  const inMemory = header.width * header.height * pixelBytes;
  const job = await order.engine.start(folder.path, order.signal, { inMemory });
  try {
    const work = { job, name: source.name };
    const { info, args } = withNoData(await readRasterInfo(work, data), source.nodata);
    const layout = rasterLayoutOf(info, header);
    const place = rasterPlaceOf(info, { ...given, hasPolynomials: header.hasPolynomials });
    const target = await planWarp(work, { data, source: info, place: [...place.args, ...args], layout });
    checkTarget(target, order.config);
    const notes = [...source.notes, ...ofMask, ...header.notes, ...layout.notes, ...place.notes];
    if (layout.wide) notes.push(noteOf('colorsScaled'));
    const told = { source, info, layout, target, notes, projection: projectionName(info, place.srs) };
    if (order.isDryRun) return planned(told);
    await checkDisk(order.config.dataFolder, target, layout);
    const bands = await writeCog(work, layout, target);
    job.end();
    await store(layer, { folder, told, bands }, order);
    return report(told, bands);
  } finally {
    job.end();
  }
}

/** Memory of one pixel while it is processed: four bands. */
const pixelBytes = 4;

const limitsOf = ({ rasterPixels, rasterSidePixels }: Config): PixelLimits => ({
  pixels: rasterPixels,
  side: rasterSidePixels,
});

const drivers = { geotif: 'GTiff', png: 'PNG', jpg: 'JPEG' };

/** The image in a form that GDAL reads: a decoder of ours unpacks pixels that GDAL cannot. */
async function readable(
  folder: JobFolder,
  source: RasterSource,
  header: ImageHeader,
  { config, signal }: RasterImport,
): Promise<Data> {
  const driver = drivers[source.format];
  const options = source.format === 'geotif' ? ['GEOREF_SOURCES=INTERNAL'] : [];
  if (header.isRead) return { file: source.file, driver, options };
  const file = await decodeTiff(folder.path, source.file, {
    time: config.converterTimeoutMs,
    stallMs: config.converterStallMs,
    bytes: header.width * header.height * pixelBytes,
    memory: config.converterMemoryMiB,
    signal,
  });
  return { file, driver, options };
}

/** By which factor the pixels in EPSG:3857 may exceed the limit of the settings: projecting turns and stretches an image. */
const mostStretched = 4;

/** Throws `too_large` for an image that would be too large in EPSG:3857. */
function checkTarget({ width, height }: RasterTarget, { rasterPixels }: Config): void {
  if (width * height <= mostStretched * rasterPixels) return;
  const message = noteOf('imageTooLargeThere', { width, height });
  throw new ServiceError('too_large', message, { width, height });
}

/** Throws `busy` where the disk has no room for the copies of the image while it is processed. */
async function checkDisk(
  dataFolder: string,
  { width, height }: RasterTarget,
  layout: RasterLayout,
): Promise<void> {
  const pixel = layout.kind === 'picture' ? (layout.wide ? 8 : 4) : 8;
  const { bavail, bsize } = await statfs(dataFolder);
  // Three copies: unpacked, tiled with overviews, and in the storage.
  if (width * height * pixel * 3 <= bavail * bsize) return;
  throw new ServiceError('busy', 'The disk of the service has no room for an image of this size');
}

async function store(
  layer: Layer,
  { folder, told, bands }: { folder: JobFolder; told: Told; bands: readonly Band[] },
  order: RasterImport,
): Promise<void> {
  const { db, storage, signal, beforeCommit } = order;
  const { source, info, layout, target, projection } = told;
  const files = { original: join(folder.path, source.file), processed: join(folder.path, cogFile) };
  const keys = { original: randomUUID(), processed: randomUUID() };
  const raster: Raster = {
    ...keys,
    ...target.extent,
    name: source.name,
    format: source.format,
    size: source.size,
    processed_size: (await stat(files.processed)).size,
    width: info.size[0],
    height: info.size[1],
    kind: layout.kind,
    pixel_size: rasterPixelOf(target),
    bands,
    projection,
  };
  try {
    await storage.put(keys.original, readStream(files.original));
    await storage.put(keys.processed, readStream(files.processed));
    await db.transaction(async (tx) => {
      await lockLayer(tx, layer);
      await touchData(tx, layer.id);
      await replaceRaster(tx, layer.id, raster);
      // Compositions of the map are cached under its version.
      await touchMap(tx, layer.map.id);
      await beforeCommit?.(tx, report(told, bands));
    }, signal);
    for (const key of Object.values(keys)) await storage.settle(key);
  } catch (error) {
    await discard(order, Object.values(keys));
    throw error;
  }
}

/** Removes files that no row names; failures are left to the sweep. Rows are asked, because a commit without an answer may have succeeded. */
async function discard({ db, storage }: RasterImportServices, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    try {
      if (!(await isNamed(db, key))) await storage.delete(key);
    } catch {}
  }
}
