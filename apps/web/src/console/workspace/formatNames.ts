/** Names of the formats of files, by their codes. */
export const formatNames = {
  geojson: 'GeoJSON',
  gpkg: 'GeoPackage',
  shp: 'Shapefile',
  xlsx: 'Excel (xlsx)',
  csv: 'CSV',
  kml: 'KML',
  kmz: 'KMZ',
  mif: 'MapInfo MIF',
  tab: 'MapInfo TAB',
  fgb: 'FlatGeobuf',
  parquet: 'GeoParquet',
  geojsonl: 'GeoJSON (lines)',
  xls: 'Excel 97 (xls)',
  dbf: 'dBase (dbf)',
  dxf: 'DXF',
  sxf: 'SXF',
  gpx: 'GPX',
  geotif: 'GeoTIFF',
  png: 'PNG',
  jpg: 'JPEG',
} as const;

/** The name of a format; its code where it has none. */
export const formatName = (code: string): string => formatNames[code as keyof typeof formatNames] ?? code;
