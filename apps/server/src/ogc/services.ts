import type { ExportServices } from '../exports/export-work.js';
import type { ObjectServices } from '../objects/store.js';
import type { ReadContent } from '../tiles/plan/map-content.js';

/** The services that the doors of the OGC standards use. */
export type OgcServices = Pick<ObjectServices, 'db' | 'config' | 'lists' | 'indexer'> &
  Pick<ExportServices, 'engine' | 'workbooks'> & { readonly readContent: ReadContent };
