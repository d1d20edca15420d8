import { empty, ident, join, literal, type Sql, sql } from '../db/sql.js';
import { layerTable } from '../layers/layers.js';
import { speckLevel } from '../layers/speck-index.js';
import { drawnValue, onePoint, readById } from '../layers/visual/visual.js';
import type { FeatureFilter, FilterTree } from '../styles/compile.js';
import type { VisualDrawing } from '../visualizations/visualization.js';
import { cellsLayerSql } from './cell-sql.js';
import { partsSql } from './part-sql.js';
import type { SourceLayer } from './sources.js';

/** A layer as Mapnik reads it. */
export interface LayerSource extends Pick<SourceLayer, 'id' | 'columns'> {
  /** Codes of the columns that the style reads at this zoom. */
  read: readonly string[];
  filter: FeatureFilter;
  lng: string;
  main: string;
  /** Of a visualization. */
  drawing?: VisualDrawing | undefined;
  zoom: number;
  /** Where objects are read; absent: in all of `!bbox!`. */
  box?: Sql | undefined;
  /** Without the objects that are specks at this level. */
  largerThanSpecksAt?: number | undefined;
}

/**
 * The text of a part for Mapnik's postgis plugin, which can bind nothing: values become literals. Mapnik replaces
 * `!bbox!`, `!pixel_width!` and `!@name!` wherever they stand, also inside a literal, so an exclamation mark that came with
 * a value is written as chr(33): it must not open such a token, whose replacement would end the literal.
 */
export function mapnikText(part: Sql): string {
  return part.text.map((text, i) => (i ? inline(part.values[i - 1]) : '') + text).join('');
}

function inline(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value !== 'string') throw new Error('this value cannot be written for Mapnik');
  const pieces = value.split('!').map((piece) => literal(piece).text[0]!.trim());
  return pieces.length === 1 ? pieces[0]! : `(${pieces.join(' || chr(33) || ')})`;
}

/**
 * The subselect of a layer: the features that the style can draw in its box, in the order of their ids, so that
 * labels are placed alike in every picture.
 */
export function layerSql(source: LayerSource): string {
  const values = readColumns(source);
  const selected = [...values].map(([code, value]) => sql`, ${value} as ${ident(code)}`);
  if (source.drawing?.cells) return mapnikText(cellsLayerSql(source, source.drawing.cells, values));
  if (source.drawing?.parts) return mapnikText(partsSql(source, source.drawing.parts, values));
  values.set('svc_id', sql`t.svc_id`);
  const { filter } = source;
  const condition = filter === 'all' || filter === 'none' ? empty : sql` and ${conditionSql(filter, values)}`;
  const larger =
    source.largerThanSpecksAt === undefined
      ? empty
      : sql` and ${speckLevel(sql`t.geom`)} < ${source.largerThanSpecksAt}`;
  const largestFirst = values.get(source.drawing?.largestFirst ?? '');
  return mapnikText(sql`(
    select t.svc_id, ${geometryOf(source)} as geom${join(selected, '')}
    from ${layerTable(source.id)} t
    where t.geom && ${source.box ?? sql`!bbox!`}${larger}${condition}
    order by ${largestFirst ? sql`${largestFirst} desc nulls last, ` : empty}t.svc_id) as layer`);
}

/** The subselect of one object, with the `dimension` of its geometry (0 point, 1 line, 2 polygon). */
export const objectSql = (layerId: number, id: number): string =>
  mapnikText(sql`(
    select t.svc_id, st_dimension(t.geom) as dimension, ${thinned} as geom
    from ${layerTable(layerId)} t where t.geom && !bbox! and t.svc_id = ${id}) as layer`);

/** Zoom levels from which shapes are drawn as they are stored: to thin them saves nothing. */
const thinBelow = 13;

const geometryOf = ({ drawing, zoom }: LayerSource): Sql =>
  drawing?.place === 'point' ? onePoint : zoom < thinBelow ? thinned : sql`t.geom`;

/** The values that the style reads over the table's alias `t`, by the codes of their columns; null for a column that the layer lacks. */
export function readColumns({
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
      const column = byCode.get(code);
      const ofDrawing = made.get(code)?.(readById(columns, reading), lng);
      return [code, ofDrawing ?? (column ? drawnValue(column, reading) : sql`null::text`)];
    }),
  );
}

/**
 * Lines and polygons without the vertices that move them by less than a quarter of a pixel: up to three times as fast at
 * low zooms, and no one sees it. What is smaller than that keeps a triangle or a line, so that it is drawn and labelled.
 */
const thinned = sql`case when st_npoints(t.geom) < 8 or st_dimension(t.geom) = 0 then t.geom
  else coalesce(st_simplify(t.geom, !pixel_width! / 4.0, true), t.geom) end`;

/** A style's filter as SQL over the values of columns by code: true for every feature that a rule may draw. */
export function conditionSql(tree: FilterTree, columns: ReadonlyMap<string, Sql>): Sql {
  switch (tree.kind) {
    case 'or':
    case 'and':
      return sql`(${join(
        tree.terms.map((term) => conditionSql(term, columns)),
        ` ${tree.kind} `,
      )})`;
    case 'compare':
      return sql`${columnOf(tree.column, columns)} ${operators[tree.op]} ${tree.value}`;
    case 'in':
      return sql`${columnOf(tree.column, columns)} in (${join(tree.values.map((value) => sql`${value}`))})`;
    case 'null':
      return sql`${columnOf(tree.column, columns)} is null`;
    case 'not-null':
      return sql`${columnOf(tree.column, columns)} is not null`;
  }
}

const operators = { '=': sql`=`, '<': sql`<`, '<=': sql`<=`, '>': sql`>`, '>=': sql`>=` } as const;

function columnOf(code: string, columns: ReadonlyMap<string, Sql>): Sql {
  const column = columns.get(code);
  if (!column) throw new Error(`the filter reads the column '${code}', which the layer does not have`);
  return column;
}
