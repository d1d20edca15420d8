import { requiredMissing, ServiceError } from '../errors.js';

/** A format of the interface. */
export interface Format {
  code: string;
  name: string;
  /** Of a file name, in lower case, the usual one first. */
  extensions: readonly string[];
  mediaType: string;
  /** Whether its export is an archive: always, when asked for, or never (being one already). */
  zip: 'always' | 'asked' | 'never';
  /** Whether this version reads and writes it. */
  imports: boolean;
  exports: boolean;
  /** Whether the interface names it among the formats of an export. */
  exportable: boolean;
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
  exportable: true,
  ...rules,
});

const importOnly = { exportable: false } as const;

/** The one table of formats: all that the interface names. */
export const formats: readonly Format[] = [
  format('geojson', 'GeoJSON', 'geojson json geojsonl ndjson', 'application/geo+json', {
    imports: true,
    exports: true,
  }),
  format('shp', 'ESRI Shapefile', 'shp', 'application/vnd.shp', { zip: 'always' }),
  format('mif', 'MapInfo interchange (MIF/MID)', 'mif mid', 'application/vnd.mif', { zip: 'always' }),
  format('tab', 'MapInfo table', 'tab', 'application/octet-stream', { zip: 'always' }),
  format('kml', 'KML', 'kml', 'application/vnd.google-earth.kml+xml'),
  format('kmz', 'KMZ', 'kmz', 'application/vnd.google-earth.kmz', { zip: 'never' }),
  format('xls', 'Excel', 'xls xlsx', 'application/vnd.ms-excel'),
  format('csv', 'CSV', 'csv', 'text/csv; charset=utf-8'),
  format('geotif', 'GeoTIFF', 'tif tiff geotif', 'image/tiff; application=geotiff'),
  format('dxf', 'DXF', 'dxf', 'image/vnd.dxf', importOnly),
  format('sxf', 'SXF', 'sxf', 'application/octet-stream', importOnly),
  format('png', 'PNG', 'png', 'image/png', importOnly),
  format('jpg', 'JPEG', 'jpg jpeg', 'image/jpeg', importOnly),
];

const codes = (which: (format: Format) => boolean): string =>
  formats
    .filter(which)
    .map(({ code }) => code)
    .join(', ');

/** The format of an export by its code. Throws `required_missing`, `format_invalid`. */
export function exportFormat(code: string | undefined): Format {
  if (code === undefined || code === '') throw requiredMissing('format');
  const found = formats.find((format) => format.exportable && format.code === code);
  if (found?.exports) return found;
  const why = found ? 'is not written by this version' : 'is not known';
  const served = codes((format) => format.exports);
  throw new ServiceError('format_invalid', `The format '${code.slice(0, 50)}' ${why}; it writes ${served}`, {
    format: code.slice(0, 50),
  });
}

/**
 * The format of a file by the end of its name, without one GeoJSON. A name that says nothing (`data.txt`) leaves it to
 * the content. Throws `import_failed` for a format that this version does not read.
 */
export function importFormat(filename: string | undefined): Format {
  const extension = /\.([a-z0-9]+)(?:\.gz)?$/i.exec(filename ?? '')?.[1]?.toLowerCase() ?? '';
  const found = formats.find(({ extensions }) => extensions.includes(extension)) ?? formats[0]!;
  if (found.imports && extension !== 'zip') return found;
  const served = codes((format) => format.imports);
  const name = extension === 'zip' ? 'zip archives are' : `the format '${found.code}' is`;
  throw new ServiceError(
    'import_failed',
    `This version does not read this file: ${name} not served, ${served} is`,
    {
      format: extension,
    },
  );
}
