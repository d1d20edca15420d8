import { classByLimits } from './class-sql.js';
import { ramp } from './colors.js';
import { opacity, pattern } from './common.js';
import {
  borderRules,
  classColumn,
  classRules,
  type Look,
  legendSide,
  pointSize,
  reachOf,
  textRules,
} from './css.js';
import { color, number, record } from './fields.js';
import type { LegendClass, Visual, VisualKind, VisualSettings } from './kind.js';
import { classCount, limitClasses, limits } from './limits.js';

const fields = record({
  opacity: opacity(0.9),
  lineWidth: number(2, 0.1, 50),
  linePattern: pattern,
  minColor: color('#ffffcc'),
  midColor: color<string | null>('#41b6c4'),
  maxColor: color('#253494'),
  noDataColor: color('#d9d9d9'),
  limits,
});
type Settings = ReturnType<typeof fields>;
const own = (settings: VisualSettings): Settings => settings.classesSettings as Settings;

/** Limits that were given, else those of the data. */
export function limitsOf({ settings, statistics }: Visual): readonly number[] {
  const { limits } = own(settings);
  return limits ?? (statistics?.kind === 'limits' ? statistics.limits : []);
}

const colorsOf = (visual: Visual): string[] => {
  const { minColor, midColor, maxColor } = own(visual.settings);
  const stops = midColor === null ? [minColor, maxColor] : [minColor, midColor, maxColor];
  return ramp(stops, classCount(limitsOf(visual)));
};

/** Type 1, the thematic map: classes of a number, in colours between two or three. */
export const thematic: VisualKind = {
  check(input) {
    const { limits, ...checked } = fields(input, 'visualSettings.classesSettings');
    return limits ? { ...checked, limits } : checked;
  },

  wanted: ({ column, algorithm, classesCount, classesSettings }) =>
    (classesSettings as Settings).limits
      ? undefined
      : { kind: 'limits', column: column!, algorithm, classes: classesCount },

  draw(visual) {
    const { settings } = visual;
    const { opacity, lineWidth, linePattern, noDataColor } = own(settings);
    const size = pointSize(settings);
    const look = (color: string): Look => ({ color, opacity, lineWidth, linePattern, size });
    const { below, above } = borderRules(settings, lineWidth, []);
    const classes = [noDataColor, ...colorsOf(visual)].map((color, i) =>
      classRules(i, look(color), settings),
    );
    return {
      css: below + classes.join('') + above + textRules(settings, size / 2 + 2),
      columns: [{ name: classColumn, kind: 'number', sql: (read) => thematic.classSql(visual, read) }],
      place: 'shape',
      sample: { [classColumn]: Math.ceil((classes.length - 1) / 2) },
      reach: reachOf(size, settings),
    };
  },

  classSql: (visual, read) => classByLimits(read(visual.settings.column!), limitsOf(visual)),

  legend(visual) {
    const limits = limitsOf(visual);
    const { opacity, noDataColor, lineWidth } = own(visual.settings);
    const classes = limitClasses(limits, colorsOf(visual), opacity);
    const rest: LegendClass = { class: 0, value: null, fill: noDataColor, isIcon: false, opacity };
    return {
      minValue: limits[0] ?? null,
      maxValue: limits.at(-1) ?? null,
      side: legendSide(pointSize(visual.settings), lineWidth, visual.settings),
      classes: [...classes, rest].map((one) => ({
        ...one,
        sample: { values: { [classColumn]: one.class } },
      })),
    };
  },
};
