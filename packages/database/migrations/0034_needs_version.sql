-- The version of the catalogue of operations, options and formats that a task takes a worker of; null for the first.
alter table tasks add column needs_version integer;
-- The version a worker knows. A worker of an earlier release knows the first.
alter table workers add column catalog_version integer not null default 1;
