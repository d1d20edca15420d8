-- The middles of the parts of a shape. A function, since a subquery in each statement of labels takes as long to plan as the rest of it.
create function cartulary.part_centroids(shape geometry) returns geometry
  language plpgsql immutable strict parallel safe cost 1000 as $$
begin
  return (select st_collect(st_centroid(d.geom)) from st_dump(shape) d);
end $$;
