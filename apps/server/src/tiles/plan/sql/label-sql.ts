import { geometryType, type LabelChoice, type LabelText, type PlainLabel } from '@cartulary/cartocss';
import {
  between,
  chunkSide,
  maxCharacters,
  maxChunkDepth,
  positionsPerPixel,
  shapeMark,
  within,
} from '@cartulary/renderer';
import { empty, join, type Sql, sql } from '@cartulary/sql';
import { onePoint } from '../../../layers/visual/visual.js';
import { objectsTable } from '../tile-filter.js';
import { conditionSql } from './condition-sql.js';
import { type LayerSource, styleColumns } from './layer-source.js';
import { mapnikText } from './mapnik-text.js';
import { joinPyramid } from './piece-sql.js';
import { simplified, simplifyBelow } from './simplified.js';

/** A choice, and the index of its kind; undefined: nothing is drawn. */
export interface ChosenLabel extends LabelChoice {
  kind: number | undefined;
}

export interface LabelSource
  extends Pick<
    LayerSource,
    'id' | 'columns' | 'lng' | 'main' | 'only' | 'pieces' | 'plane' | 'drawing' | 'zoom'
  > {
  scale: number;
}

/**
 * The subselect of a layer's labels around a picture, as one row in the column `labels` (for `LabelRows`), ordered by
 * id. Each row that Mapnik passes on takes 8 µs. Labels lie where Mapnik places them: at a point, the middle of a line,
 * the centroid or the interior of a polygon, of several the one with the largest box; or along a line.
 */
export function labelSql(source: LabelSource, chosen: readonly ChosenLabel[]): string {
  const from = sql`from ${objectsTable(source)} t${source.pieces ? joinPyramid(source.id) : empty} where t.geom && !bbox!`;
  const thinned = thinnedRowsSql(source, chosen, { from });
  // One select where one is enough: to read and plan several takes the database longer than to find the labels of a tile.
  const { row, rows } = thinned
    ? { row: rowL, rows: sql`from (${thinned}) l` }
    : plainRows(source, chosen, from);
  const claims = hasClaims(chosen) ? sql` || coalesce(${within} || st_astext(${row.parts}), '')` : empty;
  return mapnikText(sql`(
    select 1 as svc_id, st_setsrid(st_makepoint(0, 0), 4326) as geom, string_agg(
      ${placesText(source, chosen, row)} || (${within} || ${row.kind} || ${within}) || ${labelText(chosen, row)}${claims},
      ${between} order by ${labelOrder(source, row)}) as labels
    ${rows}) as layer`);
}

/** The values of a row. */
type LabelRow = Record<'id' | 'kind' | 'text' | 'point' | 'places' | 'parts' | 'size', Sql>;

/** The values of a row of `thinnedRowsSql` that is named `l`. */
const rowL: LabelRow = {
  id: sql`l.svc_id`,
  kind: sql`l.kind`,
  text: sql`l.text`,
  point: sql`l.point`,
  places: sql`l.places`,
  parts: sql`l.parts`,
  size: sql`l.size`,
};

/** All objects that have a label or claim a place, as the rows of the layer itself. */
function plainRows(
  source: LabelSource,
  chosen: readonly ChosenLabel[],
  from: Sql,
): { row: LabelRow; rows: Sql } {
  const { may, ...row } = partsOf(source, chosen);
  return { row: { ...row, id: sql`t.svc_id` }, rows: sql`${from}${may} and (${wantedOf(chosen, row)})` };
}

/** The places of a row. What no row has is left out: such a statement is short, and planned for each picture. */
function placesText(source: LabelSource, chosen: readonly ChosenLabel[], row: LabelRow): Sql {
  const places = new Set(drawnOf(chosen).map((one) => placeOf(source, one)));
  const parts = [
    ...(thinningOf(source, chosen) === undefined ? [] : [sql`l.x || ' ' || l.y`]),
    ...(places.has('centroid') ? [sql`st_astext(${row.point})`] : []),
    ...(places.size > (places.has('centroid') ? 1 : 0) ? [row.places] : []),
  ];
  return sql`coalesce(${join([...parts, sql`''`])})`;
}

