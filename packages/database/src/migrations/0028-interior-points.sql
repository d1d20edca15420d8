-- The interior point of polygons is now Mapnik's: points that were stored before are looked for again.
delete from cartulary.shape_piece;
delete from cartulary.shape_pyramid;
