import { compileMapStyle } from '@cartulary/cartocss';
import { isoText } from '@cartulary/columns';
import type { Database, Queryable } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { sql } from '@cartulary/sql';
import { accountOf, type Caller, mainLanguage } from '../../access/caller.js';
import { checkStorable, type MapContainer } from '../../containers/containers.js';
import { containerTag } from '../../containers/etags.js';
import { iconsFor, type LayerInput } from '../edit.js';
import type { Layer } from '../layers.js';
import { changedStyle } from '../styles/style-change.js';
import { changedVisual, withVisual } from '../visual/change.js';
import { classesOfDraft, settingsOf } from '../visual/stored-classes.js';

/** The fields of a layer's row that a draft replaces; those of a map are `css_style` alone. */
export type DraftFields = Pick<Layer, 'css_style'> &
  Partial<
    Pick<
      Layer,
      'style_mode' | 'simple_style' | 'visual_settings' | 'visual_custom_settings' | 'visual_classes'
    >
  >;

/** The part of a change of a layer that a draft may have. */
export type DraftInput = Pick<
  LayerInput,
  'css_style' | 'simpleStyle' | 'visualSettings' | 'visualCustomSettings'
>;

export interface Draft {
  input: DraftInput;
  fields: DraftFields;
  base: string;
  changed_at: string;
}

/** Makes the draft of a change of a layer: checks it as the change itself, and computes the classes that it needs. */
export async function draftOfLayer(
  db: Database,
  caller: Caller,
  layer: Layer,
  input: DraftInput,
): Promise<DraftFields> {
  checkStorable(input);
  const icons = await iconsFor(db, caller, input);
  const style = changedStyle(layer, input, layer.code, icons);
  const fields = withVisual(style, layer, await changedVisual(db, layer, input, icons));
  const settings = settingsOf(fields);
  if (!settings || fields.visual_classes) return fields;
  const visual_classes = await classesOfDraft(db, { layer, main: mainLanguage(caller) }, settings);
  return { ...fields, visual_classes };
}

/** Makes the draft of a map's style. Throws `style_invalid`. */
export function draftOfMap(map: Pick<MapContainer, 'css_style'>, { css_style }: DraftInput): DraftFields {
  if (css_style !== undefined) compileMapStyle(css_style);
  return { css_style: css_style ?? map.css_style };
}

/** Stores the caller's draft of a layer or map in place of an earlier one. */
export async function saveDraft(
  db: Database,
  caller: Caller,
  container: Layer | MapContainer,
  { input, fields }: Pick<Draft, 'input' | 'fields'>,
): Promise<void> {
  await db.shortTransaction((tx) =>
    tx.query(sql`
      insert into cartulary.style_draft (account_id, container_id, input, fields, base)
      values (${accountOf(caller).id}, ${container.id}, ${JSON.stringify(input)}::jsonb, ${JSON.stringify(fields)}::jsonb,
        ${containerTag(container)})
      on conflict (account_id, container_id) do update
        set input = excluded.input, fields = excluded.fields, base = excluded.base, changed_at = clock_timestamp()`),
  );
}

/** The caller's draft of a layer or map. Throws 404. */
export async function findDraft(db: Queryable, caller: Caller, containerId: number): Promise<Draft> {
  const [draft] = await db.query<Draft>(sql`
    select input, fields, base, ${isoText(sql`changed_at`)} as changed_at from cartulary.style_draft
    where account_id = ${accountOf(caller).id} and container_id = ${containerId}`);
  if (!draft) throw new ServiceError('container_not_found', 'There is no draft');
  return draft;
}

/** Removes the caller's draft. Returns whether there was one. */
export async function dropDraft(tx: Queryable, caller: Caller, containerId: number): Promise<boolean> {
  const dropped = await tx.query(sql`
    delete from cartulary.style_draft
    where account_id = ${accountOf(caller).id} and container_id = ${containerId} returning 1`);
  return dropped.length > 0;
}

/** The fields of the caller's drafts of a map and its layers, by the ids of the containers. */
export async function draftsIn(
  db: Queryable,
  caller: Caller,
  mapId: number,
): Promise<Map<number, DraftFields>> {
  const rows = await db.query<{ id: number; fields: DraftFields }>(sql`
    select d.container_id as id, d.fields from cartulary.style_draft d
    join cartulary.container c on c.id = d.container_id
    where d.account_id = ${accountOf(caller).id} and c.map_id = ${mapId}`);
  return new Map(rows.map(({ id, fields }) => [id, fields]));
}

/** The layer with the caller's draft in place of its own style and visualization; the layer itself without a draft. */
export async function withDraft(db: Queryable, caller: Caller, layer: Layer): Promise<Layer> {
  const fields = (await draftsIn(db, caller, layer.map.id)).get(layer.id);
  return fields ? { ...layer, ...fields } : layer;
}
