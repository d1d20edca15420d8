const spec = 'http://www.opengis.net/spec';
const classes = (standard: string, names: string): string[] =>
  names.split(' ').map((name) => `${spec}/${standard}/conf/${name}`);

/** The classes of the standards that a door conforms to. */
export const conformanceClasses: readonly string[] = [
  ...classes('ogcapi-common-1/1.0', 'core landing-page json html oas30'),
  ...classes('ogcapi-common-2/1.0', 'collections'),
  ...classes('ogcapi-features-1/1.0', 'core oas30 html geojson'),
  ...classes('ogcapi-features-2/1.0', 'crs'),
  ...classes('ogcapi-features-3/1.0', 'queryables queryables-query-parameters filter features-filter'),
  ...classes('ogcapi-features-4/1.0', 'create-replace-delete update optimistic-locking-etags features'),
  ...classes(
    'ogcapi-features-5/1.0',
    'schemas core-roles-features returnables-and-receivables queryables sortables',
  ),
  ...classes(
    'ogcapi-tiles-1/1.0',
    'core tileset tilesets-list dataset-tilesets geodata-tilesets collections-selection oas30 png jpeg mvt',
  ),
  ...classes(
    'tms/2.0',
    'tilematrixset json-tilematrixset tilematrixsetlimits json-tilematrixsetlimits tilesetmetadata json-tilesetmetadata',
  ),
  ...classes(
    'ogcapi-maps-1/1.0',
    'core background scaling display-resolution spatial-subsetting crs dataset-map collection-map collections-selection tilesets png jpeg',
  ),
  ...classes(
    'cql2/1.0',
    // The last one is the name that some programs still look for.
    'cql2-text cql2-json basic-cql2 advanced-comparison-operators case-insensitive-comparison accent-insensitive-comparison basic-spatial-functions basic-spatial-functions-plus spatial-functions temporal-functions array-functions property-property arithmetic basic-spatial-operators',
  ),
];
