import type { Service } from '../../service.js';
import type { Writer } from '../writer.js';
import { fresh, layerOf, makeLayer, objectsOf, place, sized, type Values, without } from './support.js';

export const columns: Writer = {
  name: 'columns',
  prepare: async (service) => {
    const layer = await makeLayer(service, 'w_columns', { kept: 'string' });
    const create = Array.from({ length: 200 }, (_, index) => ({ fields: { kept: String(index) } }));
    await service.make('POST', `${layer}objects/batch/`, { create });
    return columns.read(service);
  },
  /** Types by code, and the values of the column with changing type. */
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

/** Layers and folders. State: code → type and parent. */
export const containers: Writer = {
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
