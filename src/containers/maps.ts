import { accountOf, type Caller, mainLanguage } from '../access/caller.js';
import { setPublication } from '../access/grants.js';
import type { Queryable } from '../db/pool.js';
import { ident, sql } from '../db/sql.js';
import { badRequest, ServiceError } from '../errors.js';
import { checkMapStyle } from '../styles/compile.js';
import { checkCode, codeTaken } from './codes.js';
import { type MapContainer, publicMayView, rightOnMap, touchMap } from './containers.js';
import { changedName, type NameInput, shownName } from './names.js';

/** What can be said of a map; what is absent keeps its value. */
export interface MapInput {
  code?: string;
  name?: NameInput;
  localized_name?: boolean;
  css_style?: string;
  group_layers?: number;
  publish?: boolean;
  has_publication?: boolean;
  json?: Record<string, unknown>;
  render_settings?: Record<string, unknown>;
  comment?: string;
  show_pub?: boolean;
  sort?: number;
  locales?: unknown[];
}

/** The style of a new map: a quiet background. */
export const defaultMapStyle = 'Map { background-color: #eef2f3; }';

/** A map as get-map shows it. */
export const mapView = (map: MapContainer, caller: Caller, lng?: string): Record<string, unknown> => ({
  id: map.id,
  code: map.code,
  name: shownName(map, [lng, mainLanguage(caller)]),
  css_style: map.css_style,
  group_layers: map.group_layers,
  has_publication: map.has_publication,
});

function checkedStyle(text: string): string {
  const problems = checkMapStyle(text);
  const [first] = problems;
  if (first)
    throw new ServiceError('style_invalid', `Line ${first.line}, column ${first.column}: ${first.message}`, {
      problems,
    });
  return text;
}

/** Makes a map and publishes it to everybody, unless `publish` is off. Throws `code_taken`, `code_reserved`, `code_invalid`, `style_invalid`. */
export async function createMap(
  tx: Queryable,
  caller: Caller,
  input: MapInput & { code: string },
  lng?: string,
): Promise<void> {
  const code = checkCode(input.code, 'map');
  const blank = { name: '', names: {}, localized_name: false };
  const name = changedName(blank, input, lng ?? mainLanguage(caller));
  const style = input.css_style === undefined ? defaultMapStyle : checkedStyle(input.css_style);
  const [map] = await tx.query<{ id: number }>(sql`
    with made as (select nextval('cartulary.container_id')::integer as id)
    insert into cartulary.container (id, project_id, map_id, type, code, name, names, localized_name, css_style, style_mode, publish, owner_id, sort)
    select id, ${caller.project.id}::integer, id, 'map', ${code}, ${name.name}, ${JSON.stringify(name.names)}::jsonb, ${name.localized_name},
      ${style}, ${input.css_style === undefined ? 0 : 2}, ${input.publish ?? true}, ${accountOf(caller).id}::integer,
      (select count(*) + 1 from cartulary.container where project_id = ${caller.project.id} and type = 'map')
    from made
    on conflict do nothing returning id`);
  if (!map) throw codeTaken(code);
  await setPublication(
    tx,
    { id: map.id, projectId: caller.project.id },
    input.has_publication ?? input.publish ?? true,
  );
  await grantOwner(tx, caller, map.id);
  const {
    code: _code,
    name: _name,
    css_style: _style,
    publish: _publish,
    has_publication: _on,
    ...rest
  } = input;
  if (Object.keys(rest).length) await writeFields(tx, map.id, rest);
}

/** Who makes a map may administer it, also when the map is closed to the public. */
async function grantOwner(tx: Queryable, caller: Caller, mapId: number): Promise<void> {
  if (caller.isInstaller) return;
  await tx.query(sql`
    insert into cartulary.access_grant (project_id, container_id, account_id, level)
    values (${caller.project.id}, ${mapId}, ${accountOf(caller).id}, 3)`);
}

