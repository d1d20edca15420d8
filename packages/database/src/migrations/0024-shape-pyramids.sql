-- Large lines and polygons in pieces, for drawing: @cartulary/geo makes them. An object has a pyramid where a complete row
-- has the version of its row (xmin). Pieces of other versions are not used, and removed later.
create table cartulary.shape_pyramid (
  layer_id integer not null references cartulary.container on delete cascade,
  svc_id bigint not null,
  version bigint not null,
  started_at timestamptz not null default clock_timestamp(),
  is_complete boolean not null default false,
  place geometry, -- where a label lies that the renderer sets
  centroid geometry, -- of the polygon with the largest box, where Mapnik sets a label
  interior geometry, -- the point of that polygon that is farthest from its edges
  primary key (layer_id, svc_id)
);
create table cartulary.shape_piece (
  layer_id integer not null references cartulary.container on delete cascade,
  svc_id bigint not null,
  version bigint not null,
  level smallint not null,
  x integer not null,
  y integer not null,
  is_leaf boolean not null, -- exact, and used at deeper levels
  shape bytea not null, -- TWKB
  primary key (layer_id, svc_id, level, x, y, version)
);

alter table cartulary.shape_piece alter column shape set storage external; -- it is compressed already

-- The deepest cell of the tile matrix that is as wide as a box in degrees and contains its centre, and the cells that contain it: the
-- places of pieces for a picture of the box, as `piecesOf` of @cartulary/geo makes them: exact ones at any of these levels, others at the
-- deepest even one.
create function cartulary.piece_cells(box geometry) returns table (level integer, x integer, y integer, has_inner boolean)
  language plpgsql immutable strict parallel safe rows 8 as $$
declare
  west double precision := st_xmin(box) / 360 + 0.5;
  east double precision := st_xmax(box) / 360 + 0.5;
  north double precision := (1 - asinh(tan(radians(least(89.9999, greatest(-89.9999, st_ymax(box)))))) / pi()) / 2;
  south double precision := (1 - asinh(tan(radians(least(89.9999, greatest(-89.9999, st_ymin(box)))))) / pi()) / 2;
  deepest integer := least(20, greatest(0, floor(-ln(greatest(east - west, south - north, 1e-9)) / ln(2))));
  cells double precision;
begin
  for depth in 0..deepest loop
    cells := power(2, depth);
    level := depth;
    x := least(cells - 1, greatest(0, floor((west + east) / 2 * cells)));
    y := least(cells - 1, greatest(0, floor((north + south) / 2 * cells)));
    has_inner := depth = deepest - deepest % 2;
    return next;
  end loop;
end $$;
