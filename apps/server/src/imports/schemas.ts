import { ruleValues } from '@cartulary/formats';
import { Type } from 'typebox';
import { Flag, Query } from '../http/params.js';

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
  key: Type.Optional(
    Type.String({
      description:
        'With action=2: codes of columns, separated by commas; a feature changes the object with equal values in them, whatever ids the file has, and is added where there is none',
      examples: ['number'],
    }),
  ),
  columns: Type.Optional(
    Type.String({
      description:
        'What becomes of properties, as a JSON array: `property` (its name in the file) with `code` of a column of the layer or of a new one, `name` and `type` of a new one; or with `skip` true. Properties that are not named go into columns as ever',
      examples: [
        '[{"property":"NAZV","code":"name","name":"Name","type":"string"},{"property":"ID1","skip":true}]',
      ],
    }),
  ),
  raster_bbox: Type.Optional(
    Type.String({
      description:
        'Extent of an image: BOX(x_min y_min,x_max y_max) in `srs`; required for an image without a georeference',
      examples: ['BOX(-180 -90,180 90)'],
    }),
  ),
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
  delimiter: Type.Optional(
    Type.Enum(ruleValues.delimiter, {
      description: 'Tables: the sign between the cells of a text; found out when absent',
    }),
  ),
  header: Type.Optional(
    Type.Enum(ruleValues.header, {
      description:
        'Tables: 1: the first row holds the names of the columns; 0: it does not; found out when absent',
    }),
  ),
  decimal: Type.Optional(
    Type.Enum(ruleValues.decimal, {
      description: 'Tables: the sign before the fraction of numbers; found out for each column when absent',
    }),
  ),
  x: Type.Optional(
    Type.String({
      description: 'Tables: the column of the longitude, or of x in `srs`; with `y`',
      examples: ['lon'],
    }),
  ),
  y: Type.Optional(
    Type.String({
      description: 'Tables: the column of the latitude, or of y in `srs`; with `x`',
      examples: ['lat'],
    }),
  ),
  wkt: Type.Optional(
    Type.String({
      description:
        'Tables: the column of the geometry, as WKT, WKB in hexadecimal digits, GeoJSON or a pair of coordinates',
      examples: ['geometry'],
    }),
  ),
  geometry: Type.Optional(
    Type.Enum(ruleValues.geometry, {
      description: 'Tables: `none`: no column is taken for a geometry',
      default: 'auto',
    }),
  ),
  sheet: Type.Optional(
    Type.String({
      description:
        'Spreadsheets: name of a sheet, or its number from 1; the first one when absent. GeoPackage: the one layer that is read; all when absent',
    }),
  ),
  skip_errors: Flag(
    '1: features that cannot be stored are left out and listed; else one of them fails the import',
  ),
  upload: Type.Optional(
    Type.String({
      description: 'Id of a resumable upload in place of the body; it stays for further imports',
      examples: ['7d3f2b64-0d0e-4c0f-9f0c-3f1f3c6d5a21'],
    }),
  ),
  keep: Flag(
    'With dry_run: 1: the body is kept as an upload, whose id the answer names, so that an import can take it',
  ),
  rows: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,3}$',
      description:
        'With dry_run: how many of the first features `rows` of the answer shows, 0 (default) to 100',
      examples: ['10'],
    }),
  ),
  sketch: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,4}$',
      description:
        'With dry_run: of how many of the first features with geometry `sketch` of the answer shows the simplified geometries, 0 (default) to 1000',
      examples: ['200'],
    }),
  ),
  dry_run: Flag('1: nothing is stored; `import` of the answer says what would be'),
  async: Flag('1: answered 202 with a job when the file has been received; the work goes on after it'),
});

const BandAnswer = Type.Object({
  type: Type.String(),
  nodata: Type.Union([Type.Number(), Type.Null()]),
  min: Type.Union([Type.Number(), Type.Null()]),
  max: Type.Union([Type.Number(), Type.Null()]),
  mean: Type.Union([Type.Number(), Type.Null()]),
  stddev: Type.Union([Type.Number(), Type.Null()]),
  low: Type.Union([Type.Number(), Type.Null()], { description: 'Below it lie two in a hundred values' }),
  high: Type.Union([Type.Number(), Type.Null()], { description: 'Above it lie two in a hundred values' }),
});

