import { Type } from 'typebox';
import { Flag, Path, Query, SpatialReference } from '../http/params.js';

/** The paths of a layer's routes and of one object. */
export const LayerPath = Path('map', 'layer');
export const ObjectPath = Type.Object({
  ...LayerPath.properties,
  object: Type.Integer({
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Id of the object, its svc_id',
  }),
});

const bboxSR = SpatialReference('Projection of fbbox and of returned bounding boxes');
const geomSR = SpatialReference('Projection of geometries, as sent and as returned');
const geomZoom = Type.Optional(
  Type.Number({
    minimum: 0,
    maximum: 24,
    description: 'Geometries are simplified by half a pixel at this zoom; as stored when absent',
  }),
);

const outputParameters = {
  returnGeom: Flag('1: `geom` is returned, GeoJSON'),
  geomSR,
  geomZoom,
  returnCentroid: Flag('1: with returnGeom the centroid, a Point, is returned in place of the geometry'),
  returnBbox: Flag('1: `bbox` is returned'),
  bboxSR,
};

export const OutputQuery = Query(outputParameters);
/** The query of one object, which is also served as a PDF sheet. */
export const SingleObjectQuery = Type.Object({
  ...OutputQuery.properties,
  f: Type.Optional(
    Type.Enum(['json', 'fjson', 'pdf'], {
      default: 'json',
      description: 'Response format; pdf: a feature sheet of the object to read and print',
    }),
  ),
});
export const GeometryQuery = Query({ geomSR });

const filterDescription =
  "A CQL2 filter over the columns and `geom`: CQL2-JSON, or CQL2 text such as `people > 1000 AND name LIKE 'A%'`";
export const FilterParameter = Type.Optional(
  Type.String({ description: filterDescription, examples: ["people > 1000 AND name LIKE 'A%'"] }),
);

const listParameters = {
  fields: Type.Optional(
    Type.String({
      description:
        'Codes of the columns to return, separated by commas; `*` for all of the user (svc_id is `id`)',
      examples: ['name,population'],
    }),
  ),
  fcode: Type.Optional(
    Type.String({ description: 'Code of the column to filter by; it must be listed in fields' }),
  ),
  fval: Type.Optional(
    Type.String({
      description:
        'Value of the filter column, compared in its type; several are separated by a vertical bar',
    }),
  ),
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'Objects to leave out at the beginning; 10,000,000 at most (a setting of the service), behind that a list goes on with cursor',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Most objects; 1,000 when absent, 50,000 at most (settings of the service)',
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      description:
        'In place of offset: empty for the beginning, then what the header Link: rel="next" has. It is as quick at any depth, and no object that stays as it is comes twice or is left out while others are written. An extension of the interface',
    }),
  ),
  sort: Type.Optional(
    Type.String({
      description:
        'Columns to sort by, separated by vertical bars: code, comma, a (ascending) or d (descending). Objects without a value come last; equal ones in the order of svc_id',
      examples: ['population,d|name'],
    }),
  ),
  fbbox: Type.Optional(
    Type.String({
      description:
        'SW_LAT,SW_LON,NE_LAT,NE_LON (y before x in 3857 too): objects whose geometry meets the box. It crosses the antimeridian where SW_LON is greater than NE_LON',
      examples: ['47.2,5.8,55.1,15.1'],
    }),
  ),
  ...outputParameters,
};
export const ListQuery = Query({ ...listParameters, filter: FilterParameter });
/** Of a list whose parameters are in the body. */
export const FilterQuery = Query(listParameters);

/** A JSON body may hold the value itself where a query holds text; `parseListQuery` checks it. */
const asQuery = (description: string) => Type.Optional(Type.Unknown({ description }));

