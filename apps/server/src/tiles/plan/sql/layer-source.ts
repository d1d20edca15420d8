import { type FeatureFilter, numbersOfTexts } from '@cartulary/cartocss';
import { type Sql, sql } from '@cartulary/sql';
import type { VisualDrawing } from '@cartulary/visualizations';
import { drawnValue, readById } from '../../../layers/visual/visual.js';
import type { Filter } from '../../../objects/query/filter.js';
import type { SourceLayer } from '../map-content.js';
import type { OutsideChunks } from './larger-sql.js';
import type { Plane } from './plane.js';

/** The query of a layer for Mapnik. */
export interface LayerSource extends Pick<SourceLayer, 'id' | 'columns'> {
  /** Codes of the columns that the style reads at this zoom level. */
  read: readonly string[];
  /** Those of them that labels write. */
  written?: readonly string[];
  filter: FeatureFilter;
  /** The filter of the request. */
  only?: Filter | undefined;
  /** The plane of the picture; absent: EPSG:3857. */
  plane?: Plane | undefined;
  lng: string;
  main: string;
  /** Of a visualization. */
  drawing?: VisualDrawing | undefined;
  zoom: number;
  /** Box in which objects are read; absent: `!bbox!`. */
  box?: Sql | undefined;
  /**
   * Of large shapes `shapes` reads the pieces in the box, `areas` those of polygons alone, `centroid` and `interior` a
   * point of each polygon for its label.
   * Absent: whole shapes.
   */
  pieces?: 'shapes' | 'areas' | 'centroid' | 'interior' | undefined;
  /** Reads the objects alone that chunks do not have; absent: all. */
  outside?: OutsideChunks | undefined;
}

/** A number without an exponent and without rounding errors: with 15 significant digits. */
const numberText = (number: Sql): Sql => sql`trim_scale((${number})::numeric)::text`;

/**
 * A text as Mapnik writes it: it draws a box for each tab and carriage return. Labels that the renderer itself draws have the
 * same characters.
 */
export const withoutControls = (text: Sql): Sql => sql`translate(${text}, chr(9) || chr(11) || chr(13), ' ')`;

/** SQL of the values that the style reads, over the table alias `t`, by column code; null for a missing column. */
export function styleColumns({
  columns,
  read,
  lng,
  main,
  drawing,
}: Pick<LayerSource, 'columns' | 'read' | 'lng' | 'main' | 'drawing'>): Map<string, Sql> {
  const byCode = new Map(columns.map((column) => [column.code, column]));
  const reading = { alias: sql`t`, lng, main };
  const made = new Map(drawing?.columns.map((one) => [one.name, one.sql]));
  const own = read.filter((code) => code !== 'svc_id' && code !== 'geom');
  return new Map(
    own.map((code) => {
      const numbers = numbersOfTexts(code);
      const column = byCode.get(numbers ?? code);
      const ofDrawing = made.get(numbers ?? code)?.(readById(columns, reading), lng);
      const value = ofDrawing ?? (column ? drawnValue(column, reading) : sql`null::text`);
      return [code, numbers === undefined ? value : numberText(value)];
    }),
  );
}
