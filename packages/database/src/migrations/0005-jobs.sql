-- Long work that goes on after its request was answered.

create table cartulary.job (
  id uuid primary key,
  kind text not null check (kind in ('import', 'export')),
  project_id integer not null references cartulary.project on delete cascade,
  account_id integer references cartulary.account on delete cascade, -- null: of the public, whoever knows the id
  layer_id integer not null, -- no reference: a job tells what became of it when its layer is gone, too
  map_code text not null,
  layer_code text not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
  phase text,
  done bigint not null default 0,
  total bigint, -- null: not known
  percent smallint, -- of the phase; null: not known
  created_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  finished_at timestamptz,
  result json, -- what the plain call answers, in its order
  error json, -- the same of one that failed: code, message, data
  file json, -- of an export: name, mime, size
  file_until timestamptz, -- until then the file is kept
  process text not null, -- which carries it out: host, number and a name of its own
  seen_at timestamptz not null default clock_timestamp(), -- when that process was last known to live
  cancelling boolean not null default false -- asked for through another process
);
create index job_account on cartulary.job (account_id, created_at);
create index job_project on cartulary.job (project_id);
create index job_unfinished on cartulary.job (process) where state in ('queued', 'running');
