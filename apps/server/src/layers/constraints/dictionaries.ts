import type { Column } from '@cartulary/columns';
import type { Database, Queryable } from '@cartulary/database';
import { badRequest, ServiceError } from '@cartulary/errors';
import { empty, type Sql, sql } from '@cartulary/sql';
import type { Caller } from '../../access/caller.js';
import { rightOnLayer } from '../../containers/containers.js';
import { findColumn } from '../columns/columns.js';
import { findLayer, type Layer, ownsObjects } from '../layers.js';
import type { LinkInput } from './dictionary-schemas.js';

/** A link from a column to its dictionary. */
export interface DictionaryLink {
  map_code: string;
  layer_code: string;
  column_code: string;
  dict_map_code: string;
  dict_layer_code: string;
  dict_column_code: string;
}

/** Values must be in the dictionary. */
export interface StrictLink extends DictionaryLink {
  constraint_name: string;
}

/** Values of the dictionary are suggested. */
export interface Hint extends DictionaryLink {
  /** Ids of the map, the layer and the column, joined by underscores. */
  id: string;
  match_type: 'equal' | 'prefix' | 'contains';
  multi_delimiter: string;
}

/** Selects the links of a map, or of one layer of it. */
interface LinkScope {
  mapId: number;
  layerId?: number | undefined;
}

const codes = sql`m.code as map_code, l.code as layer_code, c.code as column_code,
  dm.code as dict_map_code, dl.code as dict_layer_code, d.code as dict_column_code`;

/** Joins the column `c` to its dictionary `d`. The caller may view both layers, or the link is left out. */
function joined(caller: Caller, { mapId, layerId }: LinkScope): Sql {
  const may = (map: Sql, layer: Sql): Sql => rightOnLayer(caller, map, layer);
  return sql`
    join cartulary.container l on l.id = c.layer_id join cartulary.container m on m.id = l.map_id
    join cartulary.container dl on dl.id = d.layer_id join cartulary.container dm on dm.id = dl.map_id
    where l.map_id = ${mapId}${layerId === undefined ? empty : sql` and l.id = ${layerId}`}
      and ${may(sql`m`, sql`l`)} >= 1 and ${may(sql`dm`, sql`dl`)} >= 1`;
}

/** The strict links that the caller may see. */
export const strictLinks = (db: Queryable, caller: Caller, whose: LinkScope): Promise<StrictLink[]> =>
  db.query<StrictLink>(sql`
    select k.name as constraint_name, ${codes} from cartulary.layer_constraint k
    join cartulary.layer_column c on c.id = k.column_ids[1] join cartulary.layer_column d on d.id = k.dict_column_id
    ${joined(caller, whose)} order by l.sort, l.id, k.name`);

/** The suggestions that the caller may see. */
export const hints = (db: Queryable, caller: Caller, whose: LinkScope): Promise<Hint[]> =>
  db.query<Hint>(sql`
    select concat_ws('_', m.id, l.id, c.id) as id, h.match_type, h.multi_delimiter, ${codes}
    from cartulary.dictionary_hint h
    join cartulary.layer_column c on c.id = h.column_id join cartulary.layer_column d on d.id = h.dict_column_id
    ${joined(caller, whose)} order by l.sort, l.id, c.sort, c.id`);

/** A column that serves as a dictionary. */
interface Dictionary {
  layerId: number;
  column: Column;
}

/** The dictionary that a body names, if the caller may view it. `map`: that of the column. */
export async function findDictionary(
  db: Database,
  caller: Caller,
  map: string,
  body: Pick<LinkInput, 'dict_map_code' | 'dict_layer_code' | 'dict_column_code'>,
): Promise<Dictionary & { layer: Layer }> {
  const at = { map: body.dict_map_code ?? map, layer: body.dict_layer_code };
  const layer = await findLayer(db, caller, at, 'view');
  return { layer, layerId: layer.id, column: findColumn(layer, body.dict_column_code) };
}

/** The same, of a strict link. Throws 400 for a query: its result can change without a write that could be checked. */
export async function findStrictDictionary(...named: Parameters<typeof findDictionary>): Promise<Dictionary> {
  const { layer, ...dictionary } = await findDictionary(...named);
  if (!ownsObjects(layer)) throw badRequest('A strict dictionary is a layer of objects, not a query');
  return dictionary;
}

/** Sets the dictionary that suggests values for a column. */
export async function putHint(
  tx: Queryable,
  column: Column,
  hint: { dictionary: Column; match_type: Hint['match_type']; multi_delimiter: string },
): Promise<void> {
  await tx.query(sql`
    insert into cartulary.dictionary_hint (column_id, dict_column_id, match_type, multi_delimiter)
    values (${column.id}, ${hint.dictionary.id}, ${hint.match_type}, ${hint.multi_delimiter})
    on conflict (column_id) do update set dict_column_id = excluded.dict_column_id,
      match_type = excluded.match_type, multi_delimiter = excluded.multi_delimiter`);
}

/** Removes the suggestions of a column. Throws 404 when it has none. */
export async function removeHint(tx: Queryable, column: Column): Promise<void> {
  const [gone] = await tx.query(
    sql`delete from cartulary.dictionary_hint where column_id = ${column.id} returning column_id`,
  );
  if (!gone) throw new ServiceError('container_not_found', `The column '${column.code}' has no dictionary`);
}
