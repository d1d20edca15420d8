-- An attempt to sign in is counted before its password is judged. `is_decided`: it was judged wrong. One that its process
-- could not decide, because it was ended or lost the database, counts for a short time alone.

alter table cartulary.login_failure add column is_decided boolean not null default true;
