import { type Column, type ColumnType, userColumnTypes } from '@cartulary/columns';
import { badRequest, ServiceError } from '@cartulary/errors';
import type { Assignment, FeatureProperty } from '@cartulary/formats';
import { checkColumnCode } from '../../layers/columns/columns.js';

/** What a request says of a property of the file. */
export interface ColumnChoice {
  property: string;
  /** The column that takes its values: one of the layer, else a new one. */
  code?: string;
  /** Name and type of a new column. */
  name?: string;
  type?: ColumnType;
  skip?: boolean;
}

const importTypes = userColumnTypes.filter((type) => type !== 'file' && type !== 'title');

const refuse = (why: string): never => {
  throw badRequest(`columns: ${why}`, { parameters: ['columns'] });
};

/** Most characters of the name of a new column. */
const nameLimit = 1_000;

/** Parses the parameter `columns`. Throws 400, `code_invalid`, `code_reserved`. */
export function parseChoices(text: string | undefined): ColumnChoice[] {
  if (!text) return [];
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    list = undefined;
  }
  if (!Array.isArray(list)) return refuse('must be a JSON array of objects with the key property');
  const choices = list.map(parseChoice);
  refuseRepeated(
    choices.map(({ property }) => property),
    'the property',
  );
  refuseRepeated(
    choices.flatMap(({ code }) => code ?? []),
    'the code',
  );
  return choices;
}

function refuseRepeated(names: readonly string[], what: string): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) refuse(`${what} '${name}' stands there twice`);
    seen.add(name);
  }
}

const checks: Readonly<Record<keyof ColumnChoice, (value: unknown) => boolean>> = {
  property: (value) => typeof value === 'string',
  code: (value) => typeof value === 'string',
  name: (value) =>
    typeof value === 'string' && value.length <= nameLimit && !/[\0\p{Surrogate}]/u.test(value),
  type: (value) => importTypes.some((type) => type === value),
  skip: (value) => typeof value === 'boolean',
};

function parseChoice(value: unknown): ColumnChoice {
  if (typeof value !== 'object' || value === null) return refuse('each item must be an object');
  const choice = value as ColumnChoice;
  if (choice.property === undefined) return refuse('each item must have the key property');
  for (const [key, given] of Object.entries(choice)) {
    const check = Object.hasOwn(checks, key) ? checks[key as keyof ColumnChoice] : undefined;
    if (!check) return refuse(`the key ${key} is none of ${Object.keys(checks).join(', ')}`);
    if (!check(given)) return refuse(`${key} of '${choice.property}': ${hints[key as keyof ColumnChoice]}`);
  }
  if (choice.code !== undefined) checkColumnCode(choice.code);
  if (choice.skip && (choice.code ?? choice.name ?? choice.type) !== undefined)
    return refuse(`'${choice.property}' is left out, so it has no code, name or type`);
  return choice;
}

const hints: Readonly<Record<keyof ColumnChoice, string>> = {
  property: 'must be a text',
  code: 'must be a text',
  name: `must be a text of at most ${nameLimit} characters`,
  type: `must be one of ${importTypes.join(', ')}`,
  skip: 'must be true or false',
};

/**
 * The columns of the chosen properties. A column of the layer keeps its name. Throws 400 for one of another type, and for what
 * `localized` names too.
 */
export function assignColumns(
  choices: readonly ColumnChoice[],
  { columns, localized = [] }: { columns: readonly Column[]; localized?: readonly string[] | undefined },
): Map<string, Assignment> {
  return new Map(
    choices.map((choice, i) => {
      if (localized.includes(choice.property)) refuse(`'${choice.property}' is named by localized, too`);
      return [choice.property, assignmentOf(choice, columns, -1 - i)];
    }),
  );
}

function assignmentOf(
  { code, type, skip, name }: ColumnChoice,
  columns: readonly Column[],
  id: number,
): Assignment {
  if (skip) return 'left out';
  const column = columns.find((one) => one.code === code);
  if (column) {
    if (!importTypes.some((one) => one === column.type))
      refuse(`the column '${code}' takes no values of an import`);
    if (type !== undefined && type !== column.type)
      refuse(`the column '${code}' exists and has the type ${column.type}; choose another code, or no type`);
    return { column };
  }
  if (!type) return 'new';
  return { column: newColumnOf({ id, code: code ?? '', name: name ?? '', type }) };
}

/** A column to be made, as the reader of the file needs it. */
const newColumnOf = (own: Pick<Column, 'id' | 'code' | 'name' | 'type'>): Column => ({
  ...own,
  names: {},
  localized_name: false,
  localized_value: false,
  parent_id: null,
  required: false,
  format: null,
  sort: 0,
});

/** Throws `import_failed` for a choice whose property is not in the file. */
export function refuseUnknown(
  choices: readonly ColumnChoice[],
  properties: readonly FeatureProperty[],
): void {
  const names = new Set(properties.map(({ name }) => name));
  const unknown = choices.find(({ property }) => !names.has(property));
  if (!unknown) return;
  const message = `columns: the file has no property '${unknown.property}'`;
  throw new ServiceError('import_failed', message, { parameters: ['columns'] });
}
