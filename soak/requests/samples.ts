import { readFixture } from '../fixtures.js';
import type { Random } from '../random.js';
import { geometryOf, type World } from './world.js';

export const files = [
  'places.kml',
  'track.gpx',
  'shp-utf8.zip',
  'mif.zip',
  'tab.zip',
  'shapes.dxf',
  'table.xlsx',
  'source.geojson',
].map((name) => ({ name, bytes: readFixture(name) }));
files.push({ name: 'table.csv', bytes: Buffer.from('name;pop;x;y\n"a;b";1,5;2.3;48.8\nc;;2.4;48.9\n') });

const style = '#a { marker-width: 9; marker-fill: #3b8f4f; [pop > 3] { marker-fill: red; } }';
const area = { type: 'Polygon', coordinates: [[[2, 48], [3, 48], [3, 49], [2, 48]]] }; // biome-ignore format: one line
const [name, pop, geom] = [{ property: 'name' }, { property: 'pop' }, { property: 'geom' }];
export const filters = [
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

/** Settings of visualizations. */
const drawings = [
  { pointSettings: { size: 20, sizeEnabled: true, allowOverlap: false } },
  { borderSettings: { color: '#212529', width: 3, opacity: 0.8, pattern: 'dot' }, showBorder: true },
  {
    showText: true,
    textSettings: { column: 'name', fontSize: 16, halo: true, haloColor: '#ffe066', textOffset: -20 },
  },
  { legendNames: [{ en: 'Legend' }, { ru: 'Легенда' }], showLegend: true, showValues: false },
];

/** Bodies of operations that take JSON. Other operations with a body take a file or `{}`. */
export const bodies: Record<string, (world: World, random: Random) => unknown> = {
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
  postMapLayerStatistics: (_, random) => ({
    column: random.pick(['pop', 'name', 'kind']),
    histogram: random.pick(['equal', 'quantile']),
    filter: random.pick(['pop > 3', filters[0]]),
    percentiles: [1, 50, 99.5],
  }),
  postMapLayerStatisticsGroups: (_, random) => ({
    by: random.pick([['kind'], ['kind', 'name'], []]),
    of: ['pop'],
    filter: random.pick(['pop > 3', filters[1]]),
  }),
  postMapQuery: ({ map }, random) => ({ query: random.pick(queries)(`${map}.towns`), rows: 3 }),
  putMapDraft: () => ({ css_style: 'Map { background-color: #eee; }' }),
  putMapLayerDraft: () => ({ css_style: style }),
  postMapMove: ({ ids, map }) => ({ id: ids.outside, parent_id: ids[map], sort: 2 }),
  postMapLayerConstraintsViolations: () => ({ type: 'range', columns: ['pop'], definition: [0, 5] }),
  postMapLayerExport: (_, random) => ({ format: random.pick(['csv', 'geojson']), filter: 'pop > 3' }),
  postOgcProjectMapCollectionsLayerItems: (_, random) => feature(random),
  putOgcProjectMapCollectionsLayerItemsObject: (_, random) => feature(random),
  patchOgcProjectMapCollectionsLayerItemsObject: () => ({ type: 'Feature', properties: { pop: 7 } }),
  postMapLayerObjectCopy: ({ map }) => ({ map_code: map, layer_code: 'places' }),
  putMapLayerObjectGeom: (_, random) => geometryOf(random.below(30)),
  postMapLayerImport: (_, random) => ({
    type: 'FeatureCollection',
    features: [
      { type: 'Feature', properties: { name: 'New', pop: 1 }, geometry: geometryOf(random.below(30)) },
    ],
  }),
};

export const fresh = (random: Random): string => `n${random.below(2 ** 31).toString(36)}`;

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

const feature = (random: Random) => ({
  type: 'Feature',
  properties: { name: 'New', pop: random.below(9) },
  geometry: geometryOf(random.below(30)),
});

const object = (random: Random) => ({
  fields: {
    name: `Name ${random.below(100)}`,
    pop: random.below(1000),
    ok: random.chance(0.5),
    at: '2024-05-01',
  },
  geom: geometryOf(random.below(30)),
});
