import { ServiceError } from '../errors.js';
import type { Column, ColumnType } from '../layers/layers.js';
import { stringLimit } from '../layers/types.js';
import { isDatetime } from './datetimes.js';
import type { Decimal } from './tables/rules.js';
import {
  formOf,
  newTextUse,
  noteText,
  provenDecimal,
  type TextForm,
  type TextRules,
  type TextUse,
} from './tables/text-values.js';

/** What kinds of values a property had, added up. */
export const kinds = { number: 1, bool: 2, datetime: 4, string: 8, json: 16 } as const;

/** A property of the features, by what was seen of it in all of them. */
export interface Property {
  name: string;
  /** Sum of `kinds`; 0: only nulls. */
  kinds: number;
  /** Length of the longest string. */
  longest: number;
  /** What its texts can be read as where they come from a table, in which everything is text. */
  texts?: TextUse;
  /** The column that stood ready for it when the import began. */
  target: Target | undefined;
  /** The column that it was exported from. */
  declared?: Declaration | undefined;
}

/** A column as an export of ours describes it. */
export interface Declaration {
  title: string;
  type: ColumnType;
}

/** Kinds of values that columns take as they are; others take all. */
const takenKinds: Partial<Record<ColumnType, number>> = {
  number: kinds.number,
  bool: kinds.bool,
  datetime: kinds.datetime,
  string: kinds.string | kinds.datetime,
  text: kinds.string | kinds.datetime,
};

/** A column and, where its values are localized, the language that a property holds. */
export interface Target {
  column: Column;
  language: string | undefined;
  /** The property has the column's own name, without a language: one that names the language goes before it. */
  isFallback: boolean;
}

/** What decides where properties go. */
export interface TargetRules {
  columns: readonly Column[];
  /** Of the map, the main one first. */
  languages: readonly string[];
  /** The language that a localized column takes from the property of its own name. */
  language: string;
}

/** The type of a new column: the one that every value has; text where they differ. `usual`: see `textForm`. */
export function inferType(
  property: Pick<Property, 'kinds' | 'longest' | 'texts' | 'declared'>,
  usual?: Decimal,
): ColumnType {
  const { kinds: seen, longest, texts, declared } = property;
  if (declared && isTakenBy(declared.type, property)) return declared.type;
  const form = textForm(property, usual);
  if (form) return form.type;
  if (texts && seen !== 0 && seen !== kinds.string) return longest <= stringLimit ? 'string' : 'text';
  if (seen === kinds.number) return 'number';
  if (seen === kinds.bool) return 'bool';
  if (seen === kinds.datetime) return 'datetime';
  if (seen === kinds.json) return 'json';
  const isString = (seen & ~(kinds.string | kinds.datetime)) === 0;
  return isString && longest <= stringLimit ? 'string' : 'text';
}

/** Whether a column of a type takes all values of a property as they are. */
function isTakenBy(
  type: ColumnType,
  { kinds: seen, longest, texts }: Pick<Property, 'kinds' | 'longest' | 'texts'>,
): boolean {
  if (texts || type === 'file') return false;
  return (seen & ~(takenKinds[type] ?? ~0)) === 0 && (type !== 'string' || longest <= stringLimit);
}

/** The form of the texts of a table in a new column that is not one of texts; undefined: they stay as they are. `usual` decides where one alone does not tell. */
export function textForm(
  { kinds: seen, texts }: Pick<Property, 'kinds' | 'texts'>,
  usual?: Decimal,
): TextForm | undefined {
  const form = texts && formOf(texts, usual);
  // Typed cells beside the texts must be of the same type.
  return form && (seen === 0 || seen === kinds[form.type]) ? form : undefined;
}

/** The sign before fractions that the properties have in common; undefined where they have none, or both. */
export function usualDecimal(properties: readonly Property[]): Decimal | undefined {
  const signs = new Set(properties.map(({ texts }) => texts && provenDecimal(texts)).filter(Boolean));
  return signs.size === 1 ? [...signs][0] : undefined;
}

/** The column that takes a property: by its code, by its title, or a localized column by code or title and a language. */
export function targetOf(name: string, rules: TargetRules): Target | undefined {
  const own = columnOf(name, rules.columns);
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

/** `name_ru` or `name:ru` as the base and one of the languages; undefined where it ends in none. */
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

/** Takes notice of a value; of a table (`rules`) texts may be anything. Throws `value_invalid` for one that no column can hold. */
export function note(property: Property, value: unknown, rules?: TextRules): void {
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

function kindOf(property: Property, value: unknown): number {
  if (typeof value === 'boolean') return kinds.bool;
  // A column of numbers takes none beyond 2^53: such values are kept as text.
  if (typeof value === 'number')
    return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? kinds.number : kinds.string;
  if (typeof value === 'object') return kinds.json;
  // Once a text was no date the column is no date column, and the rest need not be looked at.
  return property.kinds & kinds.string || !isDatetime(value as string) ? kinds.string : kinds.datetime;
}

/** Throws for what JSON can say and the database cannot store: the character 0, halves of surrogate pairs, infinite numbers. */
function checkStorable(value: unknown): void {
  if (typeof value === 'string') checkText(value);
  else if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new ServiceError('value_invalid', 'a number is too large');
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
  if (text.includes('\0')) throw new ServiceError('value_invalid', 'a text holds the character 0');
  if (lonely.test(text)) throw new ServiceError('value_invalid', 'a text holds half a surrogate pair');
}

const suspicious = /[\0\ud800-\udfff]/;
const lonely = /\p{Surrogate}/u;
