import type { DataValue } from './column.js';
import type { IconShape } from './kinds/chart-icon.js';

/** Content of the image of a legend entry. */
export interface LegendSample {
  /** Values of the source's computed columns, by which the style selects the class. */
  values: Readonly<Record<string, number>>;
  /** Shapes of the entry. Absent: one shape of the layer's kind of geometry. */
  shapes?: readonly IconShape[];
  /** Replaces the style of the drawing. */
  css?: string;
}

/** An entry of the legend. */
export interface LegendClass {
  /** The class number in the source. 0: objects in no other class. -1: a part of every object. */
  class: number;
  value: DataValue | null;
  fill: string;
  isIcon: boolean;
  from?: number;
  to?: number;
  /** Label in a language. */
  text?: (lng: string) => string;
  /** The column of the entry. */
  column?: number;
  /** Width of the marker, pixels. */
  size?: number;
  opacity?: number;
  icon?: string;
  /** Objects of the class are not drawn. */
  hidden?: boolean;
  /** Absent: the entry has no image. */
  sample?: LegendSample;
}

export interface Legend {
  minValue: number | null;
  maxValue: number | null;
  /** Width of the images in pixels at map scale. All entries share it, so that sizes are comparable. */
  side: number;
  classes: LegendClass[];
  /** Cells: their zoom level, and their width at the equator in metres. */
  cell?: { zoom: number; width: number };
}

/** Properties of a legend other than its classes. */
export interface LegendHead {
  /** The column of the values. */
  column: number | null;
  legendName: string;
  legendNames: readonly Record<string, string>[];
  showLegend: boolean;
  showLegendName: boolean;
  showValues: boolean;
  border: object | null;
}
