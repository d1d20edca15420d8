import { type Column, type ColumnType, checkFormat, userColumnTypes } from '@cartulary/columns';
import type { Queryable, Transaction } from '@cartulary/database';
import { badRequest, ServiceError } from '@cartulary/errors';
import { sql } from '@cartulary/sql';
import { type Caller, mainLanguage } from '../../access/caller.js';
import { carryIntoSearch } from '../../containers/carry-codes.js';
import { arrange, checkStorable, codeTaken, type Sibling, touchMap } from '../../containers/containers.js';
import { changedName, type NameInput, shownName } from '../../containers/names.js';
import { iconNames } from '../../icons/icons.js';
import { refuseConstrained, releaseColumn } from '../constraints/constraint-edit.js';
import { type Layer, ownsObjects, touchData } from '../layers.js';
import { withReaders } from '../readers.js';
import { keepStyle } from '../styles/style.js';
import { renamePopup } from '../styles/vector-settings.js';
import { keepVisual, renameInVisual } from '../visual/change.js';
import { checkColumnCode, isSystemColumn, refuseQuery } from './column-codes.js';
import { addStorage, convertStorage, countLost, dropStorage, type Loss, useFresh } from './storage.js';
import { changesStorage } from './storage-change.js';

export { checkColumnCode } from './column-codes.js';
export { attributesOf, findPlaces, type PackPlace, packAdditions } from './column-packs.js';
export { beforeTable, createFresh, createUnplaced, indexUnplaced, makeRoom, placeTable } from './storage.js';

/** Puts the table of `createFresh` in the place of the layer's, also for the virtual layers that read it. */
export const replaceTable = (
  tx: Transaction,
  layerId: number,
  how: { isKept?: boolean } = {},
): Promise<void> => withReaders(tx, layerId, () => useFresh(tx, layerId, how));

/** The input of a column; an absent key keeps its value. */
export interface ColumnInput {
  code?: string;
  type?: string;
  name?: NameInput;
  required?: boolean;
  localized_name?: boolean;
  localized_value?: boolean;
  sort?: number;
  parent_id?: number;
  format?: unknown;
}

/** A column in the structure of the interface. */
export const columnView = (column: Column, caller: Caller, lng?: string): Record<string, unknown> => ({
  id: column.id,
  sort: column.sort,
  parent_id: column.parent_id ?? 0,
  code: column.code,
  name: shownName(column, [lng, mainLanguage(caller)]),
  required: column.required,
  type: column.type,
  localized_name: column.localized_name,
  localized_value: column.localized_value,
  ...(column.format ? { format: column.format } : {}),
});

const keptColumn = (column: Column, what: string): ServiceError =>
  new ServiceError('code_reserved', `The column '${column.code}' ${what}`, { columns: [column.code] });

function checkType(type: string | undefined): ColumnType {
  if (type === undefined || type === '')
    throw new ServiceError('type_missing', undefined, { required: ['type'] });
  const known = userColumnTypes.find((one) => one === type);
  if (!known) throw badRequest(`type is one of ${userColumnTypes.join(', ')}`, { parameters: ['type'] });
  return known;
}

/** Finds a column of the layer by its code, or by its id in digits. Throws 404. */
export function findColumn(layer: Pick<Layer, 'columns'>, field: string): Column {
  const column = layer.columns.find(({ code, id }) => code === field || String(id) === field);
  if (!column) throw new ServiceError('column_not_found', `The column '${field}' does not exist`);
  return column;
}

/** The parent among the layer's title columns; null: the top level. Throws 400. */
function checkParent(layer: Layer, own: Column | undefined, parentId: number | undefined): number | null {
  if (parentId === undefined) return own?.parent_id ?? null;
  if (parentId === 0) return null;
  const parent = layer.columns.find(({ id }) => id === parentId);
  const wrong = (why: string): ServiceError =>
    badRequest(`parent_id ${parentId} ${why}`, { parent_id: parentId });
  if (parent?.type !== 'title') throw wrong('is no column of the type title');
  for (let up: Column | undefined = parent; up; up = layer.columns.find(({ id }) => id === up?.parent_id)) {
    if (up.id === own?.id) throw wrong('lies in the column itself');
  }
  return parentId;
}

/** The defaults of a column. */
const blank = {
  id: 0,
  parent_id: null,
  name: '',
  names: {},
  localized_name: false,
  localized_value: false,
  required: false,
  format: null,
  sort: 0,
  pack: null,
  slot: null,
};

