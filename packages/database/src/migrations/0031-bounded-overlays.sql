-- Bounds of what no time limit stops: GEOS looks for a request to stop in few places, so an overlay, ST_MakeValid and functions that
-- compare each position with each other one go on for minutes, and take gigabytes, after their statement was given up. Their time
-- grows with the crossings of the edges, or with the product of the positions. What is beyond is refused with the state CA002.

-- The edges of a shape as lines. A cut of a polygon would take quadratic time, a cut of lines does not.
create function cartulary_queries.edges(shape geometry) returns geometry
  language sql immutable strict parallel safe
  return st_collect(st_boundary(st_collectionextract(shape, 3)), st_collectionextract(shape, 2));

-- An upper estimate of the crossings of lines with those of b, or with each other where b is null. The common box is divided in four
-- again and again; boxes in which the product of the positions is at most `leaf`, or which are as small as `smallest`, count with it. Ends
-- as soon as the sum exceeds `most`.
create function cartulary_queries.crossings(
  a geometry, b geometry, most double precision,
  leaf double precision default 64, smallest double precision default 0, depth integer default 16)
  returns double precision language plpgsql immutable parallel safe as $body$
declare
  pairs double precision := st_npoints(a)::double precision * st_npoints(coalesce(b, a));
  west double precision := greatest(st_xmin(a), st_xmin(b));
  south double precision := greatest(st_ymin(a), st_ymin(b));
  width double precision := (least(st_xmax(a), st_xmax(b)) - west) / 2;
  height double precision := (least(st_ymax(a), st_ymax(b)) - south) / 2;
  -- Lines along the edge of a box belong to both sides, and no box is empty.
  margin_x double precision := abs(west) * 1e-12 + greatest(width, height) * 1e-6;
  margin_y double precision := abs(south) * 1e-12 + greatest(width, height) * 1e-6;
  part box2d;
  total double precision := 0;
begin
  if width < 0 or height < 0 then return 0; end if;
  if pairs <= leaf or depth = 0 or greatest(width, height) * 2 <= smallest then return pairs; end if;
  for i in 0..1 loop
    for j in 0..1 loop
      part := st_makebox2d(
        st_makepoint(west + i * width - margin_x, south + j * height - margin_y),
        st_makepoint(west + (i + 1) * width + margin_x, south + (j + 1) * height + margin_y));
      total := total + cartulary_queries.crossings(
        coalesce(st_clipbybox2d(a, part), a), coalesce(st_clipbybox2d(b, part), b), most - total, leaf, smallest, depth - 1);
      if total > most then return total; end if;
    end loop;
  end loop;
  return total;
end $body$;

-- The largest boxes that suffice: lines beside each other count with about their positions times those of a box.
create function cartulary_queries.leaf_for(positions double precision, most double precision) returns double precision
  language sql immutable parallel safe
  return greatest(64, least(20000, power(most / 2 / positions, 2)));

-- Fails where shapes cross each other, or cross themselves, more often than an overlay answers within some seconds. What lies
-- beside each other counts with about twelve per position.
create function cartulary_queries.demand_few_crossings(a geometry, b geometry default null) returns void
  language plpgsql immutable parallel safe as $body$
declare
  points_a double precision := st_npoints(a);
  points_b double precision := st_npoints(coalesce(b, a));
  most double precision := 1e6 + 20 * (points_a + points_b);
begin
  if points_a * points_b > 250000
    and cartulary_queries.crossings(cartulary_queries.edges(a), cartulary_queries.edges(b), most,
      cartulary_queries.leaf_for(points_a + points_b, most)) > most
  then
    raise exception 'shapes cross too often' using errcode = 'CA002';
  end if;
end $body$;

-- Fails where too many edges lie within reach of each other: there the outline of a buffer crosses itself. GEOS leaves out what a hundredth
-- of the reach does not tell apart.
create function cartulary_queries.demand_few_within(shape geometry, reach double precision) returns void
  language plpgsql immutable parallel safe as $body$
declare
  positions double precision := st_npoints(shape);
  most double precision := 2e6 + 20 * positions;
  lines geometry;
begin
  if positions <= 300 then return; end if;
  lines := st_simplify(cartulary_queries.edges(shape), reach / 100, true);
  if cartulary_queries.crossings(lines, null, most, cartulary_queries.leaf_for(2 * positions, most), reach) > most then
    raise exception 'the edges of a shape lie too close to each other' using errcode = 'CA002';
  end if;
end $body$;

-- Fails where the product of the positions is larger.
create function cartulary_queries.demand_few_pairs(a geometry, b geometry, most double precision) returns void
  language plpgsql immutable parallel safe as $body$
begin
  if st_npoints(a)::double precision * st_npoints(b) > most then
    raise exception 'shapes have too many positions' using errcode = 'CA002';
  end if;
end $body$;

-- Whether an invalid shape crosses itself too often for ST_MakeValid, whose time grows with the crossings and with how many parts lie
-- over each other: a star of 61 positions with 1,700 crossings takes a second, one of 301 several minutes.
create function cartulary_queries.crosses_itself_too_often(shape geometry) returns boolean
  language plpgsql immutable strict parallel safe cost 5000 set search_path from current as $body$
declare
  most double precision := 1e5 + 15 * st_npoints(shape);
