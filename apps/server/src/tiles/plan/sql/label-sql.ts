import { geometryType, type LabelChoice, type PlainLabel } from '@cartulary/cartocss';
import { between, shapeMark, within } from '@cartulary/renderer';
import { empty, join, type Sql, sql } from '@cartulary/sql';
import { onePoint } from '../../../layers/visual/visual.js';
import { objectsTable } from '../tile-filter.js';
import { conditionSql } from './condition-sql.js';
import { type LayerSource, styleColumns } from './layer-source.js';
import { mapnikText } from './mapnik-text.js';
import { joinPyramid } from './piece-sql.js';
import { thinBelow, thinned } from './thinned.js';

/** A choice, and the index of its kind; undefined: nothing is drawn. */
interface Chosen extends LabelChoice {
  kind: number | undefined;
}

/**
 * The subselect of a layer's labels around a picture, as one row in the column `labels` (for `readLabels`), ordered by
 * id. Each row that Mapnik passes on takes 8 µs. Labels lie where Mapnik places them: at a point, the middle of a line,
 * the centroid or the interior of a polygon, of several the one with the largest box; or along a line.
 */
export function labelSql(source: LabelSource, chosen: readonly Chosen[]): string {
  const { largestFirst } = source.drawing ?? {};
  const read = [...columnsOf(chosen), ...(largestFirst ? [largestFirst] : [])];
  const values = styleColumns({ ...source, read });
  values.set('svc_id', sql`t.svc_id`);
  values.set(geometryType, isAtPoint(source) ? sql`'POINT'` : sql`geometrytype(t.geom)`);
  const kind = choice(chosen, values, (one) => (one.kind === undefined ? sql`null` : sql`${one.kind}`));
  const hasText = chosen.some(({ label }) => label);
  return hasText ? textsSql(source, { chosen, values, kind }) : claimsSql(source, kind);
}

export interface LabelSource
  extends Pick<
    LayerSource,
    'id' | 'columns' | 'lng' | 'main' | 'only' | 'pieces' | 'plane' | 'drawing' | 'zoom'
  > {
  scale: number;
}

/** Whether a visualization draws one point of each object. */
const isAtPoint = ({ drawing }: LabelSource): boolean => drawing?.place === 'point';

interface RowParts {
  chosen: readonly Chosen[];
  values: ReadonlyMap<string, Sql>;
  kind: Sql;
}

/** Rows with texts, and those without one that claim their place. */
function textsSql(source: LabelSource, { chosen, values, kind }: RowParts): string {
  const text = choice(chosen, values, ({ label }) => (label ? values.get(label.column)! : sql`null`));
  const placeOf = ({ label }: Chosen): PlainLabel['place'] => label?.place ?? 'centroid';
  const [place, second] = new Set(chosen.filter((one) => one.kind !== undefined).map(placeOf));
  const places =
    place && !second
      ? placesOf(place, source)
      : choice(chosen, values, (one) => placesOf(placeOf(one), source));
  const claims = chosen.flatMap((one) => (one.claim ? sql`${one.kind!}` : []));
  const largest = values.get(source.drawing?.largestFirst ?? '');
  const wanted = claims.length ? sql`l.text <> '' or l.kind in (${join(claims)})` : sql`l.text <> ''`;
  const [claimed, claimPlaces] = claims.length
    ? [
        sql`, case when l.kind in (${join(claims)}) then st_astext(l.parts) end`,
        sql`, ${partPlaces(source)} as parts`,
      ]
    : [empty, empty];
  return mapnikText(sql`(
    select 1 as svc_id, st_setsrid(st_makepoint(0, 0), 4326) as geom, string_agg(
      concat_ws(${within}, l.places, l.kind, coalesce(translate(l.text, ${between + within}, ''), '')${claimed}),
      ${between} order by ${largest ? sql`l.size desc nulls last, ` : empty}l.svc_id) as labels
    from (
      select t.svc_id, ${text} as text, ${kind} as kind, ${places} as places${largest ? sql`, ${largest} as size` : empty}${claimPlaces}
      from ${objectsTable(source)} t${pyramidOf(source)} where t.geom && !bbox!) l
    where ${wanted}) as layer`);
}

