/** A dataset in the folder of a job. */
export interface Data {
  /** Name of the main file within the folder. */
  file: string;
  /** GDAL's name of the only driver that may read it. */
  driver: string;
  /** Open options, `NAME=value`. */
  options?: readonly string[];
}

/** The first order of a job: the only folder that it may access. */
export interface BeginOrder {
  kind: 'begin';
  folder: string;
}

export type EngineOrder =
  /** Lists the layers of a dataset. */
  | { kind: 'inspect'; data: Data }
  /** Streams the rows of a layer as text for PostgreSQL's COPY. */
  | {
      kind: 'dump';
      data: Data;
      layer: string | undefined;
      heights: LayerInfo['heights'];
      /** A query that selects the columns; undefined: all columns as they are. */
      sql?: string | undefined;
    }
  /** Writes a file with the arguments of `ogr2ogr`. */
  | { kind: 'convert'; data: Data; target: string; args: readonly string[] }
  /** Reads the properties of an image; with `values` also statistics of the values, which reads all pixels. */
  | { kind: 'raster-info'; data: Data; values: boolean }
  /** Writes an image with the arguments of `gdal_translate` or `gdalwarp`. */
  | { kind: 'raster-translate' | 'raster-warp'; data: Data; target: string; args: readonly string[] }
  | { kind: 'option'; name: string; value: string };

/** Streams the rows of a sheet as lines of JSON (`SheetLine`). */
export interface SheetOrder {
  kind: 'cells';
  /** Name of the spreadsheet within the folder. */
  file: string;
  /** Name of the sheet, or its number from 1; undefined: the first sheet that is shown and holds values. */
  sheet: string | undefined;
  /** Maximum number of rows with values. */
  rows: number;
}

/**
 * Lines of a sheet. For an own export the texts that exceed a cell come first. Then follow the name of the sheet and its
 * rows: number from 1, and cells with dates in ISO 8601. `others`: sheets that are not read, though none was chosen;
 * `errors`: cells whose formula has an error in place of a value.
 */
export type SheetLine =
  | { whole: [id: number, code: string, text: string] }
  | { sheet: string; others: string[]; errors: number }
  | [row: number, cells: (string | number | boolean | null)[]];

/** Orders whose result is streamed. */
export type StreamOrder = Extract<EngineOrder, { kind: 'dump' }> | SheetOrder;

export interface SourceField {
  name: string;
  /** Title for users, in formats that have one. */
  description?: string | undefined;
  /** OGR's name of the type: String, Integer, Integer64, Real, Date, DateTime, Time, Binary, StringList …; or Decimal. */
  type: string;
  subType: string | undefined;
}

export interface LayerInfo {
  name: string;
  /** Number of features; negative: unknown. */
  count: number;
  fields: SourceField[];
  hasGeometry: boolean;
  /** Name of the column with the geometry. */
  geometryName: string;
  /** Which geometries have heights; some may, where the layer does not declare it. */
  heights: 'all' | 'some' | 'none';
  /** Whether positions have measures (M). */
  hasMeasures: boolean;
  /** `EPSG:n`, WKT or PROJJSON; undefined: the file declares none. */
  srs: string | undefined;
}

/** The properties of an image, as in `gdalinfo -json`. */
export interface RasterInfo {
  /** Width and height, pixels. */
  size: [width: number, height: number];
  coordinateSystem?: { wkt: string } | undefined;
  stac?: { 'proj:epsg'?: number | null } | undefined;
  /** x of the upper left corner, x per column, x per row; the same for y. */
  geoTransform?: [number, number, number, number, number, number];
  /** Its corners in degrees. */
  wgs84Extent?: { coordinates?: number[][][] } | undefined;
  /** Ground control points. */
  gcps?: { coordinateSystem?: { wkt: string } | undefined };
  bands: RasterBand[];
}

export interface RasterBand {
  /** GDAL's name of the type: Byte, UInt16, Float32 … */
  type: string;
  /** GDAL's colour interpretation: Gray, Red, Palette, Alpha … */
  colorInterpretation: string;
  noDataValue?: number | string;
  /** What values mean: stored × scale + offset. */
  scale?: number;
  offset?: number;
  colorTable?: { entries: number[][] };
  minimum?: number;
  maximum?: number;
  mean?: number;
  stdDev?: number;
  histogram?: { count: number; min: number; max: number; buckets: number[] };
}

export interface Report {
  /** Errors that GDAL reported, without prefix and number. */
  errors: string[];
  /** Warnings that GDAL reported, in the same form. */
  warnings?: string[];
  /** The call itself failed. */
  failed: boolean;
  layers?: LayerInfo[] | undefined;
  raster?: RasterInfo | undefined;
}

/**
 * Descriptor of the pipe for rows, and the header size of its frames: the number of bytes, big-endian. An empty frame
 * ends a dump.
 */
export const pipe = 4;
export const frameHead = 4;
