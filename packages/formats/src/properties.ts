import { type Column, type ColumnType, stringLimit } from '@cartulary/columns';
import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import { isDatetime } from './datetimes.js';
import type { Decimal } from './tables/rules.js';
import {
  formOf,
  newTextUse,
  noteText,
  type TextForm,
  type TextRules,
  type TextUse,
} from './tables/text-values.js';

/** Bits for the kinds of values of a property. */
export const valueKinds = { number: 1, bool: 2, datetime: 4, string: 8, json: 16 } as const;

/** A property, with the kinds and lengths of its values in all features. */
export interface FeatureProperty {
  name: string;
  /** Sum of `valueKinds`; 0: only nulls. */
  kinds: number;
  /** Length of the longest string. */
  longest: number;
  /** For a table, in which all values are texts: the types that all texts can have. */
  texts?: TextUse;
  /** The column that was assigned to it when the import began. */
  target: ColumnTarget | undefined;
  /** The column from which it was exported. */
  declared?: DeclaredColumn | undefined;
  /** Whether the request leaves it out. */
  isLeftOut?: boolean;
}

/** A column that an own export declares. */
export interface DeclaredColumn {
  title: string;
  type: ColumnType;
}

/** Kinds of values that columns store unchanged; columns of other types accept all kinds. */
const takenKinds: Partial<Record<ColumnType, number>> = {
  number: valueKinds.number,
  bool: valueKinds.bool,
  datetime: valueKinds.datetime,
  string: valueKinds.string | valueKinds.datetime,
  text: valueKinds.string | valueKinds.datetime,
};

/** A column and, where its values are localized, the language of a property. */
export interface ColumnTarget {
  column: Column;
  language: string | undefined;
  /** Whether the property has the column's own name without a language. A property that names the language takes precedence. */
  isFallback: boolean;
}

/** Rules that assign properties to columns. */
export interface TargetRules {
  columns: readonly Column[];
  /** Languages of the map, the main one first. */
  languages: readonly string[];
  /** The language that a localized column takes from the property of its own name. */
  language: string;
  /** By name of the property: what the request says of it. */
  assigned?: ReadonlyMap<string, Assignment> | undefined;
}

/**
 * Where the values of a property go by the request: into a column, which may be one to be made, with an id below 0; into a new
 * column of the type of its values; or nowhere.
 */
export type Assignment = { column: Column } | 'new' | 'left out';

/** Whether a column is one to be made, of a type that the request chooses. */
export const hasChosenType = ({ id }: Pick<Column, 'id'>): boolean => id < 0;

/** The type of a new column: the type of all values, or text if they differ. For `usual` see `inferTextForm`. */
export function inferType(
  property: Pick<FeatureProperty, 'kinds' | 'longest' | 'texts' | 'declared'>,
  usual?: Decimal,
): ColumnType {
  const { kinds: seen, longest, texts, declared } = property;
  if (declared && isTakenBy(declared.type, property)) return declared.type;
  const form = inferTextForm(property, usual);
  if (form) return form.type;
  if (texts && seen !== 0 && seen !== valueKinds.string) return longest <= stringLimit ? 'string' : 'text';
  if (seen === valueKinds.number) return 'number';
  if (seen === valueKinds.bool) return 'bool';
  if (seen === valueKinds.datetime) return 'datetime';
  if (seen === valueKinds.json) return 'json';
  const isString = (seen & ~(valueKinds.string | valueKinds.datetime)) === 0;
  return isString && longest <= stringLimit ? 'string' : 'text';
}

/** Whether a column of a type stores all values of a property unchanged. */
function isTakenBy(
  type: ColumnType,
  { kinds: seen, longest, texts }: Pick<FeatureProperty, 'kinds' | 'longest' | 'texts'>,
): boolean {
  if (texts || type === 'file') return false;
  return (seen & ~(takenKinds[type] ?? ~0)) === 0 && (type !== 'string' || longest <= stringLimit);
}

/**
 * The form of a table's texts in a new column of another type than text; undefined: they stay texts. `usual` decides
 * ambiguous texts.
 */
