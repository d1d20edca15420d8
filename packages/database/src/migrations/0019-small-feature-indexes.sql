-- The index of small features takes the name that the service uses for it. An index under another name would be made a second time.
do $$
declare
  old text;
begin
  for old in
    select indexname from pg_indexes where schemaname = 'cartulary_data' and indexname ~ '^layer_\d+_specks$'
  loop
    execute format('alter index cartulary_data.%I rename to %I', old, replace(old, '_specks', '_small_features'));
  end loop;
end
$$;
