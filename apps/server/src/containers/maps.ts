import { compileMapStyle } from '@cartulary/cartocss';
import { dropTables, type Queryable } from '@cartulary/database';
import { badRequest } from '@cartulary/errors';
import { sql } from '@cartulary/sql';
import { accountOf, type Caller, mainLanguage } from '../access/caller.js';
import { setPublication } from '../access/grants.js';
import { carryMapCode } from './carry-codes.js';
import { checkCode, claimCode } from './codes.js';
import {
  type Container,
  lockTree,
  type MapContainer,
  mapNotFound,
  selectMaps,
  touchMap,
} from './containers.js';
import { refuseDictionaries, refuseQueryReaders } from './dependents.js';
import { checkRenderSettings, checkSearchSettings, checkStorable } from './limits.js';
import { checkLocales, type LocaleInput } from './locales.js';
import { changedName, type NameInput, shownName } from './names.js';

/** The input of a map; an absent key keeps its value. */
export interface MapInput {
  code?: string;
  name?: NameInput;
  localized_name?: boolean;
  css_style?: string;
  group_layers?: number;
  /** Off: only callers with a grant see the map. */
  publish?: boolean;
  /** Whether the public may view the map. */
  has_publication?: boolean;
  json?: Record<string, unknown>;
  render_settings?: Record<string, unknown>;
  comment?: string;
  show_pub?: boolean;
  sort?: number;
  /** Languages; null or none: those of the project. */
  locales?: readonly LocaleInput[] | null;
}

/** The style of a new map: a light background. */
export const defaultMapStyle = 'Map { background-color: #eef2f3; }';

/** A map in the structure of get-map. */
export const mapView = (map: MapContainer, caller: Caller, lng?: string): Record<string, unknown> => ({
  id: map.id,
  code: map.code,
  name: shownName(map, [lng, mainLanguage(caller)]),
  css_style: map.css_style,
  group_layers: map.group_layers,
  has_publication: map.has_publication,
});

/** The defaults of a map. */
const blank = {
  name: '',
  names: {},
  localized_name: false,
  css_style: defaultMapStyle,
  style_mode: 0,
  group_layers: 0,
  publish: true,
  json: {},
  render_settings: {},
  comment: '',
  show_pub: true,
  locales: null,
} as const satisfies Partial<Container>;

/**
 * Creates a map and opens it to everybody, unless `publish` or `has_publication` is off. The creator may administer it.
 * Throws `code_taken`, `code_reserved`, `code_invalid`, `style_invalid`, 400.
 */
export async function createMap(
  tx: Queryable,
  caller: Caller,
  input: MapInput & { code: string },
  lng?: string,
): Promise<MapContainer> {
  const code = checkCode(input.code, 'map');
  const fields = changedFields(blank, input, lng ?? mainLanguage(caller));
  const projectId = caller.project.id;
  const insert = tx.query<{ id: number }>(sql`
    with made as (select nextval('cartulary.container_id')::integer as id)
    insert into cartulary.container (id, project_id, map_id, type, code, owner_id, sort)
    select id, ${projectId}::integer, id, 'map', ${code}, ${accountOf(caller).id}::integer,
      (select coalesce(max(sort), 0) + 1 from cartulary.container where project_id = ${projectId} and type = 'map')
    from made returning id`);
  const [made] = await claimCode(code, insert);
  const id = made!.id;
  await writeFields(tx, id, { ...fields, code });
  if (input.sort !== undefined) await writeSort(tx, id, input.sort);
  await setPublication(tx, { id, projectId }, input.has_publication ?? true);
  if (!caller.isInstaller) {
    await tx.query(sql`
      insert into cartulary.access_grant (project_id, container_id, account_id, level)
      values (${projectId}, ${id}, ${accountOf(caller).id}, 3)`);
  }
  return readMap(tx, caller, id);
}

/** Changes a map. Throws as `createMap`, and 404 when it was deleted. */
export async function changeMap(
  tx: Queryable,
  caller: Caller,
  map: MapContainer,
  input: MapInput,
  lng?: string,
): Promise<MapContainer> {
  const before = await lockTree(tx, map.id);
  const code = input.code === undefined ? before.code : checkCode(input.code, 'map');
  const fields = changedFields(before, input, lng ?? mainLanguage(caller));
  if (input.json) await checkBaseLayer(tx, map.id, input.json.base_layer);
  await claimCode(code, writeFields(tx, map.id, { ...fields, code }));
  if (input.sort !== undefined) await writeSort(tx, map.id, input.sort);
  if (input.has_publication !== undefined)
    await setPublication(tx, { id: map.id, projectId: map.project_id }, input.has_publication);
  if (code !== before.code) await carryMapCode(tx, map.id);
  await touchMap(tx, map.id);
  return readMap(tx, caller, map.id);
}

