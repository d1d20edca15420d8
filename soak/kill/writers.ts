import type { Writer } from './writer.js';
import { columns, containers } from './writers/layers.js';
import { batches, copies, objects } from './writers/objects.js';
import { files, icons, maps, rights, styles } from './writers/settings.js';
import { exports, imports } from './writers/transfer.js';

/** All writers: each changes one kind of data and predicts the result. */
export const writers: readonly Writer[] = [
  objects,
  batches,
  columns,
  containers,
  styles,
  maps,
  rights,
  files,
  icons,
  imports('imports', 'w_imports', false),
  imports('imports as jobs', 'w_jobs', true),
  exports,
  copies,
];
