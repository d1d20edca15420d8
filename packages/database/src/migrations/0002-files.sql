-- Files of objects. Their bytes lie in the storage under the key `content`; copies of an object share them.

-- Names the folder of its files, so that no installation ever sweeps those of another.
alter table cartulary.installation add column id uuid not null default gen_random_uuid();

create table cartulary.file (
  id integer generated always as identity primary key, -- what the lists in file columns name
  uuid uuid not null unique default gen_random_uuid(),
  content uuid not null,
  name text not null,
  mime text not null, -- by its content, with the charset of a text
  size bigint not null,
  layer_id integer not null references cartulary.container on delete cascade,
  column_id integer not null references cartulary.layer_column on delete cascade,
  object_id bigint not null,
  language text, -- where the column is localized by value
  account_id integer references cartulary.account on delete set null,
  created_at timestamptz not null default now()
);
create index file_object on cartulary.file (layer_id, object_id);
create index file_column on cartulary.file (column_id);
create index file_content on cartulary.file (content);
create index file_account on cartulary.file (account_id);

-- Contents that have lost a file, whatever way it went: their bytes are removed afterwards unless another file has them.
create table cartulary.file_removal (
  id bigint generated always as identity primary key,
  content uuid not null
);

create function cartulary.note_file_removal() returns trigger language plpgsql as $$
begin
  insert into cartulary.file_removal (content) select distinct content from gone;
  return null;
end
$$;

create trigger file_removed after delete on cartulary.file
  referencing old table as gone for each statement execute function cartulary.note_file_removal();
