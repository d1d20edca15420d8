import type { Box, SR } from '@cartulary/geo';
import type { Column } from './column.js';

/** The languages in which values are read: `lng`, else `main`, else any. */
export interface Languages {
  lng?: string | undefined;
  main: string;
}

/** The parts of an object that are returned, and their form. */
export interface Output extends Languages {
  /** The columns of the returned values, in order. */
  columns: readonly Column[];
  geometry?:
    | { sr: SR; zoom?: number; centroid: boolean; form?: 'wkt' | undefined; crs?: OutputCrs | undefined }
    | undefined;
  bbox?: SR | undefined;
  /** Display values (`f=fjson`). */
  display: boolean;
  /** As features of GeoJSON. */
  isFeature?: boolean;
  /** Whole numbers have a fraction, too (`5.0`), which says that others of the column may have one. */
  hasFractions?: boolean;
}

/** A coordinate system of returned geometries, in place of `sr`. */
export interface OutputCrs {
  /** Its number in the database. */
  srid: number;
  /** Whether a position begins with the coordinate to the north. */
  isNorthFirst: boolean;
  /** Whether coordinates are degrees. */
  isDegrees: boolean;
}

/** An object from the database. */
export interface ObjectRow {
  id: number;
  /** Values of `Output.columns` in their order, in the form of the interface (a datetime as ISO 8601), but json as JSON text. */
  values: readonly unknown[];
  /** GeoJSON or WKT text, by `Output.geometry`. null: the object has no geometry, or it was not asked for. */
  geom: string | null;
  /** Degrees of EPSG:4326. null: the object has no geometry, or the box was not asked for. */
  box: Box | null;
}
