import { readdir } from 'node:fs/promises';
import type { Database } from '@cartulary/database';
import type { Log } from '@cartulary/runtime';
import type { Config } from '../config.js';
import { sweepUploads, uploadFolder } from './store.js';

const intervalMs = 60_000;

/** A file without a row that is younger may belong to another database with the same data folder, or to an upload that begins. */
const leftoverAgeMs = 3_600_000;

/** Sweeps uploads now and at intervals. Returns a function that stops it and resolves when the running sweep is done. */
export function startUploadSweep(
  { db, config }: { db: Database; config: Pick<Config, 'dataFolder'> },
  log: Log,
): () => Promise<void> {
  let running = Promise.resolve();
  const run = (): void => {
    running = running
      .then(async () => {
        const names = await readdir(uploadFolder(config.dataFolder)).catch((): string[] => []);
        await sweepUploads(db, config, { names, before: Date.now() - leftoverAgeMs });
      })
      .catch((error) => log.warn({ err: error }, 'uploads could not be swept'));
  };
  run();
  const timer = setInterval(run, intervalMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
