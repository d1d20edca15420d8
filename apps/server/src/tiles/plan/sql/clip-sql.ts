import { type Sql, sql } from '@cartulary/sql';

/** Positions from which a polygon's cuts are counted first. */
const countedFrom = 10_000;
/** Most times that the outline of such a polygon may lead through the box: about 0.4 s. */
const mostParts = 5_000;

/**
 * The part of a geometry in a box. ST_ClipByBox2D joins the cut ends of a polygon in a time that grows with their square, and nothing
 * stops it: 120,000 take a minute. A polygon that is cut too often stays whole.
 */
export const clippedTo = (geom: Sql, box: Sql): Sql => sql`case
  when st_npoints(${geom}) > ${countedFrom} and st_dimension(${geom}) = 2
    and st_numgeometries(st_clipbybox2d(st_boundary(${geom}), ${box})) > ${mostParts} then ${geom}
  else st_clipbybox2d(${geom}, ${box}) end`;
