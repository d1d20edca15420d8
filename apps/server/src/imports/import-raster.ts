import { randomUUID } from 'node:crypto';
import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config.js';
import { touchMap } from '../../containers/containers.js';
import type { Transaction } from '../../db/pool.js';
import { ServiceError } from '../../errors.js';
import { isNamed } from '../../files/store.js';
import { parseSrs } from '../../geo/srs.js';
import { isOn } from '../../http/params.js';
import type { Services } from '../../http/service.js';
import { createJobFolder, type JobFolder } from '../../jobs/folder.js';
import { type Layer, lockLayer, touchData } from '../../layers/layers.js';
import { type Band, type Raster, replaceRaster } from '../../rasters/store.js';
import { readStream } from '../../read-stream.js';
import type { Data } from '../engine/orders.js';
import { diskFull } from '../incoming/input.js';
import { openProjection } from '../projection.js';
import { decoded } from './decode.js';
import { parseRasterBox, placeOf } from './georeference.js';
import { type ImageHeader, type PixelLimits, readHeader } from './header.js';
import { type Layout, layoutOf } from './layout.js';
import { inspect, plan, process, processedFile, type Target } from './processing.js';
import { nameOf, planned, type RasterReport, refused, report, type Told } from './raster-report.js';
import { type Incoming, type RasterSource, receiveRaster } from './source.js';

type Work = Pick<Services, 'db' | 'storage' | 'engine' | 'config'>;

interface RasterImport extends Work {
  /** Nothing is stored. */
  isDryRun: boolean;
  signal: AbortSignal;
  /** Run at the end of the transaction that stores the image, with what will be reported. */
  beforeCommit?: ((tx: Transaction, report: object) => Promise<void> | undefined) | undefined;
}

/**
 * Puts an image in the place of the one that a raster layer has, all or nothing; with the parameter `dry_run` nothing is
 * stored. Throws `import_failed`, `import_georeference_missing`, `too_large`, `busy`, 400 for wrong parameters.
 */
export async function importRaster(
  work: Work,
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
  const { dataFolder, archiveEntries, temporaryLimit, archiveRatio } = work.config;
  const limits = { entries: archiveEntries, bytes: temporaryLimit, ratio: archiveRatio };
  const folder = await createJobFolder(dataFolder);
  try {
    const source = await receiveRaster(incoming, folder, { limits, signal });
    const given = { srs, bbox, world: source.world, projection: source.projection };
    return await carryOut(layer, { folder, source, given }, order);
  } catch (error) {
    if (order.isDryRun) return refused(error);
    throw diskFull(error);
  } finally {
    await folder.remove();
  }
}

interface Received {
  folder: JobFolder;
  source: RasterSource;
  given: Parameters<typeof placeOf>[1];
}

async function carryOut(layer: Layer, received: Received, order: RasterImport): Promise<RasterReport> {
  const { folder, source, given } = received;
  const header = await readHeader(join(folder.path, source.file), source.format, limitsOf(order.config));
  const data = await readable(folder, source, header, order);
  const inMemory = header.width * header.height * pixelBytes;
  const job = await order.engine.start(folder.path, order.signal, { inMemory });
  try {
    const work = { job, name: source.name };
    const info = await inspect(work, data);
    const layout = layoutOf(info);
    const place = placeOf(info, given);
    const target = await plan(work, { data, source: info, place: place.args, layout });
    checkTarget(target, order.config);
    const notes = [...source.notes, ...header.notes, ...layout.notes, ...place.notes];
    if (layout.wide) notes.push('The colours of 16 bits were scaled to 8');
    const told = { source, info, layout, target, notes, projection: place.srs ?? nameOf(info) };
    if (order.isDryRun) return planned(told);
    await checkDisk(order.config.dataFolder, target, layout);
    const bands = await process(work, layout, target);
    job.end();
    await store(layer, { folder, told, bands }, order);
    return report(told, bands);
  } finally {
    job.end();
  }
}

/** Of a pixel while it is worked on: four colours. */
const pixelBytes = 4;

const limitsOf = ({ rasterPixels, rasterSide }: Config): PixelLimits => ({
  pixels: rasterPixels,
  side: rasterSide,
});

const drivers = { geotif: 'GTiff', png: 'PNG', jpg: 'JPEG' };

/** The image as GDAL can read it: pixels that it cannot unpack are unpacked before. */
async function readable(
  folder: JobFolder,
  source: RasterSource,
  header: ImageHeader,
  { config, signal }: RasterImport,
): Promise<Data> {
  const driver = drivers[source.format];
  const options = source.format === 'geotif' ? ['GEOREF_SOURCES=INTERNAL'] : [];
  if (header.isRead) return { file: source.file, driver, options };
  const file = await decoded(folder.path, source.file, {
    time: config.converterTimeout,
    stallMs: config.converterStall,
    bytes: header.width * header.height * pixelBytes,
    signal,
  });
  return { file, driver, options };
}

/** How many times more pixels than the settings allow an image may have when it was turned and stretched into EPSG:3857. */
const mostStretched = 4;

/** Throws `too_large` for an image that would be too large in EPSG:3857. */
function checkTarget({ width, height }: Target, { rasterPixels }: Config): void {
  if (width * height <= mostStretched * rasterPixels) return;
  const message = `The image would have ${width} × ${height} pixels in EPSG:3857, more than the settings allow`;
  throw new ServiceError('too_large', message, { width, height });
}

/** Throws `busy` where the disk has no room for the image as it is while it is made. */
async function checkDisk(dataFolder: string, { width, height }: Target, layout: Layout): Promise<void> {
  const pixel = layout.kind === 'picture' ? (layout.wide ? 8 : 4) : 8;
  const { bavail, bsize } = await statfs(dataFolder);
  // The image as it is, tiled and packed with its overviews, and stored.
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
  const files = { original: join(folder.path, source.file), processed: join(folder.path, processedFile) };
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
      // What a layer is drawn from is kept with the map.
      await touchMap(tx, layer.map.id);
      await beforeCommit?.(tx, report(told, bands));
    }, signal);
  } catch (error) {
    await discard(order, Object.values(keys));
    throw error;
  }
}

/** Removes bytes that nothing names; what fails here is left to the sweep. Asked first, for nobody knows whether a commit without an answer has taken place. */
async function discard({ db, storage }: Work, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    try {
      if (!(await isNamed(db, key))) await storage.delete(key);
    } catch {}
  }
}
