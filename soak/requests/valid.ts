import { readFileSync } from 'node:fs';
import { fileBody, multipart } from '../client.js';
import { png, svg } from '../pictures.js';
import type { Random } from '../random.js';
import { geometryOf, type World } from './world.js';

/** A request in its parts, so that each can be changed. */
export interface Draft {
  operation: Operation;
  operationId: string;
  method: string;
  /** With `{name}` for each of `values`. */
  path: string;
  values: Record<string, string>;
  query: Record<string, string>;
  headers: Record<string, string>;
  /** An object or list is sent as JSON. */
  body?: unknown;
  withToken: boolean;
  isCutOff?: boolean;
}

export interface Operation {
  operationId: string;
  method: string;
  path: string;
  parameters: { name: string; in: string; required?: boolean; schema: Schema }[];
  /** By status: the media types of the answer. */
  responses: Record<string, { content?: Record<string, unknown> }>;
}

interface Schema {
  type?: string;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
}

const fixture = (name: string): Buffer => readFileSync(`test/formats/fixtures/${name}`);
export const files = [
  'places.kml',
  'track.gpx',
  'shp-utf8.zip',
  'mif.zip',
  'tab.zip',
  'shapes.dxf',
  'table.xlsx',
  'source.geojson',
].map((name) => ({ name, bytes: fixture(name) }));
files.push({ name: 'table.csv', bytes: Buffer.from('name;pop;x;y\n"a;b";1,5;2.3;48.8\nc;;2.4;48.9\n') });

const style = '#a { marker-width: 9; marker-fill: #3b8f4f; [pop > 3] { marker-fill: red; } }';
const area = { type: 'Polygon', coordinates: [[[2, 48], [3, 48], [3, 49], [2, 48]]] }; // biome-ignore format: one line
const [name, pop, geom] = [{ property: 'name' }, { property: 'pop' }, { property: 'geom' }];
const filters = [
  { op: '>', args: [pop, 2] },
  { op: '<>', args: [name, 'Place 1'] },
  { op: '<=', args: [{ property: 'at' }, '2024-05-02T00:00:00Z'] },
  {
    op: 'and',
    args: [
      { op: 'like', args: [name, 'Pl%e_\\%'] },
      { op: 'isNull', args: [{ property: 'memo' }] },
    ],
  },
  {
    op: 'or',
    args: [
      { op: 'not', args: [{ op: '=', args: [{ property: 'ok' }, true] }] },
      { op: '=', args: [pop, 3] },
    ],
  },
  { op: 'in', args: [name, ['Place 1', 'Place 2']] },
  { op: 's_intersects', args: [geom, { bbox: [2, 48, 3, 49] }] },
  { op: 's_within', args: [geom, area] },
  { op: 's_dwithin', args: [geom, { type: 'Point', coordinates: [2.3, 48.8] }, 500] },
  { op: 'between', args: [pop, 1, 5] },
];

/** Queries of virtual and materialized layers, over the layer `towns` of a map. */
const queries: readonly ((layer: string) => string)[] = [
  (layer) => `select svc_id, geom, name, pop * 2 as twice from ${layer} where pop > 3`,
  (layer) =>
    `select min(svc_id) as svc_id, st_union(geom) as geom, kind, count(*) as n from ${layer} group by kind`,
  (layer) =>
    `with a as (select * from ${layer}) select a.svc_id, st_buffer(a.geom, 0.01) as geom, b.name from a join a b using (svc_id)`,
  (layer) =>
    `select svc_id, st_centroid(geom) as geom, rank() over (order by pop desc) as place from ${layer}`,
  (layer) =>
    `select svc_id, null::geometry as geom, name || '…' as name from ${layer} union all select -svc_id, geom, kind from ${layer}`,
  (layer) => `select svc_id, geom, pop / 0 as none from ${layer}`,
  (layer) => `select svc_id, geom, repeat(name, 100000000) as long from ${layer}`,
  (layer) => `select svc_id, st_geomfromtext(name) as geom from ${layer}`,
];

/** Settings of visualizations, alone or together. */
const drawings = [
  { pointSettings: { size: 20, sizeEnabled: true, allowOverlap: false } },
  { borderSettings: { color: '#212529', width: 3, opacity: 0.8, pattern: 'dot' }, showBorder: true },
  {
    showText: true,
    textSettings: { column: 'name', fontSize: 16, halo: true, haloColor: '#ffe066', textOffset: -20 },
  },
  { legendNames: [{ en: 'Legend' }, { ru: 'Легенда' }], showLegend: true, showValues: false },
];