/** Changes a map. Throws `code_taken` and what `createMap` throws. */
export async function changeMap(
  tx: Queryable,
  caller: Caller,
  map: MapContainer,
  input: MapInput,
  lng?: string,
): Promise<void> {
  const code = input.code === undefined ? map.code : checkCode(input.code, 'map');
  const name = changedName(map, input, lng ?? mainLanguage(caller));
  const style = input.css_style === undefined ? map.css_style : checkedStyle(input.css_style);
  if (code !== map.code) {
    const [taken] = await tx.query(sql`
      select from cartulary.container where project_id = ${map.project_id} and type = 'map' and code = ${code}`);
    if (taken) throw codeTaken(code);
  }
  await tx.query(sql`
    update cartulary.container set code = ${code}, name = ${name.name}, names = ${JSON.stringify(name.names)}::jsonb,
      localized_name = ${name.localized_name}, css_style = ${style}, style_mode = ${input.css_style === undefined ? map.style_mode : 2}
    where id = ${map.id}`);
  await writeFields(tx, map.id, input);
  if (input.has_publication !== undefined)
    await setPublication(tx, { id: map.id, projectId: map.project_id }, input.has_publication);
  await touchMap(tx, map.id);
}

async function writeFields(tx: Queryable, mapId: number, input: MapInput): Promise<void> {
  if (input.group_layers !== undefined && ![0, 1].includes(input.group_layers))
    throw badRequest('group_layers is 0 or 1', { parameters: ['group_layers'] });
  const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));
  await tx.query(sql`
    update cartulary.container set group_layers = coalesce(${input.group_layers ?? null}, group_layers),
      publish = coalesce(${input.publish ?? null}, publish), comment = coalesce(${input.comment ?? null}, comment),
      show_pub = coalesce(${input.show_pub ?? null}, show_pub), sort = coalesce(${input.sort === undefined ? null : Math.round(input.sort)}, sort),
      json = coalesce(${json(input.json)}::jsonb, json), locales = coalesce(${json(input.locales)}::jsonb, locales),
      render_settings = coalesce(${json(input.render_settings)}::jsonb, render_settings)
    where id = ${mapId}`);
}

/** Deletes a map with all that it holds. */
export async function deleteMap(tx: Queryable, map: MapContainer): Promise<void> {
  await dropLayerTables(tx, map.id, undefined);
  await tx.query(sql`delete from cartulary.container where id = ${map.id}`);
}

/** Drops the tables of a map's layers: of all, or of those in a container and below. */
export async function dropLayerTables(
  tx: Queryable,
  mapId: number,
  within: number | undefined,
): Promise<void> {
  const layers = await tx.query<{ id: number }>(sql`
    with recursive inside as (
      select id, type from cartulary.container where id = ${within ?? mapId}
      union all select c.id, c.type from cartulary.container c join inside i on c.parent_id = i.id
    ) select id from inside where type in ('layer', 'material')`);
  for (const { id } of layers)
    await tx.query(sql`drop table if exists ${ident('cartulary_data', `layer_${id}`)}`);
}

/** Maps of the project that the caller may view, by sort. */
export const viewableMaps = (db: Queryable, caller: Caller): Promise<MapContainer[]> =>
  db.query<MapContainer>(sql`
    select * from (
      select m.*, ${rightOnMap(caller)} as "right", ${publicMayView(sql`m`)} as has_publication
      from cartulary.container m where m.project_id = ${caller.project.id} and m.type = 'map'
    ) m where m."right" >= 1 order by m.sort, m.id`);

/** An item of the list of published maps, with everything the interface names. */
export function publishedMapView(map: MapContainer, caller: Caller, lng?: string): Record<string, unknown> {
  const { languages } = caller.project;
  const locales =
    map.locales ??
    languages.map((code, i) => ({
      id: i + 1,
      code,
      name: new Intl.DisplayNames([code], { type: 'language' }).of(code),
      sort: i + 1,
      container: map.id,
    }));
  return {
    id: map.id,
    type: map.type,
    parent: null,
    code: map.code,
    parent_map: map.code,
    sort: map.sort,
    show_pub: map.show_pub,
    css_style: map.css_style,
    localized_name: map.localized_name,
    name: shownName(map, [lng, mainLanguage(caller)]),
    names: Object.entries(map.names).map(([language, name]) => ({ [language]: name })),
    access: map.right,
    json: map.json,
    comment: map.comment,
    listDepended: [],
    table_id: 0,
    style_mode: map.style_mode,
    render_settings: map.render_settings,
    publish: map.publish,
    group_layers: map.group_layers,
    has_publication: map.has_publication,
    locales,
  };
}
