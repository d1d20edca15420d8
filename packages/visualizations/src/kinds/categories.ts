import { isInValueClass } from '../classes/class-expressions.js';
import { classByValues } from '../classes/class-sql.js';
import type { DataValue, VisualColumn } from '../column.js';
import { opacity, pattern } from '../common.js';
import { color, type FieldReader, flag, listField, number, record, text, wrong } from '../fields.js';
import type { Visual, VisualKind, VisualSettings } from '../kind.js';
import type { LegendClass } from '../legend.js';
import { paletteColor } from '../style/colors.js';
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

/** Classes of a visualization. */
const classLimit = 100;

/** A value of a request. `checkCategoryValues` checks it against the column's type. */
const value: FieldReader<DataValue | null> = (sent, at) => {
  if (sent === undefined || sent === null) return null;
  if (typeof sent === 'string' && sent.length <= 4000) return sent;
  if (typeof sent === 'boolean' || (typeof sent === 'number' && Number.isFinite(sent))) return sent;
  throw wrong(at, 'a value of the column, or null');
};

const classFields = (initial: string) => ({
  value,
  color: color(initial),
  icon: text(''),
  useIcon: flag(false),
  checked: flag(true),
});
const defaultClass = record(classFields('#bdbdbd'));
const givenClass = record({ ...classFields('#000000'), color: color<string | null>(null) });
type ClassSettings = ReturnType<typeof defaultClass>;

const fields = record({
  opacity: opacity(0.9),
  lineWidth: number(2, 0.1, 50),
  linePattern: pattern,
  defaultClass,
  computed: flag(false),
  classes: listField(givenClass, classLimit),
});
type Settings = Omit<ReturnType<typeof fields>, 'classes'> & { classes?: ClassSettings[] };
const own = (settings: VisualSettings): Settings => settings.classesSettings as Settings;

/** The classes of the settings, else one class per frequent value. */
export function categoriesOf({ settings, statistics }: Visual): readonly ClassSettings[] {
  const { classes } = own(settings);
  if (classes) return classes;
  if (statistics?.kind !== 'frequent') return [];
  return statistics.values.map((one, i) => ({
    value: one,
    color: paletteColor(i),
    icon: '',
    useIcon: false,
    checked: true,
  }));
}

const kindsOf: Partial<Record<VisualColumn['type'], string>> = { number: 'number', bool: 'boolean' };

/** Checks that values of given classes have the column's type and are unique. Throws 400. */
export function checkCategoryValues(settings: VisualSettings, column: VisualColumn): void {
  const kind = kindsOf[column.type] ?? 'string';
  const seen = new Set<unknown>();
  for (const [i, one] of (own(settings).classes ?? []).entries()) {
    const at = `visualSettings.classesSettings.classes[${i}].value`;
    if (one.value !== null && typeof one.value !== kind)
      throw wrong(at, `a ${kind}, as the column '${column.code}' has`);
    if (seen.has(one.value)) throw wrong(at, 'repeated: each value has one class');
    seen.add(one.value);
  }
}

const iconOf = ({ useIcon, icon }: ClassSettings): string | undefined => (useIcon ? icon : undefined);

/** Type 2, categories: a class per value and one for all other values. */
export const categories: VisualKind = {
  check(input) {
    const at = 'visualSettings.classesSettings';
    const { classes, computed, ...checked } = fields(input, at);
    for (const [i, one] of (classes ?? []).entries())
      if (one.useIcon && one.icon === '')
        throw wrong(`${at}.classes[${i}].icon`, 'required where useIcon is true');
    if (checked.defaultClass.useIcon && checked.defaultClass.icon === '')
      throw wrong(`${at}.defaultClass.icon`, 'required where useIcon is true');
    // Computed classes are computed again.
    if (!classes || computed) return checked;
    return {
      ...checked,
      classes: classes.map((one, i) => ({ ...one, color: one.color ?? paletteColor(i) })),
    };
  },

  wanted: (settings) =>
    own(settings).classes
      ? undefined
      : { kind: 'frequent', column: settings.column!, limit: settings.classesCount },

  draw(visual) {
    const { settings } = visual;
    const { opacity, lineWidth, linePattern, defaultClass } = own(settings);
    const size = pointSize(settings);
    const classes = [defaultClass, ...categoriesOf(visual)];
    const hidden = classes.flatMap(({ checked }, i) => (checked ? [] : [i]));
    const look = (one: ClassSettings): Look => ({
      color: one.color,
      opacity,
      lineWidth,
      linePattern,
      size,
      icon: iconOf(one),
    });
    const { below, above } = borderRules(settings, lineWidth, hidden);
    const drawn = classes.map((one, i) => (one.checked ? classRules(i, look(one), settings) : ''));
    return {
      css: below + drawn.join('') + above + textRules(settings, size / 2 + 2, hidden),
      columns: [
        {
          name: classColumn,
          kind: 'number',
          sql: (read) => categories.classSql(visual, read),
          hasValue: (value, get) =>
            isInValueClass(
              get(settings.column!),
              categoriesOf(visual).map((one) => one.value),
              value,
            ),
        },
      ],
      place: 'shape',
      sample: {
        [classColumn]: Math.max(
          0,
          classes.findIndex(({ checked }, i) => checked && i > 0),
        ),
      },
      reachPx: markerReach(size, settings),
    };
  },

  classSql: (visual, read) =>
    classByValues(
      read(visual.settings.column!),
      categoriesOf(visual).map((one) => one.value),
    ),

  legend(visual) {
    const { opacity, defaultClass, lineWidth } = own(visual.settings);
    const entry = (one: ClassSettings, number: number): LegendClass => ({
      class: number,
      value: number ? one.value : null,
      fill: one.color,
      isIcon: one.useIcon,
      opacity,
      sample: { values: { [classColumn]: number } },
      ...(one.useIcon ? { icon: one.icon } : {}),
      ...(one.checked ? {} : { hidden: true }),
      ...(number && one.value !== null ? { text: () => String(one.value) } : {}),
    });
    const classes = categoriesOf(visual).map((one, i) => entry(one, i + 1));
    const side = legendSide(pointSize(visual.settings), lineWidth, visual.settings);
    return { minValue: null, maxValue: null, side, classes: [...classes, entry(defaultClass, 0)] };
  },
};
