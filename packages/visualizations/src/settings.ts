import type { VisualColumn } from './column.js';
import { checkCommon, findSettingsColumn } from './common.js';
import { pluginOf } from './custom.js';
import { asObject, choice, whole, wrong } from './fields.js';
import type { VisualDrawer, VisualKind, VisualSettings, VisualType } from './kind.js';
import { bubble } from './kinds/bubble.js';
import { categories, checkCategoryValues } from './kinds/categories.js';
import { chart } from './kinds/charts.js';
import { heat } from './kinds/heat.js';
import { thematic } from './kinds/thematic.js';
import type { LegendHead } from './legend.js';
import type { CustomSettings } from './plugin.js';

interface KindEntry {
  kind: VisualKind;
  /** Accepted types of the main column. */
  types: readonly VisualColumn['type'][];
  /** The user chooses the algorithm of class limits. Otherwise it is 1. */
  hasAlgorithm: boolean;
  classes: { initial: number; max: number };
}

const ofNumbers = ['number'] as const;

function charts(form: 'pie' | 'bar' | 'line'): KindEntry {
  return { kind: chart(form), types: ofNumbers, hasAlgorithm: false, classes: { initial: 1, max: 20 } };
}

/** The one table of kinds. */
const kinds: Partial<Record<VisualType, KindEntry>> = {
  1: { kind: thematic, types: ofNumbers, hasAlgorithm: true, classes: { initial: 5, max: 20 } },
  2: {
    kind: categories,
    types: ['string', 'text', 'number', 'bool', 'datetime'],
    hasAlgorithm: false,
    classes: { initial: 10, max: 100 },
  },
  3: { kind: bubble, types: ofNumbers, hasAlgorithm: true, classes: { initial: 3, max: 20 } },
  4: charts('pie'),
  5: charts('bar'),
  6: charts('line'),
  7: { kind: heat, types: ofNumbers, hasAlgorithm: false, classes: { initial: 1, max: 20 } },
};
const types = Object.keys(kinds).map(Number) as VisualType[];

const kindOf = ({ type }: Pick<VisualSettings, 'type'>): VisualKind => kinds[type]!.kind;

type AnySettings = VisualSettings | CustomSettings;

/** Whether the settings belong to a plugin. Their type is its name. */
export const isCustom = (settings: AnySettings): settings is CustomSettings =>
  typeof settings.type === 'string';

/** The drawer of these settings. */
export const drawerOf = <S extends AnySettings>(settings: S): VisualDrawer<S> =>
  (isCustom(settings) ? pluginOf(settings) : kindOf(settings)) as VisualDrawer<S>;

/** The head of a legend: texts, borders and type of these settings. */
export function legendHeadOf(settings: AnySettings): LegendHead {
  if (isCustom(settings)) return pluginOf(settings).head(settings);
  const { showBorder, borderSettings } = settings;
  return { ...settings, border: showBorder ? borderSettings : null };
}

const at = 'visualSettings';

/** Returns complete settings with defaults from those of a request. Throws 400 that names the mistake. */
export function checkSettings(sent: unknown, columns: readonly VisualColumn[], id: number): VisualSettings {
  const input = asObject(sent, at);
  if (input.type === undefined) throw wrong(`${at}.type`, `required: one of ${types.join(', ')}`);
  const type = choice(types[0]!, types)(input.type, `${at}.type`);
  const entry = kinds[type]!;
  const algorithms = entry.hasAlgorithm ? [1, 2, 3] : [1];
  const { initial, max } = entry.classes;
  const classesSettings = entry.kind.check(asObject(input.classesSettings, `${at}.classesSettings`), columns);
  const column = mainColumn(input, columns, { entry, classesSettings });
  const settings: VisualSettings = {
    id,
    type,
    column: column?.id ?? null,
    columnCode: column?.code ?? null,
    algorithm: choice(1, algorithms)(input.algorithm, `${at}.algorithm`) as 1 | 2 | 3,
    classesCount: whole(initial, 1, max)(input.classesCount, `${at}.classesCount`),
    classesSettings,
    ...checkCommon(input, columns),
  };
  if (type === 2) checkCategoryValues(settings, column!);
  return settings;
}

/** The main column. A chart uses its first column unless one is named; a heat map needs none. */
function mainColumn(
  input: Record<string, unknown>,
  columns: readonly VisualColumn[],
  { entry, classesSettings }: { entry: KindEntry; classesSettings: Record<string, unknown> },
): VisualColumn | undefined {
  const [first] = (classesSettings.columns as { id: number }[] | undefined) ?? [];
  const isNamed = (input.column ?? input.columnCode ?? undefined) !== undefined;
  if (entry.kind === heat && !isNamed) return undefined;
  const named =
    first && !isNamed ? { id: first.id, code: undefined } : { id: input.column, code: input.columnCode };
  return findSettingsColumn(named, columns, {
    at: { id: `${at}.column`, code: `${at}.columnCode` },
    types: entry.types,
  });
}

/** Whether a visualization reads a column. */
export const readsColumn = (settings: AnySettings, { id, code }: { id: number; code: string }): boolean =>
  isCustom(settings)
    ? Object.values(settings.columns).includes(id)
    : codesRead(settings).includes(code) || (kindOf(settings).ids?.(settings) ?? []).includes(id);

function codesRead(settings: VisualSettings): string[] {
  const read = [
    settings.columnCode,
    settings.textSettings.column,
    ...(kindOf(settings).codes?.(settings) ?? []),
  ];
  return [...new Set(read.filter((code) => code !== null))];
}

/** The settings with a column code replaced. */
export function renameColumn(settings: VisualSettings, from: string, to: string): VisualSettings {
  const { columnCode, textSettings } = settings;
  return {
    ...settings,
    classesSettings: kindOf(settings).renamed?.(settings, from, to) ?? settings.classesSettings,
    columnCode: columnCode === from ? to : columnCode,
    textSettings: { ...textSettings, column: textSettings.column === from ? to : textSettings.column },
  };
}