/**
 * The text of a row, as far as it is drawn, without the marks between rows. One more character shows that it is longer. `translate` takes
 * twice as long as `replace` for both marks.
 */
export const labelText = (chosen: readonly ChosenLabel[], { text }: Pick<LabelRow, 'text'> = rowL): Sql =>
  hasTexts(chosen)
    ? sql`coalesce(left(replace(replace(${text}, ${between}, ''), ${within}, ''), ${maxCharacters + 1}), '')`
    : sql`''`;

const drawnOf = (chosen: readonly ChosenLabel[]): ChosenLabel[] =>
  chosen.filter(({ kind }) => kind !== undefined);

const hasTexts = (chosen: readonly ChosenLabel[]): boolean => drawnOf(chosen).some(({ label }) => label);

const placeOf = (source: LabelSource, { label }: ChosenLabel): PlainLabel['place'] =>
  label && !isAtPoint(source) ? label.place : 'centroid';

export const hasClaims = (chosen: readonly ChosenLabel[]): boolean => chosen.some(({ claim }) => claim);

/** The order in which labels are placed. */
export const labelOrder = (
  { drawing }: LabelSource,
  { id, size }: Pick<LabelRow, 'id' | 'size'> = rowL,
): Sql => sql`${drawing?.largestFirst ? sql`${size} desc nulls last, ` : empty}${id}`;

/** Where the rows of labels come from. */
interface LabelRowOrigin {
  /** Names the table `t`, and ends with a condition. */
  from: Sql;
  /** Of chunks `c`: a row for each point of an object, and for each chunk. */
  isInChunks?: boolean;
  /** A condition on the rows `r`. */
  where?: Sql;
}

/**
 * Labels that are thinned (`thinningOf`; undefined: they are not): a row for each object that has a label or claims a place, and is the first of
 * its cell. It has `svc_id`, `kind`, `text`, the places as `point` or `places`, `parts` where its markers lie elsewhere, `size` by which it is
 * ordered, and the position `x`, `y` of a single point.
 */
export function thinnedRowsSql(
  source: LabelSource,
  chosen: readonly ChosenLabel[],
  { from, isInChunks = false, where = empty }: LabelRowOrigin,
): Sql | undefined {
  const shift = thinningOf(source, chosen);
  if (shift === undefined) return undefined;
  const { may, ...parts } = partsOf(source, chosen);
  const wanted = wantedOf(chosen, { text: sql`p.text`, kind: sql`p.kind` });
  const columns = sql`t.svc_id, ${parts.kind} as kind, ${parts.text} as text, ${parts.point} as point, ${parts.places} as places,
    ${parts.parts} as parts, ${parts.size} as size`;
  const isSingle = sql`${isSinglePoint} or st_numgeometries(t.geom) = 1 and not ${isCollection}`;
  const found = sql`select ${columns}, ${isSingle} as is_single${isInChunks ? sql`, c.col, c."row"` : empty} ${from}${may} offset 0`;
  const placed = isInChunks
    ? placedSql(eachPoint(found), { wanted, mayBeSeveral: false }, source)
    : placedSql(found, { wanted, mayBeSeveral: true }, source);
  const side = sql`${shift}::integer`;
  const single = sql`((r.x >> ${side}) << 32) | ((r.y >> ${side}) & 4294967295)`;
  // Of an object with several points all count.
  const several = sql`-((r.svc_id << 20) | ((31 * r.x + r.y) & 1048575))`;
  // Cells lie within chunks. They come first, since few rows have the same.
  const key = sql`l.cell, l.kind`;
  return sql`select distinct on (${key}) l.* from (
    select r.*, case when r.is_single then ${single} else coalesce(${several}, -r.svc_id) end as cell
    from (${placed}) r${where}) l order by ${key}, ${labelOrder(source)}`;
}

