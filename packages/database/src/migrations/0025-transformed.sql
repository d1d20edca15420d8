-- A geometry in another reference system; null where that does not reach it, so that one position out of reach ends no picture.
create function cartulary.transformed(shape geometry, to_srid integer) returns geometry
  language plpgsql stable strict parallel unsafe cost 1000 as $$
begin
  return st_transform(shape, to_srid);
exception when others then
  return null;
end $$;