/**
 * Adds a column. `limit` is the most columns of a layer. Throws `type_missing`, `code_taken`, `code_invalid`,
 * `code_reserved`, 400.
 */
export async function addColumn(
  tx: Transaction,
  at: { layer: Layer; language: string; limit: number },
  input: ColumnInput & { code: string },
): Promise<Column> {
  const { layer } = at;
  refuseQuery(layer, 'are added');
  if (!ownsObjects(layer)) throw badRequest(`A layer of the type '${layer.type}' has no columns`);
  const type = checkType(input.type);
  const code = checkColumnCode(input.code);
  if (layer.columns.some((column) => column.code === code)) throw codeTaken(code);
  if (layer.columns.length >= at.limit)
    throw badRequest(`The layer may have ${at.limit} columns at most`, { columns: [code] });
  const column = changedColumn({ ...blank, code, type }, input, at.language);
  column.parent_id = checkParent(layer, undefined, input.parent_id);
  await raiseVersions(tx, layer);
  const [made] = await tx.query<{ id: number }>(sql`
    insert into cartulary.layer_column (layer_id, code, type) values (${layer.id}, ${code}, ${type}) returning id`);
  column.id = made!.id;
  await withReaders(tx, layer.id, async () => {
    await addStorage(tx, layer.id, column);
    await writeColumn(tx, column);
  });
  await placeColumn(tx, layer.id, column, input.sort);
  return readColumn(tx, column.id);
}

/** Changes a column. `lost`: the number of values that a change of type lost. */
export async function changeColumn(
  tx: Transaction,
  at: { layer: Layer; field: string; language: string; main: string },
  input: ColumnInput,
): Promise<{ column: Column; lost: number }> {
  const { layer } = at;
  const before = findColumn(layer, at.field);
  const type = isSystemColumn(before) && input.type === before.type ? before.type : checkType(input.type);
  const code = input.code === undefined || input.code === before.code ? before.code : input.code;
  if (isSystemColumn(before) && (code !== before.code || type !== before.type || input.localized_value))
    throw keptColumn(before, 'keeps its code and type');
  if (code !== before.code) checkColumnCode(code);
  if (layer.columns.some((other) => other.code === code && other.id !== before.id)) throw codeTaken(code);
  if (code !== before.code || type !== before.type || input.required || input.localized_value)
    refuseQuery(layer, 'keep their code, type and values');
  const after = changedColumn({ ...before, code, type }, input, at.language);
  after.parent_id = checkParent(layer, before, input.parent_id);
  if (code !== before.code || type !== before.type) {
    const columns = layer.columns.map((other) => (other.id === before.id ? after : other));
    keepStyle(layer, columns, before.code, await iconNames(tx, layer.project_id));
  }
  if (type !== before.type) keepVisual(layer, before);

  await raiseVersions(tx, layer);
  const change = { before, after, main: at.main };
  if (changesStorage(change)) await refuseConstrained(tx, before);
  const store = async (): Promise<number> => {
    const count = changesStorage(change) ? await convertStorage(tx, layer.id, change) : 0;
    await writeColumn(tx, after);
    return count;
  };
  const isSeen = changesStorage(change) || code !== before.code;
  const lost = isSeen ? await withReaders(tx, layer.id, store) : await store();
  if (after.code !== before.code) await carryCode(tx, layer, before.code, after);
  if (before.type === 'title' && type !== 'title') await liftChildren(tx, layer, before);
  if (after.parent_id !== before.parent_id) await placeColumn(tx, layer.id, after, input.sort);
  else if (input.sort !== undefined) await placeColumn(tx, layer.id, after, input.sort, before.sort);
  return { column: await readColumn(tx, after.id), lost };
}

/** Carries the new code of a column into the settings that name it. */
async function carryCode(tx: Transaction, layer: Layer, before: string, column: Column): Promise<void> {
  await renamePopup(tx, layer.id, column);
  await renameInVisual(tx, layer, before, column.code);
  await carryIntoSearch(tx, layer.map.id, { layer: layer.code, column: before, code: column.code });
}

/**
 * Counts the values that a change of type or localization would lose, and changes nothing. Throws as `changeColumn` for a type
 * that the column cannot take.
 */
