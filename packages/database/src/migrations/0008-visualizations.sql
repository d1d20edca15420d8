-- Visualizations: what the service made of the data of a layer for one.

create sequence cartulary.visual_id as integer;

-- What was found in the data (statistics), the number of the layer's imports at that time (null: nothing of the data is
-- used), and, where there was nothing to be found, the data version that had nothing (blank). null: still to be made.
alter table cartulary.container add column visual_classes jsonb;
