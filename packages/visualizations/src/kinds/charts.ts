import { join, type Sql, sql } from '@cartulary/sql';
import { isNumber } from '../classes/class-sql.js';
import type { ReadValue, VisualColumn } from '../column.js';
import type { PartSource, VisualDrawing } from '../drawing.js';
import type { Visual, VisualKind, VisualSettings } from '../kind.js';
import type { Legend, LegendClass } from '../legend.js';
import type { WantedStatistics } from '../statistics.js';
import { classColumn, markerReach, rule, textRules } from '../style/css.js';
import { type SizeRange, sizeOf, sizeSql } from '../style/sizes.js';
import { chartIcon, dot, partIcon } from './chart-icon.js';
import { type ChartColumn, type ChartSettings, checkChart } from './chart-settings.js';
import { type ChartForm, chartShapes, extraParts } from './chart-shapes.js';

const own = (settings: VisualSettings): ChartSettings => settings.classesSettings as ChartSettings;

const partColumn = 'visual.part';
const sizeColumn = 'visual.size';
const noDataColor = '#bdbdbd';
const axisColor = '#868e96';

/** Minimum and maximum width, equal for a fixed width. */
const rangeOf = ({ sizeType, sizeValue, sizeFrom, sizeTo }: ChartSettings): SizeRange =>
  sizeType === 1 ? { minPx: sizeValue, maxPx: sizeValue } : { minPx: sizeFrom, maxPx: sizeTo };

/** The value with the maximum width. */
function highOf({ settings, statistics }: Visual): number | null {
  if (statistics?.kind !== 'range') return null;
  return own(settings).sizeType === 3 ? (statistics.high.at(-1) ?? null) : statistics.sum;
}

/** The largest absolute value. */
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
  const { minPx: least } = rangeOf(settings);
  if (settings.sizeType === 1) return sql`${least}::double precision`;
  const parts = numbersOf(visual.settings, read).map((part) => sql`greatest(coalesce(${part}, 0), 0)`);
  const value = settings.sizeType === 2 ? sql`(${join(parts, ' + ')})` : read(settings.sizeColumn!);
  return sql`coalesce(${sizeSql(value, highOf(visual), rangeOf(settings))}, ${least}::double precision)`;
}

