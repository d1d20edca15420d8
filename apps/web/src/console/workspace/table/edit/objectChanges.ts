import type { ColumnDetails } from '@cartulary/client';
import type { RowSource } from '../rows/source.js';
import type { UndoStep } from './EditStore.js';
import type { IdAliases } from './IdAliases.js';
import { type FieldValues, writeBatch } from './objects.js';

/** An object as it is made anew. */
interface WholeObject {
  fields: Record<string, unknown>;
  geom?: unknown;
}

const filterPath = '/api/2.8/{project}/{map}/layers/{layer}/filter/';

/** Reads objects as a whole, in the order of their ids, without their files. */
async function readWhole(
  { client, path, columns, lng }: RowSource,
  ids: readonly number[],
): Promise<(WholeObject & { id: number })[]> {
  const filter = { op: 'in', args: [{ property: 'svc_id' }, ids] };
  const body = { filter, fields: '*', returnGeom: '1', limit: ids.length, lng };
  const found = await client.post(filterPath, { params: { path }, body, isRead: true });
  const isKept = (code: string): boolean => columns.some((one) => one.code === code && one.type !== 'file');
  return found.map(({ id, fields, geom }) => ({
    id,
    fields: Object.fromEntries(
      Object.entries(fields).filter(([code, value]) => isKept(code) && value !== null),
    ),
    ...(geom ? { geom } : {}),
  }));
}

/** Where objects are changed: the layer, and how changes that are taken back find objects that were made anew. */
export interface ChangePlace {
  source: RowSource;
  aliases: IdAliases;
}

/** Takes back that objects were made. */
const removal =
  ({ source, aliases }: ChangePlace, created: readonly number[]) =>
  async (): Promise<void> => {
    await writeBatch(source, { delete: created.map(aliases.now) });
  };

interface Change {
  /** Ids of the objects that it has made. */
  created: number[];
  undo: UndoStep['undo'];
}

/** Makes an object. */
export async function addObject(place: ChangePlace, fields: FieldValues): Promise<Change> {
  const created = await writeBatch(place.source, { create: [{ fields: { ...fields } }] });
  return { created, undo: removal(place, created) };
}

/** Makes copies of objects in the same layer. */
export async function copyObjects(place: ChangePlace, ids: readonly number[]): Promise<Change> {
  const originals = await readWhole(place.source, ids);
  const created = await writeBatch(place.source, { create: originals.map(({ id: _, ...whole }) => whole) });
  return { created, undo: removal(place, created) };
}

/** Deletes objects. Taking it back makes them anew, with other ids and without files. */
export async function deleteObjects(
  { source, aliases }: ChangePlace,
  ids: readonly number[],
): Promise<Change> {
  const originals = await readWhole(source, ids);
  const deleted = originals.map(({ id }) => id);
  await writeBatch(source, { delete: deleted });
  const create = originals.map(({ id: _, ...whole }) => whole);
  const undo = async (): Promise<void> => aliases.add(deleted, await writeBatch(source, { create }));
  return { created: [], undo };
}

/** Gives a column of objects one value. Taking it back restores the value of each. */
export async function changeMany(
  { source, aliases }: ChangePlace,
  ids: readonly number[],
  { code, value }: { code: ColumnDetails['code']; value: unknown },
): Promise<Change> {
  const before = await readWhole(source, ids);
  await writeBatch(source, { update: before.map(({ id }) => ({ id, fields: { [code]: value } })) });
  const undo = async (): Promise<void> => {
    const update = before.map(({ id, fields }) => ({
      id: aliases.now(id),
      fields: { [code]: fields[code] ?? null },
    }));
    await writeBatch(source, { update });
  };
  return { created: [], undo };
}
