import type { Database } from '@cartulary/database';
import type { Engine } from '@cartulary/formats';
import type { Semaphore } from '@cartulary/runtime';
import type { Config } from '../config.js';
import type { Jobs } from '../jobs/jobs.js';
import type { Indexer } from '../layers/indexes/indexer.js';
import type { FileStorage } from '../storage/storage.js';

/** Services of imports. */
export interface TransferServices {
  readonly db: Database;
  readonly config: Config;
  readonly storage: FileStorage;
  readonly engine: Engine;
  readonly imports: Semaphore;
  readonly jobs: Jobs;
  readonly indexer: Indexer;
}
