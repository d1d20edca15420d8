-- Which structure of a layer a write was judged by: it rises with every change of the layer's columns.
alter table cartulary.layer_state add column structure bigint not null default 0;

create function cartulary.note_structure() returns trigger language plpgsql as $$
begin
  update cartulary.layer_state set structure = structure + 1 where layer_id in (select layer_id from changed);
  return null;
end $$;

create trigger layer_column_made after insert on cartulary.layer_column
  referencing new table as changed for each statement execute function cartulary.note_structure();
create trigger layer_column_changed after update on cartulary.layer_column
  referencing new table as changed for each statement execute function cartulary.note_structure();
create trigger layer_column_deleted after delete on cartulary.layer_column
  referencing old table as changed for each statement execute function cartulary.note_structure();
