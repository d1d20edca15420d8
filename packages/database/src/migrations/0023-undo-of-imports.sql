-- The last import of each layer, for the time in which it can be undone. The objects that it changed or replaced lie in
-- cartulary_data.before_<layer id> as they were; there is no such table where it only added objects.
create table cartulary.import_undo (
  layer_id integer primary key references cartulary.container on delete cascade,
  account_id integer references cartulary.account on delete set null,
  filename text,
  imported_at timestamptz not null default clock_timestamp(),
  data_version bigint not null, -- of the layer after the import: later writes of objects end the possibility
  replaced boolean not null, -- whether it removed all objects that were there
  last_id bigint not null, -- objects with greater ids were added
  column_ids integer[] not null, -- columns that it made
  added bigint not null,
  changed bigint not null,
  removed bigint not null
);
create index import_undo_account on cartulary.import_undo (account_id);
create index import_undo_time on cartulary.import_undo (imported_at);

-- Files of the objects that an import has replaced. Their contents stay in the storage meanwhile.
create table cartulary.import_undo_file (like cartulary.file);
alter table cartulary.import_undo_file
  add foreign key (layer_id) references cartulary.import_undo (layer_id) on delete cascade;
create index import_undo_file_layer on cartulary.import_undo_file (layer_id);
create index import_undo_file_content on cartulary.import_undo_file (content);

do $$
begin
  execute 'create or replace view cartulary.named_content as '
    || rtrim(pg_get_viewdef('cartulary.named_content'::regclass), '; ')
    || ' union all select content from cartulary.import_undo_file';
end
$$;

create trigger import_undo_file_removed after delete on cartulary.import_undo_file
  referencing old table as gone for each statement execute function cartulary.note_file_removal();
