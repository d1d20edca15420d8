import { requiredMissing, ServiceError } from '@cartulary/errors';

/** A format of the interface. */
export interface Format {
  code: string;
  name: string;
  /** Extensions of file names in lower case, the usual one first. */
  extensions: readonly string[];
  mediaType: string;
  /** Whether an export is an archive: always, on request, or never (since it is one already). */
  zip: 'always' | 'asked' | 'never';
  /** Whether this version reads and writes it. `incoming/recognize.ts` recognizes formats by their content. */
  imports: boolean;
  exports: boolean;
}

const format = (
  code: string,
  name: string,
  extensions: string,
  mediaType: string,
  rules: Partial<Format> = {},
): Format => ({
  code,
  name,
  extensions: extensions.split(' '),
  mediaType,
  zip: 'asked',
  imports: false,
  exports: false,
  ...rules,
});

const importOnly = { imports: true } as const;
const both = { imports: true, exports: true } as const;

/** The table of formats: those of the interface, and additional ones. */
export const formats: readonly Format[] = [
  format('geojson', 'GeoJSON', 'geojson json', 'application/geo+json', both),
  format('shp', 'ESRI Shapefile', 'shp', 'application/vnd.shp', { ...both, zip: 'always' }),
  format('mif', 'MapInfo interchange (MIF/MID)', 'mif mid', 'application/vnd.mif', {
    ...both,
    zip: 'always',
  }),
  format('tab', 'MapInfo table', 'tab', 'application/octet-stream', { ...both, zip: 'always' }),
  format('kml', 'KML', 'kml', 'application/vnd.google-earth.kml+xml', both),
  format('kmz', 'KMZ', 'kmz', 'application/vnd.google-earth.kmz', { ...both, zip: 'never' }),
  format('xls', 'Excel', 'xls xlsx', 'application/vnd.ms-excel', both),
  format('csv', 'CSV', 'csv tsv', 'text/csv', both),
  format('geotif', 'GeoTIFF', 'tif tiff geotif', 'image/tiff; application=geotiff', both),
  format('dbf', 'dBase table', 'dbf', 'application/dbf', importOnly),
  format('dxf', 'DXF', 'dxf', 'image/vnd.dxf', importOnly),
  format('sxf', 'SXF', 'sxf', 'application/octet-stream', importOnly),
  format('png', 'PNG', 'png', 'image/png', importOnly),
  format('jpg', 'JPEG', 'jpg jpeg', 'image/jpeg', importOnly),
  format('geojsonl', 'GeoJSON, a feature a line', 'geojsonl ndjson geojsons', 'application/x-ndjson', both),
  // `xls` also reads it.
  format(
    'xlsx',
    'Excel since 2007',
    'xlsx',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    {
      exports: true,
    },
  ),
  format('gpkg', 'GeoPackage', 'gpkg', 'application/geopackage+sqlite3', both),
  format('fgb', 'FlatGeobuf', 'fgb', 'application/flatgeobuf', both),
  format('parquet', 'GeoParquet', 'parquet geoparquet', 'application/vnd.apache.parquet', both),
  format('gpx', 'GPX', 'gpx', 'application/gpx+xml', importOnly),
];

/** The export format of a code. Throws `required_missing`, `format_invalid`. */
export function exportFormat(code: string | undefined): Format {
  if (code === undefined || code === '') throw requiredMissing('format');
  const found = formats.find((format) => format.exports && format.code === code);
  if (found) return found;
  const written = formats.filter((format) => format.exports).map((format) => format.code);
  throw formatInvalid(`The format '${code.slice(0, 50)}' is not known; it writes ${written.join(', ')}`, {
    code,
  });
}

/** The error for a format that cannot be exported. */
export const formatInvalid = (message: string, { code }: Pick<Format, 'code'>): ServiceError =>
  new ServiceError('format_invalid', message, { format: code.slice(0, 50) });

/**
 * The format by the extension of a file name, for content that does not identify it; GeoJSON without an extension.
 * Throws `import_failed` for the name of an archive.
 */
export function importFormat(filename: string | undefined): Format {
  const extension = /\.([a-z0-9]+)(?:\.gz)?$/i.exec(filename ?? '')?.[1]?.toLowerCase() ?? '';
  const found = formats.find(({ extensions }) => extensions.includes(extension));
  if (!found && /^(zip|rar|7z)$/.test(extension)) {
    throw new ServiceError('import_failed', 'The file is named as an archive, but is no zip by its content');
  }
  return !found || found.code === 'geojsonl' ? formats[0]! : found;
}
