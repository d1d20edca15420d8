import type { Transaction } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import type { BoxEdges, SR } from '@cartulary/geo';
import { mapInSlices } from '@cartulary/runtime';
import { sql } from '@cartulary/sql';
import { logChanges } from '../../layers/changes.js';
import { keepConstraints } from '../../layers/constraints/constraint-checks.js';
import { demandDictionaries, type Layer, touchObjects } from '../../layers/layers.js';
import { applyFileLists, copyFiles } from '../files.js';
import { objectNotFound } from '../read.js';
import {
  advanceIds,
  type CopySource,
  copyStatement,
  deleteStatement,
  insertStatement,
  type ObjectChange,
  updateStatement,
} from '../sql/write-sql.js';
import { guarded } from './guard.js';
import { askInOrder, inSlices } from './in-order.js';
import { creationOf, type ObjectInput, refuseUnfilled, updateOf } from './input.js';

/** Changes of a layer's objects, carried out in this order. */
export interface Batch {
  delete: readonly number[];
  update: readonly { id: number; input: ObjectInput }[];
  create: readonly ObjectInput[];
}

/**
 * Creates an object and returns its id. Throws `value_invalid`, `required_missing`, `constraint_violated`, and 400 for an
 * unknown column.
 */
export async function createObject(tx: Transaction, layer: Layer, input: ObjectInput): Promise<number> {
  const [id] = await writeBatch(tx, layer, { delete: [], update: [], create: [input] });
  return id!;
}

/**
 * Changes the given parts of an object. `read` runs behind the change and in the same message, and gives the result. Throws
 * as `createObject`, and 404.
 */
export async function updateObject<T>(
  tx: Transaction,
  layer: Layer,
  change: { id: number; input: ObjectInput },
  read: () => Promise<T>,
): Promise<T> {
  const batch = { delete: [], update: [change], create: [] };
  const { answer } = await write(tx, layer, batch, { told: (error) => error, read });
  return answer;
}

/** Changes the geometry of an object, as `updateObject`; null removes it. Throws `value_invalid`, 404. */
export function setGeometry<T>(
  tx: Transaction,
  layer: Layer,
  { id, geom, sr }: { id: number; geom: unknown; sr: SR },
  read: () => Promise<T>,
): Promise<T> {
  return updateObject(
    tx,
    layer,
    { id, input: { fields: {}, geom, sr, languages: { language: '', languages: [] } } },
    read,
  );
}

/** Adds the list and index of the object to an error. */
type AddPosition = (error: unknown, kind: 'update' | 'create', index: number) => unknown;

/**
 * Deletes, changes and creates objects, all or nothing. Returns the ids of the created ones. Throws as the functions for one
 * object.
 */
export async function writeBatch(
  tx: Transaction,
  layer: Layer,
  batch: Batch,
  told: AddPosition = (error) => error,
): Promise<number[]> {
  const { made } = await write(tx, layer, batch, { told, read: async () => {} });
  return made;
}

async function write<T>(
  tx: Transaction,
  layer: Layer,
  batch: Batch,
  { told, read }: { told: AddPosition; read: () => Promise<T> },
): Promise<{ made: number[]; answer: T }> {
  const failed = (kind: 'update' | 'create', index: number) => (error: unknown) => {
    throw told(error, kind, index);
  };
  // Refuses wrong input before it waits for a lock.
  const updates = await mapInSlices(batch.update, async ({ id, input }, i, slices) => {
    const change = await updateOf(layer, id, { input, slices }).catch(failed('update', i));
    return () => guarded(() => update(tx, layer, id, change)).catch(failed('update', i));
  });
  const creations = await mapInSlices(batch.create, async (input, i, slices) => {
    const change = await creationOf(layer, { input, slices }).catch(failed('create', i));
    return () => guarded(() => create(tx, layer, change)).catch(failed('create', i));
  });
  return guarded(async () => {
    const [constrained, removed, written, answer] = await askInOrder([
      touchObjects(tx, layer),
      batch.delete.length ? remove(tx, layer, batch.delete) : [],
      inSlices([...updates, ...creations]),
      read(),
    ]);
    logChanges(tx, layer.id, removed && [...removed, ...written.flatMap(boxesOf)]);
    const ids = written.map(({ id }) => id);
    const rows = sql`t.svc_id = any(${ids}::bigint[])`;
    const removes = updates.length > 0 || batch.delete.length > 0;
    await keepConstraints(tx, { layerId: layer.id, constrained, rows, removes });
    return { made: ids.slice(updates.length), answer };
  });
}

