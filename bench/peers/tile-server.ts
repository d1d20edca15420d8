import type { Tile } from '../data/tiles.js';

/** Somebody who draws tiles. */
export interface TileServer {
  name: string;
  /** `http://127.0.0.1:…` */
  base: string;
  path(tile: Tile): string;
}
