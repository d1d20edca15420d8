-- The image of a raster layer: the file as it came, and the Cloud Optimized GeoTIFF that is drawn.

create table cartulary.raster (
  layer_id integer primary key references cartulary.container on delete cascade,
  original uuid not null, -- keys of the storage
  processed uuid not null,
  name text not null, -- of the original file
  format text not null check (format in ('geotif', 'png', 'jpg')), -- of the original file
  size bigint not null, -- of the original file, bytes
  processed_size bigint not null,
  width integer not null, -- of the original image, pixels
  height integer not null,
  kind text not null check (kind in ('picture', 'values')), -- picture: RGBA; values: one band
  bands jsonb not null, -- of the processed image: type, and of values nodata, min, max, mean, stddev, low, high
  projection text not null, -- of the original image
  west double precision not null, -- degrees
  south double precision not null,
  east double precision not null,
  north double precision not null,
  imported_at timestamptz not null default now()
);
create index raster_original on cartulary.raster (original);
create index raster_processed on cartulary.raster (processed);

-- All contents of the storage that something names.
create view cartulary.named_content as
  select content from cartulary.file
  union all select original from cartulary.raster
  union all select processed from cartulary.raster;

-- Pictures that were planned before an image was replaced still read it.
alter table cartulary.file_removal add column not_before timestamptz not null default now();

create function cartulary.note_raster_removal() returns trigger language plpgsql as $$
begin
  insert into cartulary.file_removal (content, not_before)
    select unnest(array[original, processed]), now() + interval '2 minutes' from gone;
  return null;
end
$$;

create trigger raster_removed after delete on cartulary.raster
  referencing old table as gone for each statement execute function cartulary.note_raster_removal();
