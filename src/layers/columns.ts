import { type Caller, mainLanguage } from '../access/caller.js';
import { codeTaken } from '../containers/codes.js';
import { touchMap } from '../containers/containers.js';
import { changedName, type NameInput, shownName } from '../containers/names.js';
import { lockTree } from '../containers/tree.js';
import type { Queryable } from '../db/pool.js';
import { ident, sql } from '../db/sql.js';
import { badRequest, ServiceError } from '../errors.js';
import { type Column, type ColumnType, columnName, type Layer, layerTable, touchData } from './layers.js';
import { checkStyle, styleLayer } from './style.js';
import { checkFormat, columnConversion, sqlType } from './types.js';

/** What can be said of a column; what is absent keeps its value. */
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

const userTypes: readonly string[] = [
  'number',
  'string',
  'text',
  'datetime',
  'bool',
  'file',
  'title',
  'json',
];

/** A column in the structure of the interface. */
export const columnView = (column: Column, caller: Caller, lng?: string): Record<string, unknown> => ({
  id: column.id,
  sort: column.sort,
  parent_id: column.parent_id ?? 0,
  code: column.code,
  name: shownName({ ...column, code: '' }, [lng, mainLanguage(caller)]),
  required: column.required,
  type: column.type,
  localized_name: column.localized_name,
  localized_value: column.localized_value,
  ...(column.format ? { format: column.format } : {}),
});

/** Checks the code of a user column: Latin letters, digits and underscore, no digit first, at most 44. */
export function checkColumnCode(code: string): string {
  if (code === 'svc_id' || code === 'geom')
    throw new ServiceError('code_reserved', `Every layer has the column '${code}'`, { code });
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,43}$/.test(code)) {
    throw new ServiceError(
      'code_invalid',
      'A column code has 1 to 44 Latin letters, digits and underscores, and does not start with a digit',
      { code: code.slice(0, 200) },
    );
  }
  return code;
}

function checkType(type: string | undefined): ColumnType {
  if (type === undefined || type === '')
    throw new ServiceError('type_missing', undefined, { required: ['type'] });
  if (!userTypes.includes(type))
    throw badRequest(`type is one of ${userTypes.join(', ')}`, { parameters: ['type'] });
  return type as ColumnType;
}

/** A column of the layer by its code, or by its id in digits. Throws 404. */
export function findColumn(layer: Pick<Layer, 'columns'>, field: string): Column {
  const column = layer.columns.find(({ code, id }) => code === field || String(id) === field);
  if (!column) throw new ServiceError('column_not_found', `The column '${field}' does not exist`);
  return column;
}

/** The parent among the layer's title columns: null for the top level. Throws 400. */
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

/** Adds a column. Throws `type_missing`, `code_taken`, `code_invalid`, `code_reserved`, 400; `limit` is the most columns of a layer. */
export async function addColumn(
  tx: Queryable,
  at: { layer: Layer; language: string; limit: number },
  input: ColumnInput & { code: string },
): Promise<string> {
  const { layer } = at;
  const type = checkType(input.type);
  const code = checkColumnCode(input.code);
  if (layer.columns.some((column) => column.code === code)) throw codeTaken(code);
  if (layer.columns.length >= at.limit)
    throw badRequest(`A layer has at most ${at.limit} columns`, { columns: [code] });
  const parentId = checkParent(layer, undefined, input.parent_id);
  const name = changedName({ name: '', names: {}, localized_name: false }, input, at.language);
  const format = checkFormat(type, input.format);
  const localized = type !== 'title' && (input.localized_value ?? false);
  const [column] = await tx.query<{ id: number }>(sql`
    insert into cartulary.layer_column (layer_id, parent_id, code, name, names, localized_name, localized_value, required, type, format)
    values (${layer.id}, ${parentId}, ${code}, ${name.name}, ${JSON.stringify(name.names)}::jsonb, ${name.localized_name}, ${localized},
      ${input.required ?? false}, ${type}, ${format === null ? null : JSON.stringify(format)}::jsonb)
    on conflict do nothing returning id`);
  if (!column) throw codeTaken(code);
  if (type !== 'title') {
    const typed = { type, localized_value: localized };
    await tx.query(
      sql`alter table ${layerTable(layer.id)} add column ${ident(`c${column.id}`)} ${sqlType(typed)}`,
    );
  }
  await placeColumn(tx, { layerId: layer.id, id: column.id, parentId }, input.sort);
  await raiseVersions(tx, layer);
  return code;
}

