-- Deleting a row looks for what refers to it. Without an index each deleted container and column read a whole table: a project of 13,000
-- containers took 18 s to delete, in which the embedded database answered nobody.
create index container_map on cartulary.container (map_id);
create index container_owner on cartulary.container (owner_id) where owner_id is not null;
create index layer_column_parent on cartulary.layer_column (parent_id) where parent_id is not null;
