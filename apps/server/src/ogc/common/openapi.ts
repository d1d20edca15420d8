import { mediaTypes } from './addresses.js';

/** What the document of a door says. */
interface DoorDocument {
  door: string;
  title: string;
  limit: { standard: number; most: number };
  /** Longest side of a picture, pixels. */
  pictureSide: number;
}

const text = { type: 'string' } as const;
const inQuery = (name: string, description: string, schema: object = text) => ({
  name,
  in: 'query',
  required: false,
  description,
  schema,
  style: 'form',
  explode: false,
});
const inPath = (name: string, description: string) => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: text,
});

const numbers = { type: 'array', items: { type: 'number' }, minItems: 4, maxItems: 6 };

/** The parameters of pictures. */
const mapParametersOf = (pictureSide: number) => ({
  width: inQuery('width', 'Pixels', { type: 'integer', minimum: 1, maximum: pictureSide }),
  height: inQuery('height', 'Pixels', { type: 'integer', minimum: 1, maximum: pictureSide }),
  'map-bbox': inQuery('bbox', 'The box that is drawn, in the system of bbox-crs', numbers),
  subset: inQuery('subset', 'The box that is drawn, as intervals: Lat(40:50),Lon(10:20)', {
    type: 'array',
    items: text,
  }),
  'subset-crs': inQuery('subset-crs', 'Coordinate reference system of subset'),
  center: inQuery('center', 'Middle of the picture, in the system of center-crs', {
    type: 'array',
    items: { type: 'number' },
    minItems: 2,
    maxItems: 2,
  }),
  'center-crs': inQuery('center-crs', 'Coordinate reference system of center'),
  'map-crs': inQuery('crs', 'Coordinate reference system of the picture'),
  'scale-denominator': inQuery('scale-denominator', 'Metres on the ground per metre of the display', {
    type: 'number',
    minimum: 0,
    exclusiveMinimum: true,
  }),
  bgcolor: inQuery('bgcolor', 'Colour behind the map'),
  transparent: inQuery('transparent', 'Whether the picture has no background', { type: 'boolean' }),
  'mm-per-pixel': inQuery('mm-per-pixel', 'Side of a pixel of the display', {
    type: 'number',
    default: 0.28,
  }),
});

const parametersOf = ({ limit: { standard, most }, pictureSide }: DoorDocument) => ({
  collectionId: inPath('collectionId', 'Code of the layer'),
  featureId: inPath('featureId', 'Id of the object'),
  limit: inQuery('limit', 'Most features of a page', {
    type: 'integer',
    minimum: 1,
    maximum: most,
    default: standard,
  }),
  bbox: inQuery('bbox', 'Features whose geometry meets the box, in the system of bbox-crs', numbers),
  'bbox-crs': inQuery('bbox-crs', 'Coordinate reference system of bbox'),
  crs: inQuery('crs', 'Coordinate reference system of the geometries'),
  datetime: inQuery('datetime', 'Instant or interval, over the first column of times'),
  filter: inQuery('filter', 'CQL2'),
  'filter-lang': inQuery('filter-lang', 'Form of filter', {
    type: 'string',
    enum: ['cql2-text', 'cql2-json'],
    default: 'cql2-text',
  }),
  'filter-crs': inQuery('filter-crs', 'Coordinate reference system of the geometries in filter'),
  sortby: inQuery('sortby', 'Columns with + or - before them', { type: 'array', items: text }),
  properties: inQuery('properties', 'Columns to return', { type: 'array', items: text }),
  cursor: inQuery('cursor', 'Where the page begins: taken from the links next and prev'),
  offset: inQuery('offset', 'How many features to skip', { type: 'integer', minimum: 0 }),
  f: inQuery('f', 'Form of the answer'),
  collections: inQuery('collections', 'Collections that are drawn', { type: 'array', items: text }),
  tileMatrixSetId: inPath(
    'tileMatrixSetId',
    'WebMercatorQuad or WorldCRS84Quad; for map tiles also EPSG and the code of a projected system',
  ),
  tileMatrix: inPath('tileMatrix', 'Number of the matrix'),
  tileRow: inPath('tileRow', 'Row, from the north'),
  tileCol: inPath('tileCol', 'Column, from the west'),
  ...mapParametersOf(pictureSide),
});

const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });
const problems = { '4XX': ref('responses', 'Problem'), '5XX': ref('responses', 'Problem') };

const operation = (
  id: string,
  summary: string,
  { parameters = [] as string[], type = mediaTypes.json as string } = {},
) => ({
  operationId: id,
  summary,
  parameters: [...parameters, 'f'].map((name) => ref('parameters', name)),
  responses: {
    200: { description: summary, content: { [type]: { schema: { type: 'object' } } } },
    ...problems,
  },
});

const writing = (
  id: string,
  summary: string,
  { parameters, status, type }: { parameters: string[]; status: number; type?: string },
) => ({
  operationId: id,
  summary,
  security: [{ bearer: [] }, { basic: [] }],
  parameters: parameters.map((name) => ref('parameters', name)),
  ...(type ? { requestBody: { required: true, content: { [type]: { schema: { type: 'object' } } } } } : {}),
  responses: { [status]: { description: summary }, ...problems },
});

