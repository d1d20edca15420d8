-- Keys of users for programs: sessions with a name that end after days, not minutes, without use.
alter table cartulary.session
  drop constraint session_kind_check,
  add constraint session_kind_check check (kind in ('rest', 'console', 'key')),
  add name text not null default '';
