-- Width of a pixel of the processed image, metres of EPSG:3857. Unknown for images that were imported before.
alter table cartulary.raster add pixel_size double precision;
