-- When a map, and the objects of a layer, were last changed: null where that was before this migration. Written with the version.
alter table cartulary.container add column changed_at timestamptz;
alter table cartulary.container alter column changed_at set default clock_timestamp();
alter table cartulary.layer_state add column changed_at timestamptz;
alter table cartulary.layer_state alter column changed_at set default clock_timestamp();

-- Who changed what. Nothing refers to users, maps and layers, so that entries outlive them.
create table cartulary.journal (
  id bigint generated always as identity primary key,
  project_id integer references cartulary.project on delete cascade, -- null: of the installation, such as a deleted project
  at timestamptz not null,
  login text, -- null: not signed in
  action text not null,
  map text,
  layer text,
  item text, -- code, login or id of what else was changed
  count integer not null -- equal changes of one user within a moment
);
create index journal_project on cartulary.journal (project_id, id);
