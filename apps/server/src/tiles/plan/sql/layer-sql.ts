import { empty, ident, join, type Sql, sql } from '@cartulary/sql';
import { layerTable } from '../../../layers/layers.js';
import { onePoint } from '../../../layers/visual/visual.js';
import { objectsTable } from '../tile-filter.js';
import { cellsLayerSql } from './cell-sql.js';
import { conditionSql } from './condition-sql.js';
import { outsideChunksSql } from './larger-sql.js';
import { type LayerSource, styleColumns, withoutControls } from './layer-source.js';
import { mapnikText } from './mapnik-text.js';
import { partsSql } from './part-sql.js';
import { joinPiece, joinPyramid } from './piece-sql.js';
import { simplified, simplifyBelow } from './simplified.js';

/** The subselect of a layer: the features in its box that the style may draw, ordered by id, so that every picture places labels alike. */
export function layerSql(source: LayerSource): string {
  const values = styleColumns(source);
  const texts = new Set(source.columns.filter(isText).map(({ code }) => code));
  const written = new Set(source.written?.filter((code) => texts.has(code)));
  const selected = [...values].map(
    ([code, value]) => sql`, ${written.has(code) ? withoutControls(value) : value} as ${ident(code)}`,
  );
  if (source.drawing?.cells) return mapnikText(cellsLayerSql(source, source.drawing.cells, values));
  if (source.drawing?.parts) return mapnikText(partsSql(source, source.drawing.parts, values));
  values.set('svc_id', sql`t.svc_id`);
  const { filter } = source;
  const condition = filter === 'all' || filter === 'none' ? empty : sql` and ${conditionSql(filter, values)}`;
  // The table of a plane has them alone already: their sizes and places are not those of the plane.
  const outside = source.outside && !source.plane ? sql` and ${outsideChunksSql(source.outside)}` : empty;
  const largestFirst = values.get(source.drawing?.largestFirst ?? '');
  return mapnikText(sql`(
    select t.svc_id, ${geometryOf(source)} as geom${join(selected, '')}
    from ${objectsTable(source)} t${piecesOf(source)}
    where t.geom && ${boxOf(source)}${outside}${condition}${hasPiece(source)}
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
    select t.svc_id, st_dimension(t.geom) as dimension, ${simplified(sql`t.geom`)} as geom
    from ${layerTable(layerId)} t where t.geom && !bbox! and t.svc_id = ${id}) as layer`);

const isText = ({ type }: LayerSource['columns'][number]): boolean => type === 'string' || type === 'text';

function geometryOf({ drawing, zoom, pieces }: LayerSource): Sql {
  if (drawing?.place === 'point') return onePoint;
  const shape = (geom: Sql): Sql => (zoom < simplifyBelow ? simplified(geom) : geom);
  const whole = shape(sql`t.geom`);
  if (!pieces) return whole;
  if (areInPieces(pieces))
    return sql`case when y.svc_id is null then ${whole} else ${shape(sql`p.shape`)} end`;
  // For Mapnik a label needs a polygon: a tiny one whose centre is the point.
  const point = pieces === 'interior' ? sql`y.interior` : sql`y.centroid`;
  return sql`case when ${point} is null then ${whole} else st_expand(${point}, 1e-7) end`;
}

const areInPieces = (pieces: LayerSource['pieces']): boolean => pieces === 'shapes' || pieces === 'areas';

const boxOf = ({ box }: LayerSource): Sql => box ?? sql`!bbox!`;

const piecesOf = (source: LayerSource): Sql => {
  if (!source.pieces) return empty;
  const pyramid = joinPyramid(source.id, source.pieces === 'areas');
  return areInPieces(source.pieces) ? sql`${pyramid}${joinPiece(source.id, boxOf(source))}` : pyramid;
};

/** Leaves out large shapes whose box alone is in the box. */
const hasPiece = ({ pieces }: LayerSource): Sql =>
  areInPieces(pieces) ? sql` and (y.svc_id is null or p.shape is not null)` : empty;
