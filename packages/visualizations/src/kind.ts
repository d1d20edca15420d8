import type { Sql } from '@cartulary/sql';
import type { ReadValue, VisualColumn } from './column.js';
import type { CommonSettings } from './common.js';
import type { VisualDrawing } from './drawing.js';
import type { Legend } from './legend.js';
import type { Statistics, WantedStatistics } from './statistics.js';

/** Complete settings of the types 1 to 7, in the structure of the interface. The type determines `classesSettings`. */
export interface VisualSettings extends CommonSettings {
  id: number;
  type: VisualType;
  column: number | null;
  columnCode: string | null;
  algorithm: 1 | 2 | 3;
  classesCount: number;
  classesSettings: object;
}

export type VisualType = 1 | 2 | 3 | 4 | 5 | 6 | 7;

/** A visualization: its settings and the statistics of the data. */
export interface Visual<S = VisualSettings> {
  settings: S;
  statistics: Statistics | undefined;
}

/** Draws a layer by checked settings. Pure: the layers read the data. */
export interface VisualDrawer<S> {
  wanted(settings: S): WantedStatistics | undefined;
  draw(visual: Visual<S>): VisualDrawing;
  /** SQL expression for the class number of an object. Absent where cells have classes. */
  classSql?(visual: Visual<S>, read: ReadValue): Sql;
  legend(visual: Visual<S>): Legend;
}

/** One kind of the types 1 to 7. */
export interface VisualKind extends VisualDrawer<VisualSettings> {
  /** Returns complete `classesSettings`. Throws 400 that names the mistake. */
  check(input: Record<string, unknown>, columns: readonly VisualColumn[]): Record<string, unknown>;
  classSql(visual: Visual<VisualSettings>, read: ReadValue): Sql;
  /** Codes of the columns in `classesSettings`. */
  codes?(settings: VisualSettings): string[];
  /** Ids of the columns that `classesSettings` references by id only. */
  ids?(settings: VisualSettings): number[];
  /** `classesSettings` with a column code replaced. */
  renamed?(settings: VisualSettings, from: string, to: string): object;
}
