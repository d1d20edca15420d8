-- Icons of projects: SVG and PNG pictures that styles, layers and folders name.

create table cartulary.icon (
  id integer generated always as identity primary key,
  project_id integer not null references cartulary.project on delete cascade,
  name text not null,
  content uuid not null, -- key of the storage; a new one with each picture
  kind text not null check (kind in ('svg', 'png')),
  size integer not null, -- bytes
  width real not null, -- pixels
  height real not null,
  changed_at timestamptz not null default now(),
  unique (project_id, name)
);
create index icon_content on cartulary.icon (content);

-- Rises with every change of the project's icons: what was drawn with the old ones is stale then.
alter table cartulary.project add column icons_version bigint not null default 1;

-- Whatever the view holds already stays in it.
do $$
begin
  execute 'create or replace view cartulary.named_content as '
    || rtrim(pg_get_viewdef('cartulary.named_content'::regclass), '; ')
    || ' union all select content from cartulary.icon';
end
$$;

create function cartulary.note_icon_removal() returns trigger language plpgsql as $$
begin
  insert into cartulary.file_removal (content, not_before)
    select content, now() + interval '2 minutes' from gone;
  return null;
end
$$;

create trigger icon_removed after delete on cartulary.icon
  referencing old table as gone for each statement execute function cartulary.note_icon_removal();

-- The style of a layer as a form of colours and sizes, where style_mode is 1: css_style is made of it.
alter table cartulary.container add column simple_style jsonb;
