/** Files with a trait that is met in the world, to be read as GDAL's own programs read them. */
export interface TraitCase {
  what: string;
  /** The first is the one that is opened; several are sent as a zip archive. */
  files: Record<string, Buffer | string>;
  /** What the report must say. */
  notes?: RegExp | undefined;
  /** Of the import. */
  query?: string;
  /** GDAL has other columns: only geometries are compared. */
  valuesDiffer?: boolean;
  /** The values that are there, of each object. */
  values?: object[];
  /** GDAL reads less: so many objects are there. */
  nativeDiffers?: boolean;
  expected?: number;
}
