-- Columns of wide layers share attributes of the layer's table: arrays of sixteen. The attribute `c<pack>` has the values of this
-- column at `slot`; null: the column has the attribute `c<id>` for itself.
alter table cartulary.layer_column add column pack integer, add column slot smallint;
