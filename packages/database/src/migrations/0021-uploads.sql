-- Uploads that go on after a broken connection. Their bytes are files of the data folder; how many have come is the size of the file.
create table cartulary.upload (
  id uuid primary key default gen_random_uuid(),
  project_id integer not null references cartulary.project on delete cascade,
  account_id integer not null references cartulary.account on delete cascade,
  name text not null,
  size bigint not null,
  expires_at timestamptz not null
);
create index upload_account on cartulary.upload (account_id);
create index upload_expiry on cartulary.upload (expires_at);
