-- Whose unfinished jobs are counted together, by all processes: an account, or the address of a caller without one.

alter table cartulary.job add column owner text not null default '';
create index job_owner on cartulary.job (owner) where state in ('queued', 'running');
