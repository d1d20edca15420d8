-- Bounds of relations between points and lines: GEOS looks for each of many points on each of many lines, for minutes after its
-- statement was given up (20,000 points and 10,000 lines: 6 to 14 s). What is beyond is refused with the state CA002.

-- True, or fails where a relation would compare too many pairs of positions. Points among polygons, and among other points, are found by
-- an index, by most relations.
create function cartulary_queries.demand_relatable(a geometry, b geometry, most_by_index double precision default 'infinity')
  returns boolean language plpgsql immutable parallel safe cost 100 set search_path from current as $body$
declare
  pairs double precision := st_npoints(a)::double precision * st_npoints(b);
  kinds text[] := array[st_geometrytype(a), st_geometrytype(b)];
  is_found_by_index boolean := kinds && array['ST_Polygon', 'ST_MultiPolygon'] or kinds <@ array['ST_Point', 'ST_MultiPoint'];
  most double precision := case when is_found_by_index then most_by_index else 1e8 end;
begin
  if pairs > most and kinds && array['ST_MultiPoint', 'ST_GeometryCollection'] then
    raise exception 'shapes have too many positions' using errcode = 'CA002';
  end if;
  return true;
end $body$;

-- True, or fails where ST_DWithin and ST_Intersects on the ellipsoid would compare too many pairs: each takes 1 to 3 microseconds.
create function cartulary_queries.demand_relatable(a geography, b geography)
  returns boolean language plpgsql immutable parallel safe cost 100 set search_path from current as $body$
begin
  if array[st_geometrytype(a::geometry), st_geometrytype(b::geometry)] && array['ST_MultiPoint', 'ST_GeometryCollection'] then
    raise exception 'shapes have too many positions' using errcode = 'CA002';
  end if;
  return true;
end $body$;

-- Conditions that the planner can take apart, so that it finds the function of PostGIS and the spatial index. Where an argument is no
-- column, it finds the index by the support function, which only a superuser may name: without it, these functions are not bounded.
do $migration$
declare
  is_superuser boolean := (select rolsuper from pg_roles where rolname = current_user);
  name text;
begin
  if is_superuser then
    foreach name in array array['st_intersects', 'st_touches', 'st_crosses', 'st_overlaps', 'st_equals', 'st_covers', 'st_coveredby',
      'st_contains', 'st_within']
    loop
      execute format($make$
        create function cartulary_queries.%1$I(a geometry, b geometry) returns boolean
          language sql immutable parallel safe cost 10000 support postgis_index_supportfn
          return (st_npoints(a)::double precision * st_npoints(b) <= 1e8 or cartulary_queries.demand_relatable(a, b)) and %1$I(a, b)
      $make$, name);
    end loop;
  end if;
end $migration$;

-- No index serves these: those of layers are of geometries.
create function cartulary_queries.st_dwithin(
  a geography, b geography, metres double precision, use_spheroid boolean default true) returns boolean
  language sql immutable parallel safe cost 10000
  return (st_npoints(a::geometry)::double precision * st_npoints(b::geometry) <= 1e6 or cartulary_queries.demand_relatable(a, b))
    and st_dwithin(a, b, metres, use_spheroid);

create function cartulary_queries.st_intersects(a geography, b geography) returns boolean
  language sql immutable parallel safe cost 10000
  return (st_npoints(a::geometry)::double precision * st_npoints(b::geometry) <= 1e6 or cartulary_queries.demand_relatable(a, b))
    and st_intersects(a, b);

create function cartulary_queries.st_disjoint(a geometry, b geometry) returns boolean
  language sql immutable parallel safe cost 10000
  return cartulary_queries.demand_relatable(a, b) and st_disjoint(a, b);

create function cartulary_queries.st_relate(a geometry, b geometry) returns text
  language sql immutable parallel safe cost 10000
  return case when cartulary_queries.demand_relatable(a, b, 2e9::double precision) then st_relate(a, b) end;

create function cartulary_queries.st_relate(a geometry, b geometry, rule integer) returns text
  language sql immutable parallel safe cost 10000
  return case when cartulary_queries.demand_relatable(a, b, 2e9::double precision) then st_relate(a, b, rule) end;

create function cartulary_queries.st_relate(a geometry, b geometry, pattern text) returns boolean
  language sql immutable parallel safe cost 10000
  return cartulary_queries.demand_relatable(a, b, 2e9::double precision) and st_relate(a, b, pattern);

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
    perform set_config('search_path', 'cartulary_queries, ' || path, true);
    execute format('set local role %s', layer.owner);
    execute format('create or replace view %s as %s', layer.view, layer.query);
    set local role none;
    perform set_config('search_path', path, true);
  end loop;
end $migration$;