/** A written object: its extents after and before. */
interface WrittenObject {
  id: number;
  box: BoxEdges | null;
  box_before?: BoxEdges | null;
}

/** The row that a statement returns. */
interface WrittenRow extends WrittenObject {
  missing: string[];
}

const boxesOf = ({ box, box_before }: Pick<WrittenObject, 'box' | 'box_before'>): BoxEdges[] =>
  [box, box_before].filter((one) => one !== null && one !== undefined);

async function create(tx: Transaction, layer: Layer, change: ObjectChange): Promise<WrittenObject> {
  const [row] = await tx.query<WrittenRow>(insertStatement(layer, change));
  refuseUnfilled(row!.missing);
  await applyFileLists(tx, { layer, id: row!.id }, change.values);
  return row!;
}

async function update(
  tx: Transaction,
  layer: Layer,
  id: number,
  change: ObjectChange,
): Promise<WrittenObject> {
  const [row] = await tx.query<Omit<WrittenRow, 'id'>>(updateStatement(layer, id, change));
  if (!row) throw objectNotFound(id);
  refuseUnfilled(row.missing);
  await applyFileLists(tx, { layer, id }, change.values);
  return { ...row, id };
}

/** Deletes all of the listed objects, or those of a range. Throws 404 when one of the list, or all of the range, are missing. */
export async function deleteObjects(
  tx: Transaction,
  layer: Layer,
  which: readonly number[] | { first: number; last: number },
): Promise<void> {
  return guarded(async () => {
    const [constrained, removed] = await askInOrder([touchObjects(tx, layer), remove(tx, layer, which)]);
    logChanges(tx, layer.id, removed);
    await keepConstraints(tx, { layerId: layer.id, constrained, rows: sql`false`, removes: true });
  });
}

/** The extents of the deleted objects; undefined where there are too many. */
async function remove(
  tx: Transaction,
  layer: Layer,
  which: readonly number[] | { first: number; last: number },
): Promise<BoxEdges[] | undefined> {
  const [row] = await tx.query<{ deleted: number; boxes: BoxEdges[] | null; missing: number[] | null }>(
    deleteStatement(layer, which),
  );
  const { deleted, boxes, missing } = row!;
  if ('first' in which ? deleted > 0 : deleted === new Set(which).size) return boxes ?? undefined;
  if (!('first' in which) && which.length === 1) throw objectNotFound(...which);
  throw new ServiceError(
    'object_not_found',
    'One of the objects does not exist; none was deleted',
    missing ? { objects: missing } : {},
  );
}

/**
 * Copies an object with its files into a layer (also its own) under the same id, and replaces the object that has it there.
 * Throws 404, `required_missing`, `value_invalid`.
 */
export async function copyObject(tx: Transaction, from: CopySource, to: Layer): Promise<void> {
  demandDictionaries(
    to,
    to.columns.filter(({ code }) => from.layer.columns.some((one) => one.code === code)),
  );
  return guarded(async () => {
    const constrained = await touchObjects(tx, to);
    const files = await copyFiles(tx, from, to);
    const [row] = await tx.query<WrittenRow & { lost: string[] }>(copyStatement(from, to, files));
    if (!row) throw objectNotFound(from.id);
    refuseLost(row.lost);
    refuseUnfilled(row.missing);
    logChanges(tx, to.id, boxesOf(row));
    await tx.query(advanceIds(to, from.id));
    const rows = sql`t.svc_id = ${from.id}::bigint`;
    await keepConstraints(tx, { layerId: to.id, constrained, rows, removes: true });
  });
}

/** Throws `value_invalid` for columns that cannot hold the values of a copy. */
function refuseLost(codes: readonly string[]): void {
  if (!codes.length) return;
  throw new ServiceError(
    'value_invalid',
    `The target cannot hold the values of these columns: ${codes.join(', ')}; nothing was copied`,
    { columns: codes },
  );
}
