import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import type { EngineJob } from '../engine/engine.js';
import { engineFailure } from '../engine/failure.js';
import type { Data, EngineOrder, RasterInfo } from '../engine/orders.js';

/** An image in the folder of a job, and the engine job that processes it. */
export interface RasterWork {
  job: EngineJob;
  /** Name as the user knows it, for messages. */
  name: string;
}

/** Reads the properties of an image. Throws `import_failed`. */
export async function info(work: RasterWork, data: Data): Promise<RasterInfo> {
  const { raster } = await carryOut(work, { kind: 'raster-info', data, values: false });
  if (!raster) throw engineFailure({ errors: [], failed: true }, work.name);
  return raster;
}

/** Points outside a projection are not an error: their pixels are left out. */
const isOfPoint = (error: string): boolean =>
  /\bPROJ\b|projection domain|transform|tolerance condition|coordinate operation/i.test(error);

/** Carries out an order that must succeed completely. Throws `import_failed`. */
export async function carryOut(
  work: RasterWork,
  order: EngineOrder,
): Promise<{ raster?: RasterInfo | undefined }> {
  const report = await work.job.ask(order);
  const errors = report.errors.filter((error) => !isOfPoint(error));
  if (!report.failed && !errors.length) return report;
  if (!errors.length && report.errors.length) {
    throw new ServiceError('import_failed', noteOf('imageWithoutPlace', { name: work.name.slice(0, 100) }));
  }
  throw engineFailure({ ...report, errors }, work.name);
}
