/** Files with a trait that is met in the world, to be read as GDAL's own programs read them. */
export interface TraitCase {
  what: string;
  /** The first is the one that is opened; several are sent as a zip archive. */
  files: Record<string, Buffer | string>;
  /** A pattern that the report must match. */
  notes?: RegExp | undefined;
  /** Query of the import. */
  query?: string;
  /** GDAL has other columns: only geometries are compared. */
  valuesDiffer?: boolean;
  /** The values that are there, of each object. */
  values?: object[];
  /** Kinds of geometries, and how many there are. */
  geometries?: Record<string, number>;
  /** The number of objects, where GDAL reads fewer. */
  nativeDiffers?: boolean;
  expected?: number;
}
