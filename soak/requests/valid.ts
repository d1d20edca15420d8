import { fileBody, multipart } from '../client.js';
import { png, svg } from '../pictures.js';
import type { Random } from '../random.js';
import type { Draft, Operation, Schema } from './operation.js';
import { bodies, files, filters, fresh } from './samples.js';
import { standardQuery, wfsBody } from './standards.js';
import type { World } from './world.js';

type ValueTable = Record<string, () => unknown>;

/** Codes of projects, maps, layers and folders. What a request removes or renames is a spare one. */
function containerValues(world: World, { operationId, method }: Operation, random: Random): ValueTable {
  const { spare } = world;
  const removes = isRemoval(operationId);
  const reads = method === 'GET';
  return {
    project: () => 'demo',
    map: () => (/^(delete|patch)Map$|^putMapRights/.test(operationId) ? random.pick(spare.maps) : world.map),
    layer: () => {
      if (operationId === 'deleteMapLayer' || operationId === 'putMapLayerRights')
        return random.pick(spare.layers);
      if (/Refresh$/.test(operationId)) return /Legend/.test(operationId) ? 'towns' : 'stored';
      if (/Legend/.test(operationId)) return 'towns';
      if (/ItemsObject$|^postOgc/.test(operationId)) return 'places';
      if (/^(put|patch)MapLayer$/.test(operationId))
        return random.pick(['places', 'towns', 'towns', 'view', 'stored', ...spare.layers]);
      if (reads && !/Object|Structure/.test(operationId))
        return random.pick(['places', 'towns', 'view', 'stored', 'photo']);
      return operationId === 'postMapLayerImport' ? random.pick(['towns', ...spare.layers]) : 'places';
    },
    folder: () => (removes ? random.pick(spare.folders) : world.folder),
  };
}

/** Columns, objects, files and other content. */
function contentValues(world: World, { operationId }: Operation, random: Random): ValueTable {
  const { spare } = world;
  const removes = isRemoval(operationId);
  return {
    field: () =>
      /Files?$/.test(operationId)
        ? 'photos'
        : /Structure/.test(operationId)
          ? random.pick(spare.columns)
          : 'name',
    object: () =>
      operationId === 'deleteMapLayerObjectFile'
        ? world.objects[0]
        : removes
          ? random.pick(world.objects.slice(6))
          : random.pick(world.objects.slice(0, 6)),
    file: () => random.pick(world.fileIds),
    uuid: () => world.uuid,
    login: () => random.pick(spare.logins),
    icon: () => random.pick(spare.icons),
    job: () => random.pick(world.jobs),
    upload: () => world.upload,
    class: () => random.below(3),
  };
}

/** Parameters of queries. */
function queryValues(world: World, { operationId }: Operation, random: Random): ValueTable {
  return {
    fields: () => random.pick(['*', 'name', 'name,pop', 'name,at,doc']),
    sort: () => random.pick(['name', 'pop,d', 'name|pop,d']),
    fbbox: () => '48.7,2.2,48.9,2.5',
    phrase: () => random.pick(['Place', 'place 3', 'towns']),
    format: () =>
      random.pick(
        operationId.startsWith('getMapLayerExport') ? ['geojson', 'csv', 'kml', 'shp', 'xls'] : ['csv'],
      ),
    feature_ids: () => random.pick(['1', '1,2,3']),
    langs: () => 'en',
    lng: () => random.pick(['en', 'ru', 'pt-BR']),
    lang: () => random.pick(['en', 'ru']),
    f: () => 'json',
    srs: () => random.pick(['4326', '3857']),
    z: () => 11,
    x: () => 1037,
    y: () => 704,
    size: () => 16 + random.below(64),
    w: () => 1 + random.below(200),
    h: () => 1 + random.below(200),
    limit: () => 1 + random.below(50),
    offset: () => random.below(5),
    q: () => random.below(2),
    retina: () => 1 + random.below(2),
    ...standardValues(operationId, random),
    name: () => (operationId === 'postIcons' ? fresh(random) : world.constraint),
    encoding: () => 'utf-8',
    filter: () => JSON.stringify(random.pick(filters)),
    delete_params: () => random.pick(world.objects.slice(6)),
    constraint_name: () => 'name_dictionary',
    column_code: () => 'name',
  };
}

