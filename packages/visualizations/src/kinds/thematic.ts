import { isInLimitClass } from '../classes/class-expressions.js';
import { classByLimits } from '../classes/class-sql.js';
import { classCount, limitClasses, limits } from '../classes/limits.js';
import { opacity, pattern } from '../common.js';
import { color, number, record } from '../fields.js';
import type { Visual, VisualKind, VisualSettings } from '../kind.js';
import type { LegendClass } from '../legend.js';
import { ramp } from '../style/colors.js';
import {
  borderRules,
  classColumn,
  classRules,
  type Look,
  legendSide,
  markerReach,
  pointSize,
  textRules,
} from '../style/css.js';

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

/** The limits of the settings, else those of the data. */
function classLimitsOf({ settings, statistics }: Visual): readonly number[] {
  const { limits } = own(settings);
  return limits ?? (statistics?.kind === 'limits' ? statistics.limits : []);
}

const colorsOf = (visual: Visual): string[] => {
  const { minColor, midColor, maxColor } = own(visual.settings);
  const stops = midColor === null ? [minColor, maxColor] : [minColor, midColor, maxColor];
  return ramp(stops, classCount(classLimitsOf(visual)));
};

/** Type 1, the thematic map: classes of a number in a ramp of two or three colours. */
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
      columns: [
        {
          name: classColumn,
          kind: 'number',
          sql: (read) => thematic.classSql(visual, read),
          hasValue: (value, get) => isInLimitClass(get(settings.column!), classLimitsOf(visual), value),
        },
      ],
      place: 'shape',
      sample: { [classColumn]: Math.ceil((classes.length - 1) / 2) },
      reachPx: markerReach(size, settings),
    };
  },

  classSql: (visual, read) => classByLimits(read(visual.settings.column!), classLimitsOf(visual)),

  legend(visual) {
    const limits = classLimitsOf(visual);
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
