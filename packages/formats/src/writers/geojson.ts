import { type ObjectRow, type Output, valueColumns } from '@cartulary/columns';
import { languageKey, type WriterOptions } from './fields.js';

export interface FeatureWriter {
  /** The columns to select. */
  output: Output;
  /** Writes an object as the text of a GeoJSON Feature. */
  write(row: ObjectRow): string;
}

/** Appends the properties of a column to a text, each after a comma. */
type PropertyWriter = (value: unknown) => string;

/**
 * Writes objects as features: `id` is their id, and properties are named by column codes. A localized column has its
 * main language under its code, and each exported language under `<code>_<language>` (`<code>:<language>` if a column
 * has that code), as the import reads it.
 */
export function createFeatureWriter(options: WriterOptions): FeatureWriter {
  const columns = valueColumns(options.columns);
  const codes = new Set(columns.map(({ code }) => code));
  const writers = columns.map((column): PropertyWriter => {
    if (column.localized_value) return localizedWriter(column.code, codes, options);
    const key = `,${JSON.stringify(column.code)}:`;
    if (column.type === 'json') return (value) => key + (value ?? 'null');
    return (value) => key + JSON.stringify(value ?? null);
  });
  const output: Output = {
    // A localized column is stored as JSON with all languages, so it is read as JSON.
    columns: columns.map((column) =>
      column.localized_value ? { ...column, type: 'json', localized_value: false } : column,
    ),
    geometry: { sr: '4326', centroid: false },
    display: false,
    main: options.languages[0]!,
  };
  return { output, write: (row) => featureText(row, writers) };
}

function featureText({ id, geom, values }: ObjectRow, writers: readonly PropertyWriter[]): string {
  let properties = '';
  for (const [i, write] of writers.entries()) properties += write(values[i]);
  return `{"type":"Feature","id":${id},"geometry":${geom},"properties":{${properties.slice(1)}}}`;
}

function localizedWriter(
  code: string,
  codes: ReadonlySet<string>,
  { languages, wanted }: WriterOptions,
): PropertyWriter {
  const main = languages[0]!;
  const keyOf = (language: string): string => JSON.stringify(languageKey(code, language, codes));
  return (value) => {
    const values = (value ? JSON.parse(value as string) : {}) as Record<string, unknown>;
    const shown = wanted.length ? wanted : [...new Set([...languages, ...Object.keys(values)])];
    const parts = shown.map((language) => `,${keyOf(language)}:${JSON.stringify(values[language] ?? null)}`);
    return `,${JSON.stringify(code)}:${JSON.stringify(values[main] ?? null)}${parts.join('')}`;
  };
}
