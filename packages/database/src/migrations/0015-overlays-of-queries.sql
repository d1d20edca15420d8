-- What the queries of layers call instead of PostGIS's functions of the same names. Those of PostGIS fail on polygons that
-- cross themselves, and where GEOS is built without exceptions (as in the embedded database) now and then on valid ones,
-- since it cannot try again with less precision. These take valid shapes; what fails still is tried again on a grid, as
-- GEOS does itself: overlays once, since they cannot fail there, buffers on coarser and coarser ones.
create schema cartulary_queries;
grant usage on schema cartulary_queries to public;

create function cartulary_queries.valid(shape geometry) returns geometry
  language sql immutable strict parallel safe
  return case when st_isvalid(shape) then shape else st_makevalid(shape) end;

-- The size of a grid of twelve digits: as coarse as the last way out of GEOS itself (OverlayNGRobust).
create function cartulary_queries.grid(shape geometry) returns double precision
  language sql immutable parallel safe
  return power(10, ceil(log(greatest(
    abs(st_xmin(shape)), abs(st_xmax(shape)), abs(st_ymin(shape)), abs(st_ymax(shape)), 1e-100)::double precision)) - 12);

do $migration$
declare overlay text;
begin
  foreach overlay in array array['st_union', 'st_intersection', 'st_difference', 'st_symdifference'] loop
    execute format($make$
      create function cartulary_queries.%1$I(a geometry, b geometry, grid_size double precision default -1)
        returns geometry language plpgsql immutable strict cost 5000 set search_path from current as $body$
      begin
        a := cartulary_queries.valid(a);
        b := cartulary_queries.valid(b);
        return %1$I(a, b, grid_size);
      exception when internal_error then
        return %1$I(a, b, greatest(grid_size, cartulary_queries.grid(st_collect(a, b))));
      end $body$
    $make$, overlay);
  end loop;
end $migration$;

create function cartulary_queries.st_unaryunion(shape geometry, grid_size double precision default -1)
  returns geometry language plpgsql immutable strict cost 5000 set search_path from current as $body$
begin
  shape := cartulary_queries.valid(shape);
  return st_unaryunion(shape, grid_size);
exception when internal_error then
  return st_unaryunion(shape, greatest(grid_size, cartulary_queries.grid(shape)));
end $body$;

create function cartulary_queries.st_union(shapes geometry[])
  returns geometry language plpgsql immutable strict cost 5000 set search_path from current as $body$
begin
  shapes := array(select cartulary_queries.valid(shape) from unnest(shapes) shape);
  return st_union(shapes);
exception when internal_error then
  declare
    all_of_them geometry := st_collect(shapes);
  begin
    return st_unaryunion(all_of_them, cartulary_queries.grid(all_of_them));
  end;
end $body$;

create aggregate cartulary_queries.st_union(geometry) (
  sfunc = array_append, stype = geometry[], finalfunc = cartulary_queries.st_union
);

create function cartulary_queries.st_buffer(shape geometry, radius double precision)
  returns geometry language plpgsql immutable strict cost 5000 set search_path from current as $body$
declare
  tried integer := 0;
begin
  loop
    begin
      return st_buffer(shape, radius * (1 + tried * 1e-9));
    exception when internal_error then
      if tried = 8 then raise; end if;
      shape := st_snaptogrid(cartulary_queries.valid(shape), cartulary_queries.grid(shape) * 10 ^ tried);
      tried := tried + 1;
    end;
  end loop;
end $body$;

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