begin
  return cartulary_queries.crossings(cartulary_queries.edges(shape), null, most,
    cartulary_queries.leaf_for(2 * st_npoints(shape), most)) > most;
end $body$;

create function cartulary_queries.st_makevalid(shape geometry, params text default null) returns geometry
  language plpgsql immutable parallel safe cost 5000 set search_path from current as $body$
begin
  if not st_isvalid(shape) and cartulary_queries.crosses_itself_too_often(shape) then
    raise exception 'a shape crosses itself too often' using errcode = 'CA002';
  end if;
  return case when params is null then st_makevalid(shape) else st_makevalid(shape, params) end;
end $body$;

create or replace function cartulary_queries.valid(shape geometry) returns geometry
  language sql immutable strict parallel safe
  return case when st_isvalid(shape) then shape else cartulary_queries.st_makevalid(shape) end;

do $migration$
declare overlay text;
begin
  foreach overlay in array array['st_union', 'st_intersection', 'st_difference', 'st_symdifference'] loop
    execute format($make$
      create or replace function cartulary_queries.%1$I(a geometry, b geometry, grid_size double precision default -1)
        returns geometry language plpgsql immutable strict cost 5000 set search_path from current as $body$
      begin
        a := cartulary_queries.valid(a);
        b := cartulary_queries.valid(b);
        perform cartulary_queries.demand_few_crossings(a, b);
        return %1$I(a, b, grid_size);
      exception when internal_error then
        return %1$I(a, b, greatest(grid_size, cartulary_queries.grid(st_collect(a, b))));
      end $body$
    $make$, overlay);
  end loop;
end $migration$;

create or replace function cartulary_queries.st_unaryunion(shape geometry, grid_size double precision default -1)
  returns geometry language plpgsql immutable strict cost 5000 set search_path from current as $body$
begin
  shape := cartulary_queries.valid(shape);
  perform cartulary_queries.demand_few_crossings(shape);
  return st_unaryunion(shape, grid_size);
exception when internal_error then
  return st_unaryunion(shape, greatest(grid_size, cartulary_queries.grid(shape)));
end $body$;

-- Equal shapes count once: many of them are no work for a union.
create or replace function cartulary_queries.st_union(shapes geometry[])
  returns geometry language plpgsql immutable strict cost 5000 set search_path from current as $body$
begin
  shapes := array(select cartulary_queries.valid(shape) from unnest(shapes) shape);
  perform cartulary_queries.demand_few_crossings((select st_collect(shape) from (select distinct shape from unnest(shapes) shape) once));
  return st_union(shapes);
exception when internal_error then
  declare
    all_of_them geometry := st_collect(shapes);
  begin
    return st_unaryunion(all_of_them, cartulary_queries.grid(all_of_them));
  end;
end $body$;

create or replace function cartulary_queries.st_buffer(shape geometry, radius double precision)
  returns geometry language plpgsql immutable strict cost 5000 set search_path from current as $body$
declare
  tried integer := 0;
begin
  perform cartulary_queries.demand_few_within(shape, abs(radius));
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

create function cartulary_queries.st_offsetcurve(shape geometry, distance double precision) returns geometry
  language plpgsql immutable strict cost 5000 set search_path from current as $body$
begin
  perform cartulary_queries.demand_few_within(shape, abs(distance));
  return st_offsetcurve(shape, distance);
end $body$;

create function cartulary_queries.st_node(shape geometry) returns geometry
  language plpgsql immutable strict cost 5000 set search_path from current as $body$
begin
  perform cartulary_queries.demand_few_crossings(shape);
  return st_node(shape);
end $body$;

do $migration$
declare
  it record;
begin
  -- Functions of two shapes: their other arguments, what they return, and what bounds them. Pairs: positions that PostGIS 3.3 compares in
  -- one or two seconds.
  for it in values
    ('st_sharedpaths', '', 'geometry', 'demand_few_crossings(a, b)'),
    ('st_split', '', 'geometry', 'demand_few_crossings(a, b)'),
    ('st_snap', 'double precision', 'geometry', 'demand_few_pairs(a, b, 1e8)'),
    ('st_hausdorffdistance', '', 'double precision', 'demand_few_pairs(a, b, 1e8)'),
    ('st_distancesphere', '', 'double precision', 'demand_few_pairs(a, b, 1e6)'),
    ('st_distancesphere', 'double precision', 'double precision', 'demand_few_pairs(a, b, 1e6)'),
    ('st_linecrossingdirection', '', 'integer', 'demand_few_pairs(a, b, 5e8)'),
    ('st_dfullywithin', 'double precision', 'boolean', 'demand_few_pairs(a, b, 1e9)')
  loop
    execute format($make$
      create function cartulary_queries.%1$I(a geometry, b geometry %2$s)
        returns %3$s language plpgsql immutable strict cost 5000 set search_path from current as $body$
      begin
        perform cartulary_queries.%4$s;
        return %1$I(a, b %5$s);
      end $body$
    $make$, it.column1, case when it.column2 = '' then '' else ', other ' || it.column2 end, it.column3, it.column4,
      case when it.column2 = '' then '' else ', other' end);
  end loop;
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
    perform set_config('search_path', 'cartulary_queries, ' || path, true);
    execute format('set local role %s', layer.owner);
    execute format('create or replace view %s as %s', layer.view, layer.query);
    set local role none;
    perform set_config('search_path', path, true);
  end loop;
end $migration$;
