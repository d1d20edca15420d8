-- What values the columns of layers may have, and the dictionaries that they come from.

create table cartulary.layer_constraint (
  id integer generated always as identity primary key,
  layer_id integer not null references cartulary.container on delete cascade,
  name text not null,
  type text not null check (type in ('unique', 'check', 'range', 'dictionary')),
  column_ids integer[] not null check (cardinality(column_ids) > 0),
  definition jsonb not null default '[]', -- check: allowed values; range: [least, most]
  dict_column_id integer references cartulary.layer_column on delete cascade, -- of a strict link: where the values stand
  validated boolean not null,
  check ((type = 'dictionary') = (dict_column_id is not null)),
  unique (layer_id, name)
);
create index layer_constraint_dictionary on cartulary.layer_constraint (dict_column_id);

-- A non-strict link only suggests values.
create table cartulary.dictionary_hint (
  column_id integer primary key references cartulary.layer_column on delete cascade,
  dict_column_id integer not null references cartulary.layer_column on delete cascade,
  match_type text not null check (match_type in ('equal', 'prefix', 'contains')),
  multi_delimiter text not null default ''
);
create index dictionary_hint_dictionary on cartulary.dictionary_hint (dict_column_id);

-- Whether writes of the layer have constraints to keep, its own or those of layers whose dictionary it is. A write reads
-- it together with the lock that it takes in any case.
alter table cartulary.layer_state add column constrained boolean not null default false;
