import { setTimeout as sleep } from 'node:timers/promises';
import { multipart } from '../../client.js';
import type { Service } from '../../service.js';
import type { Writer } from '../writer.js';
import { bytesOf, fresh, layerOf, makeLayer, objectsOf, type Values } from './support.js';

const features = (generation: number, count: number): string =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: Array.from({ length: count }, (_, index) => ({
      type: 'Feature',
      properties: { generation, index },
      geometry: { type: 'Point', coordinates: [2 + index / 10_000, 48] },
    })),
  });

/** Imports. State: the number of objects by import. `replace` removes all earlier ones. */
export function imports(name: string, map: string, isJob: boolean): Writer {
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

/** Exports as jobs. State: the number of features in the file of each completed job. */
export const exports: Writer = {
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

/** Ids of completed exports. Throws if one never ends. */
async function exportsDone(service: Service): Promise<string[]> {
  const jobs: Values[] = await service.make('GET', '/jobs/?limit=1000');
  const ours = jobs.filter(({ kind }) => kind === 'export');
  const open = ours.find(({ state }) => state === 'queued' || state === 'running');
  if (open) throw new Error(`the export ${open.id} is ${open.state} after a start`);
  return ours.filter(({ state }) => state === 'done').map(({ id }) => String(id));
}
