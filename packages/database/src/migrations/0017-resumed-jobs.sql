-- A job whose process ended before it stored anything is carried out again, by a process that has its upload.

alter table cartulary.job
  add column request json, -- the parameters, and of an import its file: what carries it out; null: it cannot be resumed
  add column attempts integer not null default 0; -- how often a process has begun to carry it out
-- Where no process has it the name of its process is empty.
create index job_released on cartulary.job (created_at) where state = 'queued' and process = '';
