import type { Database } from '@cartulary/database';
import type { RenderJob } from '@cartulary/renderer';
import type { Config } from '../config.js';
import type { FileStorage } from '../storage/storage.js';
import type { IconFiles } from './icons.js';

/** Services of this folder. */
export interface IconServices {
  readonly db: Database;
  readonly config: Config;
  readonly storage: FileStorage;
  readonly icons: IconFiles;
  /** Draws an icon once before it is stored. */
  readonly renderers: { render(job: RenderJob, signal?: AbortSignal): Promise<Uint8Array[]> };
}
