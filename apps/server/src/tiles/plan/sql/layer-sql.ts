import { empty, ident, join, type Sql, sql } from '@cartulary/sql';
import { smallFeatureLevel } from '../../../layers/indexes/small-feature-index.js';
import { layerTable } from '../../../layers/layers.js';
import { onePoint } from '../../../layers/visual/visual.js';
import { cellsLayerSql } from './cell-sql.js';
import { conditionSql } from './condition-sql.js';
import { type LayerSource, styleColumns } from './layer-source.js';
import { mapnikText } from './mapnik-text.js';
import { partsSql } from './part-sql.js';

/** The subselect of a layer: the features in its box that the style may draw, ordered by id, so that every picture places labels alike. */
export function layerSql(source: LayerSource): string {
  const values = styleColumns(source);
  const selected = [...values].map(([code, value]) => sql`, ${value} as ${ident(code)}`);
  if (source.drawing?.cells) return mapnikText(cellsLayerSql(source, source.drawing.cells, values));
  if (source.drawing?.parts) return mapnikText(partsSql(source, source.drawing.parts, values));
  values.set('svc_id', sql`t.svc_id`);
  const { filter } = source;
  const condition = filter === 'all' || filter === 'none' ? empty : sql` and ${conditionSql(filter, values)}`;
  const larger =
    source.withoutSmallFeaturesAt === undefined
      ? empty
      : sql` and ${smallFeatureLevel(sql`t.geom`)} < ${source.withoutSmallFeaturesAt}`;
  const largestFirst = values.get(source.drawing?.largestFirst ?? '');
  return mapnikText(sql`(
    select t.svc_id, ${geometryOf(source)} as geom${join(selected, '')}
    from ${layerTable(source.id)} t
    where t.geom && ${source.box ?? sql`!bbox!`}${larger}${condition}
    order by ${largestFirst ? sql`${largestFirst} desc nulls last, ` : empty}t.svc_id) as layer`);
}

/** The same subselect for some objects alone, or for all objects up to one, which claim their room before it. */
export function someSql(
  source: LayerSource,
  some: { only: readonly number[] } | { before: number } | { upTo: number },
): string {
  const condition =
    'only' in some
      ? sql`in (${join(some.only.map((id) => sql`${id}`))})`
      : 'before' in some
        ? sql`< ${some.before}`
        : sql`<= ${some.upTo}`;
  return `(select * from ${layerSql(source)} where layer.svc_id ${mapnikText(condition)}) as layer`;
}

/** The subselect of one object, with the `dimension` of its geometry (0 point, 1 line, 2 polygon). */
export const objectSql = (layerId: number, id: number): string =>
  mapnikText(sql`(
    select t.svc_id, st_dimension(t.geom) as dimension, ${thinned} as geom
    from ${layerTable(layerId)} t where t.geom && !bbox! and t.svc_id = ${id}) as layer`);

/** Zoom level from which shapes are not simplified, since that saves nothing. */
const thinBelow = 13;

const geometryOf = ({ drawing, zoom }: LayerSource): Sql =>
  drawing?.place === 'point' ? onePoint : zoom < thinBelow ? thinned : sql`t.geom`;

/**
 * Simplifies lines and polygons by a quarter of a pixel, which is invisible and up to three times as fast at low zoom
 * levels. Tiny shapes keep a triangle or a line, so that they are drawn and labelled.
 */
const thinned = sql`case when st_npoints(t.geom) < 8 or st_dimension(t.geom) = 0 then t.geom
  else coalesce(st_simplify(t.geom, !pixel_width! / 4.0, true), t.geom) end`;