export const FilterBody = Type.Object(
  {
    ...Object.fromEntries(
      Object.keys(FilterQuery.properties).map((name) => [
        name,
        asQuery('As in the query of the object list'),
      ]),
    ),
    fields: asQuery('Codes of the columns to return: text as in the query, or an array'),
    fbbox: asQuery('SW_LAT,SW_LON,NE_LAT,NE_LON: text or an array of four numbers'),
    filter: asQuery(`${filterDescription}; in a JSON body the JSON itself, too`),
  },
  { nullable: true, description: 'The parameters of the object list' },
);

const Fields = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'Column code → value. A localized column takes the value of the language lng, or an object language → value. A file column takes ids of files that the object has in it: those that are left out are deleted',
});
const Geom = Type.Optional(
  Type.Unknown({ description: 'GeoJSON geometry in the projection geomSR; null or absent: none' }),
);

export const CreateBody = Type.Object({ fields: Fields, geom: Geom });
const UpdateFields = Type.Optional(Fields);
const UpdatedGeom = Type.Optional(
  Type.Unknown({
    description: 'GeoJSON geometry in the projection geomSR; null removes it; absent: unchanged',
  }),
);
export const UpdateBody = Type.Object({ fields: UpdateFields, geom: UpdatedGeom }, { nullable: true });
const Id = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
export const BatchBody = Type.Object(
  {
    delete: Type.Optional(Type.Array(Id, { description: 'Ids of objects to delete' })),
    update: Type.Optional(
      Type.Array(Type.Object({ id: Id, fields: UpdateFields, geom: UpdatedGeom }), {
        description: 'Objects to change, each once: as the body of the change of one, with its id',
      }),
    ),
    create: Type.Optional(Type.Array(CreateBody, { description: 'Objects to make' })),
    etags: Type.Optional(
      Type.Record(Type.String({ pattern: '^[0-9]{1,16}$' }), Type.String(), {
        maxProperties: 10_000,
        description:
          'Id → ETag: objects that must still be of this version. Otherwise nothing is done: 412 `changed_meanwhile`',
      }),
    ),
  },
  {
    description: 'The changes, in this order',
    examples: [
      { create: [{ fields: { name: 'Oak' }, geom: { type: 'Point', coordinates: [2.35, 48.86] } }] },
    ],
  },
);
export const BatchAnswer = Type.Object({
  deleted: Type.Integer({ description: 'Objects that were deleted' }),
  updated: Type.Integer({ description: 'Objects that were changed' }),
  created: Type.Array(Type.Integer(), { description: 'Ids of those that were made, in their order' }),
});
export const CopyBody = Type.Object({
  map_code: Type.String({ description: 'Map of the target layer' }),
  layer_code: Type.String({ description: 'Target layer' }),
});
export const DeleteBody = Type.Object(
  {
    delete_params: Type.Optional(
      Type.String({
        description: 'Ids separated by semicolons, or first-last',
        examples: ['3;7;9', '100-200'],
      }),
    ),
  },
  { nullable: true },
);

const Pair = Type.Array(Type.Number(), { minItems: 2, maxItems: 2 });

export const ObjectAnswer = Type.Object({
  id: Type.Integer({ description: 'svc_id' }),
  fields: Type.Record(Type.String(), Type.Unknown(), { description: 'Column code → value' }),
  geom: Type.Optional(Type.Unknown({ description: 'GeoJSON geometry or null; with returnGeom' })),
  bbox: Type.Optional(
    Type.Unsafe<unknown>({
      anyOf: [Type.Object({ sw: Pair, ne: Pair }), Type.Null()],
      description:
        'Corners as [lat, lon] in 4326 and [y, x] in 3857, null without a geometry; with returnBbox',
    }),
  ),
});

export const GeometryAnswer = Type.Unknown({
  description: 'GeoJSON geometry; null when the object has none',
});

/** One object as JSON or as a PDF sheet. */
export const ofObjectOrSheet: Record<string, unknown> = {
  200: {
    description: 'The object; with f=pdf a PDF',
    content: {
      'application/json': { schema: ObjectAnswer },
      'application/pdf': { schema: { type: 'string', format: 'binary' } },
    },
  },
};
