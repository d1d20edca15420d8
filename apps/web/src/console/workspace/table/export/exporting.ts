import type { ExportSettings } from '@cartulary/client';
import { formatName } from '../../formatNames.js';
import type { RowSource } from '../rows/source.js';

/** What is exported: the selected objects, those of the filter, or all. */
export type ExportScope = 'selected' | 'filtered' | 'all';

const exported = [
  'geojson',
  'gpkg',
  'shp',
  'xlsx',
  'csv',
  'kml',
  'kmz',
  'mif',
  'tab',
  'fgb',
  'parquet',
  'geojsonl',
  'xls',
];

/** The formats of files with objects, the common ones first, by their codes. */
export const exportFormats: Readonly<Record<string, string>> = Object.fromEntries(
  exported.map((code) => [code, formatName(code)]),
);

const windows = ['windows-1250', 'windows-1251', 'windows-1252'];

/** The encodings that are offered for the texts of a format. */
export function encodingsOf(format: string): readonly string[] {
  if (format === 'csv') return ['utf-8-sig', ...windows];
  return format === 'shp' || format === 'mif' || format === 'tab' ? windows : [];
}

/** The parameters that choose the objects. */
export function scopeSettings(
  scope: ExportScope,
  { filter }: Pick<RowSource, 'filter'>,
  selected: ReadonlySet<number>,
): Pick<ExportSettings, 'feature_ids' | 'filter'> {
  if (scope === 'selected') return { feature_ids: [...selected].join(',') };
  return scope === 'filtered' && filter ? { filter: JSON.stringify(filter) } : {};
}
