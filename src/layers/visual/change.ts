import type { Queryable } from '../../db/pool.js';
import { sql } from '../../db/sql.js';
import { badRequest, ServiceError } from '../../errors.js';
import { checkLayerStyle, type StyleLayer } from '../../styles/compile.js';
import {
  checkSettings,
  drawingOf,
  readsColumn,
  renameColumn,
  type Visual,
  type VisualSettings,
} from '../../visualizations/visualization.js';
import type { Column, Layer } from '../layers.js';
import { styleLayer } from '../style.js';
import { visualOf } from './fresh.js';

/** What of a visualization can be sent: absent keeps it, null removes it. */
export interface VisualInput {
  visualSettings?: Record<string, unknown> | null;
  visualCustomSettings?: Record<string, unknown> | null;
}

/** What a layer keeps of its visualization. */
export type VisualFields = Pick<Layer, 'visual_settings' | 'visual_classes'>;

/** The visualization after a change of its layer; its classes are made by whoever reads them first. Throws 400. */
export async function changedVisual(
  tx: Queryable,
  before: VisualFields & Pick<Layer, 'code' | 'columns' | 'type'>,
  { visualSettings: sent, visualCustomSettings: custom }: VisualInput,
  icons: ReadonlyMap<string, string>,
): Promise<VisualFields> {
  const { visual_settings, visual_classes, columns } = before;
  if (custom)
    throw badRequest('There is no plugin for custom visualizations', {
      parameters: ['visualCustomSettings'],
    });
  if (sent === undefined) return { visual_settings, visual_classes };
  if (sent === null) return { visual_settings: null, visual_classes: null };
  if (before.type === 'raster' || before.type === 'external')
    throw badRequest('A layer of images has no visualization', { parameters: ['visualSettings'] });
  const known = visualOf(before)?.settings.id;
  const [row] =
    known === undefined
      ? await tx.query<{ id: number }>(sql`select nextval('cartulary.visual_id')::integer as id`)
      : [];
  const settings = checkSettings(sent, columns, known ?? row!.id);
  refuseUndrawable({ settings, statistics: undefined }, before, icons);
  return { visual_settings: settings, visual_classes: null };
}

/** The columns that the style of a visualization can read: those of the layer and its own. */
export function visualStyleLayer(
  visual: Visual,
  code: string,
  columns: readonly Pick<Column, 'code' | 'type'>[],
): StyleLayer {
  const layer = styleLayer(code, columns);
  const made = drawingOf(visual).columns.map(({ name, kind }) => [name, kind] as const);
  return { ...layer, columns: new Map([...(layer.columns ?? []), ...made]) };
}

/** What the settings name beside columns, such as an icon, must be there. Throws 400. */
function refuseUndrawable(
  visual: Visual,
  { code, columns }: Pick<Layer, 'code' | 'columns'>,
  icons: ReadonlyMap<string, string>,
): void {
  const { css } = drawingOf(visual);
  const [problem] = checkLayerStyle(css, visualStyleLayer(visual, code, columns), { icons });
  if (problem)
    throw badRequest(`visualSettings cannot be drawn: ${problem.message}`, {
      parameters: ['visualSettings'],
    });
}

/**
 * Throws `style_invalid` when the layer's visualization reads a column that is taken away or gets another type.
 */
export function keepVisual(layer: Pick<Layer, 'visual_settings'>, column: Pick<Column, 'id' | 'code'>): void {
  const settings = layer.visual_settings as VisualSettings | null;
  if (!settings || !readsColumn(settings, column)) return;
  throw new ServiceError(
    'style_invalid',
    `The visualization of the layer reads the column '${column.code}'`,
    {
      columns: [column.code],
    },
  );
}

/** Carries the new code of a column into the visualization of its layer. */
export async function renameInVisual(
  tx: Queryable,
  layer: Pick<Layer, 'id' | 'visual_settings'>,
  from: string,
  to: string,
): Promise<void> {
  const settings = layer.visual_settings as VisualSettings | null;
  if (!settings || from === to) return;
  const renamed = JSON.stringify(renameColumn(settings, from, to));
  await tx.query(
    sql`update cartulary.container set visual_settings = ${renamed}::jsonb where id = ${layer.id}`,
  );
}
