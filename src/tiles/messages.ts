import type { ExternalSource } from '../external/source.js';
import type { Extent } from '../geo/tile.js';

/** What a renderer process is asked: one picture, cut into `columns` × `rows` tiles. */
export interface RenderJob {
  /** Mapnik XML; equal texts have equal keys. */
  xml: string;
  xmlKey: string;
  /** Metres of EPSG:3857. */
  extent: Extent;
  columns: number;
  rows: number;
  /** Side of one tile, pixels: 256 × scale. */
  size: number;
  /** Height of one tile, pixels, where it is no square. */
  height?: number;
  scale: number;
  /** Pixels around the picture that are drawn too, so that what lies outside reaches in: of the picture, not of the style. */
  bufferSize: number;
  /** Mapnik's format of the PNG. */
  format: string;
  /** External layers at a zoom level, whose pictures have to be put into the XML first. */
  externals?: readonly { layerId: number; source: ExternalSource; z: number }[];
  /** Whether the XML is of this picture alone: it is not kept. */
  isOnce?: boolean;
}

export type ToRenderer = { id: number; job: RenderJob };

/** Tiles row by row from the north-west. An error's text is for the log alone: it may hold SQL. */
export type FromRenderer =
  | { ready: true }
  | { id: number; tiles: Uint8Array[]; memory: number }
  | { id: number; error: string; memory: number };
