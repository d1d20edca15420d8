import type { VisualColumn } from '../column.js';
import { findSettingsColumn, opacity } from '../common.js';
import { asObject, choice, color, flag, listField, number, record, text, wrong } from '../fields.js';
import { paletteColor } from '../style/colors.js';
import type { ChartForm } from './chart-shapes.js';

/** Columns of a chart. */
const columnLimit = 20;

export interface ChartColumn {
  id: number;
  code: string;
  color: string;
  /** Bar charts only. */
  label?: string;
}

const fields = record({
  sizeType: choice(1, [1, 2, 3]),
  sizeValue: number(40, 4, 200),
  sizeFrom: number(20, 4, 200),
  sizeTo: number(60, 4, 200),
  showScale: flag(false),
  allowOverlap: flag(true),
  opacity: opacity(0.9),
});
export interface ChartSettings extends ReturnType<typeof fields> {
  sizeColumn: number | null;
  sizeColumnCode: string | null;
  columns: ChartColumn[];
}
const at = 'visualSettings.classesSettings';
const chartColumn = record({ color: color<string | null>(null), label: text('', 200) });

function checkColumns(sent: unknown, columns: readonly VisualColumn[], hasLabels: boolean): ChartColumn[] {
  const read = listField((value, where) => {
    const { id, code } = asObject(value, where);
    const places = { id: `${where}.id`, code: `${where}.code` };
    const column = findSettingsColumn({ id, code }, columns, { at: places, types: ['number'] });
    return { column, ...chartColumn(value, where) };
  }, columnLimit)(sent, `${at}.columns`);
  if (!read?.length) throw wrong(`${at}.columns`, 'required: the columns of the chart, each by id or code');
  return read.map(({ column: { id, code }, color, label }, i) => ({
    id,
    code,
    color: color ?? paletteColor(i),
    ...(hasLabels ? { label } : {}),
  }));
}

/** Returns complete `classesSettings` of a chart. Throws 400 that names the mistake. */
export function checkChart(
  input: Record<string, unknown>,
  columns: readonly VisualColumn[],
  form: ChartForm,
): ChartSettings {
  const checked = fields(input, at);
  if (checked.sizeFrom > checked.sizeTo) throw wrong(`${at}.sizeFrom`, 'at most sizeTo');
  const places = { id: `${at}.sizeColumn`, code: `${at}.sizeColumnCode` };
  const { sizeColumn: id, sizeColumnCode: code } = input;
  const sizes =
    checked.sizeType === 3
      ? findSettingsColumn({ id, code }, columns, { at: places, types: ['number'] })
      : undefined;
  return {
    ...checked,
    sizeColumn: sizes?.id ?? null,
    sizeColumnCode: sizes?.code ?? null,
    columns: checkColumns(input.columns, columns, form === 'bar'),
  };
}
