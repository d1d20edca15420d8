import type { Transaction } from '../db/pool.js';
import { sql } from '../db/sql.js';
import { badRequest, ServiceError } from '../errors.js';
import { mapInSlices, type Slices } from '../event-loop.js';
import type { SR } from '../geo/bbox.js';
import { toEwkb } from '../geo/ewkb.js';
import { checkGeometry } from '../geo/geojson.js';
import type { Edges } from '../geo/join-boxes.js';
import { logChanges } from '../layers/changes.js';
import { keepConstraints } from '../layers/constraint-checks.js';
import { type Column, demandDictionaries, type Layer, touchObjects } from '../layers/layers.js';
import { type AcceptedValue, acceptColumn, valueInvalid } from '../layers/types.js';
import { copyFiles, keepListed } from './files.js';
import { guarded } from './guard.js';
import { inOrder, inSlices } from './in-order.js';
import { objectNotFound } from './read.js';
import {
  advanceIds,
  type Change,
  type CopySource,
  copyStatement,
  deleteStatement,
  insertStatement,
  updateStatement,
} from './write-sql.js';

/** What a caller sends of an object. */
export interface ObjectInput {
  /** Column code → value. */
  fields: Record<string, unknown>;
  /** GeoJSON; null: none; undefined: as it is. */
  geom?: unknown;
  /** The projection of `geom`. */
  sr: SR;
  /** The language of the values of localized columns. */
  language: string;
}

/** What is done to the objects of a layer at once, in this order. */
export interface Batch {
  delete: readonly number[];
  update: readonly { id: number; input: ObjectInput }[];
  create: readonly ObjectInput[];
}

/** Makes an object and gives its id. Throws `value_invalid`, `required_missing`, `constraint_violated`; 400 for a column that is not there. */
export async function createObject(tx: Transaction, layer: Layer, input: ObjectInput): Promise<number> {
  const [id] = await writeBatch(tx, layer, { delete: [], update: [], create: [input] });
  return id!;
}

/** Changes what is given of an object: what `read` gives, which asks behind the change and in one message with it. Throws as `createObject`, and 404. */
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

/** Puts a geometry into an object, as `updateObject`; null removes it. Throws `value_invalid`, 404. */
export function setGeometry<T>(
  tx: Transaction,
  layer: Layer,
  { id, geom, sr }: { id: number; geom: unknown; sr: SR },
  read: () => Promise<T>,
): Promise<T> {
  return updateObject(tx, layer, { id, input: { fields: {}, geom, sr, language: '' } }, read);
}

/** Adds to an error in which object of which list it is. */
type Told = (error: unknown, kind: 'update' | 'create', index: number) => unknown;

/** Deletes, changes and makes objects, all or nothing; the ids of those that were made. Throws as the functions for one. */
export async function writeBatch(
  tx: Transaction,
  layer: Layer,
  batch: Batch,
  told: Told = (error) => error,
): Promise<number[]> {
  const { made } = await write(tx, layer, batch, { told, read: async () => {} });
  return made;
}

