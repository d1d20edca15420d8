import { type Sql, sql } from '@cartulary/sql';
import type { DataValue, ReadValue } from './column.js';
import type { VisualDrawing } from './drawing.js';
import type { Visual, VisualSettings } from './kind.js';
import { categoriesOf } from './kinds/categories.js';
import type { Legend } from './legend.js';
import type { AnyVisual } from './plugin.js';
import { drawerOf } from './settings.js';
import type { Statistics, WantedStatistics } from './statistics.js';

/** The statistics that these settings need. undefined: the settings contain all values. */
export const wanted = (settings: AnyVisual['settings']): WantedStatistics | undefined =>
  drawerOf(settings).wanted(settings);

/** The source and the style of a visualization. */
export const drawingOf = (visual: AnyVisual): VisualDrawing => drawerOf(visual.settings).draw(visual);

/** SQL expression for the class number of an object. Each object has one class. 0 where cells have classes. */
export const classSql = (visual: AnyVisual, read: ReadValue): Sql =>
  drawerOf(visual.settings).classSql?.(visual, read) ?? sql`0`;

/** The legend of a visualization, without counts of objects. */
export const legendOf = (visual: AnyVisual): Legend => drawerOf(visual.settings).legend(visual);

/** Whether the data had no values. The layer computes its statistics again as soon as it has values. */
export function hasNoData(statistics: Statistics | undefined): boolean {
  switch (statistics?.kind) {
    case 'limits':
      return statistics.limits.length === 0;
    case 'range':
      return statistics.high.every((high) => high === null);
    case 'frequent':
      return statistics.values.length === 0;
    case 'density':
      return statistics.peaks.every((peak) => peak === 0);
    case 'cells':
      return statistics.zoom === null || statistics.limits?.length === 0;
    default:
      return false;
  }
}

/** The settings in the form of the interface: categories include the computed classes and their counts. */
export function shownSettings(visual: Visual, counts: ReadonlyMap<number, number>): VisualSettings {
  const { settings } = visual;
  if (settings.type !== 2) return settings;
  const { classes, ...own } = settings.classesSettings as {
    classes?: { value: DataValue | null }[];
    defaultClass: object;
  };
  return {
    ...settings,
    classesSettings: {
      ...own,
      computed: classes === undefined,
      classes: categoriesOf(visual).map((one, i) => ({ ...one, count: counts.get(i + 1) ?? 0 })),
      defaultClass: { ...own.defaultClass, count: counts.get(0) ?? 0 },
    },
  };
}
