import { badRequest, ServiceError } from '../errors.js';
import type { Column, ColumnType } from '../layers/layers.js';
import { codeFor } from './codes.js';
import {
  inferType,
  kinds,
  type Property,
  splitLanguage,
  type Target,
  targetOf,
  textForm,
  usualDecimal,
} from './properties.js';
import type { Decimal } from './tables/rules.js';
import type { TextForm } from './tables/text-values.js';

/** A property as the source of a column's values, or of one language's. */
export interface Source {
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
  sources: Source[];
}

export interface PlanRules {
  /** The columns of the layer as they are now. */
  columns: readonly Column[];
  languages: readonly string[];
  language: string;
  /** Properties of which new columns take the values by language. */
  localized: readonly string[];
  columnLimit: number;
}

/** Refuses `localized` for a column that is there without languages. */
export function checkLocalized(localized: readonly string[], columns: readonly Column[]): void {
  for (const name of localized) {
    const column = targetOf(name, { columns, languages: [], language: '' })?.column;
    if (column && !column.localized_value) {
      throw badRequest(`The values of the column '${column.code}' are not localized`, {
        columns: [column.code],
      });
    }
  }
}

/** The columns that are there already. */
export const columnsOf = (plans: readonly ColumnPlan[]): Column[] =>
  plans.flatMap(({ column }) => ('id' in column ? [column] : []));

/** Which column each property goes to; none to a file column, which an import leaves as it is. Throws `import_failed` when there would be too many, or when they were changed since the values were checked. */
export function planColumns(properties: readonly Property[], rules: PlanRules): ColumnPlan[] {
  const plans = new Map<string, ColumnPlan>();
  const taken = new Set(rules.columns.map(({ code }) => code));
  const usual = usualDecimal(properties);
  properties.forEach((property, index) => {
    const target = currentTarget(property, rules, usual) ?? newTarget(property, rules);
    const { language, isFallback } = target;
    const key =
      'id' in target.column
        ? `id ${target.column.id}`
        : `name ${property.declared ? property.name : target.column.name}`;
    const plan = plans.get(key) ?? { column: target.column, sources: [] };
    if (!('id' in plan.column)) widen(plan.column, { property, index, usual }, taken);
    // What had a column already was converted when it was read.
    const form = property.target || target.column.localized_value ? undefined : textForm(property, usual);
    plan.sources.push({ index, language, isFallback, form });
    plans.set(key, plan);
  });
  const all = [...plans.values()];
  const count = rules.columns.length + newColumns(all).length;
  if (count > rules.columnLimit) {
    const message = `The layer would have ${count} columns; it may have ${rules.columnLimit}`;
    throw new ServiceError('import_failed', message, { columns: count });
  }
  return all.filter(({ column }) => column.type !== 'file');
}

/** The plans of columns that are still to be made. */
export const newColumns = (plans: readonly ColumnPlan[]): ColumnPlan<NewColumn>[] =>
  plans.filter((plan): plan is ColumnPlan<NewColumn> => !('id' in plan.column));

function currentTarget(property: Property, rules: PlanRules, usual: Decimal | undefined): Target | undefined {
  const { target, name } = property;
  if (!target) {
    // Made by somebody else in the meantime, such as an import of the same file.
    const found = targetOf(name, rules);
    if (found && !fits(property, found.column, usual)) throw changed(found.column.code);
    return found;
  }
  const column = rules.columns.find(({ id }) => id === target.column.id);
  const isSame =
    column?.type === target.column.type && column.localized_value === target.column.localized_value;
  if (!column || !isSame) throw changed(target.column.code);
  return { ...target, column };
}

/** The columns of the layer are no longer what the values were checked for. */
export const changed = (code: string): ServiceError =>
  new ServiceError('import_failed', `The column '${code}' was changed during the import; try again`, {
    columns: [code],
  });

/** Whether all values that a property had can be stored in a column of this type as they are. */
function fits(property: Property, column: Column, usual: Decimal | undefined): boolean {
  const type = inferType(property, usual);
  if (column.type === 'text')
    return !column.localized_value || (property.kinds & ~(kinds.string | kinds.datetime)) === 0;
  return column.type === type && !column.localized_value;
}

type NewTarget = Omit<Target, 'column'> & { column: NewColumn };

function newTarget({ name, declared }: Property, rules: PlanRules): NewTarget {
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
  { property, index, usual }: { property: Property; index: number; usual: Decimal | undefined },
  taken: Set<string>,
): void {
  const type = inferType(property, usual);
  if (!column.localized_value) column.type = type;
  else if (type !== 'string' && (property.kinds || property.texts)) column.type = 'text';
  if (column.code) return;
  column.code = codeFor(property.declared ? property.name : column.name, index + 1, taken);
  taken.add(column.code);
}
