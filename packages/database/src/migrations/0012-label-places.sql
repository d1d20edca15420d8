-- Where the labels of a shape of several parts lie: at its points, in the middle of its lines, or at the centroid of the polygon with
-- the largest box. A function, since to read and plan this takes a statement longer than to place the labels of a tile.
create function cartulary.label_places(shape geometry) returns geometry
  language plpgsql immutable strict parallel safe cost 1000 as $$
begin
  return (
    select st_collect(parts.point) from (
      select case st_dimension(d.geom) when 0 then d.geom when 1 then st_lineinterpolatepoint(d.geom, 0.5) else st_centroid(d.geom) end as point
      from st_dump(shape) d
      order by case when st_dimension(d.geom) = 2 then (st_xmax(d.geom) - st_xmin(d.geom)) * (st_ymax(d.geom) - st_ymin(d.geom)) end desc nulls last
      limit case when st_dimension(shape) = 2 then 1 end) parts);
end $$;