export function inferTextForm(
  { kinds: seen, texts }: Pick<FeatureProperty, 'kinds' | 'texts'>,
  usual?: Decimal,
): TextForm | undefined {
  const form = texts && formOf(texts, usual);
  // Typed cells in the column must have the same type.
  return form && (seen === 0 || seen === valueKinds[form.type]) ? form : undefined;
}

/** The column for a property: as the request says, by its code, by its title, or, localized, by code or title and a language. */
export function columnTargetOf(name: string, rules: TargetRules): ColumnTarget | undefined {
  const assigned = rules.assigned?.get(name);
  if (typeof assigned === 'string') return undefined;
  const own = assigned?.column ?? columnOf(name, rules.columns);
  if (own?.localized_value) return { column: own, language: rules.language, isFallback: true };
  if (own) return { column: own, language: undefined, isFallback: false };
  const localized = splitLanguage(name, rules.languages);
  const column = localized && columnOf(localized.base, rules.columns);
  return column?.localized_value ? { column, language: localized!.language, isFallback: false } : undefined;
}

function columnOf(name: string, columns: readonly Column[]): Column | undefined {
  const own = columns.filter(({ code, type }) => code !== 'svc_id' && code !== 'geom' && type !== 'title');
  return (
    own.find(({ code }) => code === name) ?? own.find((column) => name && titlesOf(column).includes(name))
  );
}

const titlesOf = ({ localized_name, name, names }: Column): string[] =>
  localized_name ? Object.values(names) : [name];

/** Divides `name_ru` or `name:ru` into the base and one of the languages; undefined if it ends in none. */
export function splitLanguage(
  name: string,
  languages: readonly string[],
): { base: string; language: string } | undefined {
  for (const language of languages) {
    const base = name.slice(0, -language.length - 1);
    const end = name.slice(base.length);
    if (base && /^[_:]/.test(end) && end.slice(1).toLowerCase() === language.toLowerCase()) {
      return { base, language };
    }
  }
  return undefined;
}

/**
 * Records the kind of a value. In a table (`rules`) texts may represent other types. Throws `value_invalid` for a value
 * that no column can store.
 */
export function note(property: FeatureProperty, value: unknown, rules?: TextRules): void {
  if (value === null || value === undefined) return;
  checkStorable(value);
  if (rules && typeof value === 'string') {
    property.texts ??= newTextUse();
    noteText(property.texts, value, rules);
    if (value.length > property.longest) property.longest = value.length;
    return;
  }
  property.kinds |= kindOf(property, value);
  if (typeof value === 'string' && value.length > property.longest) property.longest = value.length;
}

function kindOf(property: FeatureProperty, value: unknown): number {
  if (typeof value === 'boolean') return valueKinds.bool;
  // A number column stores no integers beyond 2^53, so such values stay text.
  if (typeof value === 'number')
    return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? valueKinds.number : valueKinds.string;
  if (typeof value === 'object') return valueKinds.json;
  // After one text that is no date the column cannot be a date column, so later texts are not checked.
  return property.kinds & valueKinds.string || !isDatetime(value as string)
    ? valueKinds.string
    : valueKinds.datetime;
}

/** Throws for values that the database cannot store: the character 0, lone surrogates, infinite numbers. */
function checkStorable(value: unknown): void {
  if (typeof value === 'string') checkText(value);
  else if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new ServiceError('value_invalid', noteOf('numberTooLarge'));
  } else if (Array.isArray(value)) value.forEach(checkStorable);
  else if (typeof value === 'object' && value !== null) {
    for (const key in value) {
      checkText(key);
      checkStorable((value as Record<string, unknown>)[key]);
    }
  }
}

/** Throws for text that the database cannot store. */
export function checkText(text: string): void {
  if (!suspicious.test(text)) return;
  if (text.includes('\0')) throw new ServiceError('value_invalid', noteOf('textWithNul'));
  if (lonely.test(text)) throw new ServiceError('value_invalid', noteOf('textWithSurrogate'));
}

const suspicious = /[\0\ud800-\udfff]/;
const lonely = /\p{Surrogate}/u;
