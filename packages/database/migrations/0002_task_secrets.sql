-- What a task needs and its owner is not shown again: sealed by the API, opened by the worker that
-- runs the task, gone when the task ends.
alter table tasks add column sealed bytea;
