import type { BoxEdges } from '@cartulary/geo';
import { join, type Sql, sql } from '@cartulary/sql';
import { clippedTo } from './clip-sql.js';

/**
 * The plane of a picture in a reference system other than EPSG:3857. Mapnik, labels, heat maps and charts know EPSG:3857 alone, so
 * positions are scaled and shifted there: a pixel of the picture is as wide as one of a tile at the same scale, and the rest of
 * the drawing is that of a tile (docs/decisions/0146-pictures-in-any-system.md).
 */
export interface Plane {
  /** The reference system in the database. */
  srid: number;
  /** Metres of the plane per unit of the system: eastward, northward. */
  factor: readonly [x: number, y: number];
  /** The position of the system that lies at 0, 0 of the plane. */
  origin: readonly [x: number, y: number];
  /** West, south, east and north in degrees: what lies outside is not in the picture. */
  region: BoxEdges;
  /** Narrow boxes within the region, in degrees, along which the system tears the world apart: objects are cut there. */
  seams: readonly BoxEdges[];
  /** Whether straight lines of longitude and latitude are bent, as by every projection. */
  isBent: boolean;
  /** Whether positions of the region may lie beyond the plane, where they would come back on its other side. */
  isWide: boolean;
  /** Whether the region has positions that the system does not know, as the far side of the world is to a system of a country. */
  hasGaps: boolean;
}

/** The box in which objects are read. */
export const regionOf = ({ region }: Pick<Plane, 'region'>): Sql =>
  sql`st_makeenvelope(${region[0]}, ${region[1]}, ${region[2]}, ${region[3]}, 4326)`;

/** Extent in degrees from which the edges of an object are divided, and length of the parts. */
const divideFrom = 4;
const partDegrees = 1;

/** A geometry in a system without bends. A query may give latitudes beyond the poles, which no system knows: they are cut off. */
const withinPoles = (geom: Sql, srid: number): Sql =>
  sql`st_transform(case when st_ymin(${geom}) < -90 or st_ymax(${geom}) > 90
    then st_clipbybox2d(${geom}, st_makeenvelope(-400, -90, 400, 90, 4326)) else ${geom} end, ${srid}::integer)`;

/** A geometry without what lies at seams. What crosses itself too often stays whole: no time limit ends the overlays of such shapes. */
function withoutSeams(geom: Sql, boxes: readonly BoxEdges[]): Sql {
  const seams = boxes.map(
    ([west, south, east, north]) => sql`st_makeenvelope(${west}, ${south}, ${east}, ${north}, 4326)`,
  );
  const isAtSeam = join(
    seams.map((seam) => sql`${geom} && ${seam}`),
    ' or ',
  );
  return sql`case
    when not (${isAtSeam}) then ${geom}
    when st_dimension(${geom}) = 2 and st_isvalid(${geom}) or not cartulary_queries.crosses_itself_too_often(${geom})
      then st_difference(st_makevalid(${geom}), st_collect(array[${join(seams)}]))
    else ${geom} end`;
}

/**
 * A geometry on the plane, in degrees of the plane. Of objects that reach beyond the region the rest is cut off, since a projection
 * need not know it; what it does not know is null.
 */
export function onPlane(geom: Sql, { seams, ...plane }: Plane): Sql {
  if (!seams.length) return moved(geom, plane);
  // Objects are cut once, whatever reads them.
  return sql`(select ${moved(sql`s.geom`, plane)} from (select ${withoutSeams(geom, seams)} as geom offset 0) s)`;
}

function moved(
  geom: Sql,
  { srid, factor, origin, region, isBent, isWide, hasGaps }: Omit<Plane, 'seams'>,
): Sql {
  const box = regionOf({ region });
  const inside = sql`st_transform(${geom}, ${srid}::integer)`;
  const cut = sql`(select cartulary.transformed(case
      when st_xmax(p.cut) - st_xmin(p.cut) + st_ymax(p.cut) - st_ymin(p.cut) > ${divideFrom}
      then st_segmentize(p.cut, ${partDegrees}) else p.cut end, ${srid}::integer)
    from (select case when ${geom} @ ${box} then ${geom} else ${clippedTo(geom, box)} end as cut offset 0) p)`;
  const isSmall = sql`${geom} @ ${box} and st_xmax(${geom}) - st_xmin(${geom}) + st_ymax(${geom}) - st_ymin(${geom}) <= ${divideFrom}`;
  // Most pictures have no gaps, and the function that tells them takes three times as long.
  const bent = hasGaps ? cut : sql`case when ${isSmall} then ${inside} else ${cut} end`;
  const shape = isBent ? bent : withinPoles(geom, srid);
  const [x, y] = factor;
  const placed = sql`st_affine(${shape}, ${x}, 0, 0, ${y}, ${-origin[0] * x}, ${-origin[1] * y})`;
  const near = isWide ? withinPlane(placed) : placed;
  return sql`st_transform(st_setsrid(${near}, 3857), 4326)`;
}

/** Half of the width of the plane, metres. */
const half = 20_037_508;

const withinPlane = (placed: Sql): Sql =>
  sql`(select case when st_xmin(n.geom) < ${-half} or st_xmax(n.geom) > ${half}
    then ${clippedTo(sql`n.geom`, sql`st_setsrid(st_makeenvelope(${-half}, ${-half}, ${half}, ${half}), st_srid(n.geom))`)} else n.geom end
    from (select ${placed} as geom offset 0) n)`;
