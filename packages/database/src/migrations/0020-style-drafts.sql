-- Styles and visualizations that a user tries out: drawn for this user alone, until they are published or discarded.
create table cartulary.style_draft (
  account_id integer not null references cartulary.account on delete cascade,
  container_id integer not null references cartulary.container on delete cascade, -- a layer, or a map
  input jsonb not null, -- the change of the layer or map that publishing makes
  fields jsonb not null, -- the fields of its row after the change
  base text not null, -- ETag of the version that it was made from
  changed_at timestamptz not null default clock_timestamp(),
  primary key (account_id, container_id)
);
create index style_draft_container on cartulary.style_draft (container_id);
