-- The engine a task turned out to need, when a worker without it had claimed the task. Null: nothing special is known.
alter table tasks add column needs text;
-- The engines a worker cannot run. A worker of an earlier release has all of them.
alter table workers add column lacks text[] not null default '{}';
