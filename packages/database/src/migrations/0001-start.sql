-- The catalog: projects, people, rights, containers, columns. Layer data lies in tables of its own, cartulary_data.layer_<id>.

create schema if not exists cartulary;
create schema if not exists cartulary_data;

-- One row, made by the first start together with the administrator and the project demo.
create table cartulary.installation (
  one boolean primary key default true check (one),
  created_at timestamptz not null default now()
);

create table cartulary.project (
  id integer generated always as identity primary key,
  code text not null unique,
  name text not null default '',
  languages text[] not null default '{en}' check (cardinality(languages) > 0), -- the first is the main one
  demo text, -- how far the demo data came: 'loading', 'complete'; null where there is none
  created_at timestamptz not null default now()
);

-- project_id null: an administrator of the installation, who may do everything in every project.
create table cartulary.account (
  id integer generated always as identity primary key,
  project_id integer references cartulary.project on delete cascade,
  login text not null,
  password_hash text,
  name text not null default '',
  email text not null default '',
  public_access boolean not null default true,
  gui_access boolean not null default false,
  created_at timestamptz not null default now()
);
create unique index account_login on cartulary.account (coalesce(project_id, 0), login);

create table cartulary.user_group (
  id integer generated always as identity primary key,
  project_id integer not null references cartulary.project on delete cascade,
  name text not null,
  unique (project_id, name)
);

create table cartulary.membership (
  account_id integer not null references cartulary.account on delete cascade,
  group_id integer not null references cartulary.user_group on delete cascade,
  primary key (account_id, group_id)
);
create index membership_group on cartulary.membership (group_id);

-- The token itself is never stored: its SHA-256 is.
create table cartulary.session (
  token_hash bytea primary key,
  project_id integer not null references cartulary.project on delete cascade,
  account_id integer not null references cartulary.account on delete cascade,
  kind text not null check (kind in ('rest', 'console')),
  idle_seconds integer not null,
  last_used timestamptz not null default clock_timestamp() -- in no index, so that raising it stays cheap
) with (fillfactor = 50);
create index session_account on cartulary.session (account_id);

create table cartulary.login_failure (
  id bigint generated always as identity primary key,
  login text not null, -- SHA-256 of what was given
  address text not null,
  failed_at timestamptz not null default clock_timestamp()
);
create index login_failure_recent on cartulary.login_failure (login, address, failed_at);

create sequence cartulary.container_id as integer;

-- Maps, folders and layers share one table and one sequence, so that a parent_id is never ambiguous.
create table cartulary.container (
  id integer primary key default nextval('cartulary.container_id'),
  project_id integer not null references cartulary.project on delete cascade,
  map_id integer not null references cartulary.container on delete cascade, -- a map names itself
  parent_id integer references cartulary.container on delete cascade, -- null for a map
  type text not null check (type in ('map', 'folder', 'layer', 'virtual', 'material', 'raster', 'external')),
  code text not null,
  name text not null default '',
  names jsonb not null default '{}', -- language → name, where localized_name
  localized_name boolean not null default false,
  sort integer not null default 1,
  css_style text not null default '',
  style_mode smallint not null default 0,
  render_type smallint not null default 0,
  render_settings jsonb not null default '{}',
  json jsonb not null default '{}',
  icon text not null default '',
  comment text not null default '',
  selected boolean not null default true,
  version bigint not null default 1, -- a map's rises with every change in its tree, styles and rights
  -- maps
  publish boolean not null default true,
  group_layers smallint not null default 0,
  show_pub boolean not null default true,
  locales jsonb, -- array of languages with names; null: those of the project
  tree_saved boolean not null default false, -- whether publication_item is in force
  -- folders
  tiles_quality smallint not null default 0,
  view_format_type smallint not null default 0,
  -- layers
  owner_id integer references cartulary.account on delete set null,
  meta jsonb not null default '{}',
  visual_settings jsonb,
  visual_custom_settings jsonb,
  vector_settings jsonb,
  check ((type = 'map') = (parent_id is null)),
  check ((type = 'map') = (map_id = id))
);
alter sequence cartulary.container_id owned by cartulary.container.id;
create unique index container_map_code on cartulary.container (project_id, code) where type = 'map';
create unique index container_code on cartulary.container (map_id, code) where type <> 'map';
create index container_parent on cartulary.container (parent_id, sort);

-- Apart from the container, because every write of an object raises it: a narrow row is cheap to change.
create table cartulary.layer_state (
  layer_id integer primary key references cartulary.container on delete cascade,
  data_version bigint not null default 1,
  imports bigint not null default 0 -- rises with every import: an export during which it rises is cut off
) with (fillfactor = 50);

create table cartulary.publication_item (
  map_id integer not null references cartulary.container on delete cascade,
  id bigint not null,
  parent_id bigint not null, -- 0: the root
  sort double precision not null,
  selected boolean not null default true,
  map_layer_id integer not null references cartulary.container on delete cascade,
  icon text not null default '',
  primary key (map_id, id)
);
create index publication_item_layer on cartulary.publication_item (map_layer_id);

-- Who: one of an account, a group, or the public (both null). On what: a map or layer, or the whole project (null).
create table cartulary.access_grant (
  id integer generated always as identity primary key,
  project_id integer not null references cartulary.project on delete cascade,
  container_id integer references cartulary.container on delete cascade,
  account_id integer references cartulary.account on delete cascade,
  group_id integer references cartulary.user_group on delete cascade,
  level smallint not null check (level between 0 and 3),
  check (account_id is null or group_id is null)
);
create unique index access_grant_one on cartulary.access_grant
  (project_id, coalesce(container_id, 0), coalesce(account_id, 0), coalesce(group_id, 0));
create index access_grant_container on cartulary.access_grant (container_id);
create index access_grant_account on cartulary.access_grant (account_id);
create index access_grant_group on cartulary.access_grant (group_id);

create sequence cartulary.column_id as integer;

-- The values of column N lie in the column c<N> of the layer's table (svc_id and geom under their own names),
-- so that a code may be changed freely and never meets a name that the database reserves.
create table cartulary.layer_column (
  id integer primary key default nextval('cartulary.column_id'),
  layer_id integer not null references cartulary.container on delete cascade,
  parent_id integer references cartulary.layer_column on delete set null, -- a column of type title; null: top level
  code text not null,
  name text not null default '',
  names jsonb not null default '{}',
  localized_name boolean not null default false,
  localized_value boolean not null default false,
  required boolean not null default false,
  type text not null check (type in ('number', 'geom', 'string', 'text', 'datetime', 'bool', 'file', 'title', 'json')),
  format jsonb,
  sort integer not null default 1,
  unique (layer_id, code)
);
alter sequence cartulary.column_id owned by cartulary.layer_column.id;
