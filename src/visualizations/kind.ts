import type { Sql } from '../db/sql.js';
import type { Column } from '../layers/layers.js';
import type { ColumnKind } from '../styles/compile.js';
import type { IconShape } from './chart-icon.js';
import type { Algorithm } from './classes.js';
import type { CommonSettings } from './common.js';
import type { CustomSettings } from './plugin.js';

/** A column as a visualization sees it. */
export type VisualColumn = Pick<Column, 'id' | 'code' | 'type' | 'localized_value'>;

/** A value as it is compared and shown: a datetime is a text, ISO 8601 in UTC. */
export type Value = string | number | boolean;

/** Settings of the types 1 to 7 in the structure of the interface, complete. `classesSettings` by type. */
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

/** What has to be read from the data before the visualization can be drawn. */
export type Wanted =
  /** The limits of classes of a column. */
  | { kind: 'limits'; column: number; algorithm: Algorithm; classes: number }
  /** The least and greatest value of each column, and the greatest sum over an object of what is positive in the first `summed`. */
  | { kind: 'range'; columns: readonly number[]; summed: number }
  /** The most frequent values of a column, most frequent first. */
  | { kind: 'frequent'; column: number; limit: number }
  /** The ranges of columns, and the greatest sum of weights in a square of a width (degrees on the map) and in those that are 4, 16 … times as wide. */
  | {
      kind: 'density';
      columns: readonly number[];
      weight: (found: Statistics, read: ReadValue) => Sql;
      square: number;
      /** How many widths; peaks begin with the greatest. */
      levels: number;
    }
  /** The limits of classes of the values that cells have, where they are not given; where `zoom` is null, the zoom level to which the cells belong, too. */
  | {
      kind: 'cells';
      cells: (zoom: number) => Cells;
      zoom: number | null;
      /** For data that is this wide or high, degrees on the map. */
      zoomFor: (span: number) => number;
      limits: { algorithm: Algorithm; classes: number } | null;
    };

/** What was found of what is wanted: small, since it is kept beside the settings. */
export type Statistics =
  | { kind: 'limits'; limits: readonly number[] }
  | { kind: 'range'; low: readonly (number | null)[]; high: readonly (number | null)[]; sum: number | null }
  | { kind: 'frequent'; values: readonly Value[] }
  | {
      kind: 'density';
      ranges: readonly { column: number; low: number | null; high: number | null }[];
      peaks: readonly number[];
    }
  | { kind: 'cells'; zoom: number | null; limits: readonly number[] | null };

/** The value of a column of the layer in the source's SQL: number, boolean or text. */
export type ReadValue = (column: number) => Sql;

/** A column that the source has beside those of the layer. Its name is no code that a column can have. */
export interface MadeColumn {
  name: string;
  kind: ColumnKind;
  sql: (read: ReadValue, lng: string) => Sql;
}

/** Of a source that gives several shapes for an object (chart-shapes.ts). */
export interface PartSource {
  /** Name of the made column with the number of the shape. */
  part: string;
  class: (read: ReadValue) => Sql;
  /** Pixels. */
  size: (read: ReadValue) => Sql;
  values: (read: ReadValue) => Sql[];
  /** The value that is as high as a chart; null: the greatest of the object itself. */
  scale: Sql;
  shapes: Sql;
  /** Width within which only the largest is drawn, pixels; null: all are. */
  apart: number | null;
  /** How far the middle of a chart lies above its place, in parts of its width. */
  lift: number;
}

/** A surface that is made of all objects: how close they lie. */
export interface HeatSource {
  /** What an object counts for. */
  weight: (read: ReadValue) => Sql;
  /** How far it reaches, pixels; at most `most`, and both times `growth` at a zoom level. */
  radius: (read: ReadValue) => Sql;
  most: number;
  growth: (zoom: number) => number;
  /** The weight in a square as wide as the radius that is drawn in the last colour. */
  peak: (zoom: number) => number;
  colors: readonly string[];
  opacity: number;
  /** Factor of the density. */
  strength: number;
}

/**
 * Hexagons of one width that cover the map (EPSG:3857), two of their sides upright: the middle of one lies at 0° 0°, and they are the
 * same in every picture. An object, or one point of it, lies in one of them.
 */