/** Claims alone, whose order does not matter: one of those that lie in the same eighth of a pixel. */
function claimsSql(source: LabelSource, kind: Sql): string {
  const grid = pixelWidth(source) / 8;
  return mapnikText(sql`(
    select 1 as svc_id, st_setsrid(st_makepoint(0, 0), 4326) as geom,
      string_agg(concat_ws(${within}, st_astext(l.places), l.kind, ''), ${between}) as labels
    from (
      select distinct ${kind} as kind, st_snaptogrid(coalesce(${partPlaces(source)}, ${pointsOf(source)}), ${grid}) as places
      from ${objectsTable(source)} t${pyramidOf(source)} where t.geom && !bbox!) l
    where l.kind is not null) as layer`);
}

const pyramidOf = ({ id, pieces }: LabelSource): Sql => (pieces ? joinPyramid(id) : empty);

/** Degrees of longitude. */
const pixelWidth = ({ zoom, scale }: LabelSource): number => 360 / (256 * scale * 2 ** zoom);

function columnsOf(chosen: readonly Chosen[]): string[] {
  const columns = new Set<string>();
  for (const { when, label } of chosen) {
    if (label) columns.add(label.column);
    if (when) addColumns(when, columns);
  }
  columns.delete(geometryType);
  return [...columns];
}

function addColumns(tree: NonNullable<LabelChoice['when']>, columns: Set<string>): void {
  if ('column' in tree) columns.add(tree.column);
  else for (const term of tree.terms) addColumns(term, columns);
}

/** SQL of the first choice that matches a row. */
function choice(chosen: readonly Chosen[], values: ReadonlyMap<string, Sql>, of: (one: Chosen) => Sql): Sql {
  const results = chosen.map((one) => ({
    when: one.when,
    result: one.kind === undefined ? sql`null` : of(one),
  }));
  const [first] = results;
  if (first && !first.when) return first.result;
  const cases = results.map(({ when, result }) =>
    when ? sql` when ${conditionSql(when, values)} then ${result}` : sql` when true then ${result}`,
  );
  return sql`case${join(cases, '')} end`;
}

/** The points of the markers of several polygons, each of which has one; null: they are those of the label. */
const partPlaces = (source: LabelSource): Sql =>
  isAtPoint(source)
    ? sql`null::geometry`
    : sql`case when st_numgeometries(t.geom) > 1 and ${isOneOf(polygons)}
        then (select st_collect(st_centroid(d.geom)) from st_dump(t.geom) d) end`;

/** The points of an object's label. */
function pointsOf(source: LabelSource): Sql {
  if (isAtPoint(source)) return onePoint;
  return source.pieces ? sql`case when y.svc_id is null then ${labelPlaces} else y.place end` : labelPlaces;
}

/** The places of an object's label as `readLabels` reads them: points, a polygon in whose interior it lies, or lines. */
function placesOf(place: PlainLabel['place'], source: LabelSource): Sql {
  const points = sql`st_astext(${pointsOf(source)})`;
  if (place === 'centroid' || isAtPoint(source)) return points;
  const encoded = (geom: Sql): Sql =>
    sql`${shapeMark} || encode(st_astwkb(st_force2d(${geom}), ${shapeDigits}), 'base64')`;
  if (place === 'line') {
    const line = source.zoom < thinBelow ? thinned(sql`t.geom`, sql`${pixelWidth(source)}`) : sql`t.geom`;
    return sql`case when ${isOneOf(lines)} or ${isOneOf(polygons)} then ${encoded(line)} else '' end`;
  }
  const known = source.pieces ? sql`when y.interior is not null then st_astext(y.interior) ` : empty;
  return sql`case ${known}when ${isOneOf(polygons)} then ${encoded(sql`t.geom`)} else ${points} end`;
}

const lines = sql`'LINESTRING', 'MULTILINESTRING'`;
const polygons = sql`'POLYGON', 'MULTIPOLYGON'`;
const isOneOf = (types: Sql): Sql => sql`geometrytype(t.geom) in (${types})`;

/** Decimals of the degrees of the shape of a label: about a centimetre. */
const shapeDigits = 7;

/** The point of an object's label, or the points of its parts. */
export const labelPlaces = sql`case when st_numgeometries(t.geom) > 1 then cartulary.label_places(t.geom)
  else case st_dimension(t.geom) when 0 then st_geometryn(t.geom, 1)
    when 1 then st_lineinterpolatepoint(st_geometryn(t.geom, 1), 0.5) else st_centroid(t.geom) end end`;
