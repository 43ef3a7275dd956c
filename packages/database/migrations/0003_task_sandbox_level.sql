-- How well the engine of a task was kept in: the sandbox level of the worker that has, or last had, its lease.
-- Null for tasks that run no engine. For operators: it is not shown to clients.
alter table tasks add column sandbox_level smallint;
