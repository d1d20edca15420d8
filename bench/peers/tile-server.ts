import type { Tile } from '../data/tiles.js';

/** A server of tiles. */
export interface TileServer {
  name: string;
  /** `http://127.0.0.1:…` */
  base: string;
  path(tile: Tile): string;
  /** Ends its processes, which may be stuck or dead, and starts new ones. */
  restart?: () => Promise<void>;
}
