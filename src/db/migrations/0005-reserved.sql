-- Holds the place of the migration of this number, which comes with another part.
select 1;
