import { sql } from '@cartulary/sql';

/** One point of the geometry in the alias `t`: the middle of the longest part of a line, a point inside an area. */
export const onePoint = sql`case when st_dimension(t.geom) = 1 then (
    select st_lineinterpolatepoint(part.geom, 0.5) from st_dump(t.geom) part
    where st_geometrytype(part.geom) = 'ST_LineString' order by st_length(part.geom) desc limit 1)
  when geometrytype(t.geom) = 'POINT' then t.geom else st_pointonsurface(t.geom) end`;