/** The ids of the objects around a picture whose labels are tried; undefined: those of all. */
export function triedIdsSql(source: LabelSource, chosen: readonly ChosenLabel[]): Sql | undefined {
  const from = sql`from ${objectsTable(source)} t where t.geom && !bbox!`;
  const rows = thinnedRowsSql(source, chosen, { from });
  return rows && sql`select l.svc_id from (${rows}) l`;
}

/** A row for each point of the rows of objects in chunks. `st_dump` takes several times as long. */
const eachPoint = (found: Sql): Sql => sql`
  select s.svc_id, s.kind, s.text, case when s.n = 1 and s.is_single then s.point else st_geometryn(s.point, s.n) end as point,
    s.places, s.parts, s.size, s.is_single, s.col, s."row"
  from (select q.*, generate_series(1, st_numgeometries(q.point)) as n from (${found}) q) s`;

/** The wanted rows with the positions of their points; rows of several points have none. */
function placedSql(
  rows: Sql,
  { wanted, mayBeSeveral }: { wanted: Sql; mayBeSeveral: boolean },
  source: LabelSource,
): Sql {
  const latitude = sql`greatest(-89.99, least(89.99, st_y(p.point)))`;
  const degree = sql`${1 / degreesPerPosition(source)}::double precision`;
  const ofPoint = (position: Sql): Sql =>
    mayBeSeveral ? sql`case when geometrytype(p.point) = 'POINT' then ${position} end` : position;
  return sql`
    select p.*, ${ofPoint(sql`round((st_x(p.point) + 180) * ${degree})::bigint`)} as x,
      ${ofPoint(sql`round((180 - degrees(asinh(tan(radians(${latitude}))))) * ${degree})::bigint`)} as y
    from (${rows}) p where ${wanted} offset 0`;
}

/** Width of a position, degrees of longitude. */
export const degreesPerPosition = ({ zoom, scale }: LabelSource): number =>
  360 / (positionsPerPixel * 256 * scale * 2 ** zoom);

/** Side of the cells of which each has one label, pixels of the style: a second label would nearly always cover the first. */
const labelCellPx = 4;

/** A cell lies within one chunk. */
const smallestChunkPx = chunkSide({ depth: maxChunkDepth });

/** Zoom level from which labels are not thinned, since that saves nothing. */
const thinnedBelow = 8;

/**
 * Cells of which each shows one label, as the binary logarithm of their side in positions; undefined: all labels count, as the zoom level is
 * high, or some may cover others or lie along lines. Cells are a quarter of the markers that claim their place. At low zoom levels few labels are left
 * of a large layer, and the picture is nearly the same (docs/decisions/0171-thinned-labels.md).
 */
export function thinningOf(source: LabelSource, chosen: readonly ChosenLabel[]): number | undefined {
  if (source.zoom >= thinnedBelow) return undefined;
  const drawn = drawnOf(chosen);
  const isThinned = ({ label }: ChosenLabel): boolean =>
    !label || ((label.place === 'centroid' || isAtPoint(source)) && !label.look.allowOverlap);
  if (!drawn.every(isThinned)) return undefined;
  const sides = drawn.flatMap(({ claim }) =>
    claim?.size ? Math.min(claim.size.width, claim.size.height) / 4 : [],
  );
  const side = Math.min(smallestChunkPx, Math.max(0.5, Math.min(labelCellPx, ...sides)) * source.scale);
  return Math.floor(Math.log2(side * positionsPerPixel));
}

/** Whether a visualization draws one point of each object. */
const isAtPoint = ({ drawing }: LabelSource): boolean => drawing?.place === 'point';