/** Bodies of functions that take JSON. A function that is not here, and takes a body, takes a file or `{}`. */
const bodies: Record<string, (world: World, random: Random) => unknown> = {
  postApi28: (_, random) => ({ code: fresh(random) }),
  postLogin: ({ spare }, random) => ({ login: random.pick(spare.logins), password: 'a-password-of-one' }),
  postExtAuth: ({ spare }, random) => ({ login: random.pick(spare.logins) }),
  postUsers: (_, random) => ({ login: fresh(random), password: 'a-password-of-one', groups: ['staff'] }),
  patchUsersLogin: () => ({ name: 'Ann', email: 'ann@example.org', groups: ['staff'] }),
  putRights: rights,
  putMapRights: rights,
  putMapLayerRights: rights,
  postProject: (_, random) => ({
    code: fresh(random),
    name: 'New',
    css_style: 'Map { background-color: #fff; }',
  }),
  patchMap: () => ({ name: 'Soaked', comment: 'a comment', group_layers: 1 }),
  postMapFolders: (_, random) => ({ code: fresh(random), name: { en: 'Green' }, localized_name: true }),
  putMapFolder: folder,
  patchMapFolder: folder,
  postMapLayers: ({ ids, map }, random) => ({ code: fresh(random), ...newLayer(ids, map, random) }),
  putMapLayer: layer,
  patchMapLayer: layer,
  postMapPublish: ({ ids }) => [{ id: 1, parent_id: 0, map_layer_id: ids.places, selected: true, sort: 1 }],
  postMapLayerStructure: (_, random) => ({
    code: fresh(random),
    type: random.pick(['string', 'number', 'text', 'datetime', 'bool', 'json', 'file']),
  }),
  putMapLayerStructureField: (_, random) => ({ type: random.pick(['string', 'text']), name: 'A column' }),
  patchMapLayerStructureField: () => ({ type: 'string', name: 'A column' }),
  postMapLayerConstraints: (_, random) => ({
    type: 'check',
    columns: ['memo'],
    definition: ['a'],
    name: fresh(random),
  }),
  deleteMapLayerConstraints: ({ constraint }) => ({ name: constraint }),
  postMapDictionariesLayer: (_, random) => ({
    column_code: 'name',
    dict_layer_code: 'places',
    dict_column_code: 'name',
    constraint_name: random.pick(['name_dictionary', fresh(random)]),
  }),
  deleteMapDictionariesLayer: () => ({ constraint_name: 'name_dictionary' }),
  postMapDictionariesFLayer: (_, random) => ({
    column_code: random.pick(['name', 'memo']),
    dict_layer_code: 'places',
    dict_column_code: 'name',
    match_type: 'prefix',
  }),
  deleteMapDictionariesFLayer: () => ({ column_code: 'name' }),
  postMapLayerObjects: (_, random) => object(random),
  putMapLayerObject: (_, random) => object(random),
  deleteMapLayerObjects: ({ objects }, random) => ({ delete_params: String(random.pick(objects.slice(6))) }),
  postMapLayerFilter: (_, random) => ({ fields: 'name,pop', limit: 10, filter: random.pick(filters) }),
  postMapLayerObjectsBatch: ({ objects }, random) => ({
    create: [object(random), object(random)],
    update: [{ id: objects[1], fields: { pop: random.below(100) } }],
  }),
  postMapLayerObjectCopy: ({ map }) => ({ map_code: map, layer_code: 'places' }),
  putMapLayerObjectGeom: (_, random) => geometryOf(random.below(30)),
  postMapLayerImport: (_, random) => ({
    type: 'FeatureCollection',
    features: [
      { type: 'Feature', properties: { name: 'New', pop: 1 }, geometry: geometryOf(random.below(30)) },
    ],
  }),
};

const fresh = (random: Random): string => `n${random.below(2 ** 31).toString(36)}`;

function rights({ spare }: World, random: Random): unknown {
  return { user: random.pick(spare.logins), right: random.pick(['none', 'view', 'edit']) };
}

function folder({ ids, map }: World, random: Random): unknown {
  return { parent_id: ids[map], name: 'Folder', sort: random.below(9) };
}

function newLayer(ids: World['ids'], map: string, random: Random): object {
  const json = { query: random.pick(queries)(`${map}.towns`) };
  const url = 'https://{s}.example.org/{z}/{x}/{y}{r}.png';
  return random.pick<object>([
    { css_style: '#a { marker-width: 9; }', parent_id: ids.green },
    { type: 'virtual', json },
    { type: 'material', json },
    { type: 'raster', meta: { name: 'A picture', cloudy: '3' } },
    { type: 'external', json: { url, subdomains: ['a', 'b'], extent: [2, 48, 3, 49], maxZoom: 19 } },
    {
      type: 'external',
      json: { type: 'wms', url: 'https://example.org/wms', layers: 'a,b', version: '1.1.1' },
    },
  ]);
}

