import type { Database } from '@cartulary/database';
import type { Engine } from '@cartulary/formats';
import type { Semaphore } from '@cartulary/runtime';
import type { IdentityProvider } from './access/sign-in/identity-provider.js';
import type { Config } from './config.js';
import type { ExternalPictures } from './external/pictures.js';
import type { IconFiles } from './icons/icons.js';
import type { PictureResizer } from './images/resizer.js';
import type { Jobs } from './jobs/jobs.js';
import type { Indexer } from './layers/indexes/indexer.js';
import type { MakeFeatureSheet } from './objects/services.js';
import type { FileStorage } from './storage/storage.js';
import type { ReadContent } from './tiles/plan/map-content.js';
import type { RendererPool } from './tiles/render/pool.js';
import type { ShapePyramids } from './tiles/shape-pieces/shape-pyramids.js';

/** The services of a process, created at the start and passed down. */
export interface Services {
  readonly config: Config;
  readonly db: Database;
  /** Verifies the tokens of `ext-login`; undefined when no identity provider is configured. */
  readonly identityProvider: IdentityProvider | undefined;
  /** The bytes of files. */
  readonly storage: FileStorage;
  /** The icons of projects as files for the renderer. */
  readonly icons: IconFiles;
  readonly renderers: RendererPool;
  /** Reads the contents of maps, and keeps them. */
  readonly readContent: ReadContent;
  /** Pictures of external layers. */
  readonly externalPictures: ExternalPictures;
  /** Reads and writes other file formats. */
  readonly engine: Engine;
  /** Limits lists and searches, and the slices of long ones. */
  readonly lists: Semaphore;
  /** Limits imports. */
  readonly imports: Semaphore;
  /** Limits exports that run as jobs. Other exports are limited by the rate of their reader. */
  readonly exports: Semaphore;
  /** Limits workbooks that are built in memory. */
  readonly workbooks: Semaphore;
  readonly jobs: Jobs;
  readonly pictureResizer: PictureResizer;
  readonly indexer: Indexer;
  /** Large shapes in pieces, for drawing. */
  readonly shapePyramids: ShapePyramids;
  readonly makeFeatureSheet: MakeFeatureSheet;
}
