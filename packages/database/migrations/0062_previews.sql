-- The file of its input that a task previews; null for tasks of clients. Previews are in no list and have no events.
alter table tasks add column preview_file integer;

-- Which task makes the preview of a page of a file. A plain table: partitions of the current hours would be missing
-- until the scheduler has made new ones, and the rows are few.
create table previews (
  task_id bytea not null,
  file integer not null,
  page integer not null,
  preview_id bytea not null,
  owner_id bytea not null references owners (id) on delete cascade,
  created_at timestamptz not null,
  primary key (task_id, file, page)
);
create index previews_of_owner on previews (owner_id, created_at);
create index previews_by_age on previews (created_at);
