/** Formats of uploaded images. */
export type ImageFormat = 'geotif' | 'png' | 'jpg';

/** A band of the drawn image. Its statistics exclude "no data"; they are null if there are no values. */
export interface Band {
  /** GDAL's name of the data type: Byte, Int16, Float32 … */
  type: string;
  nodata: number | null;
  min: number | null;
  max: number | null;
  mean: number | null;
  stddev: number | null;
  /** The 2nd and 98th percentile of the values. */
  low: number | null;
  high: number | null;
}

/** picture: red, green, blue and alpha. values: one band. */
export type RasterKind = 'picture' | 'values';
