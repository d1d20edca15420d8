import type { Readable } from 'node:stream';
import type { Database } from '@cartulary/database';
import type { Semaphore } from '@cartulary/runtime';
import type { Caller } from '../access/caller.js';
import type { Config } from '../config.js';
import type { Indexer } from '../layers/indexes/indexer.js';
import type { Layer } from '../layers/layers.js';

export interface FeatureSheetRequest {
  caller: Caller;
  /** The caller has the right to view it. */
  layer: Layer;
  id: number;
  lng?: string | undefined;
  /** The caller or address whose share of the rendering slots the sheet uses. */
  owner?: string | undefined;
}

export interface FeatureSheet {
  /** Any text, without an extension. */
  name: string;
  pdf: Readable;
}

/**
 * Makes the PDF sheet of an object. Throws 404 `object_not_found`, `timeout`, and the errors of rendering its map. An aborted
 * signal ends everything at once.
 */
export type MakeFeatureSheet = (request: FeatureSheetRequest, signal: AbortSignal) => Promise<FeatureSheet>;

/** The services that the routes of objects use. */
export interface ObjectServices {
  readonly db: Database;
  readonly config: Config;
  readonly lists: Semaphore;
  readonly indexer: Indexer;
  readonly makeFeatureSheet: MakeFeatureSheet;
}
