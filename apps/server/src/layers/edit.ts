import { defaultStyle } from '@cartulary/cartocss';
import type { Queryable, Transaction } from '@cartulary/database';
import { badRequest } from '@cartulary/errors';
import { sql } from '@cartulary/sql';
import { iconPathsIn } from '@cartulary/visualizations';
import { accountOf, type Caller, mainLanguage } from '../access/caller.js';
import { carryCodes, carryIntoSearch } from '../containers/carry-codes.js';
import {
  type Container,
  checkCode,
  checkRenderSettings,
  checkStorable,
  claimCode,
  generateCode,
  lockTree,
  type MapContainer,
  readContainer,
  touchMap,
} from '../containers/containers.js';
import { refuseDictionaries } from '../containers/dependents.js';
import { changedName, type NameInput } from '../containers/names.js';
import { findParent, placeInParent } from '../containers/tree.js';
import { checkIconPaths, iconNames } from '../icons/icons.js';
import { createLayerTable, dropTable } from './columns/storage.js';
import { isQuery, type Layer, lockLayer, ownsObjects, touchData } from './layers.js';
import { breakReaders, refuseLayerReaders } from './readers.js';
import { changedStyle } from './styles/style-change.js';
import { changedVectorSettings, iconPathsOf } from './styles/vector-settings.js';
import { answeredType } from './view.js';
import { changedVisual, noVisual, type VisualFields, type VisualInput, withVisual } from './visual/change.js';

/** The input of a layer; an absent key keeps its value. */
export interface LayerInput extends VisualInput {
  code?: string;
  type?: string;
  name?: NameInput;
  localized_name?: boolean;
  parent_id?: number;
  sort?: number;
  css_style?: string;
  meta?: Record<string, unknown>;
  json?: Record<string, unknown>;
  render_settings?: Record<string, unknown>;
  render_type?: number;
  selected?: boolean;
  icon?: string;
  vectorSettings?: Record<string, unknown>;
  /** null: the CartoCSS that was made from it stays. */
  simpleStyle?: Record<string, unknown> | null;
}

/** The fields of a layer's own row, without its place in the tree. */
type LayerFields = Pick<
  Container,
  | 'code'
  | 'name'
  | 'names'
  | 'localized_name'
  | 'css_style'
  | 'style_mode'
  | 'meta'
  | 'json'
  | 'render_settings'
  | 'render_type'
  | 'selected'
  | 'icon'
  | 'vector_settings'
  | 'simple_style'
>;

const blank: Omit<LayerFields & VisualFields, 'code' | 'css_style'> = {
  name: '',
  names: {},
  localized_name: false,
  style_mode: 0,
  meta: {},
  json: {},
  render_settings: {},
  render_type: 0,
  selected: true,
  icon: '',
  vector_settings: null,
  simple_style: null,
  ...noVisual,
};

/**
 * Creates a layer: of objects with its table, of an image that an import brings, or of a kind that `settleKind` takes from
 * `json`. Throws 404 for a wrong parent, `code_taken`, `code_invalid`, `style_invalid`, 400.
 */
export async function createLayer(
  tx: Transaction,
  caller: Caller,
  map: MapContainer,
  input: LayerInput,
  lng?: string,
): Promise<Container> {
  const type = checkType(input.type);
  await lockTree(tx, map.id);
  const parentId = await findParent(tx, map, input.parent_id);
  const code = input.code === undefined ? generateCode('layer') : checkCode(input.code, 'layer');
  const before = {
    ...blank,
    code,
    css_style: defaultStyle(type === 'raster' || type === 'external' ? 'Raster' : 'Unknown', code),
    columns: [],
    type,
  };
  const icons = await iconsFor(tx, caller, input);
  const fields = changedFields(before, input, lng ?? mainLanguage(caller), icons);
  const visual = await changedVisual(tx, before, input, icons);
  const insert = tx.query<{ id: number }>(sql`
    insert into cartulary.container (project_id, map_id, parent_id, type, code, owner_id)
    values (${map.project_id}, ${map.id}, ${parentId}, ${type}, ${code}, ${accountOf(caller).id})
    returning id`);
  const [made] = await claimCode(code, insert);
  const id = made!.id;
  await writeFields(tx, id, withVisual(fields, before, visual));
  if (ownsObjects({ type })) await createLayerTable(tx, id);
  else await tx.query(sql`insert into cartulary.layer_state (layer_id) values (${id})`);
  await placeInParent(tx, { id, parentId }, input.sort);
  await touchMap(tx, map.id);
  return (await readContainer(tx, id))!;
}

