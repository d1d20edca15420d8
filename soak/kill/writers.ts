import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { multipart } from '../client.js';
import { png, svg } from '../pictures.js';
import type { Random } from '../random.js';
import type { Service } from '../service.js';
import type { Writer } from './writer.js';

type Values = Record<string, unknown>;

let last = 0;
/** A code that nothing else of the run has. */
const fresh = (prefix: string): string => `${prefix}${++last}`;

const without = (state: Values, key: string): Values =>
  Object.fromEntries(Object.entries(state).filter(([name]) => name !== key));

const place = { type: 'Point', coordinates: [2.3, 48.8] };

/** A map of its own with a layer `a` that has these columns. */
async function makeLayer(service: Service, map: string, columns: Record<string, string>): Promise<string> {
  await service.make('POST', '/', { code: map });
  await service.make('POST', `/${map}/layers/`, { code: 'a' });
  for (const [code, type] of Object.entries(columns))
    await service.make('POST', `/${map}/layers/a/structure/`, { code, type });
  return `/${map}/layers/a/`;
}

interface Found {
  id: number;
  fields: Values;
}

/** All objects of a layer. */
const objectsOf = (service: Service, layer: string, fields = '*'): Promise<Found[]> =>
  service.make('GET', `${layer}objects/?fields=${fields}&limit=50000&sort=svc_id`);

/** `name` → `size` of all objects. */
const namesOf = async (service: Service, layer: string): Promise<Values> =>
  Object.fromEntries((await objectsOf(service, layer)).map(({ fields }) => [fields.name, fields.size]));

async function idOf(service: Service, layer: string, name: string): Promise<number> {
  const [found] = await service.make('GET', `${layer}objects/?fields=name&fcode=name&fval=${name}`);
  return found.id;
}

const layerOf = (map: string): string => `/${map}/layers/a/`;
const sized = { name: 'string', size: 'number' };

const objects: Writer = {
  name: 'objects',
  prepare: async (service) => {
    await makeLayer(service, 'w_objects', sized);
    return {};
  },
  read: (service) => namesOf(service, layerOf('w_objects')),
  plan(state: Values, random) {
    const layer = layerOf('w_objects');
    const names = Object.keys(state);
    const size = random.below(1000);
    if (names.length < 5 || (names.length < 60 && random.chance(0.5))) {
      const name = fresh('o');
      const body = { fields: { name, size }, geom: place };
      return {
        after: { ...state, [name]: size },
        send: (service) => service.make('POST', `${layer}objects/`, body),
      };
    }
    const name = random.pick(names);
    if (random.chance(0.5))
      return {
        after: { ...state, [name]: size },
        send: async (service) =>
          service.make('PUT', `${layer}objects/${await idOf(service, layer, name)}/`, {
            fields: { size },
          }),
      };
    return {
      after: without(state, name),
      send: async (service) => service.make('DELETE', `${layer}objects/${await idOf(service, layer, name)}/`),
    };
  },
};

const batches: Writer = {
  name: 'batches',
  prepare: async (service) => {
    await makeLayer(service, 'w_batches', sized);
    return {};
  },
  read: (service) => namesOf(service, layerOf('w_batches')),
  plan(state: Values, random) {
    const layer = layerOf('w_batches');
    const names = Object.keys(state).sort();
    const size = random.below(1000);
    const made = Array.from({ length: 30 }, () => fresh('b'));
    const removed = names.slice(0, Math.max(0, names.length - 60));
    const changed = names.slice(removed.length, removed.length + 20);
    const kept = Object.fromEntries(Object.entries(state).filter(([name]) => !removed.includes(name)));
    const after = { ...kept, ...Object.fromEntries([...made, ...changed].map((name) => [name, size])) };
    return {
      after,
      async send(service) {
        const ids = new Map(
          (await objectsOf(service, layer, 'name')).map(({ id, fields }) => [fields.name, id]),
        );
        await service.make('POST', `${layer}objects/batch/`, {
          create: made.map((name) => ({ fields: { name, size }, geom: place })),
          update: changed.map((name) => ({ id: ids.get(name), fields: { size } })),
          delete: removed.map((name) => ids.get(name)),
        });
      },
    };
  },
};