/** Values of the rows of the table alias `t`, and a further condition on these (`may`). */
type RowParts = Omit<LabelRow, 'id'> & { may: Sql };

function partsOf(source: LabelSource, chosen: readonly ChosenLabel[]): RowParts {
  const { largestFirst } = source.drawing ?? {};
  const read = [...columnsOf(chosen), ...(largestFirst ? [largestFirst] : [])];
  const values = styleColumns({ ...source, read });
  values.set('svc_id', sql`t.svc_id`);
  values.set(geometryType, isAtPoint(source) ? sql`'POINT'` : sql`geometrytype(t.geom)`);
  const of = (one: (choice: ChosenLabel) => Sql): Sql => choice(chosen, values, one);
  const drawn = drawnOf(chosen);
  const [place, second] = new Set(drawn.map((one) => placeOf(source, one)));
  const isMixed = second !== undefined;
  const textOfChoice = ({ label }: ChosenLabel): Sql => (label ? textSql(label.text, values) : sql`null`);
  const placesOfChoice = (one: ChosenLabel): Sql => placesOf(placeOf(source, one), source);
  const pointsOfChoice = (one: ChosenLabel): Sql =>
    placeOf(source, one) === 'centroid' ? pointsOf(source) : sql`null::geometry`;
  const [first] = drawn;
  return {
    kind: sql`(${of((one) => sql`${one.kind!}`)})::integer`,
    text: hasTexts(chosen) ? sql`(${commonText(chosen, values) ?? of(textOfChoice)})::text` : sql`null::text`,
    point: isMixed ? of(pointsOfChoice) : first ? pointsOfChoice(first) : sql`null::geometry`,
    places: isMixed ? of(placesOfChoice) : placesOf(place ?? 'centroid', source),
    parts: claimsOf(chosen).length ? partPlaces(source) : sql`null::geometry`,
    size: values.get(largestFirst ?? '') ?? sql`null`,
    may: mayBeDrawn(drawn, values),
  };
}

/** Whether a row has a label or claims a place. */
function wantedOf(chosen: readonly ChosenLabel[], { text, kind }: Pick<LabelRow, 'text' | 'kind'>): Sql {
  const claims = claimsOf(chosen);
  return join(
    [
      ...(hasTexts(chosen) || !claims.length ? [sql`${text} <> ''`] : []),
      ...(claims.length ? [sql`${kind} in (${join(claims)})`] : []),
    ],
    ' or ',
  );
}

/** The kinds that claim a place. */
const claimsOf = (chosen: readonly ChosenLabel[]): Sql[] =>
  drawnOf(chosen).flatMap((one) => (one.claim ? sql`${one.kind!}` : []));

/** A condition that every row with a label or a claim fulfils: of most layers with labels by class few rows do, and the others need no place. */
function mayBeDrawn(drawn: readonly ChosenLabel[], values: ReadonlyMap<string, Sql>): Sql {
  const conditions = drawn.map(({ when }) => when && conditionSql(when, values));
  const known = conditions.filter((condition) => condition !== undefined);
  return known.length && known.length === conditions.length ? sql` and (${join(known, ' or ')})` : empty;
}

/** The text of all rows, where each has a label with the same; undefined: it depends on the choice. */
function commonText(chosen: readonly ChosenLabel[], values: ReadonlyMap<string, Sql>): Sql | undefined {
  const [text] = chosen.map(({ label }) => label?.text);
  const key = JSON.stringify(text);
  const isCommon = chosen.every(
    ({ kind, label }) => kind !== undefined && JSON.stringify(label?.text) === key,
  );
  return text && isCommon && !chosen.at(-1)!.when ? textSql(text, values) : undefined;
}

/** Joins the parts of a text; Mapnik, too, takes a missing value for an empty part. */
function textSql(text: LabelText, values: ReadonlyMap<string, Sql>): Sql {
  const parts = text.map((part) =>
    'column' in part ? values.get(part.column)! : sql`${part.constant}::text`,
  );
  return parts.length === 1 ? parts[0]! : sql`concat(${join(parts)})`;
}

