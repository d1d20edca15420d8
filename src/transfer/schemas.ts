import { Type } from 'typebox';
import { Flag, Query, SpatialReference } from '../http/params.js';
import { formats } from './formats.js';

/** The parameters of an import; those of a form may be its variables. */
export const ImportQuery = Query({
  srs: Type.Optional(
    Type.String({
      description: 'Projection: EPSG number, EPSG:n, WKT or proj4; what the file says, or 4326, when absent',
      examples: ['3857'],
    }),
  ),
  action: Type.Optional(
    Type.Enum(['1', '2'], {
      description: '1: replace all objects; 2: merge, where a feature with the id of an object changes it',
      default: '2',
    }),
  ),
  raster_bbox: Type.Optional(Type.String({ description: 'For rasters, which this version does not import' })),
  localized: Type.Optional(
    Type.String({
      description:
        'Names of properties, separated by commas, of which a new column takes values by language: of `name` also from `name_ru`, `name:ru`',
      examples: ['name'],
    }),
  ),
  encoding: Type.Optional(
    Type.String({
      description:
        'Encoding of the texts (utf-8, windows-1251, cp866 …); what the file says or its texts look like when absent',
      examples: ['windows-1251'],
    }),
  ),
  skip_errors: Flag(
    '1: features that cannot be stored are left out and listed; else one of them fails the import',
  ),
  dry_run: Flag('1: nothing is stored; `import` of the answer says what would be'),
  async: Flag('1: answered 202 with a job when the file has been received; the work goes on after it'),
});

/** What is told of an import. */
export const ImportAnswer = Type.Object({
  read: Type.Integer({ description: 'Features in the file: stored and refused together' }),
  stored: Type.Integer({ description: 'Objects added or changed' }),
  refused: Type.Integer({ description: 'Features left out' }),
  errors: Type.Array(Type.Object({ feature: Type.Integer(), code: Type.String(), message: Type.String() }), {
    description: 'The first 100 features left out, by their number from 1, and why',
  }),
  format: Type.String(),
  encoding: Type.Union([Type.String(), Type.Null()], { description: 'Of the texts in the file' }),
  projection: Type.Union([Type.String(), Type.Null()], { description: 'Of the coordinates in the file' }),
  geometries: Type.Record(Type.String(), Type.Integer(), { description: 'Kind of geometry → features' }),
  notes: Type.Array(Type.String()),
  columns: Type.Optional(
    Type.Array(
      Type.Object({ code: Type.String(), name: Type.String(), type: Type.String(), new: Type.Boolean() }),
      { description: 'With dry_run: the columns that take values' },
    ),
  ),
  extent: Type.Optional(
    Type.Union([Type.Array(Type.Number()), Type.Null()], {
      description: 'With dry_run: west, south, east, north in degrees',
    }),
  ),
});

/** The parameters of an export. */
export const ExportQuery = Query({
  // Required, but its absence is an error of the interface's own form.
  format: Type.Optional(
    Type.String({
      description: `Required: one of ${formats
        .filter(({ exportable }) => exportable)
        .map(({ code }) => code)
        .join(', ')}; written by this version: ${formats
        .filter(({ exports }) => exports)
        .map(({ code }) => code)
        .join(', ')}`,
      examples: ['geojson'],
    }),
  ),
  langs: Type.Optional(
    Type.String({ description: 'Languages of localized values, separated by commas; all when empty' }),
  ),
  zip: Flag('1: as a zip archive'),
  feature_ids: Type.Optional(
    Type.String({ description: 'Ids of objects, separated by commas; all objects when absent' }),
  ),
  fbbox: Type.Optional(Type.String({ description: 'SW_LAT,SW_LON,NE_LAT,NE_LON: objects that meet it' })),
  bboxSR: SpatialReference('Projection of fbbox'),
  filter: Type.Optional(
    Type.String({
      description: 'CQL2-JSON over the columns, as of the object list',
      examples: ['{"op":">","args":[{"property":"people"},1000]}'],
    }),
  ),
  async: Flag('1: answered 202 with a job, which makes the file'),
  encoding: Type.Optional(
    Type.String({
      description:
        'Encoding of the texts: shp utf-8 (default) or windows-125x, mif and tab windows-125x (default windows-1251)',
    }),
  ),
});