const columns: Writer = {
  name: 'columns',
  prepare: async (service) => {
    const layer = await makeLayer(service, 'w_columns', { kept: 'string' });
    const create = Array.from({ length: 200 }, (_, index) => ({ fields: { kept: String(index) } }));
    await service.make('POST', `${layer}objects/batch/`, { create });
    return columns.read(service);
  },
  /** Types by code, and the values of the column that changes its type. */
  async read(service) {
    const structure: Values[] = await service.make('GET', `${layerOf('w_columns')}structure/`);
    const found = await objectsOf(service, layerOf('w_columns'));
    return {
      types: Object.fromEntries(structure.map(({ code, type }) => [code, type])),
      kept: found.map(({ fields }) => fields.kept),
    };
  },
  plan(state: { types: Values; kept: unknown[] }, random) {
    const path = `${layerOf('w_columns')}structure/`;
    const others = Object.keys(state.types).filter((code) => !['svc_id', 'geom', 'kept'].includes(code));
    if (random.chance(0.4)) {
      const type = state.types.kept === 'string' ? 'number' : 'string';
      const kept = state.kept.map((value) => (type === 'number' ? Number(value) : String(value)));
      const after = { types: { ...state.types, kept: type }, kept };
      return { after, send: (service) => service.make('PATCH', `${path}kept/`, { type }) };
    }
    if (others.length < 5) {
      const code = fresh('c');
      const after = { ...state, types: { ...state.types, [code]: 'text' } };
      return { after, send: (service) => service.make('POST', path, { code, type: 'text' }) };
    }
    const code = random.pick(others);
    return {
      after: { ...state, types: without(state.types, code) },
      send: (service) => service.make('DELETE', `${path}${code}/`),
    };
  },
};

/** Layers, folders, virtual and materialized layers: code → type and parent. */
const containers: Writer = {
  name: 'layers and folders',
  prepare: async (service) => {
    const layer = await makeLayer(service, 'w_tree', sized);
    await service.make('POST', `${layer}objects/`, { fields: { name: 'one', size: 1 }, geom: place });
    return containers.read(service);
  },
  async read(service) {
    const tree: Values[] = await service.make('GET', '/w_tree/layers/?type=full');
    const codes = new Map(tree.map(({ id, code }) => [id, code]));
    return Object.fromEntries(
      tree.map(({ code, type, name, parent_id }) => [code, [type, name, codes.get(parent_id) ?? null]]),
    );
  },
  plan(state: Record<string, [string, string, string | null]>, random) {
    const own = Object.keys(state).filter((code) => code !== 'a');
    if (own.length < 4 || (own.length < 15 && random.chance(0.4))) {
      const code = fresh('t');
      const type = random.pick(['layer', 'folder', 'virtual', 'material']);
      const query = 'select svc_id, geom, name from w_tree.a';
      const body = {
        code,
        name: code,
        ...(type === 'folder' ? {} : { type }),
        ...(/v|m/.test(type) ? { json: { query } } : {}),
      };
      const path = type === 'folder' ? '/w_tree/folders/' : '/w_tree/layers/';
      return {
        after: { ...state, [code]: [type, code, null] },
        send: (service) => service.make('POST', path, body),
      };
    }
    const code = random.pick(own);
    const [type, name, parent] = state[code]!;
    const path = `/w_tree/${type === 'folder' ? 'folders' : 'layers'}/${code}/`;
    const folders = own.filter((one) => state[one]![0] === 'folder' && one !== code);
    if (type !== 'folder' && random.chance(0.4) && folders.length) {
      const into = random.pick(folders);
      const send = async (service: Service) => {
        const { id } = await service.make('GET', `/w_tree/folders/${into}/`);
        return service.make('PATCH', path, { parent_id: id });
      };
      return { after: { ...state, [code]: [type, name, into] }, send };
    }
    if (random.chance(0.4)) {
      const named = fresh('n');
      const send = async (service: Service) => {
        const parent_id = type === 'folder' ? (await service.make('GET', '/w_tree/')).id : undefined;
        return service.make('PATCH', path, { name: named, ...(parent_id ? { parent_id } : {}) });
      };
      return { after: { ...state, [code]: [type, named, type === 'folder' ? null : parent] }, send };
    }
    const gone = new Set([code, ...own.filter((one) => state[one]![2] === code)]);
    const after = Object.fromEntries(Object.entries(state).filter(([one]) => !gone.has(one)));
    return { after, send: (service) => service.make('DELETE', path) };
  },
};