/** Rules that draw the parts. */
function partRules({ settings }: Visual, form: ChartForm): string {
  const { columns, opacity, showScale } = own(settings);
  const { showBorder, borderSettings: border } = settings;
  const hasEdge = showBorder && border.width > 0;
  const line = { 'line-color': border.color, 'line-width': border.width, 'line-opacity': border.opacity };
  const filled = (fill: string) => ({
    'polygon-fill': fill,
    'polygon-opacity': opacity,
    ...(hasEdge ? line : {}),
  });
  const spot = (fill: string, width: number) => ({
    'marker-width': width,
    'marker-fill': fill,
    'marker-fill-opacity': opacity,
    'marker-line-color': border.color,
    'marker-line-width': hasEdge ? border.width : 0,
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

/** Types 4 to 6: a small chart per object with a part for each of several columns. */
class ChartKind implements VisualKind {
  readonly #form: ChartForm;

  constructor(form: ChartForm) {
    this.#form = form;
  }

  check(input: Record<string, unknown>, columns: readonly VisualColumn[]): Record<string, unknown> {
    return { ...checkChart(input, columns, this.#form) };
  }

  wanted(settings: VisualSettings): WantedStatistics {
    const { columns, sizeColumn } = own(settings);
    const ids = columns.map(({ id }) => id);
    return { kind: 'range', columns: sizeColumn === null ? ids : [...ids, sizeColumn], summed: ids.length };
  }

  draw(visual: Visual): VisualDrawing {
    const form = this.#form;
    const { settings } = visual;
    const { maxPx } = rangeOf(own(settings));
    const names = [classColumn, sizeColumn];
    const labelOffset = form === 'pie' ? `[${sizeColumn}] / 2 + 2` : 2;
    const labels = textRules(settings, labelOffset, [], `["${partColumn}" = ${extraParts.place}]`);
    return {
      css: partRules(visual, form) + labels,
      columns: [
        { name: classColumn, kind: 'number', sql: (read) => this.classSql(visual, read) },
        { name: sizeColumn, kind: 'number', sql: (read) => widthSql(visual, read) },
        { name: partColumn, kind: 'number', sql: () => sql`0` },
      ],
      place: 'point',
      largestFirst: sizeColumn,
      sample: Object.fromEntries(names.map((name) => [name, 1])),
      reachPx: markerReach(form === 'pie' ? maxPx : 2 * maxPx, settings),
      icon: { part: partColumn, shapes: chartIcon(form, own(settings).columns.length) },
      parts: this.#parts(visual),
    };
  }

  #parts(visual: Visual): PartSource {
    const { settings } = visual;
    const { allowOverlap, showScale, sizeType } = own(settings);
    return {
      part: partColumn,
      class: (read) => this.classSql(visual, read),
      sizePx: (read) => widthSql(visual, read),
      values: (read) => numbersOf(settings, read),
      // Where the size shows the amount, the full height is the object's own largest value.
      scale: sizeType === 1 ? sql`${extentOf(visual)}::double precision` : sql`null::double precision`,
      shapes: chartShapes(this.#form, showScale),
      minSpacingPx: allowOverlap ? null : rangeOf(own(settings)).maxPx,
      lift: this.#form === 'pie' ? 0 : 0.5,
    };
  }

  /** 1: an object with a chart. 0: an object without values. */
  classSql({ settings }: Visual, read: ReadValue): Sql {
    const some = numbersOf(settings, read).map((part) =>
      this.#form === 'pie' ? sql`${part} > 0` : sql`${part} is not null`,
    );
    return sql`case when ${join(some, ' or ')} then 1 else 0 end`;
  }

  legend(visual: Visual): Legend {
    const { statistics, settings } = visual;
    const { columns, opacity } = own(settings);
    const ends = (list: readonly (number | null)[]): number[] =>
      list.slice(0, columns.length).filter((end) => end !== null);
    const [low, high] =
      statistics?.kind === 'range' ? [ends(statistics.low), ends(statistics.high)] : [[], []];
    const largest = highOf(visual);
    const size = Number(sizeOf(largest ?? 0, largest, rangeOf(own(settings))).toFixed(2));
    const parts = columns.map((column, i) => ({ ...partEntry(column, this.#form, i + 1), opacity, size }));
    const noData: LegendClass = {
      class: 0,
      value: null,
      fill: noDataColor,
      isIcon: false,
      opacity,
      size: 5,
      sample: { values: { [classColumn]: 0 }, shapes: [dot(extraParts.place)] },
    };
    return {
      minValue: low.length ? Math.min(...low) : null,
      maxValue: high.length ? Math.max(...high) : null,
      side: 24,
      classes: [...parts, noData],
    };
  }

  codes(settings: VisualSettings): string[] {
    const { columns, sizeColumnCode } = own(settings);
    return [...columns.map(({ code }) => code), ...(sizeColumnCode === null ? [] : [sizeColumnCode])];
  }

  renamed(settings: VisualSettings, from: string, to: string): object {
    const { columns, sizeColumnCode, ...rest } = own(settings);
    const renamed = (code: string): string => (code === from ? to : code);
    return {
      ...rest,
      sizeColumnCode: sizeColumnCode === null ? null : renamed(sizeColumnCode),
      columns: columns.map((column) => ({ ...column, code: renamed(column.code) })),
    };
  }
}

const partEntry = ({ id, code, color, label }: ChartColumn, form: ChartForm, part: number): LegendClass => ({
  class: -1,
  value: code,
  fill: color,
  isIcon: false,
  column: id,
  sample: { values: { [classColumn]: 1 }, shapes: partIcon(form, part) },
  ...(label ? { text: () => label } : {}),
});

export const chart = (form: ChartForm): VisualKind => new ChartKind(form);