/** The report of an image. */
const RasterAnswer = Type.Union(
  [
    Type.Object({
      kind: Type.String({ description: 'picture: colours; values: one band of numbers' }),
      width: Type.Integer({ description: 'Width of the uploaded image, pixels' }),
      height: Type.Integer(),
      bands: Type.Integer(),
      type: Type.String({ description: 'Type of its values: Byte, UInt16, Float32 …' }),
      processed: Type.Object({
        width: Type.Integer({ description: 'Width of the image in EPSG:3857, pixels' }),
        height: Type.Integer(),
        pixel: Type.Number({ description: 'Metres of EPSG:3857' }),
        bands: Type.Union([Type.Array(BandAnswer), Type.Null()]),
      }),
      extent: Type.Array(Type.Number(), { description: 'West, south, east, north in degrees' }),
    }),
    Type.Null(),
  ],
  { description: 'With an image: what it is. null: it cannot be imported' },
);

/** The report of an import. */
export const ImportAnswer = Type.Object({
  read: Type.Integer({ description: 'Features in the file: stored and refused together' }),
  stored: Type.Integer({ description: 'Objects added or changed' }),
  added: Type.Optional(Type.Integer({ description: 'With dry_run: that would be added' })),
  changed: Type.Optional(Type.Integer({ description: 'With dry_run: that would be changed' })),
  refused: Type.Integer({ description: 'Features left out' }),
  errors: Type.Array(Type.Object({ feature: Type.Integer(), code: Type.String(), message: Type.String() }), {
    description: 'The first 100 features left out, by their number from 1, and why',
  }),
  format: Type.String(),
  encoding: Type.Union([Type.String(), Type.Null()], { description: 'Encoding of the texts in the file' }),
  encoding_certainty: Type.Union([Type.Enum(['said', 'certain', 'likely', 'uncertain']), Type.Null()], {
    description: 'said: by the parameter or the file; else how sure it is by the texts themselves',
  }),
  projection: Type.Union([Type.String(), Type.Null()], {
    description: 'Projection of the coordinates in the file',
  }),
  geometries: Type.Record(Type.String(), Type.Integer(), { description: 'Kind of geometry → features' }),
  tables: Type.Optional(
    Type.Array(
      Type.Object({
        delimiter: Type.Optional(Type.String()),
        sheet: Type.Optional(Type.String()),
        header: Type.Boolean({ description: 'Whether the first row was taken for the names of the columns' }),
        decimal: Type.Union([Type.String(), Type.Null()], { description: 'The sign before fractions' }),
        geometry: Type.Array(Type.String(), { description: 'Columns that became the geometry' }),
      }),
      { description: 'For tables: how each was interpreted' },
    ),
  ),
  notes: Type.Array(Type.String()),
  raster: Type.Optional(RasterAnswer),
  upload: Type.Optional(
    Type.String({ description: 'With dry_run of an upload: its id, by which an import takes it' }),
  ),
  columns: Type.Optional(
    Type.Array(
      Type.Object({
        code: Type.String(),
        name: Type.String(),
        type: Type.String(),
        new: Type.Boolean(),
        properties: Type.Array(Type.String(), { description: 'The properties that give the values' }),
      }),
      { description: 'With dry_run: the columns that take values' },
    ),
  ),
  rows: Type.Optional(
    Type.Array(
      Type.Object({
        feature: Type.Integer({ description: 'Its number in the file, from 1' }),
        fields: Type.Record(Type.String(), Type.Unknown(), {
          description: 'Code of the column → value; a text by its first 500 characters',
        }),
        geom: Type.Unknown({
          description: 'GeoJSON in degrees; null without one, and for more than 1,000 points',
        }),
      }),
      { description: 'With dry_run and rows: the first features as they would be stored' },
    ),
  ),
  sketch: Type.Optional(
    Type.Object(
      { type: Type.String(), features: Type.Array(Type.Unknown()) },
      {
        description:
          'With dry_run and sketch: a GeoJSON FeatureCollection for a small map, of at most 50,000 positions; ids are numbers of features in the file',
      },
    ),
  ),
  extent: Type.Optional(
    Type.Union([Type.Array(Type.Number()), Type.Null()], {
      description: 'With dry_run: west, south, east, north in degrees',
    }),
  ),
});