/** Changes a column: its new code and how many values the change of type lost. */
export async function changeColumn(
  tx: Queryable,
  at: { layer: Layer; field: string; language: string; main: string },
  input: ColumnInput,
): Promise<{ code: string; lost: number }> {
  const { layer } = at;
  const column = findColumn(layer, at.field);
  const isOwn = column.code === 'svc_id' || column.code === 'geom';
  const type = isOwn && input.type === column.type ? column.type : checkType(input.type);
  const code =
    input.code === undefined || input.code === column.code ? column.code : checkColumnCode(input.code);
  if (isOwn && (code !== column.code || type !== column.type || input.localized_value)) {
    throw new ServiceError('code_reserved', `The column '${column.code}' keeps its code and type`, {
      columns: [column.code],
    });
  }
  if (code !== column.code && layer.columns.some((other) => other.code === code)) throw codeTaken(code);
  const name = changedName(column, input, at.language);
  const changed: Column = {
    ...column,
    ...name,
    code,
    type,
    parent_id: checkParent(layer, column, input.parent_id),
    localized_value: type !== 'title' && (input.localized_value ?? column.localized_value),
    required: input.required ?? column.required,
    format:
      input.format === undefined
        ? type === column.type
          ? column.format
          : null
        : checkFormat(type, input.format),
  };
  checkStyle(
    layer.css_style,
    styleLayer(
      layer.code,
      layer.columns.map((other) => (other.id === column.id ? changed : other)),
    ),
  );
  const lost = await changeStorage(tx, layer, { before: column, after: changed, main: at.main });
  await tx.query(sql`
    update cartulary.layer_column set code = ${code}, parent_id = ${changed.parent_id}, name = ${name.name}, names = ${JSON.stringify(name.names)}::jsonb,
      localized_name = ${name.localized_name}, localized_value = ${changed.localized_value}, required = ${changed.required}, type = ${type},
      format = ${changed.format === null ? null : JSON.stringify(changed.format)}::jsonb
    where id = ${column.id}`);
  if (column.type === 'title' && type !== 'title') await liftChildren(tx, column);
  if (input.sort !== undefined || changed.parent_id !== column.parent_id) {
    await placeColumn(tx, { layerId: layer.id, id: column.id, parentId: changed.parent_id }, input.sort);
  }
  await raiseVersions(tx, layer);
  return { code, lost };
}

/** Carries the values into a column of the new type, which takes the place of the old: the number of values that became null. */
async function changeStorage(
  tx: Queryable,
  layer: Layer,
  { before, after, main }: { before: Column; after: Column; main: string },
): Promise<number> {
  if (before.type === after.type && before.localized_value === after.localized_value) return 0;
  const table = layerTable(layer.id);
  const old = ident(columnName(before));
  const fresh = ident(`${columnName(before)}_new`);
  if (after.type !== 'title') await tx.query(sql`alter table ${table} add column ${fresh} ${sqlType(after)}`);
  let lost = 0;
  if (before.type !== 'title') {
    const converted = after.type === 'title' ? sql`null` : columnConversion(old, before, after, main);
    const [counted] = await tx.query<{ lost: number }>(
      after.type === 'title'
        ? sql`select count(*)::integer as lost from ${table} where ${old} is not null`
        : sql`
          with changed as (update ${table} set ${fresh} = ${converted} where ${old} is not null returning ${fresh} is null as lost)
          select (count(*) filter (where lost))::integer as lost from changed`,
    );
    lost = counted?.lost ?? 0;
    await tx.query(sql`alter table ${table} drop column ${old}`);
  }
  if (after.type !== 'title') await tx.query(sql`alter table ${table} rename column ${fresh} to ${old}`);
  return lost;
}

/** Deletes a column with its values; the columns of a title come up to its level. Throws 404, and `style_invalid` when the style reads it. */
export async function deleteColumn(tx: Queryable, layer: Layer, field: string): Promise<void> {
  const column = findColumn(layer, field);
  if (column.code === 'svc_id' || column.code === 'geom') {
    throw new ServiceError('code_reserved', `Every layer has the column '${column.code}'`, {
      columns: [column.code],
    });
  }
  checkStyle(
    layer.css_style,
    styleLayer(
      layer.code,
      layer.columns.filter((other) => other.id !== column.id),
    ),
  );
  if (column.type === 'title') await liftChildren(tx, column);
  else await tx.query(sql`alter table ${layerTable(layer.id)} drop column ${ident(columnName(column))}`);
  await tx.query(sql`delete from cartulary.layer_column where id = ${column.id}`);
  await raiseVersions(tx, layer);
}

const liftChildren = (tx: Queryable, title: Column): Promise<unknown> =>
  tx.query(
    sql`update cartulary.layer_column set parent_id = ${title.parent_id} where parent_id = ${title.id}`,
  );

/** Puts a column among those of the same parent, as `placeInParent` does with containers. */
async function placeColumn(
  tx: Queryable,
  at: { layerId: number; id: number; parentId: number | null },
  sort: number | undefined,
): Promise<void> {
  const siblings = await tx.query<{ id: number; sort: number }>(sql`
    select id, sort from cartulary.layer_column
    where layer_id = ${at.layerId} and parent_id is not distinct from ${at.parentId}::integer and id <> ${at.id} order by sort, id`);
  const index = sort === undefined ? -1 : siblings.findIndex((sibling) => sibling.sort >= sort);
  const ids = siblings.map((sibling) => sibling.id);
  ids.splice(index < 0 ? ids.length : index, 0, at.id);
  await tx.query(sql`
    update cartulary.layer_column c set sort = place.sort
    from unnest(${ids}::integer[]) with ordinality as place (id, sort) where c.id = place.id and c.sort <> place.sort`);
}

async function raiseVersions(tx: Queryable, layer: Layer): Promise<void> {
  await touchMap(tx, layer.map.id);
  await touchData(tx, layer.id);
}

/** The layer's columns as they are in this transaction, with the map locked: what a change of structure is judged by. */
export async function lockedLayer(tx: Queryable, layer: Layer): Promise<Layer> {
  await lockTree(tx, layer.map.id);
  const columns = await tx.query<Column>(
    sql`select * from cartulary.layer_column where layer_id = ${layer.id} order by sort, id`,
  );
  return { ...layer, columns };
}