function columnsOf(chosen: readonly ChosenLabel[]): string[] {
  const columns = new Set<string>();
  for (const { when, label } of chosen) {
    for (const part of label?.text ?? []) if ('column' in part) columns.add(part.column);
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
  chosen: readonly ChosenLabel[],
  values: ReadonlyMap<string, Sql>,
  of: (one: ChosenLabel) => Sql,
): Sql {
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
    : sql`case when geometrytype(t.geom) = 'MULTIPOLYGON' and st_numgeometries(t.geom) > 1 then cartulary.part_centroids(t.geom) end`;

/** The points of an object's label. */
function pointsOf(source: LabelSource): Sql {
  if (isAtPoint(source)) return onePoint;
  return source.pieces ? sql`case when y.svc_id is null then ${labelPlaces} else y.place end` : labelPlaces;
}

/** The places of a label that lies at no point of its own: a polygon in whose interior it lies, points, or lines. */
function placesOf(place: PlainLabel['place'], source: LabelSource): Sql {
  if (place === 'centroid') return sql`null`;
  const encoded = (geom: Sql): Sql =>
    sql`${shapeMark} || encode(st_astwkb(st_force2d(${geom}), ${shapeDigits}), 'base64')`;
  if (place === 'line') {
    const pixelWidth = degreesPerPosition(source) * positionsPerPixel;
    const line = source.zoom < simplifyBelow ? simplified(sql`t.geom`, sql`${pixelWidth}`) : sql`t.geom`;
    return sql`case when ${isOneOf(lines)} or ${isOneOf(polygons)} then ${encoded(line)}
      when ${isCollection} then ${encoded(linesOfCollection)} else '' end`;
  }
  const known = source.pieces ? sql`when y.interior is not null then st_astext(y.interior) ` : empty;
  return sql`case ${known}when ${isOneOf(polygons)} then ${encoded(sql`t.geom`)} else st_astext(${pointsOf(source)}) end`;
}

const lines = sql`'LINESTRING', 'MULTILINESTRING'`;
const polygons = sql`'POLYGON', 'MULTIPOLYGON'`;
const isOneOf = (types: Sql): Sql => sql`geometrytype(t.geom) in (${types})`;

/** Decimals of the degrees of the shape of a label: about a centimetre. */
const shapeDigits = 7;

const isSinglePoint = isOneOf(sql`'POINT'`);
const isCollection = isOneOf(sql`'GEOMETRYCOLLECTION'`);
const inCollection = (dimension: 0 | 1 | 2): Sql =>
  sql`st_collectionextract(t.geom, ${dimension + 1}::integer)`;

/** The points of the parts of a collection: Mapnik labels each, whatever the others are. */
const placesOfCollection = sql`st_collectionextract(st_collect(array[
  ${inCollection(0)}, cartulary.label_places(${inCollection(1)}), cartulary.part_centroids(${inCollection(2)})]), 1)`;

/** The lines and the outlines of the polygons of a collection: outer ones run counterclockwise, as in `labelledLines`. */
const linesOfCollection = sql`st_collectionextract(st_collect(
  ${inCollection(1)}, st_boundary(st_forcepolygonccw(${inCollection(2)}))), 2)`;

/** The point of an object's label, or the points of its parts. A point comes first: each question to a geometry takes as long as reading it. */
export const labelPlaces = sql`case when ${isSinglePoint} then t.geom when ${isCollection} then ${placesOfCollection}
  when st_numgeometries(t.geom) > 1 then cartulary.label_places(t.geom)
  else case st_dimension(t.geom) when 0 then st_geometryn(t.geom, 1)
    when 1 then st_lineinterpolatepoint(st_geometryn(t.geom, 1), 0.5) else st_centroid(t.geom) end end`;
