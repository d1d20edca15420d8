import type { ExternalSource } from '../external/source.js';
import type { Extent } from '../geo/tile.js';
import type { Around, MapLayer } from '../styles/compile.js';

/** A heat map: weights in a grid, spread and coloured in the renderer. */
export interface HeatPass {
  kind: 'heat';
  /** Gives `x`, `y` (cells from the north-western corner of the world), `weight` and `radius` (pixels). */
  datasource: MapLayer['datasource'];
  /** Metres of EPSG:3857 that a cell is wide. */
  cell: number;
  /** Cells for a pixel of radius. */
  radiusScale: number;
  /** Cells around a picture whose weights reach into it. */
  reach: number;
  /** The density that has the last colour, in weights in a square as wide as the radius. */
  peak: number;
  colors: readonly string[];
  opacity: number;
}

/** The smallest objects of a layer: each is a stamp, of which the renderer has one for each kind, size and place in a pixel. */
export interface SpeckPass {
  kind: 'specks';
  layerId: number;
  /** Metres of EPSG:3857 that a pixel of the picture is wide. */
  pixel: number;
  /** Pixels beyond its own in which a stamp may have colour. */
  reach: number;
  /** Mapnik XML of a map of stamps, into which their features are put; equal texts have equal keys. */
  xml: string;
  xmlKey: string;
  /** What is kept of the specks around, and the pixels from the corner of the picture to that of each. */
  chunks: readonly { bytes: Uint8Array; x: number; y: number }[];
}

/** Red, green and blue up to 255, and opacity up to 1. */
export type Rgba = readonly [red: number, green: number, blue: number, opacity: number];

/** How a label of one line, or of several that the text itself divides, is drawn. Lengths are pixels of the style. */
export interface LabelLook {
  /** Names of fonts: what the first lacks is taken from the next. */
  faces: readonly string[];
  /** Of an em. */
  size: number;
  fill: Rgba;
  /** Of radius 0: none. */
  halo: { fill: Rgba; radius: number };
  /** To the right and downwards: how far from its point a label lies, on the side to which it is moved. */
  dx: number;
  dy: number;
  /** Whether it may lie on others. */
  allowOverlap: boolean;
}

/** Labels at points, each where no one before it is. */
export interface LabelPass {
  kind: 'labels';
  /** Gives one row, `labels`: for `readLabels`. */
  datasource: MapLayer['datasource'];
  looks: readonly LabelLook[];
  /** Pixels of the style around a picture in which labels are looked for. */
  around: Around;
}

/** What is drawn above what was drawn before. */
export type Pass =
  | HeatPass
  | SpeckPass
  | LabelPass
  | { kind: 'map'; xml: string; xmlKey: string; isOnce?: boolean };

/**
 * Mapnik's format of PNGs in full colour that are made quickly: with the lowest compression, which is two to four times as fast as the usual and 6 to
 * 24 % larger. Where it can, a renderer makes them itself in less time.
 */
export const quickPng = 'png:z=1';

/** What a renderer process is asked: one picture, cut into `columns` × `rows` tiles. */
export interface RenderJob {
  /** Mapnik XML; equal texts have equal keys. */
  xml: string;
  /** Of the XML and what is drawn above. */
  xmlKey: string;
  /** Drawn above the map, one after the other. */
  above?: readonly Pass[];
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
  | { ready: true; fonts: string[] }
  | { id: number; tiles: Uint8Array[]; memory: number }
  | { id: number; error: string; memory: number };
