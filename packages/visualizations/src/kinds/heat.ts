import { type Sql, sql } from '../db/sql.js';
import { isNumber } from './class-sql.js';
import { findColumn, opacity } from './common.js';
import { rule } from './css.js';
import { choice, color, flag, list, number, record, wrong } from './fields.js';
import type {
  HeatSource,
  LegendClass,
  ReadValue,
  Visual,
  VisualColumn,
  VisualKind,
  VisualSettings,
} from './kind.js';

const at = 'visualSettings.classesSettings';
const column = (value: unknown): unknown => value ?? null;

const fields = record({
  markerSizeType: choice<'fixed' | 'field'>('fixed', ['fixed', 'field']),
  markerSize: number(20, 2, 100),
  markerSizeMin: number(8, 2, 100),
  markerSizeMax: number(40, 2, 100),
  markerSizeField: column,
  markerOpacity: opacity(1),
  layerOpacity: opacity(0.85),
  useWeight: flag(false),
  useWeightField: column,
  weightNormalize: flag(false),
  weightNormalizeMin: number<null>(null, -1e15, 1e15),
  weightNormalizeMax: number<null>(null, -1e15, 1e15),
  linkToScale: flag(false),
  linkToScaleZoom: number(5, 0, 24),
  colors: list(color('#000000'), 20),
});
type Settings = Omit<ReturnType<typeof fields>, 'colors' | 'markerSizeField' | 'useWeightField'> & {
  colors: string[];
  markerSizeField: number | null;
  useWeightField: number | null;
};
const own = (settings: VisualSettings): Settings => settings.classesSettings as Settings;

/** From cold to hot: ColorBrewer "YlOrRd", the palest left out. */
const usualColors = ['#ffeda0', '#fed976', '#feb24c', '#fd8d3c', '#fc4e2a', '#e31a1c', '#bd0026', '#800026'];

/** A column of numbers by its id or code; null where it is not used. */
function numberColumn(
  sent: unknown,
  columns: readonly VisualColumn[],
  { name, isUsed }: { name: string; isUsed: boolean },
): number | null {
  if (!isUsed && sent === null) return null;
  const where = `${at}.${name}`;
  const named = typeof sent === 'string' ? { id: null, code: sent } : { id: sent, code: null };
  return findColumn(named, columns, { at: { id: where, code: where }, types: ['number'] }).id;
}

const rangeAt = ({ statistics }: Visual, id: number | null): [number, number] | undefined => {
  if (statistics?.kind !== 'density' || id === null) return undefined;
  const found = statistics.ranges.find((one) => one.column === id);
  return found && found.low !== null && found.high !== null ? [found.low, found.high] : undefined;
};

/** A value from `low` to `high` as a part of 1; what is outside is at the end. */
const partOf = (value: Sql, [low, high]: readonly [number, number]): Sql => {
  if (low === high) return sql`case when ${isNumber(value)} then 1.0::double precision end`;
  const part = sql`(${value} - ${low}::double precision) / (${high}::double precision - ${low}::double precision)`;
  return sql`case when ${isNumber(value)} then least(1, greatest(0, ${part})) end`;
};

/** Densities are known at the zoom levels 0, 2, 4 … */
const mostLevels = 10;

/** What an object counts for: 1, or its weight; what is negative or nothing counts for nothing. */
function weightSql(visual: Visual, read: ReadValue): Sql {
  const { useWeight, useWeightField, weightNormalize, weightNormalizeMin, weightNormalizeMax } = own(
    visual.settings,
  );
  if (!useWeight || useWeightField === null) return sql`1.0::double precision`;
  const value = read(useWeightField);
  if (!weightNormalize) return sql`case when ${isNumber(value)} then greatest(0, ${value}) else 0 end`;
  const [low, high] = rangeAt(visual, useWeightField) ?? [0, 1];
  return sql`coalesce(${partOf(value, [weightNormalizeMin ?? low, weightNormalizeMax ?? high])}, 0)`;
}

/** How far an object reaches, pixels at the zoom level to which the settings belong. */
function radiusSql(visual: Visual, read: ReadValue): Sql {
  const { markerSizeType, markerSize, markerSizeMin, markerSizeMax, markerSizeField } = own(visual.settings);
  const range = rangeAt(visual, markerSizeField);
  if (markerSizeType === 'fixed' || markerSizeField === null || !range)
    return sql`${markerSize}::double precision`;
  const part = sql`coalesce(${partOf(read(markerSizeField), range)}, 0)`;
  // In eight steps: each is spread by itself.
  return sql`${markerSizeMin}::double precision + round((${part} * 8)::numeric) / 8 * (${markerSizeMax}::double precision - ${markerSizeMin}::double precision)`;
}

