import { createHash } from 'node:crypto';
import type { Service } from '../../service.js';

export type Values = Record<string, unknown>;

let lastNumber = 0;
/** A code that is unique in the run. */
export const fresh = (prefix: string): string => `${prefix}${++lastNumber}`;

export const without = (state: Values, key: string): Values =>
  Object.fromEntries(Object.entries(state).filter(([name]) => name !== key));

export const place = { type: 'Point', coordinates: [2.3, 48.8] };

/** Creates a map with a layer `a` of these columns. Returns the path of the layer. */
export async function makeLayer(
  service: Service,
  map: string,
  columns: Record<string, string>,
): Promise<string> {
  await service.make('POST', '/', { code: map });
  await service.make('POST', `/${map}/layers/`, { code: 'a' });
  for (const [code, type] of Object.entries(columns))
    await service.make('POST', `/${map}/layers/a/structure/`, { code, type });
  return `/${map}/layers/a/`;
}

export interface StoredObject {
  id: number;
  fields: Values;
}

/** All objects of a layer, by id. */
export const objectsOf = (service: Service, layer: string, fields = '*'): Promise<StoredObject[]> =>
  service.make('GET', `${layer}objects/?fields=${fields}&limit=50000&sort=svc_id`);

/** The state of a layer: `name` → `size` of all objects. */
export const namesOf = async (service: Service, layer: string): Promise<Values> =>
  Object.fromEntries((await objectsOf(service, layer)).map(({ fields }) => [fields.name, fields.size]));

export async function idOf(service: Service, layer: string, name: string): Promise<number> {
  const [found] = await service.make('GET', `${layer}objects/?fields=name&fcode=name&fval=${name}`);
  return found.id;
}

export const layerOf = (map: string): string => `/${map}/layers/a/`;
export const sized = { name: 'string', size: 'number' };

export const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 12);

export async function bytesOf(service: Service, path: string): Promise<Buffer> {
  const answer = await service.admin({ method: 'GET', path: `/api/2.8/demo${path}` });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
  return answer.bytes;
}
