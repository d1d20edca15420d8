import { formats } from '@cartulary/formats';
import { Type } from 'typebox';
import { Flag, Query, SpatialReference } from '../http/params.js';
import { FilterParameter } from '../objects/store.js';

const parameters = {
  // Required, but its absence is an error of the interface's own form.
  format: Type.Optional(
    Type.String({
      description: `Required: one of ${formats
        .filter((one) => one.exports)
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
  filter: FilterParameter,
  orig: Type.Optional(
    Type.Enum(['0', '1', 'true', 'false'], {
      default: '1',
      description: 'geotif: 1 = the image as it came, 0 = the GeoTIFF in EPSG:3857 that is drawn',
    }),
  ),
  async: Flag('1: answered 202 with a job, which makes the file'),
  encoding: Type.Optional(
    Type.String({
      description:
        'Encoding of the texts: csv any (default utf-8; utf-8-sig begins with a byte order mark), shp utf-8 (default) or windows-125x, mif and tab windows-1250 to -1257, gbk, shift_jis, euc-kr or big5 (default: the one that holds most of the texts)',
    }),
  ),
  dialect: Type.Optional(
    Type.String({ description: 'For csv, the delimiter: semicolon (default), comma, tab' }),
  ),
};

/** The parameters of an export. */
export const ExportQuery = Query(parameters);

/** The same in a body. */
export const ExportBody = Type.Object(parameters);
