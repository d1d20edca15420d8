import type { Column } from '../layers/layers.js';
import { type ObjectRow, type Output, valueColumns } from '../objects/store.js';
import { languageKey } from './writers/fields.js';

export interface FeatureWriter {
  /** What must be read of the objects. */
  output: Output;
  /** An object as the text of a GeoJSON Feature. */
  write(row: ObjectRow): string;
}

export interface WriterOptions {
  columns: readonly Column[];
  /** Of the map, the main one first. */
  languages: readonly string[];
  /** Languages of localized values that are wanted; empty: all that there are. */
  wanted: readonly string[];
}

/** Appends the properties of a column to a text, each led by a comma. */
type PropertyWriter = (value: unknown) => string;

/**
 * Writes objects as features: `id` is their id, properties go by the codes of the columns. A localized column gives the
 * value of the main language under its code, and each wanted one under `<code>_<language>` (`<code>:<language>` where
 * a column has that code), which is what the import reads.
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
    // The languages of a localized column lie in its storage as JSON: read it as such.
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
