import { type Column, type ColumnType, valueColumns } from '@cartulary/columns';

export interface WriterOptions {
  columns: readonly Column[];
  /** Languages of the map, the main one first. */
  languages: readonly string[];
  /** Exported languages of localized values; empty: all. */
  wanted: readonly string[];
}

/** A field of the export: a column, or one language of it. */
export interface OutField {
  key: string;
  /** Title of the column. */
  title: string;
  type: ColumnType;
  /** Extracts the value from an object row as `createFeatureWriter` reads it; json as JSON text. */
  value(values: readonly unknown[]): unknown;
}

/** The id of the object, by which an import identifies it. It is not a value of a column. */
export const idField: OutField = { key: 'svc_id', title: 'id', type: 'number', value: () => null };

/**
 * The fields of an export to a format with fixed columns. A localized column has a field under its code for the main
 * language, and one under `languageKey` for each exported language.
 */
export function exportFields(options: WriterOptions): OutField[] {
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

/**
 * The name of one language of a column, as the import reads it: `<code>_<language>`, or `<code>:<language>` if a column
 * has that code.
 */
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

/** Shortens names to a maximum number of characters, distinct regardless of case. */
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
