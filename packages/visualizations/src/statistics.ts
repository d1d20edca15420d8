import type { Sql } from '@cartulary/sql';
import type { Algorithm } from './classes/classes.js';
import type { DataValue, ReadValue } from './column.js';
import type { HexagonGrid } from './drawing.js';

/** The statistics of the data that a drawing needs. */
export type WantedStatistics =
  /** Class limits of a column. */
  | { kind: 'limits'; column: number; algorithm: Algorithm; classes: number }
  /** Minimum and maximum of each column, and the largest sum of an object's positive values in the first `summed` columns. */
  | { kind: 'range'; columns: readonly number[]; summed: number }
  /** The most frequent values of a column in descending order. */
  | { kind: 'frequent'; column: number; limit: number }
  /** Ranges of columns, and the largest sums of weights in squares of the width `square` (degrees on the map) and of 4, 16 … times this width. */
  | {
      kind: 'density';
      columns: readonly number[];
      weight: (found: Statistics, read: ReadValue) => Sql;
      square: number;
      /** Number of widths. `peaks` starts with the widest. */
      levels: number;
    }
  /** Class limits of the values of cells unless `limits` is null, and the zoom level of the cells if `zoom` is null. */
  | {
      kind: 'cells';
      cells: (zoom: number) => HexagonGrid;
      zoom: number | null;
      /** The zoom level for data of a width or height in degrees on the map. */
      zoomFor: (spanDegrees: number) => number;
      limits: { algorithm: Algorithm; classes: number } | null;
    };

/** Statistics of the data. They are stored beside the settings, so they are small. */
export type Statistics =
  | { kind: 'limits'; limits: readonly number[] }
  | { kind: 'range'; low: readonly (number | null)[]; high: readonly (number | null)[]; sum: number | null }
  | { kind: 'frequent'; values: readonly DataValue[] }
  | {
      kind: 'density';
      ranges: readonly { column: number; low: number | null; high: number | null }[];
      peaks: readonly number[];
    }
  | { kind: 'cells'; zoom: number | null; limits: readonly number[] | null };