const styles: Writer = {
  name: 'styles',
  prepare: async (service) => {
    await makeLayer(service, 'w_styles', sized);
    return styles.read(service);
  },
  read: async (service) => {
    const { css_style, visualSettings } = await service.make('GET', layerOf('w_styles'));
    const { css_style: map } = await service.make('GET', '/w_styles/');
    return { css_style, map, visual: visualSettings?.type ?? null };
  },
  plan(state: Values, random) {
    const color = `#${random.below(0xffffff).toString(16).padStart(6, '0')}`;
    if (random.chance(0.3)) {
      const visual = random.pick([null, 1, 3]);
      const body = { visualSettings: visual && { type: visual, columnCode: 'size' } };
      return {
        after: { ...state, visual },
        send: (service) => service.make('PATCH', layerOf('w_styles'), body),
      };
    }
    const isMap = random.chance(0.5);
    const css_style = isMap ? `Map { background-color: ${color}; }` : `#a { marker-fill: ${color}; }`;
    const after = isMap ? { ...state, map: css_style } : { ...state, css_style };
    return {
      after,
      send: (service) => service.make('PATCH', isMap ? '/w_styles/' : layerOf('w_styles'), { css_style }),
    };
  },
};

const maps: Writer = {
  name: 'maps',
  prepare: async () => ({}),
  read: async (service) => {
    const all: Values[] = await service.make('GET', '/maps/public/');
    return Object.fromEntries(
      all.filter(({ code }) => /^m\d/.test(String(code))).map(({ code, name }) => [code, name]),
    );
  },
  plan(state: Values, random) {
    const codes = Object.keys(state);
    const name = fresh('name');
    if (codes.length < 3 || (codes.length < 10 && random.chance(0.4))) {
      const code = fresh('m');
      return {
        after: { ...state, [code]: name },
        send: (service) => service.make('POST', '/', { code, name }),
      };
    }
    const code = random.pick(codes);
    if (random.chance(0.5))
      return {
        after: { ...state, [code]: name },
        send: (service) => service.make('PATCH', `/${code}/`, { name }),
      };
    return { after: without(state, code), send: (service) => service.make('DELETE', `/${code}/`) };
  },
};

const rights: Writer = {
  name: 'rights',
  prepare: async (service) => {
    await service.make('POST', '/', { code: 'w_rights' });
    for (const login of ['ann', 'bob'])
      await service.make('POST', '/users/', { login, password: 'a-password-of-one' });
    return rights.read(service);
  },
  async read(service) {
    const grants: Values[] = await service.make('GET', '/w_rights/rights/');
    return Object.fromEntries(
      grants.filter(({ user }) => user === 'ann' || user === 'bob').map(({ user, right }) => [user, right]),
    );
  },
  plan(state: Values, random) {
    const [ann, bob] = [random.pick(['view', 'edit']), random.pick(['view', 'edit'])];
    const body = [
      { user: 'ann', right: ann },
      { user: 'bob', right: bob },
    ];
    return {
      after: { ...state, ann, bob },
      send: (service) => service.make('PUT', '/w_rights/rights/', body),
    };
  },
};

