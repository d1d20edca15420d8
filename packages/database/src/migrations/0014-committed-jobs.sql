-- An import that is a job notes in its own transaction that it is stored, with its report: whatever becomes of the process
-- or of the answer to COMMIT, the job is known to be done.

alter table cartulary.job add column committed boolean not null default false;
