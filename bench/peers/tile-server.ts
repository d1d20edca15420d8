import type { Tile } from '../data/tiles.js';

/** A server of tiles. */
export interface TileServer {
  name: string;
  /** `http://127.0.0.1:…` */
  base: string;
  path(tile: Tile): string;
}