/** The middle radius of the objects, pixels. */
const usualRadius = ({ markerSizeType, markerSize, markerSizeMin, markerSizeMax }: Settings): number =>
  markerSizeType === 'fixed' ? markerSize : (markerSizeMin + markerSizeMax) / 2;

/** How much larger the radius is at a zoom level than the settings say. */
const growth = ({ linkToScale, linkToScaleZoom }: Settings, zoom: number): number =>
  linkToScale ? Math.min(4, 2 ** (zoom - linkToScaleZoom)) : 1;

/** The density that is drawn in the last colour: that of the densest square as wide as the radius. */
function peakAt({ statistics, settings }: Visual, zoom: number): number {
  if (statistics?.kind !== 'density') return 1;
  const used = own(settings).linkToScale ? 0 : Math.min(statistics.peaks.length - 1, Math.round(zoom / 2));
  return statistics.peaks[used] || 1;
}

/** Type 7, the heat map: how close objects, or their weights, lie. */
export const heat: VisualKind = {
  check(input, columns) {
    const checked = fields(input, at);
    if (checked.markerSizeMin > checked.markerSizeMax)
      throw wrong(`${at}.markerSizeMin`, 'at most markerSizeMax');
    const { weightNormalizeMin: low, weightNormalizeMax: high } = checked;
    if (low !== null && high !== null && low >= high)
      throw wrong(`${at}.weightNormalizeMin`, 'below weightNormalizeMax');
    if (checked.colors && checked.colors.length < 2) throw wrong(`${at}.colors`, 'two colours or more');
    const { useWeight, markerSizeType } = checked;
    return {
      ...checked,
      colors: checked.colors ?? usualColors,
      useWeightField: numberColumn(checked.useWeightField, columns, {
        name: 'useWeightField',
        isUsed: useWeight,
      }),
      markerSizeField: numberColumn(checked.markerSizeField, columns, {
        name: 'markerSizeField',
        isUsed: markerSizeType === 'field',
      }),
    };
  },

  wanted(settings) {
    const { useWeightField, markerSizeField, linkToScale, linkToScaleZoom } = own(settings);
    const ranges = [useWeightField, markerSizeField].filter((id) => id !== null);
    const radius = usualRadius(own(settings));
    return {
      kind: 'density',
      columns: ranges,
      weight: (found, read) => weightSql({ settings, statistics: found }, read),
      square: (radius * 360) / (256 * 2 ** (linkToScale ? linkToScaleZoom : 2 * (mostLevels - 1))),
      levels: linkToScale ? 1 : mostLevels,
    };
  },

  draw(visual) {
    const settings = own(visual.settings);
    const { colors, layerOpacity, markerOpacity, markerSizeType, markerSizeMax, markerSize } = settings;
    const most = markerSizeType === 'fixed' ? markerSize : markerSizeMax;
    const source: HeatSource = {
      weight: (read) => weightSql(visual, read),
      radius: (read) => radiusSql(visual, read),
      growth: (zoom) => growth(settings, zoom),
      most,
      peak: (zoom) => peakAt(visual, zoom),
      colors,
      opacity: layerOpacity,
      strength: markerOpacity,
    };
    return {
      css: iconCss(colors),
      columns: [],
      place: 'point',
      sample: {},
      reach: 0,
      heat: source,
    };
  },

  /** 1: counts for something. */
  classSql: (visual, read) => sql`case when ${weightSql(visual, read)} > 0 then 1 else 0 end`,

  legend({ settings }) {
    const { colors, layerOpacity } = own(settings);
    const steps = colors.map((fill, i): LegendClass => {
      const value = i / (colors.length - 1);
      const text = (lng: string): string => new Intl.NumberFormat(lng, { style: 'percent' }).format(value);
      const css = rule('', { 'polygon-fill': fill, 'polygon-opacity': layerOpacity });
      const sample = { values: {}, css };
      return { class: -1, value, fill, isIcon: false, opacity: layerOpacity, text, sample };
    });
    return { minValue: 0, maxValue: 1, side: 24, classes: steps };
  },

  ids(settings) {
    const { useWeightField, markerSizeField } = own(settings);
    return [useWeightField, markerSizeField].filter((id) => id !== null);
  },
};

/** A glow, for icons: the picture itself is no style. */
function iconCss(colors: readonly string[]): string {
  const rings = [26, 20, 14, 8];
  return rule(
    '',
    Object.fromEntries(
      rings.flatMap((width, i) => {
        const fill = colors[Math.round((i / (rings.length - 1)) * (colors.length - 1))];
        return [
          [`r${i}/marker-width`, width],
          [`r${i}/marker-fill`, fill],
          [`r${i}/marker-fill-opacity`, 0.55],
          [`r${i}/marker-line-width`, 0],
          [`r${i}/marker-allow-overlap`, true],
          [`r${i}/marker-ignore-placement`, true],
        ];
      }),
    ),
  );
}
