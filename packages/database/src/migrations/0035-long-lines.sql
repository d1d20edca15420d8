-- Bounds of further functions of PostGIS that no time limit stops. ST_Simplify takes the square of the positions where a line leads to and
-- fro (100,000: 9 s; 300,000: over a minute), and vector tiles and lists call it; so do distances of lines whose boxes overlap, by pairs.

-- Positions of the longest line or ring.
create function cartulary_queries.longest_path(shape geometry) returns integer
  language sql immutable strict parallel safe
  return (select coalesce(max(st_npoints(ring.geom)), 0) from st_dump(shape) part, lateral (
      select d.geom from st_dumprings(part.geom) d where st_geometrytype(part.geom) = 'ST_Polygon'
      union all select part.geom where st_geometrytype(part.geom) not in ('ST_Polygon', 'ST_Point')
    ) ring);

-- ST_Simplify that keeps what collapses. Of long paths, positions that are closer to the one before than the tolerance are left out first, and
-- what is long then is not simplified further.
create function cartulary_queries.simplified(shape geometry, tolerance double precision) returns geometry
  language plpgsql immutable strict parallel safe cost 1000 set search_path from current as $body$
declare
  longest constant integer := 20000;
begin
  if st_npoints(shape) > longest and cartulary_queries.longest_path(shape) > longest then
    -- Among points, it would compare each with each other one.
    if st_geometrytype(shape) = 'ST_GeometryCollection' then return shape; end if;
    shape := st_removerepeatedpoints(shape, tolerance);
    if cartulary_queries.longest_path(shape) > longest then return shape; end if;
  end if;
  return st_simplify(shape, tolerance, true);
end $body$;

create function cartulary_queries.st_simplify(shape geometry, tolerance double precision, keeps_collapsed boolean default false)
  returns geometry language plpgsql immutable strict parallel safe cost 1000 set search_path from current as $body$
begin
  if st_npoints(shape) > 20000 then return cartulary_queries.simplified(shape, tolerance); end if;
  return st_simplify(shape, tolerance, keeps_collapsed);
end $body$;

create function cartulary_queries.st_simplifypreservetopology(shape geometry, tolerance double precision)
  returns geometry language plpgsql immutable strict parallel safe cost 1000 set search_path from current as $body$
begin
  if st_npoints(shape) > 50000 and cartulary_queries.longest_path(shape) > 50000 then
    raise exception 'a shape has too many positions' using errcode = 'CA002';
  end if;
  return st_simplifypreservetopology(shape, tolerance);
end $body$;

create function cartulary_queries.demand_few_positions(shape geometry, most integer) returns void
  language plpgsql immutable parallel safe as $body$
begin
  if st_npoints(shape) > most then
    raise exception 'a shape has too many positions' using errcode = 'CA002';
  end if;
end $body$;

create function cartulary_queries.st_wrapx(shape geometry, at_x double precision, move double precision) returns geometry
  language plpgsql immutable strict parallel safe cost 1000 set search_path from current as $body$
begin
  perform cartulary_queries.demand_few_positions(shape, 100000);
  return st_wrapx(shape, at_x, move);
end $body$;

create function cartulary_queries.st_minimumboundingcircle(shape geometry, segments integer default 48) returns geometry
  language plpgsql immutable strict parallel safe cost 1000 set search_path from current as $body$
begin
  perform cartulary_queries.demand_few_positions(shape, 100000);
  return st_minimumboundingcircle(shape, segments);
end $body$;

-- True, or fails where a distance would compare too many pairs. Shapes whose boxes do not overlap are sorted first, which mostly leaves few;
-- in three dimensions none are.
create function cartulary_queries.demand_measurable(a geometry, b geometry, has_boxes boolean) returns boolean
  language plpgsql immutable parallel safe cost 10 as $body$
begin
  if st_npoints(a)::double precision * st_npoints(b) > (case when a && b or not has_boxes then 5e8 else 5e9 end) then
    raise exception 'shapes have too many positions' using errcode = 'CA002';
  end if;
  return true;
end $body$;

do $migration$
declare
  it record;
begin
  for it in
    select * from (values
      ('st_distance', '', 'double precision', true),
      ('st_closestpoint', '', 'geometry', true),
      ('st_shortestline', '', 'geometry', true),
      ('st_3ddistance', '', 'double precision', false),
      ('st_3dintersects', '', 'boolean', false),
      ('st_3ddwithin', 'double precision', 'boolean', false)
    ) as bounded (name, other, result, has_boxes)
  loop
    execute format($make$
      create function cartulary_queries.%1$I(a geometry, b geometry %2$s) returns %3$s
        language sql immutable parallel safe cost 5000
        return case when st_npoints(a)::double precision * st_npoints(b) <= 5e8 or cartulary_queries.demand_measurable(a, b, %4$L)
          then %1$I(a, b %5$s) end
    $make$, it.name, case when it.other = '' then '' else ', other ' || it.other end, it.result, it.has_boxes,
      case when it.other = '' then '' else ', other' end);
  end loop;
  -- As for relations with an index (0032).
  execute format($make$
    create function cartulary_queries.st_dwithin(a geometry, b geometry, distance double precision) returns boolean
      language sql immutable parallel safe cost 10000 %s
      return (st_npoints(a)::double precision * st_npoints(b) <= 5e8 or cartulary_queries.demand_measurable(a, b, true))
        and st_dwithin(a, b, distance)
  $make$, case when (select rolsuper from pg_roles where rolname = current_user) then 'support postgis_index_supportfn' else '' end);
end $migration$;

-- The views that there are.
do $migration$
declare
  layer record;
  path text := current_setting('search_path');
begin
  for layer in
    select v.oid::regclass as view, pg_get_viewdef(v.oid) as query, v.relowner::regrole as owner
    from pg_class v where v.relkind = 'v' and v.relnamespace = 'cartulary_data'::regnamespace
      and pg_has_role(v.relowner, 'member')
  loop
    perform set_config('search_path', 'cartulary_queries, pg_catalog, ' || path, true);
    execute format('set local role %s', layer.owner);
    execute format('create or replace view %s as %s', layer.view, layer.query);
    set local role none;
    perform set_config('search_path', path, true);
  end loop;
end $migration$;
