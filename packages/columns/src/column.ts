import { type ColumnType, hasValues } from './types.js';

/** A name as it is stored: `name`, or a text per language in `names` where `localized_name` is set. */
export interface LocalizedName {
  name: string;
  names: Record<string, string>;
  localized_name: boolean;
}

/** A column of a layer as it is stored. Every layer has `svc_id` (number) and `geom`. */
export interface Column extends LocalizedName {
  id: number;
  parent_id: number | null;
  code: string;
  required: boolean;
  localized_value: boolean;
  type: ColumnType;
  format: Record<string, unknown> | null;
  sort: number;
  /** The shared attribute and the position in it (`column-name.ts`). null: the column has an attribute of its own. */
  pack?: number | null;
  slot?: number | null;
}

/** The user's columns that hold values, as `*` and a single object return them. `svc_id` is returned as `id`. */
export const valueColumns = (columns: readonly Column[]): Column[] =>
  columns.filter((column) => column.code !== 'svc_id' && hasValues(column));
