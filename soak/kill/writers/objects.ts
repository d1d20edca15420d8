import type { Random } from '../../random.js';
import type { Service } from '../../service.js';
import type { Writer } from '../writer.js';
import {
  fresh,
  idOf,
  layerOf,
  makeLayer,
  namesOf,
  objectsOf,
  place,
  sized,
  type Values,
  without,
} from './support.js';

export const objects: Writer = {
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

export const batches: Writer = {
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

/** Copies of objects in another layer. State: their ids and sizes. */
export const copies: Writer = {
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
