/** Vector data in the folder of a job. */
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
  | { kind: 'dump'; data: Data; layer: string | undefined; toMulti: boolean }
  /** Writes a file with the arguments of `ogr2ogr`. */
  | { kind: 'convert'; data: Data; target: string; args: readonly string[] }
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

/** First the name of the sheet, then its rows: the number of each from 1, and its cells; dates are ISO 8601. */
export type SheetLine = { sheet: string } | [row: number, cells: (string | number | boolean | null)[]];

/** Orders whose result is streamed. */
export type StreamOrder = Extract<Order, { kind: 'dump' }> | SheetOrder;

export interface Field {
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
  /** Lines and polygons of one part by the layer's word, of several where a feature has them: they are asked for as several. */
  toMulti: boolean;
  /** `EPSG:n` or WKT; undefined: the file does not say. */
  srs: string | undefined;
}

export interface Report {
  /** What GDAL said while it worked, without the words ERROR and the number. */
  errors: string[];
  /** The call itself failed. */
  failed: boolean;
  layers?: LayerInfo[] | undefined;
}

/** The pipe on which rows come, and the size of the head of each of its frames: the number of bytes, big-endian. A frame of none ends a dump. */
export const pipe = 4;
export const frameHead = 4;
