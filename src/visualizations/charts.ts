import { join, type Sql, sql } from '../db/sql.js';
import { chartIcon, dot, partIcon } from './chart-icon.js';
import { type ChartForm, chartShapes, extraParts } from './chart-shapes.js';
import { isNumber } from './class-sql.js';
import { paletteColor } from './colors.js';
import { findColumn, opacity } from './common.js';
import { classColumn, reachOf, rule, textRules } from './css.js';
import { asObject, choice, color, flag, list, number, record, text, wrong } from './fields.js';
import type { LegendClass, ReadValue, Visual, VisualColumn, VisualKind, VisualSettings } from './kind.js';
import { type SizeRange, sizeOf, sizeSql } from './sizes.js';

/** Most columns of a chart. */
const mostColumns = 20;

interface ChartColumn {
  id: number;
  code: string;
  color: string;
  /** Of bars. */
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
interface Settings extends ReturnType<typeof fields> {
  sizeColumn: number | null;
  sizeColumnCode: string | null;
  columns: ChartColumn[];
}
const own = (settings: VisualSettings): Settings => settings.classesSettings as Settings;

const partColumn = 'visual.part';
const sizeColumn = 'visual.size';
const noDataColor = '#bdbdbd';
const axisColor = '#868e96';

const at = 'visualSettings.classesSettings';
const chartColumn = record({ color: color<string | null>(null), label: text('', 200) });

function checkColumns(sent: unknown, columns: readonly VisualColumn[], hasLabels: boolean): ChartColumn[] {
  const read = list((value, where) => {
    const { id, code } = asObject(value, where);
    const places = { id: `${where}.id`, code: `${where}.code` };
    const column = findColumn({ id, code }, columns, { at: places, types: ['number'] });
    return { column, ...chartColumn(value, where) };
  }, mostColumns)(sent, `${at}.columns`);
  if (!read?.length) throw wrong(`${at}.columns`, 'required: the columns of the chart, each by id or code');
  return read.map(({ column: { id, code }, color, label }, i) => ({
    id,
    code,
    color: color ?? paletteColor(i),
    ...(hasLabels ? { label } : {}),
  }));
}

function checkChart(
  input: Record<string, unknown>,
  columns: readonly VisualColumn[],
  form: ChartForm,
): Settings {
  const checked = fields(input, at);
  if (checked.sizeFrom > checked.sizeTo) throw wrong(`${at}.sizeFrom`, 'at most sizeTo');
  const places = { id: `${at}.sizeColumn`, code: `${at}.sizeColumnCode` };
  const { sizeColumn: id, sizeColumnCode: code } = input;
  const sizes =
    checked.sizeType === 3 ? findColumn({ id, code }, columns, { at: places, types: ['number'] }) : undefined;
  return {
    ...checked,
    sizeColumn: sizes?.id ?? null,
    sizeColumnCode: sizes?.code ?? null,
    columns: checkColumns(input.columns, columns, form === 'bar'),
  };
}

/** Least and greatest width: equal where they are fixed. */
const rangeOf = ({ sizeType, sizeValue, sizeFrom, sizeTo }: Settings): SizeRange =>
  sizeType === 1 ? { least: sizeValue, most: sizeValue } : { least: sizeFrom, most: sizeTo };

/** The value that has the greatest width. */
function highOf({ settings, statistics }: Visual): number | null {
  if (statistics?.kind !== 'range') return null;
  return own(settings).sizeType === 3 ? (statistics.high.at(-1) ?? null) : statistics.sum;
}

/** The greatest distance of a value from 0. */
function extentOf({ settings, statistics }: Visual): number {
  if (statistics?.kind !== 'range') return 1;
  const count = own(settings).columns.length;
  const ends = [...statistics.low.slice(0, count), ...statistics.high.slice(0, count)].map((end) =>
    Math.abs(end ?? 0),
  );
  return Math.max(...ends) || 1;
}

const numbersOf = (settings: VisualSettings, read: ReadValue): Sql[] =>
  own(settings).columns.map(({ id }) => sql`case when ${isNumber(read(id))} then ${read(id)} end`);

function widthSql(visual: Visual, read: ReadValue): Sql {
  const settings = own(visual.settings);
  const { least } = rangeOf(settings);
  if (settings.sizeType === 1) return sql`${least}::double precision`;
  const parts = numbersOf(visual.settings, read).map((part) => sql`greatest(coalesce(${part}, 0), 0)`);
  const value = settings.sizeType === 2 ? sql`(${join(parts, ' + ')})` : read(settings.sizeColumn!);
  return sql`coalesce(${sizeSql(value, highOf(visual), rangeOf(settings))}, ${least}::double precision)`;
}

/** What fills a part. */
function partRules({ settings }: Visual, form: ChartForm): string {
  const { columns, opacity, showScale } = own(settings);
  const { showBorder, borderSettings: border } = settings;
  const edge = showBorder && border.width > 0;
  const line = { 'line-color': border.color, 'line-width': border.width, 'line-opacity': border.opacity };
  const filled = (fill: string) => ({
    'polygon-fill': fill,
    'polygon-opacity': opacity,
    ...(edge ? line : {}),
  });
  const spot = (fill: string, width: number) => ({
    'marker-width': width,
    'marker-fill': fill,
    'marker-fill-opacity': opacity,
    'marker-line-color': border.color,
    'marker-line-width': edge ? border.width : 0,
    'marker-allow-overlap': true,
    'marker-ignore-placement': true,
  });
  const of = (part: number): string => `["${partColumn}" = ${part}]`;
  const stroke = (width: number) => ({ 'line-color': axisColor, 'line-width': width, 'line-join': 'round' });
  return (
    rule(`${of(extraParts.place)}["${classColumn}" = 0]`, spot(noDataColor, 5)) +
    (showScale && form !== 'pie' ? rule(of(extraParts.axes), stroke(0.8)) : '') +
    (form === 'line' ? rule(of(extraParts.path), stroke(1.5)) : '') +
    columns.map(({ color }, i) => rule(of(i + 1), form === 'line' ? spot(color, 6) : filled(color))).join('')
  );
}

/** Types 4 to 6: a small chart per object, with a part for each of several columns. */
export const chart = (form: ChartForm): VisualKind => {
  const kind: VisualKind = {
    check: (input, columns) => ({ ...checkChart(input, columns, form) }),

    wanted({ classesSettings }) {
      const { columns, sizeColumn } = classesSettings as Settings;
      const ids = columns.map(({ id }) => id);
      return { kind: 'range', columns: sizeColumn === null ? ids : [...ids, sizeColumn], summed: ids.length };
    },

    draw(visual) {
      const { settings } = visual;
      const { allowOverlap, showScale, sizeType } = own(settings);
      const { most } = rangeOf(own(settings));
      // Where the size tells the amount, the height is that of the object's own greatest value.
      const scale = sizeType === 1 ? sql`${extentOf(visual)}::double precision` : sql`null::double precision`;
      const names = [classColumn, sizeColumn];
      const below = form === 'pie' ? `[${sizeColumn}] / 2 + 2` : 2;
      return {
        css:
          partRules(visual, form) + textRules(settings, below, [], `["${partColumn}" = ${extraParts.place}]`),
        columns: [
          { name: classColumn, kind: 'number', sql: (read) => kind.classSql(visual, read) },
          { name: sizeColumn, kind: 'number', sql: (read) => widthSql(visual, read) },
          { name: partColumn, kind: 'number', sql: () => sql`0` },
        ],
        place: 'point',
        largestFirst: sizeColumn,
        sample: Object.fromEntries(names.map((name) => [name, 1])),
        reach: reachOf(form === 'pie' ? most : 2 * most, settings),
        icon: { part: partColumn, shapes: chartIcon(form, own(settings).columns.length) },
        parts: {
          part: partColumn,
          class: (read) => kind.classSql(visual, read),
          size: (read) => widthSql(visual, read),
          values: (read) => numbersOf(settings, read),
          scale,
          shapes: chartShapes(form, showScale),
          apart: allowOverlap ? null : most,
          lift: form === 'pie' ? 0 : 0.5,
        },
      };
    },

    /** 1: has a chart; 0: has nothing to show. */
    classSql({ settings }, read) {
      const some = numbersOf(settings, read).map((part) =>
        form === 'pie' ? sql`${part} > 0` : sql`${part} is not null`,
      );
      return sql`case when ${join(some, ' or ')} then 1 else 0 end`;
    },

    legend(visual) {
      const { statistics, settings } = visual;
      const { columns, opacity } = own(settings);
      const ends = (list: readonly (number | null)[]): number[] =>
        list.slice(0, columns.length).filter((end) => end !== null);
      const [low, high] =
        statistics?.kind === 'range' ? [ends(statistics.low), ends(statistics.high)] : [[], []];
      const parts = columns.map(
        ({ id, code, color, label }, i): LegendClass => ({
          class: -1,
          value: code,
          fill: color,
          isIcon: false,
          opacity,
          column: id,
          sample: { values: { [classColumn]: 1 }, shapes: partIcon(form, i + 1) },
          ...(label ? { text: () => label } : {}),
        }),
      );
      const size = Number(sizeOf(highOf(visual) ?? 0, highOf(visual), rangeOf(own(settings))).toFixed(2));
      return {
        minValue: low.length ? Math.min(...low) : null,
        maxValue: high.length ? Math.max(...high) : null,
        side: 24,
        classes: [
          ...parts.map((part) => ({ ...part, size })),
          {
            class: 0,
            value: null,
            fill: noDataColor,
            isIcon: false,
            opacity,
            size: 5,
            sample: { values: { [classColumn]: 0 }, shapes: [dot(extraParts.place)] },
          },
        ],
      };
    },

    codes: (settings) => [
      ...own(settings).columns.map(({ code }) => code),
      ...[own(settings).sizeColumnCode ?? []].flat(),
    ],

    renamed(settings, from, to) {
      const { columns, sizeColumnCode, ...rest } = own(settings);
      const renamed = (code: string): string => (code === from ? to : code);
      return {
        ...rest,
        sizeColumnCode: sizeColumnCode === null ? null : renamed(sizeColumnCode),
        columns: columns.map((column) => ({ ...column, code: renamed(column.code) })),
      };
    },
  };
  return kind;
};
