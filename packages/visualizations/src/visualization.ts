import { type Sql, sql } from '../db/sql.js';
import { categoriesOf } from './categories.js';
import type {
  AnyVisual,
  Legend,
  ReadValue,
  Statistics,
  Value,
  Visual,
  VisualDrawing,
  VisualSettings,
  Wanted,
} from './kind.js';
import { drawerOf } from './settings.js';

export { isNumber } from './class-sql.js';
export type { Bin } from './classes.js';
export { classLimits, quantileBins, rangeBins } from './classes.js';
export { checkCustom, iconPathsIn } from './custom.js';
export type * from './kind.js';
export type { CustomSettings } from './plugin.js';
export { checkSettings, headOf, isCustom, readsColumn, renameColumn } from './settings.js';

/** What has to be read from the data for these settings; undefined: nothing, all was given. */
export const wanted = (settings: AnyVisual['settings']): Wanted | undefined =>
  drawerOf(settings).wanted(settings);

/** How the visualization is drawn: its source and its style. */
export const drawingOf = (visual: AnyVisual): VisualDrawing => drawerOf(visual.settings).draw(visual);

/** The number of the class of an object; each object is in one. Where cells have classes, 0. */
export const classSql = (visual: AnyVisual, read: ReadValue): Sql =>
  drawerOf(visual.settings).classSql?.(visual, read) ?? sql`0`;

export const legendOf = (visual: AnyVisual): Legend => drawerOf(visual.settings).legend(visual);

/** Whether nothing was found in the data: limits are made again as soon as there is something. */
export function isBlank(statistics: Statistics | undefined): boolean {
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

/** The settings as they are shown: with the classes that the service made, and their counts, where it makes classes of values. */
export function shownSettings(visual: Visual, counts: ReadonlyMap<number, number>): VisualSettings {
  const { settings } = visual;
  if (settings.type !== 2) return settings;
  const { classes, ...own } = settings.classesSettings as {
    classes?: { value: Value | null }[];
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
