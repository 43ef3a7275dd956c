-- Accounts of people who have deleted them. The owner stays until its records are gone: tasks and files are in partitions
-- without foreign keys, and the scheduler deletes what is left of them.
create table closed_accounts (
  owner_id bytea primary key references owners (id) on delete cascade,
  closed_at timestamptz not null default now()
);
