import { failsNow, failsOnData, sqlState } from '../db/pool.js';
import { badRequest, ServiceError } from '../errors.js';
import { demandRunning, holdsObjects, type Layer, ownsObjects, StructureChanged } from '../layers/layers.js';

/** Throws 400 unless the layer shows objects, `query_invalid` where its query cannot be run any more. */
export function demandObjects(layer: Pick<Layer, 'type' | 'code' | 'problem'>): void {
  if (!holdsObjects(layer)) {
    throw badRequest(`The layer '${layer.code}' is of type ${layer.type}: it holds no objects`);
  }
  demandRunning(layer);
}

/** The same before a write. */
export function demandWritable(layer: Pick<Layer, 'type' | 'code'>): void {
  if (!ownsObjects(layer)) {
    throw badRequest(`The layer '${layer.code}' is of type ${layer.type}, which is read-only`);
  }
}

/** What the database says of a statement over a layer's table, in terms of the interface. */
const failures: Readonly<Record<string, () => ServiceError>> = {
  // The layer, or a column of it, has gone or changed since it was found.
  '42P01': () => new ServiceError('layer_not_found'),
  '42703': () => new StructureChanged(),
  '42804': () => new StructureChanged(),
  '42883': () => new StructureChanged(),
  '23502': () => new ServiceError('constraint_violated'),
  '23503': () => new ServiceError('constraint_violated'),
  '23505': () => new ServiceError('constraint_violated'),
  '23514': () => new ServiceError('constraint_violated'),
  '23P01': () => new ServiceError('constraint_violated'),
  // A row that is larger than a page can hold, or a number beyond the range of the stored type.
  '54000': () => new ServiceError('value_invalid', 'The object is too large to be stored'),
  '22003': () => new ServiceError('value_invalid'),
};

/** Runs work over a layer's table; what the database refuses comes as a ServiceError. */
export async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    const failure = failures[sqlState(error) ?? ''] ?? (failsOnData(error) ? failsNow : undefined);
    throw failure ? Object.assign(failure(), { cause: error }) : error;
  }
}
