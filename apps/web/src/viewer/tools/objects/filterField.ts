import type { ColumnFilter } from '../../filters/filters.js';
import type { ColumnInfo } from '../../types.js';

/** Statistics of a column, as the service sends them. */
export interface ColumnStatistics {
  min?: number | string | null;
  max?: number | string | null;
  distinct: number;
  frequent?: { value: string | number | boolean; count: number }[];
}

export interface FilterFieldProps {
  column: ColumnInfo;
  statistics: ColumnStatistics;
  filter: ColumnFilter | undefined;
  onChange: (filter: ColumnFilter | null) => void;
  /** Language of the data. */
  language: string;
}