async function write<T>(
  tx: Transaction,
  layer: Layer,
  batch: Batch,
  { told, read }: { told: Told; read: () => Promise<T> },
): Promise<{ made: number[]; answer: T }> {
  const failed = (kind: 'update' | 'create', index: number) => (error: unknown) => {
    throw told(error, kind, index);
  };
  // Wrong input is refused before anybody is waited for.
  const updates = await mapInSlices(batch.update, async ({ id, input }, i, slices) => {
    const change = await updateOf(layer, id, { input, slices }).catch(failed('update', i));
    return () => guarded(() => update(tx, layer, id, change)).catch(failed('update', i));
  });
  const creations = await mapInSlices(batch.create, async (input, i, slices) => {
    const change = await creationOf(layer, { input, slices }).catch(failed('create', i));
    return () => guarded(() => create(tx, layer, change)).catch(failed('create', i));
  });
  return guarded(async () => {
    const [constrained, removed, written, answer] = await inOrder([
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

/** What is sent of one of many objects. */
interface Sent {
  input: ObjectInput;
  slices: Slices;
}

async function creationOf(layer: Layer, sent: Sent): Promise<Change> {
  const change = await changeOf(layer, sent);
  const absent = layer.columns.filter(
    (column) => column.required && isWritable(column) && !change.values.has(column),
  );
  if (isGeomRequired(layer) && !change.geom)
    absent.push(...layer.columns.filter(({ type }) => type === 'geom'));
  demandAll(absent.map(({ code }) => code));
  return change;
}

async function updateOf(layer: Layer, id: number, { input, slices }: Sent): Promise<Change> {
  const { svc_id, ...fields } = input.fields;
  if (svc_id !== undefined && svc_id !== id) throw valueInvalid('svc_id', 'cannot be changed');
  const change = await changeOf(layer, { input: { ...input, fields }, slices });
  if (isGeomRequired(layer) && change.geom === null) throw demandAll(['geom']);
  return change;
}

/** An object that was written: the boxes of its shape, now and before. */
interface WrittenObject {
  id: number;
  box: Edges | null;
  box_before?: Edges | null;
}

/** What a statement says of it. */
interface WrittenRow extends WrittenObject {
  missing: string[];
}

const boxesOf = ({ box, box_before }: Pick<WrittenObject, 'box' | 'box_before'>): Edges[] =>
  [box, box_before].filter((one) => one !== null && one !== undefined);

async function create(tx: Transaction, layer: Layer, change: Change): Promise<WrittenObject> {
  const [row] = await tx.query<WrittenRow>(insertStatement(layer, change));
  demandAll(row!.missing);
  await keepListed(tx, { layer, id: row!.id }, change.values);
  return row!;
}

async function update(tx: Transaction, layer: Layer, id: number, change: Change): Promise<WrittenObject> {
  const [row] = await tx.query<Omit<WrittenRow, 'id'>>(updateStatement(layer, id, change));
  if (!row) throw objectNotFound(id);
  demandAll(row.missing);
  await keepListed(tx, { layer, id }, change.values);
  return { ...row, id };
}

/** Deletes all of the listed objects, or those that a range has. Throws 404 when one of the list, or all of the range, are missing. */
export async function deleteObjects(
  tx: Transaction,
  layer: Layer,
  which: readonly number[] | { first: number; last: number },
): Promise<void> {
  return guarded(async () => {
    const [constrained, removed] = await inOrder([touchObjects(tx, layer), remove(tx, layer, which)]);
    logChanges(tx, layer.id, removed);
    await keepConstraints(tx, { layerId: layer.id, constrained, rows: sql`false`, removes: true });
  });
}

/** The boxes of what was there; undefined: too many to be told apart. */
async function remove(
  tx: Transaction,
  layer: Layer,
  which: readonly number[] | { first: number; last: number },
): Promise<Edges[] | undefined> {
  const [row] = await tx.query<{ deleted: number; boxes: Edges[] | null }>(deleteStatement(layer, which));
  const { deleted, boxes } = row!;
  if ('first' in which ? deleted > 0 : deleted === new Set(which).size) return boxes ?? undefined;
  if (!('first' in which) && which.length === 1) throw objectNotFound(...which);
  throw new ServiceError('object_not_found', 'One of the objects does not exist; none was deleted');
}

/** Copies an object with its files into a layer (which may be its own) under the same id, in place of the one that is there. Throws 404, `required_missing`, `value_invalid`. */
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
    demandAll(row.missing);
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

function demandAll(codes: readonly string[]): void {
  if (!codes.length) return;
  throw new ServiceError('required_missing', `Required: ${codes.join(', ')}`, {
    required: codes,
    columns: codes,
  });
}

const isWritable = ({ code, type }: Column): boolean =>
  code !== 'svc_id' && type !== 'geom' && type !== 'title';

const isGeomRequired = (layer: Layer): boolean =>
  layer.columns.some(({ type, required }) => type === 'geom' && required);

async function changeOf(layer: Layer, { input, slices }: Sent): Promise<Change> {
  const { fields, geom, sr, language } = input;
  const values = new Map<Column, AcceptedValue>();
  for (const [code, value] of Object.entries(fields)) {
    const column = layer.columns.find((candidate) => candidate.code === code);
    if (!column) throw badRequest(`fields: the layer has no column '${code}'`, { columns: [code] });
    if (column.code === 'svc_id') throw valueInvalid(code, 'is given by the service');
    if (column.type === 'geom') throw valueInvalid(code, 'is sent as geom, beside fields');
    values.set(column, acceptColumn(column, value, language));
  }
  demandDictionaries(
    layer,
    [...values].flatMap(([column, value]) => (value === null ? [] : [column])),
  );
  return { values, geom: geom === undefined || geom === null ? geom : await shapeOf(geom, sr, slices) };
}

async function shapeOf(geom: unknown, sr: SR, slices: Slices): Promise<Change['geom']> {
  if (slices.isOver()) await slices.next();
  const checked = checkGeometry(geom, sr);
  if (slices.isOver()) await slices.next();
  return { ewkb: toEwkb(checked), sr };
}
