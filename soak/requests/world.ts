import { png, svg } from '../pictures.js';
import type { Service } from '../service.js';

/** Codes and ids of what the service has, by the names of the parameters and keys that take them. */
export interface World {
  map: string;
  /** Layers with objects, of all geometries. */
  vector: string;
  layers: string[];
  folder: string;
  /** What a request may rename or remove: nothing else needs it. */
  spare: {
    maps: string[];
    layers: string[];
    folders: string[];
    logins: string[];
    icons: string[];
    columns: string[];
  };
  objects: number[];
  /** Ids of containers, and of columns of `vector` by their codes. */
  ids: Record<string, number>;
  columns: Record<string, number>;
  /** Files of the first object; the first of them is `uuid`. */
  fileIds: number[];
  uuid: string;
  jobs: string[];
  constraint: string;
}

const types = {
  name: 'string',
  pop: 'number',
  at: 'datetime',
  ok: 'bool',
  doc: 'json',
  memo: 'text',
  photos: 'file',
  head: 'title',
} as const;

/** Shapes of each geometry around one place. */
export function geometryOf(index: number): { type: string; coordinates: unknown } {
  const [x, y] = [2.3 + (index % 10) / 100, 48.8 + Math.floor(index / 10) / 100];
  const ring = [
    [x, y],
    [x + 0.005, y],
    [x + 0.005, y + 0.005],
    [x, y],
  ];
  if (index % 3 === 1) return { type: 'LineString', coordinates: ring };
  if (index % 3 === 2) return { type: 'Polygon', coordinates: [ring] };
  return { type: 'Point', coordinates: [x, y] };
}

const featuresOf = (count: number) => ({
  type: 'FeatureCollection',
  features: Array.from({ length: count }, (_, index) => ({
    type: 'Feature',
    properties: { name: `Place ${index}`, pop: index * 10, kind: index % 2 ? 'odd' : 'even' },
    geometry: geometryOf(index),
  })),
});

/** Makes a map with something of each kind: what valid requests name. */
export async function makeWorld(service: Service, round: number): Promise<World> {
  const make = service.make;
  const map = `soak${round}`;
  const spare = (kind: string) => Array.from({ length: 6 }, (_, index) => `${kind}${round}_${index}`);
  const world: World = {
    map,
    vector: 'places',
    layers: ['places', 'towns', 'view', 'stored', 'photo', 'outside'],
    folder: 'green',
    spare: {
      maps: spare('map'),
      layers: spare('layer'),
      folders: spare('folder'),
      logins: spare('user'),
      icons: spare('icon'),
      columns: spare('column'),
    },
    objects: [],
    ids: {},
    columns: {},
    fileIds: [],
    uuid: '',
    jobs: [],
    constraint: 'pop_range',
  };
  const add = async (path: string, body: { code: string }): Promise<void> => {
    world.ids[body.code] = (await make('POST', path, body)).id;
  };
  const layers = `/${map}/layers/`;
  await add('/', { code: map });
  await add(`/${map}/folders/`, { code: 'green' });
  await add(layers, { code: 'places' });
  for (const [code, type] of Object.entries(types)) {
    const column = { code, type, localized_value: code === 'memo' };
    world.columns[code] = (await make('POST', `${layers}places/structure/`, column)).id;
  }
  for (let index = 0; index < 12; index++) {
    const fields = {
      name: `Place ${index}`,
      pop: index,
      at: '2024-05-01T10:00:00Z',
      ok: true,
      doc: { a: index },
    };
    const object = await make('POST', `${layers}places/objects/`, { fields, geom: geometryOf(index) });
    world.objects.push(object.id);
  }
  await add(layers, { code: 'towns' });
  await make('POST', `${layers}towns/import/`, featuresOf(30));
  await make('PATCH', `${layers}towns/`, { visualSettings: { type: 1, columnCode: 'pop', classesCount: 3 } });
  const query = `select svc_id, geom, name, pop from ${map}.towns`;
  const queried = [
    { code: 'view', type: 'virtual', json: { query } },
    { code: 'stored', type: 'material', json: { query } },
  ];
  for (const layer of queried) await add(layers, layer);
  await add(layers, { code: 'photo', type: 'raster' } as { code: string });
  await service.upload(
    'POST',
    `${layers}photo/import/?raster_bbox=BOX(2%2048,3%2049)`,
    'photo.png',
    png(64, 64),
  );
  const outside = {
    type: 'external',
    json: { url: 'https://tiles.example.org/{z}/{x}/{y}.png', fetch: 'client' },
  };
  await add(layers, { code: 'outside', ...outside } as { code: string });
  const files = `${layers}places/objects/${world.objects[0]}/files/`;
  for (let index = 0; index < 4; index++) {
    const file = await service.upload('POST', `${files}?field=photos`, 'oak.png', png(40, 30));
    world.fileIds.push(file.id);
    world.uuid ||= file.uuid;
  }
  await make('POST', `${layers}places/constraints/`, {
    type: 'range',
    columns: ['pop'],
    definition: [0, 1e9],
    name: 'pop_range',
  });
  for (const code of world.spare.columns)
    await make('POST', `${layers}places/structure/`, { code, type: 'string' });
  for (const code of world.spare.layers) await add(layers, { code });
  for (const code of world.spare.folders) await add(`/${map}/folders/`, { code });
  for (const code of world.spare.maps) await add('/', { code });
  for (const login of world.spare.logins)
    await make('POST', '/users/', { login, password: 'a-password-of-one' });
  for (const name of world.spare.icons) await service.upload('PUT', `/icons/${name}/`, `${name}.svg`, svg());
  for (const format of ['geojson', 'csv']) {
    const job = await make('GET', `${layers}towns/export/?format=${format}&async=1`);
    world.jobs.push(job.id);
  }
  const tree = [{ id: 1, parent_id: 0, map_layer_id: world.ids.places }];
  await make('POST', `/${map}/publish/`, tree);
  return world;
}

/** Removes what a round has left: maps with all that is in them, users and icons. */
export async function clearWorld(service: Service, world: World): Promise<void> {
  const remove = (path: string) => service.admin({ method: 'DELETE', path: `/api/2.8/demo${path}` });
  for (const map of [world.map, ...world.spare.maps]) await remove(`/${map}/`);
  for (const login of world.spare.logins) await remove(`/users/${login}/`);
  for (const icon of world.spare.icons) await remove(`/icons/${icon}/?force=1`);
}
