import { type Sql, sql } from '@cartulary/sql';
import { isNumber } from '../classes/class-sql.js';
import type { ReadValue, VisualColumn } from '../column.js';
import { findSettingsColumn, opacity } from '../common.js';
import type { HeatSource } from '../drawing.js';
import { choice, color, flag, listField, number, record, wrong } from '../fields.js';
import type { Visual, VisualKind, VisualSettings } from '../kind.js';
import type { LegendClass } from '../legend.js';
import { rule } from '../style/css.js';

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
  colors: listField(color('#000000'), 20),
});
type Settings = Omit<ReturnType<typeof fields>, 'colors' | 'markerSizeField' | 'useWeightField'> & {
  colors: string[];
  markerSizeField: number | null;
  useWeightField: number | null;
};
const own = (settings: VisualSettings): Settings => settings.classesSettings as Settings;

/** From cold to hot: ColorBrewer "YlOrRd" without the palest colour. */
const defaultColors = [
  '#ffeda0',
  '#fed976',
  '#feb24c',
  '#fd8d3c',
  '#fc4e2a',
  '#e31a1c',
  '#bd0026',
  '#800026',
];

/** Finds a column of numbers by its id or code. null: the column is unused. */
function numberColumn(
  sent: unknown,
  columns: readonly VisualColumn[],
  { name, isUsed }: { name: string; isUsed: boolean },
): number | null {
  if (!isUsed && sent === null) return null;
  const where = `${at}.${name}`;
  const named = typeof sent === 'string' ? { id: null, code: sent } : { id: sent, code: null };
  return findSettingsColumn(named, columns, { at: { id: where, code: where }, types: ['number'] }).id;
}

const rangeAt = ({ statistics }: Visual, id: number | null): [number, number] | undefined => {
  if (statistics?.kind !== 'density' || id === null) return undefined;
  const found = statistics.ranges.find((one) => one.column === id);
  return found && found.low !== null && found.high !== null ? [found.low, found.high] : undefined;
};

/**
 * Maps a value from `low` to `high` to 0 to 1 and clamps it. A limit of the settings beyond those of the data leaves no
 * range: then `low` alone divides the values.
 */
const partOf = (value: Sql, [low, high]: readonly [number, number]): Sql => {
  if (low >= high)
    return sql`case when ${isNumber(value)} then (${value} >= ${low}::double precision)::integer::double precision end`;
  const part = sql`(${value} - ${low}::double precision) / (${high}::double precision - ${low}::double precision)`;
  return sql`case when ${isNumber(value)} then least(1, greatest(0, ${part})) end`;
};

/** Number of zoom levels with known densities: 0, 2, 4 … */
const levelCount = 10;

/** Weight of an object: 1, or its value. A negative value or null counts as 0. */
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

/** Radius of an object in pixels, at the zoom level of the settings. */
function radiusSql(visual: Visual, read: ReadValue): Sql {
  const { markerSizeType, markerSize, markerSizeMin, markerSizeMax, markerSizeField } = own(visual.settings);
  const range = rangeAt(visual, markerSizeField);
  if (markerSizeType === 'fixed' || markerSizeField === null || !range)
    return sql`${markerSize}::double precision`;
  const part = sql`coalesce(${partOf(read(markerSizeField), range)}, 0)`;
  // Rounded to eight steps: the renderer spreads each distinct radius separately.
  return sql`${markerSizeMin}::double precision + round((${part} * 8)::numeric) / 8 * (${markerSizeMax}::double precision - ${markerSizeMin}::double precision)`;
}

/** Mean radius of the objects. */
const meanRadiusPx = ({ markerSizeType, markerSize, markerSizeMin, markerSizeMax }: Settings): number =>
  markerSizeType === 'fixed' ? markerSize : (markerSizeMin + markerSizeMax) / 2;

/** Factor of the radius at a zoom level, relative to the settings. */
const radiusFactor = ({ linkToScale, linkToScaleZoom }: Settings, zoom: number): number =>
  linkToScale ? Math.min(4, 2 ** (zoom - linkToScaleZoom)) : 1;

/** The density of the last colour: that of the densest square as wide as the radius. */
function peakAt({ statistics, settings }: Visual, zoom: number): number {
  if (statistics?.kind !== 'density') return 1;
  const used = own(settings).linkToScale ? 0 : Math.min(statistics.peaks.length - 1, Math.round(zoom / 2));
  return statistics.peaks[used] || 1;
}

/** Type 7, the heat map: the density of objects or of their weights. */
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
      colors: checked.colors ?? defaultColors,
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
    const radiusPx = meanRadiusPx(own(settings));
    return {
      kind: 'density',
      columns: ranges,
      weight: (found, read) => weightSql({ settings, statistics: found }, read),
      square: (radiusPx * 360) / (256 * 2 ** (linkToScale ? linkToScaleZoom : 2 * (levelCount - 1))),
      levels: linkToScale ? 1 : levelCount,
    };
  },

  draw(visual) {
    const settings = own(visual.settings);
    const { colors, layerOpacity, markerOpacity, markerSizeType, markerSizeMax, markerSize } = settings;
    const maxRadiusPx = markerSizeType === 'fixed' ? markerSize : markerSizeMax;
    const source: HeatSource = {
      weight: (read) => weightSql(visual, read),
      radiusPx: (read) => radiusSql(visual, read),
      radiusFactor: (zoom) => radiusFactor(settings, zoom),
      maxRadiusPx,
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
      reachPx: 0,
      heat: source,
    };
  },

  /** 1: an object with a weight. */
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

/** Concentric discs for icons, since the heat map itself is not drawn by a style. */
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
