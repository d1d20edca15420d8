import type { Queryable } from '@cartulary/database';
import { demandOther, demandTag } from '../http/headers/precondition.js';
import { etagOf } from '../http/reply.js';
import { type Layer, lockData } from '../layers/layers.js';
import { versionsStatement } from './sql/sql.js';
import { guarded } from './write/guard.js';

type Versioned = Pick<Layer, 'id' | 'type'>;

/** The ETag of a version of an object; undefined without one. */
export const objectTag = (layer: Versioned, id: number, version: string | null): string | undefined =>
  version === null ? undefined : etagOf(layer.id, id, version);

/**
 * Throws 412 where If-Match does not name the stored version of one of the objects, or If-None-Match does; `data.object` is its id.
 * From here on nobody else writes objects of the layer until the transaction ends. An object that does not exist is left to the
 * write, which answers 404.
 */
export async function demandObjectTags(
  tx: Queryable,
  layer: Versioned,
  wanted: readonly (readonly [id: number, ifMatch: string | undefined, ifNoneMatch?: string | undefined])[],
): Promise<void> {
  const conditions = new Map(
    wanted.flatMap(([id, ifMatch, ifNoneMatch]) =>
      ifMatch === undefined && ifNoneMatch === undefined ? [] : [[id, { ifMatch, ifNoneMatch }] as const],
    ),
  );
  if (!conditions.size) return;
  await lockData(tx, layer.id);
  const found = await guarded(() =>
    tx.query<{ id: number; version: string | null }>(versionsStatement(layer, [...conditions.keys()])),
  );
  for (const { id, version } of found) {
    const { ifMatch, ifNoneMatch } = conditions.get(id)!;
    const etag = objectTag(layer, id, version);
    demandTag(ifMatch, etag, { object: id });
    demandOther(ifNoneMatch, etag, { object: id });
  }
}
