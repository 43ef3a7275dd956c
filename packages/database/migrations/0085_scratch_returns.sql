-- How often a task was requeued because its files did not fit into the scratch space of its worker.
alter table tasks add column scratch_returns integer not null default 0;