function layer({ columns, map }: World, random: Random): unknown {
  const drawing = random.pick(drawings);
  return random.pick<unknown>([
    { name: 'Layer', css_style: style },
    { css_style: `#a { line-color: #333; line-width: ${random.below(5)}; polygon-fill: #eee; }` },
    { simpleStyle: { fill: '#b2f2bb', stroke: '#2b8a3e', strokeWidth: 1.5 } },
    {
      render_type: 1,
      vectorSettings: { clusteringEnabled: true, showPopup: true, clusterSettings: { radius: 60 } },
    },
    {
      visualSettings: {
        type: 1,
        columnCode: 'pop',
        algorithm: 1 + random.below(3),
        classesCount: 1 + random.below(20),
        ...drawing,
      },
    },
    { visualSettings: { type: random.pick([2, 3]), columnCode: 'pop', ...drawing } },
    {
      visualSettings: {
        type: 7,
        classesSettings: { useWeight: true, useWeightField: 'pop', weightNormalize: true, linkToScale: true },
      },
    },
    {
      visualSettings: {
        type: 4 + random.below(3),
        classesSettings: {
          columns: [{ code: 'pop', color: '#a50f15' }],
          sizeType: 2,
          sizeFrom: 12,
          showScale: true,
        },
      },
    },
    {
      visualCustomSettings: {
        type: 'hexbin',
        columns: { '6f1c2a52-8d0b-4c3e-9b57-2f1f0c9a7e11': columns.pop },
        icons: {},
        settings: { aggregate: 'sum', column: '6f1c2a52-8d0b-4c3e-9b57-2f1f0c9a7e11', cellSize: 24 },
      },
    },
    { render_settings: { minZoom: 0, maxZoom: 20, opacity: 0.5 }, json: { search: true } },
    { json: { query: random.pick(queries)(`${map}.towns`) } },
  ]);
}

const object = (random: Random) => ({
  fields: {
    name: `Name ${random.below(100)}`,
    pop: random.below(1000),
    ok: random.chance(0.5),
    at: '2024-05-01',
  },
  geom: geometryOf(random.below(30)),
});

/** Values of parameters in paths and queries by name; for others the schema says enough. */
function knownValue(name: string, world: World, operation: Operation, random: Random): string | undefined {
  const { spare } = world;
  const { operationId } = operation;
  const removes = /^(delete|putMapLayerRights)/.test(operationId);
  const reads = operation.method === 'GET';
  const table: Record<string, () => unknown> = {
    project: () => 'demo',
    map: () => (/^(delete|patch)Map$|^putMapRights/.test(operationId) ? random.pick(spare.maps) : world.map),
    layer: () => {
      if (operationId === 'deleteMapLayer' || operationId === 'putMapLayerRights')
        return random.pick(spare.layers);
      if (/Refresh$/.test(operationId)) return /Legend/.test(operationId) ? 'towns' : 'stored';
      if (/Legend/.test(operationId)) return 'towns';
      if (/^(put|patch)MapLayer$/.test(operationId))
        return random.pick(['places', 'towns', 'towns', 'view', 'stored', ...spare.layers]);
      if (reads && !/Object|Structure/.test(operationId))
        return random.pick(['places', 'towns', 'view', 'stored', 'photo']);
      return operationId === 'postMapLayerImport' ? random.pick(['towns', ...spare.layers]) : 'places';
    },
    folder: () => (removes ? random.pick(spare.folders) : world.folder),
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
    class: () => random.below(3),
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
    name: () => (operationId === 'postIcons' ? fresh(random) : world.constraint),
    encoding: () => 'utf-8',
    filter: () => JSON.stringify(random.pick(filters)),
    delete_params: () => random.pick(world.objects.slice(6)),
    constraint_name: () => 'name_dictionary',
    column_code: () => 'name',
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

/** Parameters that make little sense without others, or go with few values: left to the changes of valid requests. */
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

/** A request of a function that should succeed. */
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
  addFile(draft, random);
  return draft;
}

/** The functions that take a file. */
function addFile(draft: Draft, random: Random): void {
  const { operationId } = draft;
  if (operationId === 'postIcons' || operationId === 'putIcon') {
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
