import { type Sql, sql } from '@cartulary/sql';
import { classByLimits, isNumber } from '../classes/class-sql.js';
import { classCount, limitClasses, limits } from '../classes/limits.js';
import type { ReadValue } from '../column.js';
import { fontFamily, legendFields, opacity } from '../common.js';
import type { HexagonGrid, VisualDrawing } from '../drawing.js';
import {
  choice,
  color,
  exactly,
  type FieldReader,
  flag,
  listField,
  number,
  whole,
  wrong,
} from '../fields.js';
import type { Visual } from '../kind.js';
import type { LegendClass } from '../legend.js';
import type { CustomSettings, Plugin, References } from '../plugin.js';
import { inkOn, ramp } from '../style/colors.js';
import { classColumn, ofClass, rule } from '../style/css.js';
import { compactNumber, labelRounded } from '../style/labels.js';
import { hexagon, hexagonIcon } from './hexbin-icon.js';

const any: FieldReader<unknown> = (value) => value ?? null;
const aggregates = ['count', 'sum', 'mean', 'min', 'max'] as const;

const fields = exactly({
  cellSize: number(24, 4, 512),
  zoom: number<null>(null, 0, 24),
  aggregate: choice<(typeof aggregates)[number]>('count', aggregates),
  column: any,
  minCount: whole(1, 1, 1_000_000_000),
  algorithm: choice<1 | 2 | 3>(2, [1, 2, 3]),
  classesCount: whole(6, 1, 20),
  limits,
  colors: listField(color('#000000'), 20),
  opacity: opacity(0.9),
  gap: number(0, 0, 20),
  showBorder: flag(true),
  borderSettings: exactly({ color: color('#ffffff'), width: number(0.5, 0, 20), opacity: opacity(1) }),
  showValues: flag(false),
  textSettings: exactly({
    fontSize: number(11, 4, 72),
    fontFamily,
  }),
  ...legendFields,
});
type Settings = Omit<ReturnType<typeof fields>, 'colors' | 'column'> & {
  colors: string[];
  column: string | null;
};
const own = ({ settings }: CustomSettings): Settings => settings as Settings;

/** From low to high: ColorBrewer "YlGnBu" without the palest colour. */
const defaultColors = ['#edf8b1', '#7fcdbb', '#41b6c4', '#1d91c0', '#225ea8', '#0c2c84'];

/** The UUID of a column of numbers. null: the aggregate needs none. */
function columnOf(settings: ReturnType<typeof fields>, { columns }: References, at: string): string | null {
  const { column, aggregate } = settings;
  const where = `${at}.column`;
  if (column === null && aggregate === 'count') return null;
  const found = typeof column === 'string' ? columns.get(column) : undefined;
  if (!found)
    throw wrong(
      where,
      `a UUID that visualCustomSettings.columns has; required for the aggregate ${aggregate}`,
    );
  if (found.type !== 'number')
    throw wrong(where, `that of a column of the type number; '${found.code}' is ${found.type}`);
  return column as string;
}

/** Zoom level of the cells without data, and the deepest automatic zoom level. */
const zooms = { initial: 3, max: 18 };

/** The deepest zoom level at which data of this width or height (degrees on the map) fits in 2,048 pixels. */
const zoomFor = (spanDegrees: number): number =>
  Math.max(0, Math.min(zooms.max, Math.floor(Math.log2((2048 * 360) / (256 * spanDegrees)))));

/** Width of a cell in degrees of longitude. */
const widthDegreesAt = ({ cellSize }: Settings, zoom: number): number => (cellSize * 360) / (256 * 2 ** zoom);

/** The zoom level of the cells. */
const zoomOf = ({ settings, statistics }: Visual<CustomSettings>): number =>
  own(settings).zoom ?? (statistics?.kind === 'cells' ? statistics.zoom : null) ?? zooms.initial;

const limitsOf = ({ settings, statistics }: Visual<CustomSettings>): readonly number[] =>
  own(settings).limits ?? (statistics?.kind === 'cells' ? statistics.limits : null) ?? [];

/** A colour per class, at least one. */
const fillsOf = (visual: Visual<CustomSettings>): string[] =>
  ramp(own(visual.settings).colors, Math.max(1, classCount(limitsOf(visual))));

const idOf = (settings: CustomSettings): number | undefined => {
  const { column, aggregate } = own(settings);
  return column === null || aggregate === 'count' ? undefined : settings.columns[column];
};

/** Sums decimals, since a sum of floating-point numbers depends on their order. */
function valueSql({ aggregate, minCount }: Settings): Sql {
  const numbers = sql`filter (where ${isNumber(sql`o.measure`)})`;
  const value = {
    count: sql`count(*)`,
    sum: sql`sum(o.measure::numeric) ${numbers}`,
    mean: sql`avg(o.measure::numeric) ${numbers}`,
    min: sql`min(o.measure) ${numbers}`,
    max: sql`max(o.measure) ${numbers}`,
  }[aggregate];
  return sql`case when count(*) >= ${minCount}::bigint then (${value})::double precision end`;
}

