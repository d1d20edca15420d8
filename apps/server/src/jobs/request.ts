import type { Database } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import type { Level } from '../access/rights.js';
import { findLayer, type Layer } from '../layers/layers.js';
import type { AcceptedJob } from './jobs.js';

const notStored = ['token', 'f', 'async'];

/** Of the values of a request those that the function knows. */
export function storedParameters<T extends object>(values: T, schema: { properties: object }): T {
  const names = Object.keys(schema.properties).filter((name) => !notStored.includes(name));
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name))) as T;
}

/** The layer in its present state: since the request, rights and columns may have changed, and another layer may have the name. */
export async function layerOfJob(db: Database, { caller, layer }: AcceptedJob, level: Level): Promise<Layer> {
  const now = await findLayer(db, caller, { map: layer.map.code, layer: layer.code }, level);
  if (now.id !== layer.id) throw new ServiceError('layer_not_found', 'The layer was deleted meanwhile');
  return now;
}
