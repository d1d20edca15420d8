-- Where the objects of a layer were changed, by the data version that the write made: a picture of another place stays good.
-- A version without a row is a change of everything: of writes that do not say where, and of rows that were deleted because
-- they are old. Degrees of EPSG:4326, the boxes of the old and the new shapes; all null: on no map.
create table cartulary.layer_change (
  layer_id integer not null references cartulary.layer_state on delete cascade,
  data_version bigint not null,
  west double precision,
  south double precision,
  east double precision,
  north double precision
);
create index layer_change_version on cartulary.layer_change (layer_id, data_version);
