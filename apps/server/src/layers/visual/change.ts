import { checkLayerStyle, type StyleLayer } from '@cartulary/cartocss';
import type { Column } from '@cartulary/columns';
import type { Queryable } from '@cartulary/database';
import { badRequest, ServiceError } from '@cartulary/errors';
import { sql } from '@cartulary/sql';
import {
  type AnyVisual,
  checkCustom,
  checkSettings,
  drawingOf,
  isCustom,
  readsColumn,
  renameColumn,
} from '@cartulary/visualizations';
import type { Layer } from '../layers.js';
import { styleLayer } from '../styles/style.js';
import { settingsOf } from './stored-classes.js';

/** The input of a visualization: an absent key keeps it, null removes it. */
export interface VisualInput {
  visualSettings?: Record<string, unknown> | null;
  visualCustomSettings?: Record<string, unknown> | null;
}

/** The fields of a visualization in a layer's row. */
export type VisualFields = Pick<Layer, 'visual_settings' | 'visual_custom_settings' | 'visual_classes'>;

export const noVisual: VisualFields = {
  visual_settings: null,
  visual_custom_settings: null,
  visual_classes: null,
};

type Judged = VisualFields & Pick<Layer, 'code' | 'columns' | 'type'>;

/**
 * The visualization after a change of its layer. A layer has at most one, so a new one replaces one of the other kind. The
 * first reader makes its classes. Throws 400.
 */
export async function changedVisual(
  tx: Queryable,
  before: Judged,
  { visualSettings: sent, visualCustomSettings: custom }: VisualInput,
  icons: ReadonlyMap<string, string>,
): Promise<VisualFields> {
  const { visual_settings, visual_custom_settings, visual_classes } = before;
  if (sent && custom)
    throw badRequest('A layer has visualSettings or visualCustomSettings, not both', {
      parameters: ['visualSettings', 'visualCustomSettings'],
    });
  if (sent || custom) {
    const settings = await checkedSettings(tx, before, { sent, custom });
    refuseUndrawable({ settings, statistics: undefined }, before, icons);
    return { ...noVisual, [isCustom(settings) ? 'visual_custom_settings' : 'visual_settings']: settings };
  }
  const goes = (sent === null && visual_settings) || (custom === null && visual_custom_settings);
  return goes ? noVisual : { visual_settings, visual_custom_settings, visual_classes };
}

async function checkedSettings(
  tx: Queryable,
  before: Judged,
  { sent, custom }: { sent: unknown; custom: unknown },
): Promise<AnyVisual['settings']> {
  if (before.type === 'raster' || before.type === 'external')
    throw badRequest('A layer of images has no visualization', {
      parameters: [sent ? 'visualSettings' : 'visualCustomSettings'],
    });
  const known = settingsOf(before)?.id;
  const [row] =
    known === undefined
      ? await tx.query<{ id: number }>(sql`select nextval('cartulary.visual_id')::integer as id`)
      : [];
  const id = known ?? row!.id;
  return sent ? checkSettings(sent, before.columns, id) : checkCustom(custom, before.columns, id);
}

/** `style_mode` shows a visualization first; the style is kept beside it. */
export function withVisual<F extends Pick<Layer, 'css_style' | 'style_mode' | 'simple_style'>>(
  fields: F,
  before: VisualFields,
  visual: VisualFields,
): F & VisualFields {
  const { css_style, style_mode, simple_style } = fields;
  const own = simple_style ? 1 : css_style === '' ? 0 : 2;
  const withoutOne = settingsOf(before) ? own : style_mode;
  const ofVisual = visual.visual_settings ? 3 : visual.visual_custom_settings ? 4 : undefined;
  return { ...fields, ...visual, style_mode: ofVisual ?? withoutOne };
}

/** The columns that the style of a visualization can read: those of the layer and its own. */
export function visualStyleLayer(
  visual: AnyVisual,
  code: string,
  columns: readonly Pick<Column, 'code' | 'type'>[],
): StyleLayer {
  const layer = styleLayer(code, columns);
  const made = drawingOf(visual).columns.map(({ name, kind }) => [name, kind] as const);
  return { ...layer, columns: new Map([...(layer.columns ?? []), ...made]) };
}

/** Throws 400 for unknown references other than columns, such as an icon. */
function refuseUndrawable(
  visual: AnyVisual,
  { code, columns }: Pick<Layer, 'code' | 'columns'>,
  icons: ReadonlyMap<string, string>,
): void {
  const { css } = drawingOf(visual);
  const at = isCustom(visual.settings) ? 'visualCustomSettings' : 'visualSettings';
  const [problem] = checkLayerStyle(css, visualStyleLayer(visual, code, columns), { icons });
  if (problem) throw badRequest(`${at} cannot be drawn: ${problem.message}`, { parameters: [at] });
}

/** Throws `style_invalid` when the layer's visualization reads a column that is removed or changes its type. */
export function keepVisual(
  layer: Pick<Layer, 'visual_settings' | 'visual_custom_settings'>,
  column: Pick<Column, 'id' | 'code'>,
): void {
  const settings = settingsOf(layer);
  if (!settings || !readsColumn(settings, column)) return;
  throw new ServiceError(
    'style_invalid',
    `The visualization of the layer reads the column '${column.code}'`,
    {
      columns: [column.code],
    },
  );
}

/** Carries the new code of a column into the visualization of its layer. A custom one refers to columns by id. */
export async function renameInVisual(
  tx: Queryable,
  layer: Pick<Layer, 'id' | 'visual_settings' | 'visual_custom_settings'>,
  from: string,
  to: string,
): Promise<void> {
  const settings = settingsOf(layer);
  if (!settings || isCustom(settings)) return;
  const renamed = JSON.stringify(renameColumn(settings, from, to));
  await tx.query(
    sql`update cartulary.container set visual_settings = ${renamed}::jsonb where id = ${layer.id}`,
  );
}
