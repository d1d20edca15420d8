import type { Sql } from '../db/sql.js';
import { categoriesOf } from './categories.js';
import type {
  Legend,
  ReadValue,
  Statistics,
  Value,
  Visual,
  VisualDrawing,
  VisualSettings,
  Wanted,
} from './kind.js';
import { kindOf } from './settings.js';

export { isNumber } from './class-sql.js';
export type { Bin } from './classes.js';
export { classLimits, quantileBins, rangeBins } from './classes.js';
export type * from './kind.js';
export { checkSettings, readsColumn, renameColumn } from './settings.js';

/** What has to be read from the data for these settings; undefined: nothing, all was given. */
export const wanted = (settings: VisualSettings): Wanted | undefined => kindOf(settings).wanted(settings);

/** How the visualization is drawn: its source and its style. */
export const drawingOf = (visual: Visual): VisualDrawing => kindOf(visual.settings).draw(visual);

/** The number of the class of an object; each object is in one. */
export const classSql = (visual: Visual, read: ReadValue): Sql =>
  kindOf(visual.settings).classSql(visual, read);

export const legendOf = (visual: Visual): Legend => kindOf(visual.settings).legend(visual);

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
