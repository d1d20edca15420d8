import type { Column, ColumnType } from '../../layers/layers.js';
import { valueColumns } from '../../objects/store.js';
import type { WriterOptions } from '../geojson-writer.js';

/** A value of an object under a name of its own: a column, or one language of it. */
export interface OutField {
  key: string;
  /** Of the column, for people. */
  title: string;
  type: ColumnType;
  /** From the values of an object row, as `createFeatureWriter` has them read; json as JSON text. */
  value(values: readonly unknown[]): unknown;
}

/** The number of the object, by which an import finds it again; its value is not among those of the columns. */
export const idField: OutField = { key: 'svc_id', title: 'id', type: 'number', value: () => null };

/**
 * The fields of an export to a format with fixed columns. A localized column gives the value of the main language under
 * its code, and each wanted one under the name of `languageKey`.
 */
export function outFields(options: WriterOptions): OutField[] {
  const { languages, wanted } = options;
  const shown = wanted.length ? wanted : languages;
  const columns = valueColumns(options.columns);
  const codes = new Set(columns.map(({ code }) => code));
  return columns.flatMap((column, i) => {
    const { code, type } = column;
    const title = titleOf(column, languages);
    if (!column.localized_value) return [{ key: code, title, type, value: (values) => values[i] ?? null }];
    const inLanguage = (key: string, language: string): OutField => ({
      key,
      title,
      type,
      value: (values) => valueIn(values[i], language, type),
    });
    return [
      inLanguage(code, languages[0]!),
      ...shown.map((language) => inLanguage(languageKey(code, language, codes), language)),
    ];
  });
}

/** The name of one language of a column, as an import reads it: `<code>_<language>`, or `<code>:<language>` where a column has that code. */
export function languageKey(code: string, language: string, codes: ReadonlySet<string>): string {
  const key = `${code}_${language}`;
  return codes.has(key) ? `${code}:${language}` : key;
}

function titleOf({ localized_name, name, names, code }: Column, languages: readonly string[]): string {
  if (!localized_name) return name || code;
  return languages.map((language) => names[language]).find(Boolean) ?? code;
}

function valueIn(value: unknown, language: string, type: ColumnType): unknown {
  const values = (value ? JSON.parse(value as string) : {}) as Record<string, unknown>;
  const found = values[language] ?? null;
  return type === 'json' && found !== null ? JSON.stringify(found) : found;
}

/** Names within a limit of characters of which no two are the same, whatever their case. */
export function shortNames(names: readonly string[], longest: number): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let short = name.slice(0, longest);
    for (let i = 1; taken.has(short.toLowerCase()); i++) {
      const end = `_${i}`;
      short = name.slice(0, longest - end.length) + end;
    }
    taken.add(short.toLowerCase());
    return short;
  });
}
