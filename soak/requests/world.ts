import { png, svg } from '../pictures.js';
import type { Service } from '../service.js';

/** Codes and ids of the content of the service, by the names of the parameters and keys that take them. */
export interface World {
  map: string;
  /** A layer with objects of all geometry types. */
  vector: string;
  layers: string[];
  folder: string;
  /** Content that requests may rename or remove, because no other request needs it. */
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
  /** Ids of the files of the first object; `uuid` is that of the first file. */
  fileIds: number[];
  uuid: string;
  jobs: string[];
  /** Id of an upload that has begun. */
  upload: string;
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

/** A point, a line or a polygon near one place. */
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

/** Creates a map with content of each kind, which valid requests name. */
export async function makeWorld(service: Service, round: number): Promise<World> {
  const world = emptyWorld(round);
  await add(service, world, '/', { code: world.map });
  await add(service, world, `/${world.map}/folders/`, { code: 'green' });
  await makePlaces(service, world);
  await makeOtherLayers(service, world);
  await makeFiles(service, world);
  await makeSpare(service, world);
  for (const format of ['geojson', 'csv']) {
    const job = await service.make('GET', `${layersOf(world)}towns/export/?format=${format}&async=1`);
    world.jobs.push(job.id);
  }
  const begun = await service.admin({
    method: 'POST',
    path: '/api/2.8/demo/files/uploads/',
    headers: { 'tus-resumable': '1.0.0', 'upload-length': '9', 'upload-metadata': 'filename dGFibGUuY3N2' },
  });
  world.upload = begun.json.id;
  const tree = [{ id: 1, parent_id: 0, map_layer_id: world.ids.places }];
  await service.make('POST', `/${world.map}/publish/`, tree);
  return world;
}

function emptyWorld(round: number): World {
  const spare = (kind: string) => Array.from({ length: 6 }, (_, index) => `${kind}${round}_${index}`);
  return {
    map: `soak${round}`,
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
    upload: '',
    constraint: 'pop_range',
  };
}

const layersOf = ({ map }: World): string => `/${map}/layers/`;

/** Creates a container and records its id. */
async function add(
  service: Service,
  world: World,
  path: string,
  body: { code: string; [key: string]: unknown },
): Promise<void> {
  world.ids[body.code] = (await service.make('POST', path, body)).id;
}

/** The layer `places`: a column of each type and twelve objects of all geometries. */
async function makePlaces(service: Service, world: World): Promise<void> {
  const layers = layersOf(world);
  await add(service, world, layers, { code: 'places' });
  for (const [code, type] of Object.entries(types)) {
    const column = { code, type, localized_value: code === 'memo' };
    world.columns[code] = (await service.make('POST', `${layers}places/structure/`, column)).id;
  }
  for (let index = 0; index < 12; index++) {
    const fields = {
      name: `Place ${index}`,
      pop: index,
      at: '2024-05-01T10:00:00Z',
      ok: true,
      doc: { a: index },
    };
    const object = await service.make('POST', `${layers}places/objects/`, {
      fields,
      geom: geometryOf(index),
    });
    world.objects.push(object.id);
  }
  const constraint = { type: 'range', columns: ['pop'], definition: [0, 1e9], name: world.constraint };
  await service.make('POST', `${layers}places/constraints/`, constraint);
}

/** An imported layer with a visualization, a virtual, a materialized, a raster and an external layer. */
async function makeOtherLayers(service: Service, world: World): Promise<void> {
  const layers = layersOf(world);
  await add(service, world, layers, { code: 'towns' });
  await service.make('POST', `${layers}towns/import/`, featuresOf(30));
  const visualSettings = { type: 1, columnCode: 'pop', classesCount: 3 };
  await service.make('PATCH', `${layers}towns/`, { visualSettings });
  const query = `select svc_id, geom, name, pop from ${world.map}.towns`;
  await add(service, world, layers, { code: 'view', type: 'virtual', json: { query } });
  await add(service, world, layers, { code: 'stored', type: 'material', json: { query } });
  await add(service, world, layers, { code: 'photo', type: 'raster' });
  const box = 'raster_bbox=BOX(2%2048,3%2049)';
  await service.upload('POST', `${layers}photo/import/?${box}`, 'photo.png', png(64, 64));
  const json = { url: 'https://tiles.example.org/{z}/{x}/{y}.png', fetch: 'client' };
  await add(service, world, layers, { code: 'outside', type: 'external', json });
}

async function makeFiles(service: Service, world: World): Promise<void> {
  const files = `${layersOf(world)}places/objects/${world.objects[0]}/files/`;
  for (let index = 0; index < 4; index++) {
    const file = await service.upload('POST', `${files}?field=photos`, 'oak.png', png(40, 30));
    world.fileIds.push(file.id);
    world.uuid ||= file.uuid;
  }
}

async function makeSpare(service: Service, world: World): Promise<void> {
  const { map, spare } = world;
  for (const code of spare.columns)
    await service.make('POST', `${layersOf(world)}places/structure/`, { code, type: 'string' });
  for (const code of spare.layers) await add(service, world, layersOf(world), { code });
  for (const code of spare.folders) await add(service, world, `/${map}/folders/`, { code });
  for (const code of spare.maps) await add(service, world, '/', { code });
  for (const login of spare.logins)
    await service.make('POST', '/users/', { login, password: 'a-password-of-one' });
  for (const name of spare.icons) await service.upload('PUT', `/icons/${name}/`, `${name}.svg`, svg());
}

/** Removes the content of a round: maps with their content, users and icons. */
export async function clearWorld(service: Service, world: World): Promise<void> {
  const remove = (path: string) => service.admin({ method: 'DELETE', path: `/api/2.8/demo${path}` });
  for (const map of [world.map, ...world.spare.maps]) await remove(`/${map}/`);
  for (const login of world.spare.logins) await remove(`/users/${login}/`);
  for (const icon of world.spare.icons) await remove(`/icons/${icon}/?force=1`);
}
