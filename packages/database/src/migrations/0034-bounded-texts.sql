-- Bounds of functions of texts, arrays and JSON whose time is the product of two sizes, and which PostgreSQL does not stop: translate of
-- 300,000 characters with as many ran on for minutes after its statement was given up, and would for days with those of an aggregate. What
-- is beyond is refused with the state CA003. They stand in front of those of pg_catalog in the path of queries.

-- True, or fails where a function would take too many steps.
create function cartulary_queries.demand_steps(a bigint, b bigint, most double precision) returns boolean
  language plpgsql immutable parallel safe as $body$
begin
  if a::double precision * b > most then
    raise exception 'values are too long' using errcode = 'CA003';
  end if;
  return true;
end $body$;

-- Each step of a text takes about half a nanosecond, one of a date or number about ten.
do $migration$
declare
  it record;
begin
  for it in
    select * from (values
      ('translate', 'text, text, text', '$1, $2, $3', 'text', 1e9),
      ('btrim', 'text, text', '$1, $2', 'text', 1e9),
      ('ltrim', 'text, text', '$1, $2', 'text', 1e9),
      ('rtrim', 'text, text', '$1, $2', 'text', 1e9),
      ('strpos', 'text, text', '$1, $2', 'integer', 1e9),
      ('replace', 'text, text, text', '$1, $2, $3', 'text', 1e9),
      ('split_part', 'text, text, integer', '$1, $2, $3', 'text', 1e9),
      ('string_to_array', 'text, text', '$1, $2', 'text[]', 1e9),
      ('string_to_array', 'text, text, text', '$1, $2, $3', 'text[]', 1e9),
      ('to_date', 'text, text', '$1, $2', 'date', 1e7),
      ('to_timestamp', 'text, text', '$1, $2', 'timestamptz', 1e7),
      ('to_number', 'text, text', '$1, $2', 'numeric', 1e7)
    ) as bounded (name, arguments, passed, result, most)
  loop
    execute format($make$
      create function cartulary_queries.%1$I(%2$s) returns %4$s language sql immutable parallel safe
        return case when octet_length($1)::double precision * octet_length($2) <= %5$s
          or cartulary_queries.demand_steps(octet_length($1), octet_length($2), %5$s) then pg_catalog.%1$I(%3$s) end
    $make$, it.name, it.arguments, it.passed, it.result, it.most);
  end loop;

  -- The check is in the argument, since the planner of PostgreSQL 18 may compute the rest before.
  -- Arrays are made by queries, so their sizes are those in memory. JSON may be stored with a hundredth of its size.
  for it in
    select *, case other when 'text' then 'octet_length(%s)' else 'pg_column_size(%s)' end as quick_size,
      case when one = 'jsonb' then 'octet_length(%s::text)' when other = 'text' then 'octet_length(%s)' else 'pg_column_size(%s)' end as size,
      case when other = 'text' then 1e9 when one = 'jsonb' then 2e5 else 2e9 end as quick_most,
      case when other = 'text' then 1e9 else 2e9 end as most
    from (values
      ('is_like', '~~', 'text', 'text'),
      ('is_not_like', '!~~', 'text', 'text'),
      ('is_like_in_any_case', '~~*', 'text', 'text'),
      ('is_not_like_in_any_case', '!~~*', 'text', 'text'),
      ('is_like', '~~', 'character', 'text'),
      ('is_not_like', '!~~', 'character', 'text'),
      ('is_like_in_any_case', '~~*', 'character', 'text'),
      ('is_not_like_in_any_case', '!~~*', 'character', 'text'),
      ('contains', '@>', 'anyarray', 'anyarray'),
      ('is_contained', '<@', 'anyarray', 'anyarray'),
      ('overlaps', '&&', 'anyarray', 'anyarray'),
      ('contains', '@>', 'jsonb', 'jsonb'),
      ('is_contained', '<@', 'jsonb', 'jsonb'),
      ('has_any', '?|', 'jsonb', 'text[]'),
      ('has_all', '?&', 'jsonb', 'text[]'),
      ('without', '-', 'jsonb', 'text[]')
    ) as bounded (name, operator, one, other)
  loop
    execute format($make$
      create function cartulary_queries.%1$I(a %3$s, b %4$s) returns %5$s language sql %12$s parallel safe as $body$
        select a operator(pg_catalog.%2$s)
          case when %6$s::double precision * %7$s <= %8$s or cartulary_queries.demand_steps(%9$s, %10$s, %11$s) then b end
      $body$
    $make$, it.name, it.operator, it.one, it.other, case when it.operator = '-' then 'jsonb' else 'boolean' end,
      format(it.quick_size, 'a'), format(it.quick_size, 'b'), it.quick_most, format(it.size, 'a'), format(it.size, 'b'), it.most,
      -- As their function of the size.
      case when it.other = 'text' then 'immutable' else 'stable' end);
    execute format('create operator cartulary_queries.%s (function = cartulary_queries.%I, leftarg = %s, rightarg = %s)',
      it.operator, it.name, it.one, it.other);
  end loop;
end $migration$;