export interface Cells {
  /** Degrees of longitude between two sides. */
  width: number;
  /** What an object brings into its cell; it is `o.measure` then. */
  measure: (read: ReadValue) => Sql;
  /** The value of a cell: an aggregate over `o`, which must not depend on the order of the objects. null: it is not drawn. */
  value: Sql;
  /** The number of the class of a cell, over its value `c.value`. */
  class: Sql;
}

/** Cells in place of the objects. The made columns are over the alias `c` of a cell, which has a `value`. */
export interface CellSource extends Cells {
  /** Pixels between neighbours. */
  gap: number;
  /** The made column that is written into a cell where there is room for it. */
  label?: { column: string; fontSize: number };
}

/** How a visualization is drawn: what the source of the layer is, and its style in CartoCSS, which goes through the one compiler. */
export interface VisualDrawing {
  css: string;
  columns: readonly MadeColumn[];
  /** What stands for an object: its shape, or one point of it. */
  place: 'shape' | 'point';
  /** The column by which the largest is drawn first; otherwise by id. */
  largestFirst?: string;
  /** Shapes that are made of each object, in place of its own. */
  parts?: PartSource;
  /** A surface in place of the objects; `css` is for the icon alone then. */
  heat?: HeatSource;
  cells?: CellSource;
  /** Of `parts` and `cells`: what an icon shows; `part` is the column with the number of a shape. */
  icon?: { part: string; shapes: readonly IconShape[] };
  /** What the made columns of an icon's sample have. */
  sample: Readonly<Record<string, number>>;
  /** Pixels that the picture of an object may reach beyond it. */
  reach: number;
}

/** What the picture of an entry of the legend shows. */
export interface LegendSample {
  /** What the source's made columns have, by which the style tells classes apart. */
  values: Readonly<Record<string, number>>;
  /** The shapes, where it has its own; otherwise one of the layer's kind of geometry. */
  shapes?: readonly IconShape[];
  /** In place of the style of the drawing. */
  css?: string;
}

/** An entry of the legend. */
export interface LegendClass {
  /** The number of the class in the source; 0: what is in no other; -1: a part of every object. */
  class: number;
  value: Value | null;
  fill: string;
  isIcon: boolean;
  from?: number;
  to?: number;
  /** What is said of it, in a language. */
  text?: (lng: string) => string;
  /** The column that it stands for. */
  column?: number;
  /** Width of the marker, pixels. */
  size?: number;
  opacity?: number;
  icon?: string;
  /** Objects of the class are not drawn. */
  hidden?: boolean;
  /** Absent: it has no picture. */
  sample?: LegendSample;
}

export interface Legend {
  minValue: number | null;
  maxValue: number | null;
  /** Width of the pictures at which they are as on the map, pixels; the same for all, so that sizes can be compared. */
  side: number;
  classes: LegendClass[];
  /** Of cells: the zoom level to which they belong, and their width at the equator, metres. */
  cell?: { zoom: number; width: number };
}

/** What is said of a legend beside its classes. */
export interface LegendHead {
  /** The column that the values come from. */
  column: number | null;
  legendName: string;
  legendNames: readonly Record<string, string>[];
  showLegend: boolean;
  showLegendName: boolean;
  showValues: boolean;
  border: object | null;
}

/** What a kind is given: its settings, and what was made of the data. */
export interface Visual<S = VisualSettings> {
  settings: S;
  statistics: Statistics | undefined;
}

/** A visualization of any type, by a kind or by a plugin. */
export type AnyVisual = Visual<VisualSettings | CustomSettings>;

/** What draws a layer by settings that were checked. Pure: reading the data is left to the layers. */
export interface Drawer<S> {
  wanted(settings: S): Wanted | undefined;
  draw(visual: Visual<S>): VisualDrawing;
  /** The number of the class of an object, as the source's SQL; left out where cells have classes. */
  classSql?(visual: Visual<S>, read: ReadValue): Sql;
  legend(visual: Visual<S>): Legend;
}

/** One kind of the types 1 to 7. */
export interface VisualKind extends Drawer<VisualSettings> {
  /** Throws 400 that names what is wrong. */
  check(input: Record<string, unknown>, columns: readonly VisualColumn[]): Record<string, unknown>;
  classSql(visual: Visual<VisualSettings>, read: ReadValue): Sql;
  /** Codes of columns in `classesSettings`, and these with another code. */
  codes?(settings: VisualSettings): string[];
  /** Ids of columns that are named by id alone. */
  ids?(settings: VisualSettings): number[];
  renamed?(settings: VisualSettings, from: string, to: string): object;
}
