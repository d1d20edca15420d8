import type { Geometry } from 'geojson';
import type { LonLat } from './map/geometry.js';
import type { TreeItem } from './tree.js';

export interface MapAddress {
  project: string;
  map: string;
}

/** A column of a layer's structure, as the service sends it. */
export interface ColumnInfo {
  id: number;
  parent_id: number;
  code: string;
  name: string;
  type: 'number' | 'geom' | 'string' | 'text' | 'datetime' | 'bool' | 'file' | 'title' | 'json';
  format?: Record<string, unknown> | null;
}

export interface ObjectInfo {
  id: number | string;
  fields: Record<string, unknown>;
  geom?: Geometry | null;
}

/** The address of an object within a map. */
export interface ObjectKey {
  /** Code of the layer. */
  layer: string;
  id: number;
}

/** A position that the user points at. */
export interface PointedPlace {
  at: LonLat;
  /** Zoom level of the raster tiles in view, counted for tiles of 256 pixels. */
  z: number;
  /** Search radius in pixels of a tile at `z`. */
  tolerancePx: number;
  /** Objects of client-drawn layers at this position, topmost first. */
  vectorObjects: readonly ObjectKey[];
  byKeyboard: boolean;
}

/** An object at the position, with the columns that describe its values. */
export interface Hit {
  layer: TreeItem;
  columns: readonly ColumnInfo[];
  object: ObjectInfo;
}

export interface HitList {
  hits: Hit[];
  /** Names of layers whose request failed. */
  failed: string[];
}