const items = [
  'collectionId',
  'limit',
  'bbox',
  'bbox-crs',
  'crs',
  'datetime',
  'filter',
  'filter-lang',
  'filter-crs',
  'sortby',
  'properties',
  'cursor',
  'offset',
];
const feature = ['collectionId', 'featureId'];

const picture = (id: string, summary: string, parameters: string[], types: readonly string[]) => ({
  get: {
    ...operation(id, summary, { parameters }),
    responses: {
      200: {
        description: summary,
        content: Object.fromEntries(
          types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
        ),
      },
      ...problems,
    },
  },
});

const tilePath = ['tileMatrixSetId', 'tileMatrix', 'tileRow', 'tileCol'];
const pictureTypes = ['image/png', 'image/webp', 'image/jpeg'];
const mapParameters = [
  'map-bbox',
  'bbox-crs',
  'subset',
  'subset-crs',
  'center',
  'center-crs',
  'map-crs',
  'width',
  'height',
  'scale-denominator',
  'mm-per-pixel',
  'bgcolor',
  'transparent',
  'filter',
];

/** The paths of tiles and pictures of the map or of a collection. */
function drawnPaths(base: string, name: string, parameters: string[]) {
  const tiles = (end: string, kind: string, types: readonly string[]) => ({
    [`${base}/${end}`]: { get: operation(`get${name}${kind}Sets`, `${kind} tiles: sets`, { parameters }) },
    [`${base}/${end}/{tileMatrixSetId}`]: {
      get: operation(`get${name}${kind}Set`, `${kind} tiles: metadata`, {
        parameters: [...parameters, 'tileMatrixSetId'],
      }),
    },
    [`${base}/${end}/{tileMatrixSetId}/{tileMatrix}/{tileRow}/{tileCol}`]: picture(
      `get${name}${kind}Tile`,
      `${kind} tiles: a tile`,
      [...parameters, ...tilePath, 'collections', 'filter'],
      types,
    ),
  });
  return {
    [`${base}/map`]: picture(
      `get${name}Picture`,
      'A picture',
      [...parameters, 'collections', ...mapParameters],
      pictureTypes,
    ),
    ...tiles('map/tiles', 'Map', pictureTypes),
    ...tiles('tiles', 'Vector', ['application/vnd.mapbox-vector-tile']),
  };
}

const paths = {
  ...drawnPaths('', 'Dataset', []),
  ...drawnPaths('/collections/{collectionId}', 'Collection', ['collectionId']),
  '/tileMatrixSets': { get: operation('getTileMatrixSets', 'Tile matrix sets') },
  '/tileMatrixSets/{tileMatrixSetId}': {
    get: operation('getTileMatrixSet', 'A tile matrix set', { parameters: ['tileMatrixSetId'] }),
  },
  '/': { get: operation('getLandingPage', 'Landing page') },
  '/conformance': { get: operation('getConformance', 'Classes of the standards') },
  '/collections': { get: operation('getCollections', 'Collections') },
  '/collections/{collectionId}': {
    get: operation('getCollection', 'A collection', { parameters: ['collectionId'] }),
  },
  '/collections/{collectionId}/queryables': {
    get: operation('getQueryables', 'Properties for filters', {
      parameters: ['collectionId'],
      type: mediaTypes.schema,
    }),
  },
  '/collections/{collectionId}/sortables': {
    get: operation('getSortables', 'Properties to sort by', {
      parameters: ['collectionId'],
      type: mediaTypes.schema,
    }),
  },
  '/collections/{collectionId}/schema': {
    get: operation('getSchema', 'Properties and their types', {
      parameters: ['collectionId'],
      type: mediaTypes.schema,
    }),
  },
  '/collections/{collectionId}/feature-schema': {
    get: operation('getFeatureSchema', 'A feature as GeoJSON, as a schema', {
      parameters: ['collectionId'],
      type: mediaTypes.schema,
    }),
  },
  '/collections/{collectionId}/items': {
    get: operation('getItems', 'Features', { parameters: items, type: mediaTypes.geojson }),
    post: writing('createItem', 'Create a feature', {
      parameters: ['collectionId'],
      status: 201,
      type: mediaTypes.geojson,
    }),
  },
  '/collections/{collectionId}/items/{featureId}': {
    get: operation('getItem', 'A feature', { parameters: [...feature, 'crs'], type: mediaTypes.geojson }),
    put: writing('replaceItem', 'Replace a feature', {
      parameters: feature,
      status: 204,
      type: mediaTypes.geojson,
    }),
    patch: writing('updateItem', 'Change a feature', {
      parameters: feature,
      status: 204,
      type: 'application/merge-patch+json',
    }),
    delete: writing('deleteItem', 'Delete a feature', { parameters: feature, status: 204 }),
  },
};

/** The OpenAPI 3.0 document of a map's door. Collections are a parameter, since programs stop at hundreds of paths. */
export const doorDocument = (document: DoorDocument) => ({
  openapi: '3.0.3',
  info: {
    title: document.title,
    version: '1.0.0',
    'x-OGC-limits': { maps: { maxWidth: document.pictureSide, maxHeight: document.pictureSide } },
  },
  servers: [{ url: document.door }],
  paths,
  components: {
    parameters: parametersOf(document),
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      basic: { type: 'http', scheme: 'basic', description: 'Any name, and a token as password' },
    },
    responses: {
      Problem: {
        description: 'What is wrong',
        content: { 'application/problem+json': { schema: { type: 'object' } } },
      },
    },
  },
});
