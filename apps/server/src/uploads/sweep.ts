import { readdir } from 'node:fs/promises';
import type { Database } from '@cartulary/database';
import { BackgroundTasks, type Log } from '@cartulary/runtime';
import type { Config } from '../config.js';
import { sweepUploads, uploadFolder } from './store.js';

const intervalMs = 60_000;

/** A file without a row that is younger may belong to another database with the same data folder, or to an upload that begins. */
const leftoverAgeMs = 3_600_000;

/** Sweeps uploads now and at intervals. */
export function startUploadSweep(
  { db, config }: { db: Database; config: Pick<Config, 'dataFolder'> },
  log: Log,
): BackgroundTasks {
  const sweep = async (): Promise<void> => {
    const names = await readdir(uploadFolder(config.dataFolder)).catch((): string[] => []);
    await sweepUploads(db, config, { names, before: Date.now() - leftoverAgeMs });
  };
  const background = new BackgroundTasks(log, 'uploads could not be swept');
  background.run(sweep);
  background.every(intervalMs, sweep);
  return background;
}
