import type { Layer } from '../../layers/layers.js';
import type { FileStorage } from '../../storage/storage.js';

export interface IconRequest {
  layer: Layer;
  storage: Pick<FileStorage, 'path'>;
  /** Icon name → file. */
  icons: ReadonlyMap<string, string>;
  /** Pixels. */
  size: number;
  lng: string;
  main: string;
}