/** Parts of the addresses of the standards and of tiles. */
const standardValues = (operationId: string, random: Random): ValueTable => ({
  set: () => random.pick(['WebMercatorQuad', 'WorldCRS84Quad']),
  matrixSet: () => 'WebMercatorQuad',
  style: () => 'default',
  fonts: () => 'Noto Sans Regular',
  range: () => random.pick(['0-255', '1024-1279']),
  ...(/^get(Tiles|Wmts)/.test(operationId) && { format: () => random.pick(['png', 'webp', 'jpg']) }),
});

const isRemoval = (operationId: string): boolean => /^(delete|putMapLayerRights)/.test(operationId);

/** The value of a parameter by its name; undefined if the schema is enough. */
function knownValue(name: string, world: World, operation: Operation, random: Random): string | undefined {
  const table: ValueTable = {
    ...containerValues(world, operation, random),
    ...contentValues(world, operation, random),
    ...queryValues(world, operation, random),
  };
  const value = table[name]?.();
  return value === undefined ? undefined : String(value);
}

function fromSchema(schema: Schema, random: Random): string | undefined {
  if (schema.enum) return String(random.pick(schema.enum));
  if (schema.type === 'integer' || schema.type === 'number') {
    const { minimum = 0, maximum = 100 } = schema;
    return String(minimum + random.below(Math.min(maximum - minimum, 100) + 1));
  }
  return undefined;
}

/** Parameters that need others or allow few values. Only hostile requests use them. */
const unwanted = new Set([
  'token',
  'cursor',
  'fcode',
  'fval',
  'layers',
  'pass',
  'user',
  'f',
  'x',
  'y',
  'wkt',
  'sheet',
  'raster_bbox',
  'decimal',
  'header',
  'delimiter',
]);

/** Builds a request that should succeed. */
export function validRequest(operation: Operation, world: World, random: Random): Draft {
  const { operationId, method, path } = operation;
  const values: Draft['values'] = {};
  const query: Draft['query'] = {};
  const body = bodies[operationId]?.(world, random);
  for (const { name, in: where, required, schema } of operation.parameters) {
    const isKey =
      required ||
      (name === 'field' && where === 'query') ||
      name === 'format' ||
      (name === 'name' && operationId === 'postIcons');
    const isInBody = typeof body === 'object' && body !== null && name in body;
    if (where !== 'path' && !isKey && (isInBody || unwanted.has(name) || random.chance(0.75))) continue;
    const value = knownValue(name, world, operation, random) ?? fromSchema(schema, random);
    if (value !== undefined) (where === 'path' ? values : query)[name] = value;
  }
  const draft: Draft = { operation, operationId, method, path, values, query, headers: {}, withToken: true };
  if (body !== undefined) draft.body = body;
  Object.assign(query, standardQuery(operationId, random));
  addFile(draft, world, random);
  return draft;
}

/** Adds a file to operations that take one. */
function addFile(draft: Draft, world: World, random: Random): void {
  const { operationId } = draft;
  if (/FilesUpload/.test(operationId)) {
    draft.headers['tus-resumable'] = '1.0.0';
    if (draft.method === 'POST') {
      Object.assign(draft.headers, { 'upload-length': '9', 'upload-metadata': 'filename dGFibGUuY3N2' });
    } else if (draft.method === 'PATCH') {
      Object.assign(draft.headers, {
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
      });
      draft.body = Buffer.from('name\na\nb\n');
    }
  } else if (operationId === 'postWfsProjectMap') {
    draft.headers['content-type'] = 'text/xml';
    draft.body = Buffer.from(wfsBody(world, random));
  } else if (operationId === 'postIcons' || operationId === 'putIcon') {
    draft.headers['content-type'] = 'image/svg+xml';
    draft.body = Buffer.from(svg(random.pick(['#123456', 'red'])));
  } else if (operationId === 'postMapLayerObjectFiles') {
    Object.assign(draft, multipart({}, 'oak.png', png(8 + random.below(20), 9)));
  } else if (operationId === 'postMapLayerImport' && random.chance(0.5)) {
    const { name, bytes } = random.pick(files);
    if (random.chance(0.5)) Object.assign(draft, multipart({}, name, bytes));
    else Object.assign(draft, fileBody(name, bytes));
  }
}