/** Throws 400 if the base layer is no layer of the map. */
async function checkBaseLayer(tx: Queryable, mapId: number, id: unknown): Promise<void> {
  if (id === undefined || id === null) return;
  const [layer] = Number.isInteger(id)
    ? await tx.query(sql`
        select from cartulary.container
        where id = ${id}::bigint and map_id = ${mapId} and type not in ('map', 'folder')`)
    : [];
  if (!layer)
    throw badRequest('json.base_layer is the id of a layer of the map', { parameters: ['json.base_layer'] });
}

type MapFields = Pick<Container, Exclude<keyof typeof blank, 'locales'>> & { locales: unknown[] | null };

function changedFields(before: MapFields, input: MapInput, language: string): MapFields {
  checkStorable(input);
  checkRenderSettings(input.render_settings);
  checkSearchSettings(input.json?.search);
  const { css_style } = input;
  if (css_style !== undefined) compileMapStyle(css_style);
  return {
    ...changedName(before, input, language),
    css_style: css_style ?? before.css_style,
    style_mode: css_style === undefined ? before.style_mode : css_style === '' ? 0 : 2,
    group_layers: input.group_layers ?? before.group_layers,
    // A map that is open to the public must be published to be visible.
    publish: input.publish ?? (input.has_publication || before.publish),
    json: input.json ?? before.json,
    render_settings: input.render_settings ?? before.render_settings,
    comment: input.comment ?? before.comment,
    show_pub: input.show_pub ?? before.show_pub,
    locales: input.locales === undefined ? before.locales : checkLocales(input.locales),
  };
}

const writeFields = (tx: Queryable, id: number, map: MapFields & { code: string }): Promise<unknown> =>
  tx.query(sql`
    update cartulary.container set code = ${map.code}, name = ${map.name}, names = ${JSON.stringify(map.names)}::jsonb,
      localized_name = ${map.localized_name}, css_style = ${map.css_style}, style_mode = ${map.style_mode},
      group_layers = ${map.group_layers}, publish = ${map.publish}, comment = ${map.comment}, show_pub = ${map.show_pub},
      json = ${JSON.stringify(map.json)}::jsonb, render_settings = ${JSON.stringify(map.render_settings)}::jsonb,
      locales = ${map.locales && JSON.stringify(map.locales)}::jsonb
    where id = ${id}`);

const writeSort = (tx: Queryable, id: number, sort: number): Promise<unknown> =>
  tx.query(sql`update cartulary.container set sort = ${Math.round(sort)} where id = ${id}`);

async function readMap(tx: Queryable, caller: Caller, id: number): Promise<MapContainer> {
  const [map] = await tx.query<MapContainer>(selectMaps(caller, sql`m.id = ${id}`));
  return map!;
}

/** Deletes a map with all that it holds. Throws 404 when it was deleted already. */
export async function deleteMap(
  tx: Queryable,
  caller: Caller,
  map: Pick<MapContainer, 'id' | 'code'>,
): Promise<void> {
  await lockTree(tx, map.id);
  await dropLayerTables(tx, caller, map.id);
  const deleted = await tx.query(sql`delete from cartulary.container where id = ${map.id} returning id`);
  if (!deleted.length) throw mapNotFound(map.code);
}

/**
 * Drops the tables of the layers in and below a map or folder. Throws as `refuseDictionaries`, and while queries elsewhere
 * read them.
 */
export async function dropLayerTables(tx: Queryable, caller: Caller, containerId: number): Promise<void> {
  const layers = await tx.query<{ id: number; type: string }>(sql`
    with recursive inside as (
      select id, type from cartulary.container where id = ${containerId}
      union all select c.id, c.type from cartulary.container c join inside i on c.parent_id = i.id
    ) select id, type from inside where type in ('layer', 'virtual', 'material') order by id`);
  const ids = layers.map(({ id }) => id);
  // Writers of objects lock in the same order: first the state, then the table. From here on no new query can read the
  // layers.
  await tx.query(sql`
    select from cartulary.layer_state where layer_id = any(${ids}::integer[]) order by layer_id for update`);
  await refuseDictionaries(tx, caller, ids);
  await refuseQueryReaders(tx, caller, ids);
  await dropTables(tx, layers);
}