/** Changes a layer, or moves it within its map; its style follows a new code. Throws as `createLayer`. */
export async function changeLayer(
  tx: Transaction,
  caller: Caller,
  layer: Layer,
  input: LayerInput,
  lng?: string,
): Promise<Container> {
  const before = await lockLayer(tx, layer);
  // A client may send back the type that an answer told it.
  if (![undefined, before.type, answeredType(before)].includes(input.type as typeof before.type))
    throw badRequest('The type of a layer cannot be changed', { parameters: ['type'] });
  const parentId =
    input.parent_id === undefined ? before.parent_id! : await findParent(tx, layer.map, input.parent_id);
  // The columns of a new query are not known yet: `saveQuery` checks the style against them.
  const asksAnew =
    isQuery(before) && input.json?.query !== undefined && input.json.query !== before.json.query;
  const judged = asksAnew ? { ...before, columns: [] } : before;
  const icons = await iconsFor(tx, caller, input);
  const fields = changedFields(judged, input, lng ?? mainLanguage(caller), icons);
  const visual = await changedVisual(tx, before, input, icons);
  await claimCode(fields.code, writeFields(tx, layer.id, withVisual(fields, before, visual)));
  if (fields.code !== before.code) {
    await carryCodes(tx, [layer.id]);
    await carryIntoSearch(tx, layer.map.id, { layer: before.code, code: fields.code });
  }
  const moves = parentId !== before.parent_id;
  if (moves)
    await tx.query(sql`update cartulary.container set parent_id = ${parentId} where id = ${layer.id}`);
  if (moves || input.sort !== undefined) {
    const own = { id: layer.id, parentId, before: moves ? undefined : before.sort };
    await placeInParent(tx, own, input.sort);
  }
  await touchMap(tx, layer.map.id);
  return (await readContainer(tx, layer.id))!;
}

/**
 * Deletes a layer with its objects. Its id is never used again. Throws 404 when it was deleted already. Without `force`,
 * throws 400 while other layers use it as a dictionary or queries read it.
 */
export async function deleteLayer(
  tx: Transaction,
  caller: Caller,
  layer: Layer,
  force: boolean,
): Promise<void> {
  await lockLayer(tx, layer);
  // Locks the state before the table, in the order of writers of objects. From here on no new query can read the layer.
  await touchData(tx, layer.id);
  if (!force) {
    await refuseDictionaries(tx, caller, [layer.id]);
    await refuseLayerReaders(tx, caller, layer.id);
  }
  await breakReaders(tx, layer);
  await dropTable(tx, layer);
  await tx.query(sql`delete from cartulary.container where id = ${layer.id}`);
  await touchMap(tx, layer.map.id);
}

/** The types of layers that callers can create. */
const types = ['layer', 'virtual', 'material', 'raster', 'external'] as const;

function checkType(type: string | undefined): (typeof types)[number] {
  const found = types.find((one) => one === (type ?? 'layer'));
  if (found) return found;
  throw badRequest(`Layers of the type '${type}' cannot be made; allowed: ${types.join(', ')}`, {
    parameters: ['type'],
    allowed: [...types],
  });
}

const noIcons: ReadonlyMap<string, string> = new Map();

/** The icons that a new style may use; nothing is read for an input without styles. Throws 400 for an unknown `icon`. */
export async function iconsFor(
  tx: Queryable,
  { project }: Caller,
  { css_style, icon, vectorSettings, simpleStyle, visualSettings, visualCustomSettings }: LayerInput,
): Promise<ReadonlyMap<string, string>> {
  await checkIconPaths(tx, project, [icon, ...iconPathsOf(vectorSettings)]);
  await checkIconPaths(tx, project, iconPathsIn(visualCustomSettings), 'visualCustomSettings.icons');
  const isStyled = css_style !== undefined || simpleStyle || visualSettings || visualCustomSettings;
  return isStyled ? iconNames(tx, project.id) : noIcons;
}

function changedFields(
  before: LayerFields & Pick<Layer, 'columns'>,
  input: LayerInput,
  language: string,
  icons: ReadonlyMap<string, string>,
): LayerFields {
  checkStorable(input);
  checkRenderSettings(input.render_settings);
  const code =
    input.code === undefined || input.code === before.code ? before.code : checkCode(input.code, 'layer');
  return {
    ...changedName(before, input, language),
    code,
    ...changedStyle(before, input, code, icons),
    meta: input.meta ?? before.meta,
    json: input.json ?? before.json,
    render_settings: input.render_settings ?? before.render_settings,
    render_type: input.render_type ?? before.render_type,
    selected: input.selected ?? before.selected,
    icon: input.icon ?? before.icon,
    vector_settings: input.vectorSettings
      ? changedVectorSettings(before.vector_settings, input.vectorSettings, before.columns)
      : before.vector_settings,
  };
}

const json = (value: unknown): string | null => (value ? JSON.stringify(value) : null);

const writeFields = (tx: Queryable, id: number, layer: LayerFields & VisualFields): Promise<unknown> =>
  tx.query(sql`
    update cartulary.container set code = ${layer.code}, name = ${layer.name}, names = ${JSON.stringify(layer.names)}::jsonb,
      localized_name = ${layer.localized_name}, css_style = ${layer.css_style}, style_mode = ${layer.style_mode},
      meta = ${JSON.stringify(layer.meta)}::jsonb, json = ${JSON.stringify(layer.json)}::jsonb,
      render_settings = ${JSON.stringify(layer.render_settings)}::jsonb, render_type = ${layer.render_type},
      selected = ${layer.selected}, icon = ${layer.icon}, vector_settings = ${json(layer.vector_settings)}::jsonb,
      simple_style = ${json(layer.simple_style)}::jsonb, visual_settings = ${json(layer.visual_settings)}::jsonb,
      visual_custom_settings = ${json(layer.visual_custom_settings)}::jsonb,
      visual_classes = ${json(layer.visual_classes)}::jsonb
    where id = ${id}`);
