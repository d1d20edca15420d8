import { answeredValue, type Column, type Output, type OutputCrs, valueSql } from '@cartulary/columns';
import { type SR, toleranceDegrees } from '@cartulary/geo';
import { type Sql, sql } from '@cartulary/sql';

/** The layer's table in every statement that reads objects, its geometry and its id. */
export const objectTable = sql`t`;
export const objectGeom = sql`t.geom`;
export const objectId = sql`t.svc_id`;

/** A column's value in the asked language; datetime as ISO 8601 and JSON as text, so that the service passes them on unchanged. */
export function returnedValue(column: Column, { lng, main }: Output): Sql {
  const value = valueSql(column, { alias: objectTable, lng, main });
  return column.type === 'json' ? sql`(${value})::text` : answeredValue(column.type, value);
}

/** Decimals of coordinates: all digits of a double in degrees, micrometres in metres. */
export const decimals = { '4326': 17, '3857': 6 } as const;

/** The geometry as GeoJSON or WKT text. */
export function geometryText({ sr, zoom, centroid, form, crs }: NonNullable<Output['geometry']>): Sql {
  const shape = centroid
    ? sql`ST_Centroid(${objectGeom})`
    : zoom === undefined
      ? objectGeom
      : simplified(zoom);
  if (crs)
    return sql`ST_AsGeoJSON(${inCrs(shape, crs)}, ${decimals[crs.isDegrees ? '4326' : '3857']}::integer, 0)`;
  if (form === 'wkt') return sql`ST_AsText(${inSr(shape, sr)}, ${decimals[sr]}::integer)`;
  return sql`ST_AsGeoJSON(${inSr(shape, sr)}, ${decimals[sr]}::integer, 0)`;
}

const inSr = (shape: Sql, sr: SR): Sql => (sr === '4326' ? shape : sql`ST_Transform(${shape}, 3857)`);

/**
 * A geometry in a system, with the order of its axes. One that the system does not reach is null: a single one, such as a pole
 * in a conic projection, would otherwise fail the whole list.
 */
export function inCrs(shape: Sql, { srid, isNorthFirst }: OutputCrs): Sql {
  const moved = srid === 4326 ? shape : sql`cartulary.transformed(${shape}, ${srid}::integer)`;
  return isNorthFirst ? sql`ST_FlipCoordinates(${moved})` : moved;
}

/** Positions from which simplifying may take the square of them, longer than any time limit. */
const longPath = 20_000;

/** ST_Simplify of a shape, `part`, that has about as many positions as `whole`; paths that are too long for it lose close positions only. */
export const boundedSimplify = (whole: Sql, part: Sql, tolerance: Sql): Sql =>
  sql`case when ST_NPoints(${whole}) <= ${longPath}::integer then ST_Simplify(${part}, ${tolerance}, true)
    else cartulary_queries.simplified(${part}, ${tolerance}) end`;

/**
 * Simplified by half a pixel at the zoom. Each part of a polygon keeps at least a triangle. ST_Simplify is fast but its result
 * may cross itself; only then the statement runs the slower ST_SimplifyPreserveTopology.
 */
function simplified(zoom: number): Sql {
  const tolerance = sql`${toleranceDegrees(zoom)}::double precision`;
  const quick = boundedSimplify(objectGeom, objectGeom, tolerance);
  return sql`coalesce(case ST_Dimension(${objectGeom}) when 0 then ${objectGeom} when 1 then ${quick}
    else (select case when ST_IsValid(fast) then fast when ST_NPoints(${objectGeom}) <= ${longPath}::integer
        then ST_SimplifyPreserveTopology(${objectGeom}, ${tolerance}) end
      from (select ${quick} as fast) s) end, ${objectGeom})`;
}
