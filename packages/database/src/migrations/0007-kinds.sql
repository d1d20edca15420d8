-- Layers that are queries over other layers. A virtual one is the view cartulary_data.layer_<id>, with the columns that a
-- table would have; a materialized one is a table that its query fills.

create table cartulary.layer_query (
  layer_id integer primary key references cartulary.container on delete cascade,
  parts text[] not null, -- the text of the query between the layers that it reads
  refs jsonb not null, -- those layers in their order: {source: id, text: as written, alias: the name that the query calls it by, or null}
  weight integer not null default 1, -- terms of the largest expression of its result
  problem jsonb, -- why it cannot run any more: message and data of the error; null: it runs
  refreshed_at timestamptz, -- of a materialized layer
  row_count bigint
);

-- Which layers a query reads, also by way of other virtual layers.
create table cartulary.layer_source (
  layer_id integer not null references cartulary.layer_query on delete cascade,
  source_id integer not null references cartulary.container on delete cascade,
  direct boolean not null,
  primary key (layer_id, source_id)
);
create index layer_source_source on cartulary.layer_source (source_id);

-- The version of what a layer shows: it rises with every write of the layer, and of those that a virtual layer reads. Where
-- the sources of a layer change, its own version is raised by as much as the sum was, so that no sum comes twice.
create function cartulary.data_version(layer integer) returns bigint language sql stable as $$
  select s.data_version + coalesce((
      select sum(o.data_version) from cartulary.layer_source q
      join cartulary.container c on c.id = q.layer_id and c.type = 'virtual'
      join cartulary.layer_state o on o.layer_id = q.source_id
      where q.layer_id = s.layer_id), 0)::bigint
  from cartulary.layer_state s where s.layer_id = layer
$$;
