import { type Column, isScalar } from '@cartulary/columns';

/** An element of the search settings of a map (`json.search`). */
export interface SearchSetting {
  layer: string;
  /** Codes of columns; undefined: all searchable ones. */
  columns: readonly string[] | undefined;
  name_column: string | undefined;
}

/** The searched columns of a layer, in order, and the column that names its objects. */
export interface SearchedColumns {
  columns: readonly Column[];
  name: Column;
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** Parses the search settings; elements of another form are left out. undefined where there are none. */
export function readSettings(stored: unknown): SearchSetting[] | undefined {
  if (!Array.isArray(stored)) return undefined;
  return stored.flatMap((item: unknown) => {
    if (typeof item !== 'object' || item === null) return [];
    const { layer, columns, name_column } = item as Record<string, unknown>;
    if (!isText(layer)) return [];
    return [
      {
        layer,
        columns: Array.isArray(columns) ? columns.filter(isText) : undefined,
        name_column: isText(name_column) ? name_column : undefined,
      },
    ];
  });
}

/** The setting of a layer where its map has none. */
export const wholeLayer = (layer: string): SearchSetting => ({
  layer,
  columns: undefined,
  name_column: undefined,
});

const isSearchable = ({ type }: Column): boolean => type === 'string' || type === 'text';

/**
 * The columns that a setting names and the layer has, or all searchable ones (`string` and `text`), at most `limit`. The name
 * is by default the first `string` column, else the first `text`. undefined: nothing to search.
 */
export function searchedColumns(
  all: readonly Column[],
  setting: Omit<SearchSetting, 'layer'>,
  limit: number,
): SearchedColumns | undefined {
  const texts = all.filter(isSearchable);
  const named = setting.columns && [...new Set(setting.columns)];
  const columns = named ? named.flatMap((code) => texts.find((column) => column.code === code) ?? []) : texts;
  const name =
    all.find((column) => column.code === setting.name_column && isScalar(column)) ??
    all.find(({ type }) => type === 'string') ??
    texts[0];
  return columns.length && name ? { columns: columns.slice(0, limit), name } : undefined;
}