const cellsAt = (visual: Visual<CustomSettings>, zoom: number): HexagonGrid => {
  const id = idOf(visual.settings);
  return {
    widthDegrees: widthDegreesAt(own(visual.settings), zoom),
    measure: (read: ReadValue) => (id === undefined ? sql`null::double precision` : read(id)),
    value: valueSql(own(visual.settings)),
    class: classByLimits(sql`c.value`, limitsOf(visual)),
  };
};

const labelColumn = 'visual.label';

/** Minimum width of a cell with a border. */
const borderMinWidthPx = 8;

/** The custom visualization `hexbin`: hexagonal cells coloured by the number of their objects or by an aggregate of a column. */
export const hexbin: Plugin = {
  check(sent, references, at) {
    const { limits, ...checked } = fields(sent, at);
    if (checked.colors && checked.colors.length < 2) throw wrong(`${at}.colors`, 'two colours or more');
    return {
      ...checked,
      ...(limits ? { limits } : {}),
      colors: checked.colors ?? defaultColors,
      column: columnOf({ ...checked, limits }, references, at),
    };
  },

  wanted(settings) {
    const { zoom, limits, algorithm, classesCount } = own(settings);
    if (zoom !== null && limits) return undefined;
    return {
      kind: 'cells',
      cells: (level) => cellsAt({ settings, statistics: undefined }, level),
      zoom,
      zoomFor,
      limits: limits ? null : { algorithm, classes: classesCount },
    };
  },

  draw(visual): VisualDrawing {
    const settings = own(visual.settings);
    const { gap, showValues, textSettings } = settings;
    const cells = cellsAt(visual, zoomOf(visual));
    const fills = fillsOf(visual);
    return {
      css: hexagonRules(settings, fills, cells.widthDegrees),
      columns: [
        { name: classColumn, kind: 'number', sql: () => cells.class },
        { name: labelColumn, kind: 'text', sql: (_, lng) => compactNumber(sql`c.value`, lng) },
      ],
      place: 'point',
      sample: {},
      reachPx: 0,
      cells: {
        ...cells,
        gapPx: gap,
        ...(showValues ? { label: { column: labelColumn, fontSize: textSettings.fontSize } } : {}),
      },
      icon: { part: classColumn, shapes: hexagonIcon(fills.length) },
    };
  },

  legend(visual) {
    const settings = own(visual.settings);
    const limits = limitsOf(visual);
    const zoom = zoomOf(visual);
    const width = Number((widthDegreesAt(settings, zoom) * metresPerDegree).toFixed(2));
    const label = settings.limits ? undefined : labelRounded(limits);
    const rest: LegendClass = { class: 0, value: null, fill: '#d9d9d9', isIcon: false, hidden: true };
    return {
      minValue: limits[0] ?? null,
      maxValue: limits.at(-1) ?? null,
      side: 24,
      classes: [
        ...limitClasses(limits, fillsOf(visual), settings.opacity, label).map((one) => ({
          ...one,
          sample: { values: {}, shapes: [hexagon(one.class)] },
        })),
        rest,
      ],
      cell: { zoom, width },
    };
  },

  head(settings) {
    const { legendName, legendNames, showLegend, showLegendName, showBorder, borderSettings } = own(settings);
    return {
      column: idOf(settings) ?? null,
      legendName,
      legendNames,
      showLegend,
      showLegendName,
      showValues: true,
      border: showBorder ? borderSettings : null,
    };
  },
};

/** At the equator of EPSG:3857. */
const metresPerDegree = (Math.PI * 6_378_137) / 180;

/** Rules for cells, borders and values. The opacity applies to the whole style, so that no seams show between neighbours. */
function hexagonRules(settings: Settings, fills: readonly string[], widthDegrees: number): string {
  const { opacity, gap, showBorder, borderSettings: border, showValues, textSettings: text } = settings;
  const cells = fills.map((fill, i) =>
    rule(`::cells${ofClass(i + 1)}`, {
      'polygon-fill': fill,
      'line-color': gap > 0 ? undefined : fill,
      'line-width': gap > 0 ? undefined : 0.6,
      'line-join': gap > 0 ? undefined : 'round',
    }),
  );
  const values = fills.map((fill, i) =>
    rule(`::values${ofClass(i + 1)}`, {
      'text-name': `[${labelColumn}]`,
      'text-face-name': JSON.stringify(text.fontFamily),
      'text-size': text.fontSize,
      'text-fill': inkOn(fill),
      'text-allow-overlap': true,
    }),
  );
  const borderZoom = Math.ceil(Math.log2((borderMinWidthPx * 360) / (256 * widthDegrees)));
  const edge = rule(`::border${borderZoom > 0 ? `[zoom >= ${Math.min(25, borderZoom)}]` : ''}`, {
    'line-color': border.color,
    'line-width': border.width,
    'line-join': 'round',
    opacity: border.opacity,
  });
  return [
    rule('::cells', { opacity }),
    ...cells,
    showBorder && border.width > 0 ? edge : '',
    ...(showValues ? values : []),
  ].join('');
}
