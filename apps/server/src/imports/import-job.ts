import { stat } from 'node:fs/promises';
import { ServiceError } from '@cartulary/errors';
import type { AcceptedJob, Carriers, JobWork } from '../jobs/jobs.js';
import { layerOfJob, storedParameters } from '../jobs/request.js';
import { checkImport, type ImportParameters } from './check-import.js';
import { openReceived } from './receive.js';
import { runImport } from './run-import.js';
import { ImportQuery } from './schemas.js';
import type { TransferServices } from './services.js';

/** The stored request of an import, from which it can be started again. */
export interface ImportRequest {
  parameters: ImportParameters;
  filename: string | undefined;
  /** Bytes of the upload. */
  size: number;
}

export const storedImport = (values: ImportParameters): ImportParameters =>
  storedParameters(values, ImportQuery);

/** Carries out imports as jobs, new and resumed ones. */
export const importCarrier = (
  services: TransferServices,
): Pick<Carriers['import'], 'semaphore' | 'uploadSize' | 'work'> => ({
  semaphore: (owner) => services.imports.for(owner),
  uploadSize: (request) => (request as ImportRequest).size,
  work: (job) => importJob(services, job),
});

function importJob(services: TransferServices, job: AcceptedJob): JobWork {
  const { parameters, filename, size } = job.request as ImportRequest;
  const path = job.upload;
  return async (signal, progress, beforeCommit) => {
    const layer = await layerOfJob(services.db, job, 'edit');
    // A crash of the machine can cut off bytes that were not on the disk yet.
    const found = await stat(path).catch(() => undefined);
    if (found?.size !== size)
      throw new ServiceError('busy', 'What was sent for this job is no longer there; send it again');
    const file = openReceived({ path, filename, size, progress });
    try {
      const checked = checkImport(parameters, services.config);
      const { caller, owner } = job;
      const run = { signal, progress, beforeCommit };
      return { answer: await runImport(services, checked, { caller, owner, layer, file }, run) };
    } finally {
      file.close();
    }
  };
}