const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 12);

async function bytesOf(service: Service, path: string): Promise<Buffer> {
  const answer = await service.admin({ method: 'GET', path: `/api/2.8/demo${path}` });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
  return answer.bytes;
}

/** Names of the files of an object, and what is in each. */
const files: Writer = {
  name: 'files',
  prepare: async (service) => {
    const layer = await makeLayer(service, 'w_files', { photos: 'file' });
    await service.make('POST', `${layer}objects/`, { fields: {} });
    return {};
  },
  async read(service) {
    const all: Values[] = await service.make('GET', `${layerOf('w_files')}objects/1/files/?field=photos`);
    const state: Values = {};
    for (const { name, uuid } of all)
      state[String(name)] = hash(await bytesOf(service, `/files/${uuid}/`).catch(() => Buffer.from('')));
    return state;
  },
  plan(state: Values, random) {
    const path = `${layerOf('w_files')}objects/1/files/`;
    const names = Object.keys(state);
    if (names.length < 3 || (names.length < 12 && random.chance(0.5))) {
      const name = `${fresh('f')}.png`;
      const bytes = png(20 + random.below(100), 20 + random.below(100), [random.below(255), 0, 0]);
      const after = { ...state, [name]: hash(bytes) };
      return {
        after,
        send: (service) => service.upload('POST', `${path}?field=photos`, name, bytes),
      };
    }
    const name = random.pick(names);
    const send = async (service: Service) => {
      const all: Values[] = await service.make('GET', `${path}?field=photos`);
      const { id } = all.find((file) => file.name === name)!;
      return service.make('DELETE', `${path}${id}/?field=photos`);
    };
    return { after: without(state, name), send };
  },
};

/** Names of icons, and the colour of each. */
const icons: Writer = {
  name: 'icons',
  prepare: async () => ({}),
  async read(service) {
    const all: Values[] = await service.make('GET', '/icons/');
    const state: Values = {};
    for (const { name } of all.filter((icon) => /^icon\d/.test(String(icon.name)))) {
      const picture = await bytesOf(service, `/icons/${name}/`).catch(() => Buffer.from(''));
      state[String(name)] = /#[0-9a-f]{6}/.exec(picture.toString())?.[0] ?? 'not there';
    }
    return state;
  },
  plan(state: Values, random) {
    const names = Object.keys(state);
    const color = `#${(0x100000 + random.below(0xe00000)).toString(16)}`;
    if (names.length < 8 || random.chance(0.6)) {
      const name = random.chance(0.5) && names.length ? random.pick(names) : fresh('icon');
      const send = (service: Service) => service.upload('PUT', `/icons/${name}/`, `${name}.svg`, svg(color));
      return { after: { ...state, [name]: color }, send };
    }
    const name = random.pick(names);
    return {
      after: without(state, name),
      send: (service) => service.make('DELETE', `/icons/${name}/`),
    };
  },
};

const features = (generation: number, count: number): string =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: Array.from({ length: count }, (_, index) => ({
      type: 'Feature',
      properties: { generation, index },
      geometry: { type: 'Point', coordinates: [2 + index / 10_000, 48] },
    })),
  });

