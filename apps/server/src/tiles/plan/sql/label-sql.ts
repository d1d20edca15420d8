import { geometryType, type LabelChoice, type PlainLabel } from '@cartulary/cartocss';
import { between, shapeMark, within } from '@cartulary/renderer';
import { empty, join, type Sql, sql } from '@cartulary/sql';
import { objectsTable } from '../tile-filter.js';
import { conditionSql } from './condition-sql.js';
import { type LayerSource, styleColumns } from './layer-source.js';
import { mapnikText } from './mapnik-text.js';
import { joinPyramid } from './piece-sql.js';
import { thinBelow, thinned } from './thinned.js';

/** A choice of a label: text column, index of the look, and place in a polygon; undefined: no label. */
interface Chosen {
  when: LabelChoice['when'];
  label: (Omit<PlainLabel, 'look'> & { look: number }) | undefined;
}

/**
 * The subselect of a layer's labels around a picture, as one row in the column `labels` (for `readLabels`), ordered by
 * id. Each row that Mapnik passes on takes 8 µs. Labels lie where Mapnik places them: at a point, the middle of a line,
 * the centroid or the interior of a polygon, of several the one with the largest box; or along a line.
 */
export function labelSql(
  source: Pick<LayerSource, 'id' | 'columns' | 'lng' | 'main' | 'only' | 'pieces' | 'plane' | 'zoom'> & {
    scale: number;
  },
  chosen: readonly Chosen[],
): string {
  const values = styleColumns({ ...source, read: columnsOf(chosen) });
  values.set('svc_id', sql`t.svc_id`);
  values.set(geometryType, sql`geometrytype(t.geom)`);
  const text = choice(chosen, values, ({ column }) => values.get(column)!);
  const look = choice(chosen, values, (label) => sql`${label.look}`);
  const [kind, second] = new Set(chosen.flatMap(({ label }) => label?.place ?? []));
  const places =
    kind && !second ? placesOf(kind, source) : choice(chosen, values, ({ place }) => placesOf(place, source));
  return mapnikText(sql`(
    select 1 as svc_id, st_setsrid(st_makepoint(0, 0), 4326) as geom, string_agg(
      concat_ws(${within}, l.places, l.look, translate(l.text, ${between + within}, '')),
      ${between} order by l.svc_id) as labels
    from (
      select t.svc_id, ${text} as text, ${look} as look, ${places} as places
      from ${objectsTable(source)} t${source.pieces ? joinPyramid(source.id) : empty} where t.geom && !bbox!) l
    where l.text <> '') as layer`);
}

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
function choice(
  chosen: readonly Chosen[],
  values: ReadonlyMap<string, Sql>,
  of: (label: NonNullable<Chosen['label']>) => Sql,
): Sql {
  const results = chosen.map(({ when, label }) => ({ when, result: label ? of(label) : sql`null` }));
  const [first] = results;
  if (first && !first.when) return first.result;
  const cases = results.map(({ when, result }) =>
    when ? sql` when ${conditionSql(when, values)} then ${result}` : sql` when true then ${result}`,
  );
  return sql`case${join(cases, '')} end`;
}

/** The places of an object's label as `readLabels` reads them: points, a polygon in whose interior it lies, or lines. */
function placesOf(
  place: PlainLabel['place'],
  { pieces, zoom, scale }: Pick<LayerSource, 'pieces' | 'zoom'> & { scale: number },
): Sql {
  const hasPyramids = pieces !== undefined;
  const stored = (known: Sql, places: Sql): Sql =>
    hasPyramids ? sql`case when y.svc_id is null then ${places} else ${known} end` : places;
  const points = stored(sql`y.place`, labelPlaces);
  if (place === 'centroid') return sql`st_astext(${points})`;
  const encoded = (geom: Sql): Sql =>
    sql`${shapeMark} || encode(st_astwkb(st_force2d(${geom}), ${shapeDigits}), 'base64')`;
  if (place === 'line') {
    const pixelWidth = sql`${360 / (256 * scale * 2 ** zoom)}`;
    return sql`case when ${isOneOf(lines)} or ${isOneOf(polygons)} then ${encoded(zoom < thinBelow ? thinned(sql`t.geom`, pixelWidth) : sql`t.geom`)} else '' end`;
  }
  const known = hasPyramids ? sql`when y.interior is not null then st_astext(y.interior) ` : empty;
  return sql`case ${known}when ${isOneOf(polygons)} then ${encoded(sql`t.geom`)} else st_astext(${points}) end`;
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
