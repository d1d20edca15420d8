import type { Column } from '@cartulary/columns';
import type { Placed } from '../layers.js';

/** A column with the place of its values in the layer's table. */
export type StoredColumn = Placed & Pick<Column, 'type' | 'localized_value'>;

/** A change of a column's type or localization. */
export interface StorageChange {
  before: StoredColumn;
  after: StoredColumn;
  /** The main language: that of a plain value that becomes localized, and the first choice in the other direction. */
  main: string;
}

/** Whether the values of a column must be converted. */
export const changesStorage = ({ before, after }: Pick<StorageChange, 'before' | 'after'>): boolean =>
  before.type !== after.type || before.localized_value !== after.localized_value;
