import { classByLimits } from '../classes/class-sql.js';
import { opacity } from '../common.js';
import { color, flag, number, record, text, wrong } from '../fields.js';
import type { Visual, VisualKind, VisualSettings } from '../kind.js';
import type { LegendClass, LegendSample } from '../legend.js';
import {
  classColumn,
  type Look,
  legendSide,
  markerOf,
  markerReach,
  ofClass,
  rule,
  textRules,
} from '../style/css.js';
import { labelNumbers } from '../style/labels.js';
import { type SizeRange, sizeOf, sizeSql } from '../style/sizes.js';

const fields = record({
  pointSizeMin: number(4, 1, 200),
  pointSizeMax: number(40, 1, 200),
  color: color('#e6550d'),
  opacity: opacity(0.75),
  icon: text(''),
  useIcon: flag(false),
  noDataColor: color('#bdbdbd'),
});
type Settings = ReturnType<typeof fields>;
const own = (settings: VisualSettings): Settings => settings.classesSettings as Settings;

/** The column with the width of the bubble in pixels. */
const sizeColumn = 'visual.size';

const rangeOf = ({ statistics }: Visual): [low: number | null, high: number | null] =>
  statistics?.kind === 'range' ? [statistics.low[0] ?? null, statistics.high[0] ?? null] : [null, null];

const sizesOf = ({ settings }: Pick<Visual, 'settings'>): SizeRange => {
  const { pointSizeMin, pointSizeMax } = own(settings);
  return { minPx: pointSizeMin, maxPx: pointSizeMax };
};

/** Round values at evenly increasing widths. The last one is the maximum. */
function stepsOf(visual: Visual): number[] {
  const [, high] = rangeOf(visual);
  if (high === null) return [];
  if (high <= 0) return [high];
  const count = Math.min(visual.settings.classesCount, 8);
  const steps = Array.from({ length: count - 1 }, (_, i) => round(high * ((i + 1) / count) ** 2));
  return [...new Set(steps.filter((step) => step < high)), high];
}

/** Rounds to the nearest of 1, 2, 2.5 and 5 times a power of ten. */
function round(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const nearest = [1, 2, 2.5, 5, 10].reduce((best, one) =>
    Math.abs(one * power - value) < Math.abs(best * power - value) ? one : best,
  );
  return Number((nearest * power).toPrecision(2));
}

/** Type 3, bubbles: a marker per object with an area proportional to a number. */
export const bubble: VisualKind = {
  check(input) {
    const at = 'visualSettings.classesSettings';
    const checked = fields(input, at);
    if (checked.pointSizeMin > checked.pointSizeMax)
      throw wrong(`${at}.pointSizeMin`, 'at most pointSizeMax');
    if (checked.useIcon && checked.icon === '') throw wrong(`${at}.icon`, 'required where useIcon is true');
    return checked;
  },

  wanted: ({ column }) => ({ kind: 'range', columns: [column!], summed: 0 }),

  draw(visual) {
    const { settings } = visual;
    const { color, opacity, icon, useIcon, noDataColor, pointSizeMin, pointSizeMax } = own(settings);
    const look: Look = {
      color,
      opacity,
      lineWidth: 1,
      linePattern: 'solid',
      size: pointSizeMax,
      icon: useIcon ? icon : undefined,
    };
    const noData = { ...look, color: noDataColor, icon: undefined };
    return {
      css:
        rule(ofClass(0), markerOf(noData, pointSizeMin, settings)) +
        rule(`["${classColumn}" > 0]`, markerOf(look, `[${sizeColumn}]`, settings)) +
        textRules(settings, 2),
      columns: [
        { name: classColumn, kind: 'number', sql: (read) => bubble.classSql(visual, read) },
        {
          name: sizeColumn,
          kind: 'number',
          sql: (read) => sizeSql(read(settings.column!), rangeOf(visual)[1], sizesOf(visual)),
        },
      ],
      place: 'point',
      sample: { [classColumn]: 1, [sizeColumn]: pointSizeMax },
      largestFirst: sizeColumn,
      reachPx: markerReach(pointSizeMax, settings),
    };
  },

  classSql: (visual, read) => {
    const steps = stepsOf(visual);
    const [first] = steps;
    // One class per step. The first class has no lower bound, the last no upper bound.
    return classByLimits(read(visual.settings.column!), first === undefined ? [] : [first, ...steps]);
  },

  legend(visual) {
    const [low, high] = rangeOf(visual);
    const steps = stepsOf(visual);
    const { color, opacity, icon, useIcon, noDataColor, pointSizeMin, pointSizeMax } = own(visual.settings);
    const sample = (number: number, size: number): LegendSample => ({
      values: { [classColumn]: number, [sizeColumn]: size },
    });
    const label = labelNumbers(steps);
    const classes = steps.map((to, i): LegendClass => {
      const from = i ? steps[i - 1]! : Math.min(low!, to);
      const size = Number(sizeOf(to, high, sizesOf(visual)).toFixed(2));
      const shown = { class: i + 1, value: to, fill: color, isIcon: useIcon, from, to, size, opacity };
      return {
        ...shown,
        sample: sample(i + 1, size),
        text: (lng) => label(to, lng),
        ...(useIcon ? { icon } : {}),
      };
    });
    const noData = {
      class: 0,
      value: null,
      fill: noDataColor,
      isIcon: false,
      size: pointSizeMin,
      opacity,
      sample: sample(0, pointSizeMin),
    };
    const side = legendSide(pointSizeMax, 0, visual.settings);
    return { minValue: low, maxValue: high, side, classes: [...classes, noData] };
  },
};
