import { rm } from 'node:fs/promises';
import { run } from '../stage.js';
import { connectionText } from './connection.js';

const connection = (url: string): string => `PG:${connectionText(url)}`;

/** Stores a file as a table of a database, by COPY. */
export async function ogrImport(url: string, file: string, table: string): Promise<void> {
  const isCsv = file.endsWith('.csv');
  const ofCsv = ['AUTODETECT_TYPE=YES', 'GEOM_POSSIBLE_NAMES=WKT', 'KEEP_GEOM_COLUMNS=NO'].flatMap(
    (option) => ['-oo', option],
  );
  const target = ['-nln', table, '-overwrite', '-t_srs', 'EPSG:4326', '-nlt', 'GEOMETRY'];
  const source = isCsv ? [...ofCsv, '-s_srs', 'EPSG:4326'] : [];
  const config = ['--config', 'PG_USE_COPY', 'YES', '--config', 'OGR_GEOJSON_MAX_OBJ_SIZE', '0'];
  await run('ogr2ogr', ['-f', 'PostgreSQL', connection(url), file, ...target, ...source, ...config]);
}

const drivers = { geojson: 'GeoJSON', csv: 'CSV', shp: 'ESRI Shapefile' } as const;
const creation = { geojson: [], csv: ['-lco', 'GEOMETRY=AS_WKT'], shp: ['-lco', 'ENCODING=UTF-8'] } as const;

export type Format = keyof typeof drivers;

/** Writes a table (or another file) as a file. */
export async function ogrExport(
  source: string,
  table: string | undefined,
  file: string,
  format: Format,
): Promise<void> {
  await rm(file, { force: true });
  const from = table === undefined ? [source] : [connection(source), table];
  await run('ogr2ogr', ['-f', drivers[format], file, ...from, ...creation[format]], { maxBuffer: 1 << 26 });
}
