import { isDataError, layerQueryFailed, sqlState } from '@cartulary/database';
import { badRequest, ServiceError } from '@cartulary/errors';
import {
  demandRunning,
  holdsObjects,
  type Layer,
  ownsObjects,
  StructureChanged,
} from '../../layers/layers.js';

/** Throws 400 for a layer without objects, `query_invalid` where its query no longer runs. */
export function demandObjects(layer: Pick<Layer, 'type' | 'code' | 'problem'>): void {
  if (!holdsObjects(layer)) {
    throw badRequest(`The layer '${layer.code}' is of type ${layer.type}: it holds no objects`);
  }
  demandRunning(layer);
}

/** Throws 400 for a layer whose objects callers do not write. */
export function demandWritable(layer: Pick<Layer, 'type' | 'code'>): void {
  if (!ownsObjects(layer)) {
    throw badRequest(`The layer '${layer.code}' is of type ${layer.type}, which is read-only`);
  }
}

/** Errors of the database over a layer's table, by SQLSTATE, as errors of the interface. */
const failures: Readonly<Record<string, () => ServiceError>> = {
  // The layer or a column was deleted or changed after it was found.
  '42P01': () => new ServiceError('layer_not_found'),
  '42703': () => new StructureChanged(),
  '42804': () => new StructureChanged(),
  '42883': () => new StructureChanged(),
  '23502': () => new ServiceError('constraint_violated'),
  '23503': () => new ServiceError('constraint_violated'),
  '23505': () => new ServiceError('constraint_violated'),
  '23514': () => new ServiceError('constraint_violated'),
  '23P01': () => new ServiceError('constraint_violated'),
  // A row is too large for a page, or a number is beyond the range of its type.
  '54000': () => new ServiceError('value_invalid', 'The object is too large to be stored'),
  '22003': () => new ServiceError('value_invalid'),
};

/** Runs work over a layer's table and converts errors of the database to ServiceErrors. */
export async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    const failure = failures[sqlState(error) ?? ''] ?? (isDataError(error) ? layerQueryFailed : undefined);
    throw failure ? Object.assign(failure(), { cause: error }) : error;
  }
}
