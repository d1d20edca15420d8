import { accountCaller } from '../access/account-caller.js';
import { exportCarrier } from '../exports/export-job.js';
import { importCarrier } from '../imports/import-job.js';
import type { Carriers } from '../jobs/jobs.js';
import type { Services } from '../services.js';

/** Executes jobs, both new and resumed ones. */
export function jobCarriers(services: Services): Carriers {
  const caller = (project: string, account: number | null) => accountCaller(services.db, project, account);
  return {
    import: { ...importCarrier(services), caller },
    export: { ...exportCarrier(services), caller },
  };
}
