import type { Column, ColumnType } from '@cartulary/columns';
import { badRequest, ServiceError } from '@cartulary/errors';
import {
  type Assignment,
  type ColumnTarget,
  columnCodeFor,
  columnTargetOf,
  type Decimal,
  type FeatureProperty,
  hasChosenType,
  inferTextForm,
  inferType,
  sharedDecimal,
  splitLanguage,
  type TextForm,
  valueKinds,
} from '@cartulary/formats';
import { type ColumnChoice, refuseUnknown } from './choices.js';

/** A property as the source of a column's values, or of one language's. */
export interface ValueSource {
  /** Of the property in the staged rows. */
  index: number;
  language: string | undefined;
  isFallback: boolean;
  /** How its texts become values; undefined: the values are staged as they are to be. */
  form: TextForm | undefined;
}

/** A column that is still to be made. */
export interface NewColumn {
  code: string;
  name: string;
  type: ColumnType;
  localized_value: boolean;
}

/** A column, there or to be made, and where its values come from. */
export interface ColumnPlan<C = Column | NewColumn> {
  column: C;
  sources: ValueSource[];
}

export interface PlanRules {
  /** The columns of the layer as they are now. */
  columns: readonly Column[];
  languages: readonly string[];
  language: string;
  /** Properties of which new columns take the values by language. */
  localized: readonly string[];
  /** What the request says of properties. */
  choices: readonly ColumnChoice[];
  assigned: ReadonlyMap<string, Assignment>;
  columnLimit: number;
}

/** Refuses `localized` for a column that is there without languages. */
export function checkLocalized(localized: readonly string[], columns: readonly Column[]): void {
  for (const name of localized) {
    const column = columnTargetOf(name, { columns, languages: [], language: '' })?.column;
    if (column && !column.localized_value) {
      throw badRequest(`The values of the column '${column.code}' are not localized`, {
        columns: [column.code],
      });
    }
  }
}

/** The columns that are there already. */
export const existingColumns = (plans: readonly ColumnPlan[]): Column[] =>
  plans.flatMap(({ column }) => ('id' in column ? [column] : []));

/** The column of each property. File columns take none: an import does not change them. Throws `import_failed` for too many columns, and where columns have changed since the values were checked. */
export function planColumns(properties: readonly FeatureProperty[], rules: PlanRules): ColumnPlan[] {
  refuseUnknown(rules.choices, properties);
  const plans = new Map<string, ColumnPlan>();
  const taken = new Set([...rules.columns, ...rules.choices].map(({ code }) => code ?? ''));
  const usual = sharedDecimal(properties.flatMap(({ texts }) => texts ?? []));
  properties.forEach((property, index) => {
    if (property.isLeftOut) return;
    const target = currentTarget(property, rules, usual) ?? newTarget(property, rules);
    const { language, isFallback } = target;
    const key =
      'id' in target.column
        ? `id ${target.column.id}`
        : `name ${property.declared || rules.assigned.has(property.name) ? property.name : target.column.name}`;
    const plan = plans.get(key) ?? { column: target.column, sources: [] };
    if (!('id' in plan.column)) widen(plan.column, { property, index, usual }, { taken, rules });
    // Values of existing columns were converted when they were read.
    const form =
      property.target || target.column.localized_value ? undefined : inferTextForm(property, usual);
    plan.sources.push({ index, language, isFallback, form });
    plans.set(key, plan);
  });
  const all = [...plans.values()];
  const count = rules.columns.length + newColumns(all).length;
  if (count > rules.columnLimit) {
    const message = `The layer would have ${count} columns; it may have ${rules.columnLimit}`;
    const beyond = newColumns(all).slice(rules.columnLimit - count);
    const columns = beyond.map(({ column }) => column.code);
    throw new ServiceError('import_failed', message, { columns });
  }
  return all.filter(({ column }) => column.type !== 'file');
}

/** The plans of columns that are still to be made. */
export const newColumns = (plans: readonly ColumnPlan[]): ColumnPlan<NewColumn>[] =>
  plans.filter((plan): plan is ColumnPlan<NewColumn> => !('id' in plan.column));

function currentTarget(
  property: FeatureProperty,
  rules: PlanRules,
  usual: Decimal | undefined,
): ColumnTarget | undefined {
  const { target, name } = property;
  if (!target) {
    // Another request has made it meanwhile, such as an import of the same file.
    const found = columnTargetOf(name, rules);
    if (found && !fits(property, found.column, usual)) throw changed(found.column.code);
    return found;
  }
  if (hasChosenType(target.column)) return undefined;
  const column = rules.columns.find(({ id }) => id === target.column.id);
  const isSame =
    column?.type === target.column.type && column.localized_value === target.column.localized_value;
  if (!column || !isSame) throw changed(target.column.code);
  return { ...target, column };
}

/** The error where the columns of the layer have changed since the values were checked. */
export const changed = (code: string): ServiceError =>
  new ServiceError('import_failed', `The column '${code}' was changed during the import; try again`, {
    columns: [code],
  });

/** Whether all values that a property had can be stored in a column of this type as they are. */
function fits(property: FeatureProperty, column: Column, usual: Decimal | undefined): boolean {
  const type = inferType(property, usual);
  if (column.type === 'text')
    return !column.localized_value || (property.kinds & ~(valueKinds.string | valueKinds.datetime)) === 0;
  return column.type === type && !column.localized_value;
}

type NewTarget = Omit<ColumnTarget, 'column'> & { column: NewColumn };

function newTarget({ name, declared }: FeatureProperty, rules: PlanRules): NewTarget {
  const choice = rules.choices.find(({ property }) => property === name);
  if (choice) {
    const { code = '', type = 'string' } = choice;
    // Another request has made it meanwhile.
    if (rules.columns.some((column) => column.code === code)) throw changed(code);
    const title = choice.name ?? declared?.title ?? name;
    return {
      column: { code, name: title, type, localized_value: false },
      language: undefined,
      isFallback: false,
    };
  }
  const split = splitLanguage(name, rules.languages);
  const blank = { code: '', type: 'string' } as const;
  if (split && rules.localized.includes(split.base)) {
    const column: NewColumn = { ...blank, name: split.base, localized_value: true };
    return { column, language: split.language, isFallback: false };
  }
  const localized_value = rules.localized.includes(name);
  const language = localized_value ? rules.language : undefined;
  const title = declared && !localized_value ? declared.title : name;
  return { column: { ...blank, name: title, localized_value }, language, isFallback: localized_value };
}

/** Gives a new column its code with its first property and the type that the values of all its properties have. */
function widen(
  column: NewColumn,
  { property, index, usual }: { property: FeatureProperty; index: number; usual: Decimal | undefined },
  { taken, rules }: { taken: Set<string>; rules: PlanRules },
): void {
  const chosen = rules.choices.find((choice) => choice.property === property.name)?.type;
  const type = chosen ?? inferType(property, usual);
  if (!column.localized_value) column.type = type;
  else if (type !== 'string' && (property.kinds || property.texts)) column.type = 'text';
  if (column.code) return;
  column.code = columnCodeFor(property.declared ? property.name : column.name, index + 1, taken);
  taken.add(column.code);
}