/** How many objects each import has left: `replace` takes the place of all, else they are added. */
function imports(name: string, map: string, isJob: boolean): Writer {
  const path = layerOf(map);
  return {
    name,
    prepare: async (service) => {
      await makeLayer(service, map, { generation: 'number', index: 'number' });
      return {};
    },
    async read(service) {
      const counts: Record<string, number> = {};
      for (const { fields } of await objectsOf(service, path, 'generation'))
        counts[String(fields.generation)] = (counts[String(fields.generation)] ?? 0) + 1;
      return counts;
    },
    plan(state: Record<string, number>, random) {
      const replaces = Object.keys(state).length > 5 || random.chance(0.3);
      const generation = Number(fresh(''));
      const count = 200 + random.below(isJob ? 4_000 : 1_000);
      const body = multipart({}, 'all.geojson', Buffer.from(features(generation, count)));
      const query = `action=${replaces ? 1 : 2}${isJob ? '&async=1' : ''}`;
      return {
        after: { ...(replaces ? {} : state), [generation]: count },
        async send(service) {
          const answer = await service.admin({
            method: 'POST',
            path: `/api/2.8/demo${path}import/?${query}`,
            ...body,
          });
          if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text.slice(0, 300)}`);
          if (isJob) await jobDone(service, answer.json.id);
        },
      };
    },
  };
}

async function jobDone(service: Service, id: string): Promise<void> {
  for (;;) {
    const { state, error } = await service.make('GET', `/jobs/${id}/`);
    if (state === 'done') return;
    if (state === 'failed' || state === 'cancelled')
      throw new Error(`job ${state}: ${JSON.stringify(error)}`);
    await sleep(30);
  }
}

/** How many features the files of the exports have that were done. */
const exports: Writer = {
  name: 'exports as jobs',
  prepare: async (service) => {
    const layer = await makeLayer(service, 'w_exports', { generation: 'number', index: 'number' });
    await service.upload('POST', `${layer}import/`, 'all.geojson', features(1, 1_500));
    return [];
  },
  async read(service) {
    const counts: number[] = [];
    for (const id of await exportsDone(service)) {
      const file = await bytesOf(service, `/jobs/${id}/file/`);
      counts.push(JSON.parse(file.toString()).features.length);
    }
    return counts;
  },
  plan(state: number[]) {
    if (state.length > 5)
      return {
        after: state.slice(1),
        send: async (service) => service.make('DELETE', `/jobs/${(await exportsDone(service))[0]}/`),
      };
    return {
      after: [...state, 1_500],
      async send(service) {
        const { id } = await service.make('GET', `${layerOf('w_exports')}export/?format=geojson&async=1`);
        await jobDone(service, id);
      },
    };
  },
};

/** The ids of exports that are done. Throws when one has been left without an end. */
async function exportsDone(service: Service): Promise<string[]> {
  const jobs: Values[] = await service.make('GET', '/jobs/?limit=1000');
  const ours = jobs.filter(({ kind }) => kind === 'export');
  const open = ours.find(({ state }) => state === 'queued' || state === 'running');
  if (open) throw new Error(`the export ${open.id} is ${open.state} after a start`);
  return ours.filter(({ state }) => state === 'done').map(({ id }) => String(id));
}

/** Objects copied into another layer: their ids and sizes there. */
const copies: Writer = {
  name: 'copies',
  prepare: async (service) => {
    const layer = await makeLayer(service, 'w_copies', sized);
    const create = Array.from({ length: 50 }, (_, index) => ({
      fields: { name: `s${index}`, size: index },
      geom: place,
    }));
    await service.make('POST', `${layer}objects/batch/`, { create });
    await makeLayer(service, 'w_copied', sized);
    return {};
  },
  read: (service) => namesOf(service, layerOf('w_copied')),
  plan(state: Values, random: Random) {
    const index = random.below(50);
    if (Object.keys(state).length > 40) {
      const send = (service: Service) =>
        service.make('DELETE', `${layerOf('w_copied')}objects/`, { delete_params: '1-50' });
      return { after: {}, send };
    }
    const send = async (service: Service) => {
      const id = await idOf(service, layerOf('w_copies'), `s${index}`);
      const body = { map_code: 'w_copied', layer_code: 'a' };
      return service.make('POST', `${layerOf('w_copies')}objects/${id}/copy/`, body);
    };
    return { after: { ...state, [`s${index}`]: index }, send };
  },
};

export const writers: readonly Writer[] = [
  objects,
  batches,
  columns,
  containers,
  styles,
  maps,
  rights,
  files,
  icons,
  imports('imports', 'w_imports', false),
  imports('imports as jobs', 'w_jobs', true),
  exports,
  copies,
];