export async function lossOfChange(
  db: Queryable,
  at: { layer: Layer; field: string; main: string },
  input: Pick<ColumnInput, 'type' | 'localized_value'>,
  how: { examples: number; signal: AbortSignal },
): Promise<Loss> {
  const before = findColumn(at.layer, at.field);
  const type = checkType(input.type);
  if (isSystemColumn(before)) throw keptColumn(before, 'keeps its code and type');
  refuseQuery(at.layer, 'keep their code, type and values');
  const localized = type !== 'title' && (input.localized_value ?? before.localized_value);
  const change = { before, after: { ...before, type, localized_value: localized }, main: at.main };
  if (!changesStorage(change))
    return { ...(await countLost(db, at.layer.id, change, how)), lost: 0, examples: [] };
  return countLost(db, at.layer.id, change, how);
}

function changedColumn(before: Column, input: ColumnInput, language: string): Column {
  checkStorable(input);
  const { type } = before;
  return {
    ...before,
    ...changedName(before, input, language),
    // A file is added to an existing object, so a new object could not satisfy a required file column.
    required:
      type !== 'title' && type !== 'file' && before.code !== 'svc_id' && (input.required ?? before.required),
    localized_value: type !== 'title' && (input.localized_value ?? before.localized_value),
    format: input.format === undefined ? before.format : checkFormat(type, input.format),
  };
}

const writeColumn = (tx: Transaction, column: Column): Promise<unknown> =>
  tx.query(sql`
    update cartulary.layer_column set code = ${column.code}, type = ${column.type}, parent_id = ${column.parent_id},
      name = ${column.name}, names = ${JSON.stringify(column.names)}::jsonb, localized_name = ${column.localized_name},
      localized_value = ${column.localized_value}, required = ${column.required},
      format = ${column.format && JSON.stringify(column.format)}::jsonb, pack = ${column.pack ?? null}, slot = ${column.slot ?? null}
    where id = ${column.id}`);

async function readColumn(tx: Queryable, id: number): Promise<Column> {
  const [column] = await tx.query<Column>(sql`select * from cartulary.layer_column where id = ${id}`);
  return column!;
}

/**
 * Deletes a column with its values. The columns below a title move up to its level. Throws 404, and `style_invalid` where the
 * style reads it.
 */
export async function deleteColumn(tx: Transaction, layer: Layer, field: string): Promise<void> {
  const column = findColumn(layer, field);
  if (isSystemColumn(column)) throw keptColumn(column, 'belongs to every layer');
  refuseQuery(layer, 'are taken away');
  const others = layer.columns.filter(({ id }) => id !== column.id);
  keepStyle(layer, others, column.code, await iconNames(tx, layer.project_id));
  keepVisual(layer, column);
  await raiseVersions(tx, layer);
  await renamePopup(tx, layer.id, column, true);
  await releaseColumn(tx, layer, column);
  if (column.type === 'title') await liftChildren(tx, layer, column);
  await withReaders(tx, layer.id, async () => {
    await dropStorage(tx, layer.id, column);
    await tx.query(sql`delete from cartulary.layer_column where id = ${column.id}`);
  });
}

/** Moves the columns below a title to its level, right after it. */
async function liftChildren(tx: Transaction, layer: Layer, title: Column): Promise<void> {
  const order = layer.columns
    .filter(({ parent_id }) => parent_id === title.parent_id)
    .flatMap((column) =>
      column.id === title.id
        ? [column, ...layer.columns.filter(({ parent_id }) => parent_id === title.id)]
        : [column],
    );
  await tx.query(
    sql`update cartulary.layer_column set parent_id = ${title.parent_id} where parent_id = ${title.id}`,
  );
  await numberColumns(
    tx,
    order.map(({ id }) => id),
  );
}

/** Gives a column its place among those of the same parent, as `placeInParent` does for containers. */
async function placeColumn(
  tx: Transaction,
  layerId: number,
  own: Pick<Column, 'id' | 'parent_id'>,
  sort: number | undefined,
  before?: number,
): Promise<void> {
  const siblings = await tx.query<Sibling>(sql`
    select id, sort from cartulary.layer_column
    where layer_id = ${layerId} and parent_id is not distinct from ${own.parent_id}::integer and id <> ${own.id} order by sort, id`);
  await numberColumns(tx, arrange(siblings, { id: own.id, before }, sort));
}

const numberColumns = (tx: Transaction, ids: readonly number[]): Promise<unknown> =>
  tx.query(sql`
    update cartulary.layer_column c set sort = place.sort
    from unnest(${ids}::integer[]) with ordinality as place (id, sort) where c.id = place.id and c.sort <> place.sort`);

/** Runs before any change of the table. Writers of objects take the same locks in this order, so there is no deadlock. */
async function raiseVersions(tx: Transaction, layer: Layer): Promise<void> {
  await touchMap(tx, layer.map.id);
  await touchData(tx, layer.id);
}
