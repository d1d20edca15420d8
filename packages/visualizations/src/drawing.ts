import type { ColumnKind, MapLibreExpression } from '@cartulary/cartocss';
import type { Sql } from '@cartulary/sql';
import type { ReadValue } from './column.js';
import type { IconShape } from './kinds/chart-icon.js';

/** A computed column of the source. Its name is not a valid column code, so it never collides with a column of the layer. */
export interface ComputedColumn {
  name: string;
  kind: ColumnKind;
  sql: (read: ReadValue, lng: string) => Sql;
  /** Whether a feature has this value, in MapLibre's language, over the values of the layer's columns. Absent: it cannot say it. */
  hasValue?: (value: number, get: ReadExpression) => MapLibreExpression;
}

/** MapLibre's expression for the value of a column of the layer, by its id. */
export type ReadExpression = (column: number) => MapLibreExpression;

/** A source with several shapes per object (`chart-shapes.ts`). */
export interface PartSource {
  /** Name of the computed column with the number of the shape. */
  part: string;
  class: (read: ReadValue) => Sql;
  sizePx: (read: ReadValue) => Sql;
  values: (read: ReadValue) => Sql[];
  /** The value at the full height of a chart. SQL null: the largest value of the object. */
  scale: Sql;
  shapes: Sql;
  /** Within this distance only the largest chart is drawn. null: all charts are drawn. */
  minSpacingPx: number | null;
  /** Distance of a chart's centre above its place, as a fraction of its width. */
  lift: number;
}

/** A density surface of all objects. */
export interface HeatSource {
  /** Weight of an object. */
  weight: (read: ReadValue) => Sql;
  /** Radius of an object, at most `maxRadiusPx`. Both are multiplied by `radiusFactor` at a zoom level. */
  radiusPx: (read: ReadValue) => Sql;
  maxRadiusPx: number;
  radiusFactor: (zoom: number) => number;
  /** The weight, in a square as wide as the radius, that is drawn in the last colour. */
  peak: (zoom: number) => number;
  colors: readonly string[];
  opacity: number;
  /** Factor applied to the density. */
  strength: number;
}

/**
 * A grid of hexagons over the map (EPSG:3857) with two vertical sides each. One hexagon is centred at 0° 0°, so the grid is
 * the same in every image. Each object, by one of its points, lies in one cell.
 */
export interface HexagonGrid {
  /** Degrees of longitude between the vertical sides. */
  widthDegrees: number;
  /** Value of an object that cells aggregate, as `o.measure`. */
  measure: (read: ReadValue) => Sql;
  /** Value of a cell: an aggregate over `o` that is independent of the order of the objects. SQL null: the cell is not drawn. */
  value: Sql;
  /** Class number of a cell, computed from its value `c.value`. */
  class: Sql;
}

/** Cells instead of objects. Computed columns read the `value` of a cell by the alias `c`. */
export interface CellSource extends HexagonGrid {
  /** Distance between neighbours. */
  gapPx: number;
  /** The computed column that labels a cell with enough room. `fontSize` is in pixels. */
  label?: { column: string; fontSize: number };
}

/** How a visualization is drawn: the source of the layer, and a style in CartoCSS for the one compiler. */
export interface VisualDrawing {
  css: string;
  columns: readonly ComputedColumn[];
  /** The geometry of an object: its shape, or one point of it. */
  place: 'shape' | 'point';
  /** The column that orders the objects in descending order. Absent: they are ordered by id. */
  largestFirst?: string;
  /** Computed shapes instead of an object's own. */
  parts?: PartSource;
  /** A surface instead of objects; `css` then applies to the icon only. */
  heat?: HeatSource;
  cells?: CellSource;
  /** Shapes of the icon for `parts` and `cells`. `part` is the column with the number of a shape. */
  icon?: { part: string; shapes: readonly IconShape[] };
  /** Values of the computed columns for an icon. */
  sample: Readonly<Record<string, number>>;
  /** Maximum distance of an object's symbol beyond the object. */
  reachPx: number;
}
