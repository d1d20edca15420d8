import type { Semaphore } from '@cartulary/runtime';
import type { Static } from 'typebox';
import type { Carriers } from '../jobs/jobs.js';
import { layerOfJob, storedParameters } from '../jobs/request.js';
import { type ExportServices, exportWork, written } from './export-work.js';
import { ExportQuery } from './schemas.js';

/** The stored request of an export, from which it can be started again. */
export interface ExportRequest {
  query: Static<typeof ExportQuery>;
}

export const storedExport = (query: Static<typeof ExportQuery>): Static<typeof ExportQuery> =>
  storedParameters(query, ExportQuery);

/** Services of exports that are jobs. */
export interface ExportJobServices extends ExportServices {
  readonly exports: Semaphore;
}

/** Carries out exports as jobs, new and resumed ones. */
export const exportCarrier = (
  services: ExportJobServices,
): Pick<Carriers['export'], 'semaphore' | 'uploadSize' | 'work'> => ({
  semaphore: (owner) => services.exports.for(owner),
  uploadSize: () => undefined,
  work: (job, workspace) => async (signal, progress) => {
    const { query } = job.request as ExportRequest;
    const layer = await layerOfJob(services.db, job, 'view');
    const made = await exportWork(services, { ...job, layer }, query)({ signal, progress });
    return written(made, workspace, { limit: services.config.temporaryLimitBytes, signal });
  },
});
