import type { Queryable } from '@cartulary/database';
import type { FastifyRequest } from 'fastify';
import { containerTag } from '../containers/etags.js';
import { demandTag, ifMatchOf } from '../http/headers/precondition.js';
import { etagOf } from '../http/reply.js';
import { type Column, type Layer, lockLayer } from './layers.js';

/** The ETag of the columns of a layer. */
export const structureTag = ({ id, columns }: Pick<Layer, 'id' | 'columns'>): string =>
  etagOf(id, columns.map(partsOf));

const partsOf = (column: Column): unknown[] => [
  [column.id, column.parent_id, column.sort, column.code, column.type],
  [column.name, column.names, column.localized_name],
  [column.required, column.localized_value, column.format],
];

/** Locks the layer as `lockLayer`. Throws 412 where If-Match does not name the stored version of the layer. */
export async function lockLayerIfMatch(tx: Queryable, layer: Layer, request: FastifyRequest): Promise<void> {
  const ifMatch = ifMatchOf(request);
  if (ifMatch !== undefined) demandTag(ifMatch, containerTag(await lockLayer(tx, layer)));
}

/** Locks the layer as `lockLayer`. Throws 412 where If-Match does not name the stored version of its columns. */
export async function lockStructure(tx: Queryable, layer: Layer, request: FastifyRequest): Promise<Layer> {
  const now = await lockLayer(tx, layer);
  demandTag(ifMatchOf(request), structureTag(now));
  return now;
}
