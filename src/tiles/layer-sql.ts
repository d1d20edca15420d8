import { empty, ident, join, literal, type Sql, sql } from '../db/sql.js';
import { type Column, layerTable } from '../layers/layers.js';
import { valueSql } from '../layers/types.js';
import type { FeatureFilter, FilterTree } from '../styles/compile.js';

/** A layer as Mapnik reads it. */
export interface LayerSource {
  id: number;
  columns: readonly Column[];
  /** Codes of the columns that the style reads at this zoom. */
  read: readonly string[];
  filter: FeatureFilter;
  lng: string;
  main: string;
  /** Whether shapes are thinned to the pixel: not at the deepest zooms, where it saves nothing. */
  thin: boolean;
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
 * The subselect of a layer: the features that the style can draw in `!bbox!`, in the order of their ids, so that
 * labels are placed alike in every picture. Dates, JSON and files are read as text: Mapnik knows no other types.
 */
export function layerSql(source: LayerSource): string {
  const t = sql`t`;
  const columns = source.columns.filter(
    ({ code }) => source.read.includes(code) && code !== 'svc_id' && code !== 'geom',
  );
  const value = (column: Column): Sql => {
    const raw = valueSql(column, { alias: t, lng: source.lng, main: source.main });
    return column.type === 'number' || column.type === 'bool' ? raw : sql`(${raw})::text`;
  };
  const values = columns.map((column) => sql`, ${value(column)} as ${ident(column.code)}`);
  const byCode = new Map(columns.map((column) => [column.code, value(column)]));
  byCode.set('svc_id', sql`t.svc_id`);
  const condition =
    source.filter === 'all' || source.filter === 'none'
      ? empty
      : sql` and ${conditionSql(source.filter, byCode)}`;
  return mapnikText(sql`(
    select t.svc_id, ${source.thin ? thinned : sql`t.geom`} as geom${join(values, '')}
    from ${layerTable(source.id)} t
    where t.geom && !bbox!${condition}
    order by t.svc_id) as layer`);
}

/**
 * Lines and polygons on a grid of a quarter of a pixel: three times as fast at low zooms, and no one sees it. A shape that
 * would vanish is kept as it is, since it may carry a label or a marker.
 */
const thinned = sql`case when st_npoints(t.geom) < 8 or st_dimension(t.geom) = 0 then t.geom else
  coalesce(nullif(st_snaptogrid(t.geom, !pixel_width! / 4.0), 'GEOMETRYCOLLECTION EMPTY'::geometry), t.geom) end`;

/** A style's filter as SQL: true for every feature that a rule may draw. */
function conditionSql(tree: FilterTree, columns: ReadonlyMap<string, Sql>): Sql {
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
