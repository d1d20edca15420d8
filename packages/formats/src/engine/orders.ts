/** Data in the folder of a job. */
export interface Data {
  /** Of the main file within the folder. */
  file: string;
  /** GDAL's name of the one driver that may read it. */
  driver: string;
  /** Open options, `NAME=value`. */
  options?: readonly string[];
}

export type Order =
  /** What layers there are. */
  | { kind: 'inspect'; data: Data }
  /** The rows of a layer as the text of PostgreSQL's COPY, on the pipe. */
  | {
      kind: 'dump';
      data: Data;
      layer: string | undefined;
      heights: LayerInfo['heights'];
      /** Of its columns; undefined: all as they are. */
      sql?: string | undefined;
    }
  /** Writes a file with the arguments of `ogr2ogr`. */
  | { kind: 'convert'; data: Data; target: string; args: readonly string[] }
  /** What an image is; with `values`, what values it has: each is read. */
  | { kind: 'raster-info'; data: Data; values: boolean }
  /** Writes an image with the arguments of `gdal_translate` or `gdalwarp`. */
  | { kind: 'raster-translate' | 'raster-warp'; data: Data; target: string; args: readonly string[] }
  | { kind: 'option'; name: string; value: string };

/** The rows of a sheet as lines of JSON (`SheetLine`), on the pipe. */
export interface SheetOrder {
  kind: 'cells';
  /** Of the spreadsheet within the folder. */
  file: string;
  /** Its name, or its number from 1; undefined: the first one. */
  sheet: string | undefined;
  /** Most rows with values. */
  rows: number;
}

/**
 * Of an export of ours first the texts that no cell holds; then the name of the sheet and its rows: the number of each from 1, and its
 * cells; dates are ISO 8601.
 */
export type SheetLine =
  | { whole: [id: number, code: string, text: string] }
  | { sheet: string }
  | [row: number, cells: (string | number | boolean | null)[]];

/** Orders whose result is streamed. */
export type StreamOrder = Extract<Order, { kind: 'dump' }> | SheetOrder;

export interface Field {
  name: string;
  /** For people, where the format has such. */
  description?: string | undefined;
  /** OGR's name of the type: String, Integer, Integer64, Real, Date, DateTime, Time, Binary, StringList … */
  type: string;
  subType: string | undefined;
}

export interface LayerInfo {
  name: string;
  /** Features; negative: not known. */
  count: number;
  fields: Field[];
  hasGeometry: boolean;
  /** Of the column with the geometry. */
  geometryName: string;
  /** Which geometries have heights: of a layer that does not say so some may. */
  heights: 'all' | 'some' | 'none';
  /** Whether positions have measures (M). */
  hasMeasures: boolean;
  /** `EPSG:n` or WKT; undefined: the file does not say. */
  srs: string | undefined;
}

/** An image as `gdalinfo -json` tells of it. */
export interface RasterInfo {
  /** Width and height, pixels. */
  size: [width: number, height: number];
  coordinateSystem?: { wkt: string } | undefined;
  stac?: { 'proj:epsg'?: number | null } | undefined;
  /** Of the upper left corner, and per pixel: x, x by column, x by row, y, y by column, y by row. */
  geoTransform?: [number, number, number, number, number, number];
  /** Points of the image of which the place is known. */
  gcps?: { coordinateSystem?: { wkt: string } | undefined };
  bands: RasterBand[];
}

export interface RasterBand {
  /** GDAL's name of the type: Byte, UInt16, Float32 … */
  type: string;
  /** GDAL's name of what it means: Gray, Red, Palette, Alpha … */
  colorInterpretation: string;
  noDataValue?: number | string;
  colorTable?: { entries: number[][] };
  minimum?: number;
  maximum?: number;
  mean?: number;
  stdDev?: number;
  histogram?: { count: number; min: number; max: number; buckets: number[] };
}

export interface Report {
  /** What GDAL said while it worked, without the words ERROR and the number. */
  errors: string[];
  /** The same of what it takes notice of and goes on. */
  warnings?: string[];
  /** The call itself failed. */
  failed: boolean;
  layers?: LayerInfo[] | undefined;
  raster?: RasterInfo | undefined;
}

/** The pipe on which rows come, and the size of the head of each of its frames: the number of bytes, big-endian. A frame of none ends a dump. */
export const pipe = 4;
export const frameHead = 4;
