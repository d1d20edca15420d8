import type { StyleLayer } from '@cartulary/cartocss/editor';

/** A column of the layer. */
export interface StyleColumn {
  id: number;
  code: string;
  name: string;
  type: string;
}

/** The layer that a style is written for. */
export interface StyleSubject {
  layer: StyleLayer;
  columns: readonly StyleColumn[];
  /** Names of the project's icons; null: the user may not list them. */
  icons: readonly string[] | null;
  /** The most frequent values of a column. */
  valuesOf: (column: string) => Promise<ColumnValues>;
}

export interface ColumnValues {
  min: unknown;
  max: unknown;
  frequent: readonly unknown[];
}
